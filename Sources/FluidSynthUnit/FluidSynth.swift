import CFluidSynth
import CRealtime
import MIDI
import RealtimeCore
import SoundFonts
import UnitAPI

/// Plays SoundFonts through libfluidsynth: sixteen channels, each on a stereo bus of its own or all on one.
///
/// Banks, drum parts, resets and System Exclusive are ours, its reverb and chorus are off (feed `Reverb` and `Chorus`
/// from controllers 91 and 93). Notes start on multiples of 64 frames of sample time: `Sampler` is exact.
///
/// Properties: `SoundFontSelection`, `buses` (`OutputBuses`).
public struct FluidSynth: AudioUnit, ~Copyable {
    /// Sixteen stereo outputs, one per channel; one in all if `buses` is `main`.
    public static var descriptor: UnitDescriptor {
        UnitDescriptor(
            component: ComponentDescription(type: .instrument, subtype: "flui", manufacturer: .carillon),
            name: "fluidsynth",
            summary: "Plays the presets of a SoundFont through libfluidsynth, one stereo bus for each MIDI channel.",
            outputs: (1...16).map { UnitDescriptor.Bus("channel-\($0)") }, acceptsMusic: true, eventGranularity: 64,
            // The longest release a SoundFont can ask for: 8 000 timecents.
            tail: 102, properties: SoundFontSelection.propertyNames + [UnitDescriptor.busesProperty],
            readouts: ["active-voices", "unplayable-notes", "clamped-values"])
    }

    public enum Parameter: Int, UnitParameter {
        case gain, polyphony, interpolation

        public var spec: ParameterSpec {
            switch self {
            case .gain: .soundFontGain
            case .polyphony: .soundFontPolyphony(default: 256)
            case .interpolation: .soundFontInterpolation
            }
        }
    }

    private let library: FluidSynthCalls
    private let synth: OpaquePointer
    private var owned = OwnedMemory()
    private let presets: UnsafeMutablePointer<LoadedPreset>
    private var channels = TunedChannels()
    private var parts: UnsafeMutablePointer<Part> { @_noLocks get { channels.parts } }
    /// Left and right of each group, for the library; nil means not connected.
    private let groups: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let outputs: (groups: Int, buses: Int)
    private let used: UInt16
    private var programs = ChannelPrograms()
    /// The channels that play the program of another.
    private var zones = MPEZones()
    private var playable: UInt16 = 0
    /// Channels that have had a note since all was quiet.
    private var touched: UInt16 = 0
    /// Frames of the library's current block of 64 that have been taken: sample time modulo 64.
    private var phase = 0
    /// True if what is left of the library's current block is known to hold zeros.
    private var restIsQuiet = true
    private var masterVolume: Float = 1, masterCents: Float = 0
    private var appliedGain: Float, gainParameter: Float, gainTarget: Float
    private var gainStep: Float = 0
    private var gainSteps = 0
    /// The most voices that have sounded at once since all was new.
    private var mostVoices = 0
    private let voiceRoom: UnsafeMutablePointer<OpaquePointer?>
    private let voiceCount: Int32
    private let interpolation: Int32
    /// Blocks of 64 frames for which voices that have to go are still to be faded.
    private var fadingBlocks = 0
    private var unplayable = 0
    private var clamped = 0

    /// Rates at which it can run, in hertz.
    public static var sampleRates: ClosedRange<Double> { FluidSynthSettings.sampleRates }

    public init(_ setup: UnitSetup) throws(UnitError) {
        guard FluidSynthSettings.sampleRates.contains(setup.sampleRate) else {
            throw .unsupportedSampleRate(
                unit: "fluidsynth", asked: setup.sampleRate, supported: FluidSynthSettings.sampleRates)
        }
        do throws(SoundFontError) {
            try self.init(loading: FluidSynthSetup(setup))
        } catch {
            throw .resource(unit: "fluidsynth", reason: error.description, fault: error.fault)
        }
    }

    /// Loads the SoundFonts and makes the synth. Control side. Throws `SoundFontError`.
    init(loading setup: FluidSynthSetup) throws(SoundFontError) {
        self.init(try LoadedSoundFonts(setup), setup)
        select(.max)
    }

    private init(_ fonts: consuming LoadedSoundFonts, _ setup: FluidSynthSetup) {
        outputs = (setup.groupCount, setup.buses == .main ? 1 : 16)
        used = setup.usedChannels
        appliedGain = setup.gain
        gainParameter = setup.gain
        gainTarget = setup.gain
        presets = owned.copy(fonts.presets)
        groups = owned.make(outputs.groups * 2, of: nil)
        voiceCount = Int32(setup.polyphony)
        voiceRoom = owned.make(setup.polyphony + 1, of: nil)
        interpolation = setup.interpolation
        library = fonts.library
        synth = library.synth
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        switch event {
        case .message(let message): handle(message, event)
        case .reset:
            _ = programs.apply(event)
            powerUp(silences: true)
            jumpGainInSilence()
        case .standard:
            _ = programs.apply(event)
            powerUp(silences: false)
            jumpGainInSilence()
        case .partMode:
            select(programs.apply(event))
        case .masterVolume(let volume, _):
            masterVolume = min(max(volume, 0), 1)
            jumpGainInSilence()
        case .masterTuning(let cents, _):
            masterCents = min(max(cents, -6500), 6400)
            for channel in 0..<16 { tune(channel) }
        case .scaleTuning, .keyTuning: channels.take(event)
        // The mixer of the channels applies the balance; the library's effects are off.
        case .masterBalance, .effect, .part, .insertion, .time: break
        }
    }

    @_noLocks private mutating func handle(_ message: MIDIMessage, _ event: MusicEvent) {
        let channel = Int(message.channel)
        let index = Int32(channel)
        let data1 = Int32(message.data1 & 127)
        let data2 = Int32(message.data2 & 127)
        switch message.status & 0xF0 {
        case 0x90 where data2 > 0:
            if playable & used & (1 &<< UInt16(channel)) == 0 { return unplayable &+= 1 }
            if channels.isSilent(channel, message.data1) { return }
            touched |= 1 &<< UInt16(channel)
            fluid_render_note_on(synth, index, data1, data2)
            mostVoices = max(mostVoices, Int(fluid_render_voices(synth)))
            tuneVoices(channel)
        case 0x80, 0x90:
            fluid_render_note_off(synth, index, data1)
            tuneVoices(channel)
        case 0xA0: fluid_render_key_pressure(synth, index, data1, data2)
        case 0xB0: control(channel, message.data1 & 127, message.data2 & 127, event)
        case 0xC0: select(programs.apply(event))
        case 0xD0: fluid_render_channel_pressure(synth, index, data1)
        case 0xE0: fluid_render_bend(synth, index, data2 &* 128 &+ data1)
        default: break
        }
    }

    @_noLocks private mutating func control(_ channel: Int, _ number: UInt8, _ value: UInt8, _ event: MusicEvent) {
        let index = Int32(channel)
        switch number {
        case 0, 32: _ = programs.apply(event)
        case 6, 38, 96, 97:
            // What the library does not get does not count here either: it would go on with the generator chosen.
            if Self.isRefused(parts[channel].parameter) { return clamped &+= 1 }
            // The library knows no single drums.
            if parts[channel].parameter.isOfDrum { clamped &+= 1 }
            let consequence = parts[channel].control(Controller(rawValue: number), value)
            if case .zone(let members) = consequence { return setZone(channel, members) }
            if case .tuningChosen = consequence { return channels.fetch(channel) }
            fluid_render_control(synth, index, Int32(number), Int32(value))
            if number == 38 && parts[channel].parameter.registered != 1 { return }
            retune(channel)
        case 98...101:
            _ = parts[channel].control(Controller(rawValue: number), value)
            fluid_render_control(synth, index, Int32(number), Int32(value))
        case 121:
            // Tuning stays (RP-015), which the library forgets.
            parts[channel].resetControllers()
            fluid_render_control(synth, index, 121, Int32(value))
            fluid_render_generator(synth, index, 51, Float(parts[channel].coarseSemitones))
            tune(channel)
        // Omni means nothing if each channel is an instrument of its own: only the notes end.
        case 124, 125: fluid_render_control(synth, index, 123, 0)
        // One channel: more would swallow the neighbours.
        case 126: fluid_render_control(synth, index, 126, 1)
        default: fluid_render_control(synth, index, Int32(number), Int32(value))
        }
    }

    /// Returns true if data entry for this parameter is kept from the library: a SoundFont generator that moves pitch or loop
    /// without bounds.
    @_noLocks private static func isRefused(_ parameter: ParameterSelection) -> Bool {
        switch parameter.generator ?? -1 {
        case 2, 3, 5, 6, 7, 45, 50, 51, 52, 56: return true
        default: return false
        }
    }

    /// Sends the library the parameter's value after data entry: it knows no steps, and bends without bounds.
    @_noLocks private mutating func retune(_ channel: Int) {
        switch parts[channel].parameter.registered {
        case 0:
            if Int32(parts[channel].bendRange / 100) > Self.widestBend { clamped &+= 1 }
            zones.shareBendRange(of: UInt8(truncatingIfNeeded: channel), parts: parts)
            updateBendRanges()
        case 1: tune(channel)
        case 2: fluid_render_generator(synth, Int32(channel), 51, Float(parts[channel].coarseSemitones))
        default: break
        }
    }

    /// A zone comes, goes or changes: its members play what its manager plays, each on its own bus.
    @_noLocks private mutating func setZone(_ channel: Int, _ members: UInt8) {
        let changed = zones.configure(UInt8(truncatingIfNeeded: channel), members: members, parts: parts)
        for place in 0..<16 where changed &>> UInt16(place) & 1 != 0 { fluid_render_control(synth, Int32(place), 123, 0) }
        updateBendRanges()
        select(.max)
    }

    @_noLocks private func updateBendRanges() {
        for channel in 0..<16 {
            fluid_render_bend_range(synth, Int32(channel), min(max(Int32(parts[channel].bendRange / 100), 0), Self.widestBend))
        }
    }

    /// Widest bend, in semitones, that is passed on: pitch must stay within reach of the library's oscillator, `PitchReach`.
    private static var widestBend: Int32 { @_noLocks get { 48 } }

    /// Gives the channels of the mask, and their zones, the presets they ask for.
    @_noLocks private mutating func select(_ mask: UInt16) {
        for channel in 0..<16 where used &>> UInt16(channel) & 1 != 0 {
            let manager = Int(zones.manager(of: UInt8(truncatingIfNeeded: channel)))
            if mask &>> UInt16(truncatingIfNeeded: manager) & 1 == 0 { continue }
            let request = programs.request(manager), preset = presets[Int(request.code)]
            channels.setKit(channel, request.isDrums)
            if preset.font >= 0 {
                playable |= 1 &<< UInt16(channel)
                fluid_render_select(synth, Int32(channel), preset.font, preset.bank, preset.program)
            } else {
                playable &= ~(1 &<< UInt16(channel))
            }
        }
    }

    /// Fine tuning of the channel and master tuning share one generator of the library: 52, in cents.
    @_noLocks private func tune(_ channel: Int) {
        fluid_render_generator(synth, Int32(channel), 52, Float(parts[channel].fineCents) + masterCents)
    }

    /// By the tables: voices that sound and are new, and in mono mode those that another key takes over.
    @_noLocks private mutating func tuneVoices(_ channel: Int) {
        if let cents = channels.moves(of: channel) { fluid_render_tune(synth, voiceRoom, voiceCount, Int32(channel), cents) }
    }

    /// Every channel as after power-on, silent at once. The programs are those of `programs`.
    @_noLocks private mutating func powerUp(silences: Bool) {
        for channel in 0..<16 {
            let index = Int32(channel)
            fluid_render_control(synth, index, 127, 0)
            fluid_render_control(synth, index, 121, 0)
            // Banks apart, which are ours.
            for number in UInt8(1)..<120 where number != 32 && !Controller(rawValue: number).isReset {
                fluid_render_control(synth, index, Int32(number), Int32(Controller(rawValue: number).initialValue))
            }
            fluid_render_bend_range(synth, index, 2)
            fluid_render_generator(synth, index, 51, 0)
            fluid_render_generator(synth, index, 52, 0)
            // Last: "poly" releases notes, and would bring a voice that is already off back into its release.
            if silences { fluid_render_sound_off(synth, index) }
        }
        channels.powerUp()
        zones = MPEZones()
        (masterVolume, masterCents) = (1, 0)
        if silences { touched = 0 }
        select(.max)
    }

    @_noLocks public mutating func reset() {
        programs = ChannelPrograms()
        channels.clear()
        powerUp(silences: true)
        (unplayable, clamped) = (0, 0)
        // What is left of the current block may still sound: drop it, and as much of the next, so that the grid stays.
        fluid_render_process(synth, 64, 0, groups)
        fluid_render_settle(synth, library.tone, Int32(truncatingIfNeeded: mostVoices), 0, groups)
        (mostVoices, restIsQuiet) = (0, true)
        jumpGainInSilence()
    }

    /// Released voices go within 25 ms; cheaper interpolation is for the notes that follow.
    @_noLocks public mutating func shed(_ level: Int) {
        fluid_render_interpolation(synth, level >= 2 ? min(interpolation, 1) : interpolation)
        if level == 0 { return }
        fluid_render_shed(synth, voiceRoom, voiceCount)
        fadingBlocks = 17
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let voices = fluid_render_voices(synth)
        io.publish(0, Float(voices))
        io.publish(1, Float(unplayable))
        io.publish(2, Float(clamped &+ channels.limited))
        if voices > 0, channels.areChanged { for channel in 0..<16 { tuneVoices(channel) } }
        let start = Int(truncatingIfNeeded: io.sampleTime.rawValue & 63)
        if start != phase { skip(to: start) }
        gainParameter = io[Parameter.gain].target
        let wanted = gainParameter * masterVolume
        if voices == 0 && (phase == 0 || restIsQuiet) {
            (touched, fadingBlocks) = (0, 0)
            // At the start of a block without a voice there is nothing to glide: the next note has its level at once.
            if phase == 0 || phase &+ io.frames > 64 { jumpGain(to: wanted) }
            skip(to: (phase &+ io.frames) & 63)
            for bus in 0..<outputs.buses { io.markSilent(bus) }
            return phase == 0 && appliedGain == wanted ? .silent : .sounding
        }
        restIsQuiet = false
        for bus in 0..<outputs.buses where isTouched(bus) {
            rt_zero(io.output(bus, 0).base, io.frames)
            rt_zero(io.output(bus, 1).base, io.frames)
        }
        var done = 0
        while done < io.frames {
            if phase == 0 && fadingBlocks > 0 {
                fadingBlocks &-= 1
                fluid_render_fade(synth, voiceRoom, voiceCount)
            }
            if phase == 0 && appliedGain != wanted {
                if fluid_render_voices(synth) == 0 { jumpGain(to: wanted) } else { stepGain(to: wanted) }
            }
            let isSteady = appliedGain == wanted && fadingBlocks == 0
            let frames = isSteady ? io.frames &- done : min(io.frames &- done, 64 &- phase)
            process(io, done, frames)
            done &+= frames
        }
        for bus in 0..<outputs.buses {
            let isQuiet =
                !isTouched(bus)
                || (fluid_render_is_zero(io.output(bus, 0).base, io.frames)
                    && fluid_render_is_zero(io.output(bus, 1).base, io.frames))
            if isQuiet { io.markSilent(bus) }
        }
        return .sounding
    }

    @_noLocks private func isTouched(_ bus: Int) -> Bool {
        outputs.buses == 1 ? touched != 0 : touched &>> UInt16(truncatingIfNeeded: bus) & 1 != 0
    }

    /// A new master volume while nothing sounds holds from the next note's first frame, also one on the same frame.
    @_noLocks private mutating func jumpGainInSilence() {
        if fluid_render_voices(synth) == 0 { jumpGain(to: gainParameter * masterVolume) }
    }

    @_noLocks private mutating func jumpGain(to wanted: Float) {
        if appliedGain == wanted { return }
        appliedGain = wanted
        gainTarget = wanted
        fluid_render_gain(synth, wanted)
    }

    /// Moves the gain one block of 64 frames towards `wanted`, which takes 16 blocks: the library ramps inside a block, on
    /// its own grid.
    @_noLocks private mutating func stepGain(to wanted: Float) {
        if wanted != gainTarget {
            gainTarget = wanted
            gainStep = (wanted - appliedGain) / 16
            gainSteps = 16
        }
        gainSteps &-= 1
        appliedGain = gainSteps <= 0 ? wanted : wanted - gainStep * Float(Int32(truncatingIfNeeded: gainSteps))
        fluid_render_gain(synth, appliedGain)
    }

    @_noLocks private mutating func process(_ io: borrowing RenderIO, _ offset: Int, _ frames: Int) {
        for channel in 0..<16 where touched &>> UInt16(channel) & 1 != 0 {
            let group = channel % outputs.groups, bus = outputs.buses == 1 ? 0 : channel
            groups[group &* 2] = io.output(bus, 0).base + offset
            groups[group &* 2 &+ 1] = io.output(bus, 1).base + offset
        }
        fluid_render_process(
            synth, Int32(truncatingIfNeeded: frames), Int32(truncatingIfNeeded: outputs.groups &* 2), groups)
        for group in 0..<(outputs.groups &* 2) { groups[group] = nil }
        phase = (phase &+ frames) & 63
    }

    /// Runs the library's block on to `position`, inaudibly: nothing sounds.
    @_noLocks private mutating func skip(to position: Int) {
        let frames = (position &- phase) & 63
        if frames > 0 { fluid_render_process(synth, Int32(truncatingIfNeeded: frames), 0, groups) }
        phase = position
        restIsQuiet = true
    }
}
