import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A polyphonic synthesizer with one pulse wave per note: the sound of early game consoles, without their aliases.
///
/// Every channel of every port is a part of its own, with its own pedals, bend, tuning and mode, unless it plays the single
/// notes of an MPE zone. Programs and banks
/// change nothing: there is one sound. A pulse wave has no drums, and keys of a drum kit would come out as random
/// pitches, so drum parts (channel 10 at the start, others by GS and XG messages) are silent unless `drums` says
/// otherwise. Notes start and end on their exact frame; changes of pitch and pulse width are heard 32 to 48 frames
/// after they came, because the wave's edges are computed that far ahead.
///
/// The wave is a plain pulse plus band-limited residuals at its edges; see `PulseOscillator` for method and source.
public struct SquareWave: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "sqwv", manufacturer: .carillon),
        name: "square-wave", summary: "A polyphonic pulse-wave synthesizer without aliasing.",
        outputs: [.init("main", channels: 2)], acceptsMusic: true, eventGranularity: 1, tail: 10.1,
        readouts: ["voices"])

    /// What can be set.
    public enum Parameter: Int, UnitParameter {
        case pulseWidth, attack, decay, sustain, release, gain, vibratoRate, vibratoDepth, velocityCurve, portamentoTime
        case tune, polyphony, drums

        public var spec: ParameterSpec {
            switch self {
            case .pulseWidth:
                ParameterSpec("pulse-width", 5...95, default: 50, unit: .percent,
                    help: "The part of each period in which the wave is high: 50 is a hollow square, the ends are nasal.")
            case .attack:
                ParameterSpec("attack", 0.0005...10, default: 0.002, unit: .seconds, curve: .logarithmic,
                    help: "How long a note takes to reach its full level.")
            case .decay:
                ParameterSpec("decay", 0.001...10, default: 0.6, unit: .seconds, curve: .logarithmic,
                    help: "How long a note takes to fall from full level to the sustain level.")
            case .sustain:
                ParameterSpec("sustain", 0...100, default: 70, unit: .percent,
                    help: "The level at which a held note stays, of its full level.")
            case .release:
                ParameterSpec("release", 0.001...10, default: 0.15, unit: .seconds, curve: .logarithmic,
                    help: "How long a note takes to fall silent after its key went up.")
            case .gain:
                ParameterSpec("gain", -60...12, default: -12, unit: .decibels, help: "Level of the whole instrument.")
            case .vibratoRate:
                ParameterSpec("vibrato-rate", 0.1...20, default: 5.5, unit: .hertz, curve: .logarithmic,
                    help: "How fast the vibrato of modulation wheel and pressure swings.")
            case .vibratoDepth:
                ParameterSpec("vibrato-depth", 0...200, default: 50, unit: .cents,
                    help: "How far the vibrato swings to either side with the wheel or the pressure at its end.")
            case .velocityCurve:
                ParameterSpec("velocity-curve", 0...4, default: 2,
                    help: "The power of the velocity that makes the level: 0 plays all alike, 2 follows General MIDI 2.")
            case .portamentoTime:
                ParameterSpec("portamento-time", 0.01...10, default: 2, unit: .seconds, curve: .logarithmic,
                    help: "How long a glide takes with controller 5 at its end.")
            case .tune:
                ParameterSpec("tune", -1200...1200, default: 0, unit: .cents, help: "Tuning of the whole instrument.")
            case .polyphony:
                ParameterSpec("polyphony", 1...64, default: 64, unit: .voices, applies: .atStart,
                    help: "How many notes may sound at once; one more takes the place of the quietest.")
            case .drums:
                .toggle("drums", default: false, applies: .atStart,
                    help: "Whether drum parts sound, each drum as the pitch of its key.")
            }
        }
    }

    private let sampleRate: Double
    /// Seconds from frame to frame.
    private let period: Double
    private let isPlayingDrums: Bool
    private let rows: UnsafePointer<Float>
    /// One stretch of `PulseOscillator.workspaceCount` floats per voice.
    private let workspaces: UnsafeMutablePointer<Float>
    private var channels = SquareWaveParts()
    private var pool: SquareWaveVoices
    private var settings: SquareWaveSettings
    /// How much of its way a volume covers per point of the grid: a time constant of 4 ms.
    private let smoothing: Float

    public init(_ setup: UnitSetup) throws(UnitError) {
        guard (1_000...768_000).contains(setup.sampleRate) else {
            throw .unsupportedSampleRate(unit: "square-wave", asked: setup.sampleRate, supported: 1_000...768_000)
        }
        sampleRate = setup.sampleRate
        period = 1 / sampleRate
        isPlayingDrums = setup.value(of: Parameter.drums) >= 0.5
        rows = BandLimitedStep.rows
        pool = SquareWaveVoices(polyphony: setup.value(of: Parameter.polyphony), sampleRate: sampleRate)
        let interval = Double(SquareWaveVoice.interval) / sampleRate
        settings = SquareWaveSettings(interval: interval)
        smoothing = Float(1 - DeterministicMath.exp2(-interval / 0.004 * 1.4426950408889634))    // log2 e
        let floats = SquareWaveVoices.capacity * PulseOscillator.workspaceCount
        workspaces = .allocate(capacity: floats)
        workspaces.initialize(repeating: 0, count: floats)
        reset()
    }

    deinit { workspaces.deallocate() }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        switch event {
        case .message(let message): handle(message)
        case .reset(_, let port): resetPort(port)
        case .standard(_, let port): resetPort(port, letsRing: true)
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect:
            channels.apply(event)
        }
    }

    @_noLocks private mutating func handle(_ message: MIDIMessage) {
        let part = Self.part(message.port, message.channel)
        let key = message.data1 & 127, value = message.data2 & 127
        switch message.kind {
        case .noteOn: if value > 0 { noteOn(part, key, value) } else { noteOff(part, key) }
        case .noteOff: noteOff(part, key)
        case .keyPressure: pool.press(part: part, key: key, value)
        case .channelPressure: channels.parts[part].pressure = key
        case .pitchBend: channels.parts[part].bend = message.bend
        case .controlChange: control(part, Controller(rawValue: key), value)
        case .programChange, nil: break
        }
    }

    @_noLocks private static func part(_ port: UInt8, _ channel: UInt8) -> Int {
        Int(port & 15) &* 16 &+ Int(channel & 15)
    }

    @_noLocks private mutating func noteOn(_ part: Int, _ key: UInt8, _ velocity: UInt8) {
        let state = channels.parts + part
        if state.pointee.mode == .drums && !isPlayingDrums { return }
        let source = state.pointee.glideSource(to: key), before = state.pointee.newestKey
        state.pointee.push(key)
        if state.pointee.isMono, let voice = pool.held(part: part) {
            change(voice, to: key, part)
            voice.pointee.isKeyDown = true
            return
        }
        // The legato pedal makes one note of two whose keys overlap; chords that are down already stay.
        if state.pointee.isLegato, let before, before != key, let voice = pool.down(part: part, key: before) {
            change(voice, to: key, part)
            return
        }
        if !state.pointee.isMono { pool.releaseSame(part: part, key: key) }
        let voice = pool.start(part: part, key: key, velocity: velocity)
        voice.pointee.isSoft = channels.parts[channels.speaker(part)].isSoft
        if let source { voice.pointee.startGlide((Float(source) - Float(key)) * 100, state.pointee.glideFraction) }
    }

    @_noLocks private mutating func noteOff(_ part: Int, _ key: UInt8) {
        let state = channels.parts + part
        state.pointee.remove(key)
        // Back to the key that is still down and has no voice of its own.
        if state.pointee.isMono || state.pointee.isLegato, let next = state.pointee.newestKey,
            let voice = pool.down(part: part, key: key), pool.down(part: part, key: next) == nil
        {
            change(voice, to: next, part)
            return
        }
        pool.keyUp(part: part, key: key, isSustained: channels.isSustained(part))
    }

    /// Mono mode: the sounding note goes over to another key, gliding where portamento is on.
    @_noLocks private func change(_ voice: UnsafeMutablePointer<SquareWaveVoice>, to key: UInt8, _ part: Int) {
        let distance = (Float(voice.pointee.key) - Float(key)) * 100 + voice.pointee.glideNow
        voice.pointee.key = key
        voice.pointee.startGlide(channels.parts[part].glides ? distance : 0, channels.parts[part].glideFraction)
    }

    @_noLocks private mutating func control(_ part: Int, _ controller: Controller, _ value: UInt8) {
        let consequence = channels.control(part, controller, value)
        if case .zone(let members) = consequence {
            let changed = channels.configure(part, members: members)
            for channel in 0..<16 where changed &>> UInt16(channel) & 1 != 0 { end(part & ~15 | channel) }
            return
        }
        // Pedals of a channel that plays single notes of a zone are nobody's.
        if consequence.isOfPedal, channels.speaker(part) != part { return }
        for part in channels.reach(part) { obey(consequence, part) }
    }

    /// What pedals and channel modes do to the notes of a part.
    @_noLocks private mutating func obey(_ consequence: Part.Consequence, _ part: Int) {
        let isSustained = channels.isSustained(part)
        switch consequence {
        case .none, .tuningChosen, .zone: break
        case .pedalUp: pool.releaseUnheld(part: part, isSustained: isSustained)
        case .sostenutoDown: pool.catchKeys(part: part, isDown: true)
        case .sostenutoUp:
            pool.catchKeys(part: part, isDown: false)
            pool.releaseUnheld(part: part, isSustained: isSustained)
        case .controllersReset:
            if channels.speaker(part) != part { channels.parts[part].resetControllers() }
            pool.catchKeys(part: part, isDown: false)
            pool.press(part: part, key: nil, 0)
            pool.releaseUnheld(part: part, isSustained: isSustained)
        case .allNotesOff:
            channels.parts[part].clearKeys()
            pool.allKeysUp(part: part, isSustained: isSustained)
        case .allSoundOff:
            channels.parts[part].clearKeys()
            pool.silence(part..<(part &+ 1))
        }
    }

    /// Releases every note of a part, whatever holds it.
    @_noLocks private func end(_ part: Int) {
        pool.catchKeys(part: part, isDown: false)
        pool.allKeysUp(part: part, isSustained: false)
    }

    /// Every channel of the port to its defaults, and silent; or what is released by that rings on.
    @_noLocks private mutating func resetPort(_ port: UInt8, letsRing: Bool = false) {
        let first = Self.part(port, 0)
        if !letsRing { pool.silence(first..<(first &+ 16)) }
        for part in first..<(first &+ 16) {
            if letsRing { end(part) }
            channels.reset(part)
        }
        channels.reset(port: port)
    }

    @_noLocks public mutating func reset() {
        pool.reset()
        for port in 0..<16 { resetPort(UInt8(truncatingIfNeeded: port)) }
    }

    /// The quieter half of the released notes goes.
    @_noLocks public mutating func shed(_ level: Int) {
        if level > 0 { pool.shed() }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        io.publish(0, Float(Int32(truncatingIfNeeded: pool.usedCount)))
        if pool.usedCount == 0 { return .silent }
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        rt_zero(left, io.frames)
        rt_zero(right, io.frames)
        settings.read(io, at: 0)
        var unseen = pool.usedCount
        var index = 0
        while unseen > 0 && index < SquareWaveVoices.capacity {
            if pool.voices[index].isUsed {
                unseen &-= 1
                if !renderVoice(index, io, left, right) {
                    pool.voices[index].isUsed = false
                    pool.usedCount &-= 1
                }
            }
            index &+= 1
        }
        return .sounding
    }

    /// Adds one voice; false when it has come to its end.
    @_noLocks private mutating func renderVoice(
        _ index: Int, _ io: borrowing RenderIO, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>
    ) -> Bool {
        let voice = pool.voices + index
        let workspace = workspaces + index &* PulseOscillator.workspaceCount
        var done = 0
        while done < io.frames {
            if voice.pointee.isDue { step(voice, workspace, io, at: done) }
            let played = voice.pointee.played
            let frames = min(SquareWaveVoice.interval &- played, io.frames &- done)
            let wave = voice.pointee.oscillator.render(frames, workspace, rows)
            let l = voice.pointee.leftStart, lSlope = voice.pointee.leftSlope
            let r = voice.pointee.rightStart, rSlope = voice.pointee.rightSlope
            for i in 0..<frames {
                let along = Float(Int32(truncatingIfNeeded: played &+ i &+ 1))
                left[done &+ i] += wave[i] * (l + lSlope * along)
                right[done &+ i] += wave[i] * (r + rSlope * along)
            }
            done &+= frames
            voice.pointee.played = played &+ frames
            if voice.pointee.played == SquareWaveVoice.interval {
                if voice.pointee.envelope.isEnding { return false }
                voice.pointee.isDue = true
            }
        }
        return true
    }

    /// A point of the voice's grid: pitch, width and amplitude for the next frames, from what holds at `frame`.
    @_noLocks private mutating func step(
        _ voice: UnsafeMutablePointer<SquareWaveVoice>, _ workspace: UnsafeMutablePointer<Float>,
        _ io: borrowing RenderIO, at frame: Int
    ) {
        let part = voice.pointee.part
        let isNew = voice.pointee.isNew
        if settings.isMoving { settings.read(io, at: frame) }
        setPitch(voice)
        voice.pointee.oscillator.setWidth(settings.pulseWidth)
        if isNew {
            voice.pointee.oscillator.start(workspace, rows)
            let velocity = Double(voice.pointee.velocity) / 127
            let strike = Float(DeterministicMath.power(velocity, settings.velocityCurve))
            voice.pointee.strike = voice.pointee.isSoft ? strike * 0.7 : strike
            voice.pointee.isNew = false
        }

        let fraction = voice.pointee.fraction, played = Float(Int32(truncatingIfNeeded: voice.pointee.played))
        voice.pointee.envelope.advance(fraction, settings.times)
        let wanted = channels.level(part)
        if isNew {
            voice.pointee.left = wanted.left
            voice.pointee.right = wanted.right
        } else {
            voice.pointee.left += (voice.pointee.nextLeft - voice.pointee.left) * fraction
            voice.pointee.right += (voice.pointee.nextRight - voice.pointee.right) * fraction
        }
        voice.pointee.nextLeft = approach(voice.pointee.left, wanted.left)
        voice.pointee.nextRight = approach(voice.pointee.right, wanted.right)

        let amplitude = voice.pointee.envelope.next * voice.pointee.strike * settings.gain
        let perFrame = 1 / Float(Int32(SquareWaveVoice.interval))
        voice.pointee.leftStart += voice.pointee.leftSlope * played
        voice.pointee.rightStart += voice.pointee.rightSlope * played
        voice.pointee.leftSlope = (amplitude * voice.pointee.nextLeft - voice.pointee.leftStart) * perFrame
        voice.pointee.rightSlope = (amplitude * voice.pointee.nextRight - voice.pointee.rightStart) * perFrame
        voice.pointee.played = 0
        voice.pointee.isDue = false
    }

    /// A volume on its way, one point of the grid later; it arrives when it is within a millionth.
    @_noLocks private func approach(_ value: Float, _ goal: Float) -> Float {
        let next = value + (goal - value) * smoothing
        return next - goal < 1e-6 && goal - next < 1e-6 ? goal : next
    }

    /// Key, bend, tuning, glide and vibrato become the oscillator's frequency.
    @_noLocks private func setPitch(_ voice: UnsafeMutablePointer<SquareWaveVoice>) {
        let part = voice.pointee.part
        let played = Float(Int32(truncatingIfNeeded: voice.pointee.played))
        var cents = Double(voice.pointee.key) * 100 + channels.cents(part, voice.pointee.key) + settings.tune

        if voice.pointee.glide != 0 {
            voice.pointee.glideDone += played
            if voice.pointee.glideFraction >= 0 {
                voice.pointee.glideFrames = settings.portamentoTime * voice.pointee.glideFraction * Float(sampleRate)
                voice.pointee.glideFraction = -1
                voice.pointee.glideDone = 0
            }
            cents += Double(voice.pointee.glideNow)
            if voice.pointee.glideDone >= voice.pointee.glideFrames { voice.pointee.glide = 0 }
        }

        voice.pointee.vibratoPhase += settings.vibratoRate * Float(period) * played
        if voice.pointee.vibratoPhase >= 1 { voice.pointee.vibratoPhase -= 1 }
        let depth = settings.vibratoDepth * channels.vibrato(part, voice.pointee.pressure)
        if depth > 0 { cents += Double(depth * DeterministicMath.quickSine(turns: voice.pointee.vibratoPhase)) }

        if cents == voice.pointee.pitch { return }
        voice.pointee.pitch = cents
        voice.pointee.oscillator.setFrequency(
            440 * period * DeterministicMath.quickExp2((cents - 6900) * (1.0 / 1200)))
    }
}

/// Here, because a debug build sees through a parameter's raw value in the file that declares it only.
extension SquareWaveSettings {
    private typealias Parameter = SquareWave.Parameter

    /// Reads what holds at `frame`.
    @_noLocks mutating func read(_ io: borrowing RenderIO, at frame: Int) {
        isMoving = false
        pulseWidth = value(io[Parameter.pulseWidth], frame) * 0.01
        times.update(
            attack: value(io[Parameter.attack], frame), decay: value(io[Parameter.decay], frame),
            sustain: value(io[Parameter.sustain], frame) * 0.01, release: value(io[Parameter.release], frame))
        let decibels = value(io[Parameter.gain], frame)
        if decibels != self.decibels {
            self.decibels = decibels
            gain = Decibels.amplitude(decibels)
        }
        vibratoRate = value(io[Parameter.vibratoRate], frame)
        vibratoDepth = value(io[Parameter.vibratoDepth], frame)
        velocityCurve = Double(value(io[Parameter.velocityCurve], frame))
        portamentoTime = value(io[Parameter.portamentoTime], frame)
        tune = Double(value(io[Parameter.tune], frame))
    }

    @_noLocks private mutating func value(_ ramp: ParameterRamp, _ frame: Int) -> Float {
        if !ramp.isSteady { isMoving = true }
        return ramp[frame]
    }
}
