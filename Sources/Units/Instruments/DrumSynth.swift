import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

/// A drum kit that is synthesized: General MIDI's percussion keys 35...81, each made of sines, noise and squares.
///
/// It plays no recordings, and no melodies: every part that it receives is a kit. Nothing ends a drum but another stroke on it,
/// or one of its group (the hats), or all sound off; keys may go up. Tuning, decay and levels hold from the next
/// stroke on; volume, expression and pan of a part hold at once. Non-registered parameters tune, pan and mix single drums.
/// Strokes begin on their exact frame. Method and sources: `DrumVoice`, `DrumSounds`.
public struct DrumSynth: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "drum", manufacturer: .carillon), name: "drum-synth",
        summary: "A drum kit that is synthesized, with the drums of General MIDI.", outputs: [.init("main")],
        acceptsMusic: true, tail: 16, readouts: ["voices"], factoryPresets: factoryPresets)

    /// The parameters of the drum synth.
    public enum Parameter: Int, UnitParameter {
        case kickTune, kickDecay, kickLevel, kickClick, snareTune, snareDecay, snareLevel, snares
        case tomTune, tomDecay, tomLevel, hatTune, hatDecay, hatLevel, cymbalTune, cymbalDecay, cymbalLevel
        case percussionTune, percussionDecay, percussionLevel, width, velocityCurve, gain

        public var spec: ParameterSpec {
            switch self {
            case .kickTune: Self.tune("kick-tune", "the bass drums are")
            case .kickDecay: Self.decay("kick-decay", "the bass drums ring")
            case .kickLevel: Self.level("kick-level", "the bass drums")
            case .kickClick:
                .percent(
                    "kick-click", 0...100, 50, smoothing: 0,
                    "How much of the beater is heard in the bass drums, from the next stroke on.")
            case .snareTune: Self.tune("snare-tune", "snare drums, side stick and claps are")
            case .snareDecay: Self.decay("snare-decay", "snare drums, side stick and claps ring")
            case .snareLevel: Self.level("snare-level", "snare drums, side stick and claps")
            case .snares:
                .percent(
                    "snares", 0...100, 50, smoothing: 0,
                    "How much of the snares is heard in the snare drums, from the next stroke on.")
            case .tomTune: Self.tune("tom-tune", "the toms are")
            case .tomDecay: Self.decay("tom-decay", "the toms ring")
            case .tomLevel: Self.level("tom-level", "the toms")
            case .hatTune: Self.tune("hat-tune", "the hi-hats are")
            case .hatDecay: Self.decay("hat-decay", "the hi-hats ring")
            case .hatLevel: Self.level("hat-level", "the hi-hats")
            case .cymbalTune: Self.tune("cymbal-tune", "crashes and rides are")
            case .cymbalDecay: Self.decay("cymbal-decay", "crashes and rides ring")
            case .cymbalLevel: Self.level("cymbal-level", "crashes and rides")
            case .percussionTune: Self.tune("percussion-tune", "all others are")
            case .percussionDecay: Self.decay("percussion-decay", "all others ring")
            case .percussionLevel: Self.level("percussion-level", "all others")
            case .width:
                .percent(
                    "width", 0...100, 50, smoothing: 0,
                    "How far the drums stand apart, from the next stroke on; 0 has all of them in the middle.")
            case .velocityCurve:
                .number(
                    "velocity-curve", 0...4, 2, smoothing: 0,
                    "The power of the velocity that makes the level: 0 plays all alike, 2 follows General MIDI 2.")
            case .gain: .decibels("gain", -60...12, -6, "Level of the whole kit.")
            }
        }

        private static func tune(_ name: String, _ what: String) -> ParameterSpec {
            .semitones(name, -12...12, 0, smoothing: 0, "How much higher \(what), from the next stroke on.")
        }

        private static func decay(_ name: String, _ what: String) -> ParameterSpec {
            ParameterSpec(
                name, 20...400, default: 100, unit: .percent, curve: .logarithmic, smoothing: 0,
                help: "How long \(what), from the next stroke on.")
        }

        private static func level(_ name: String, _ what: String) -> ParameterSpec {
            .decibels(name, -40...6, 0, smoothing: 0, "How loud \(what) are, from the next stroke on; -40 dB is silence.")
        }
    }

    private var parts = InstrumentParts()
    private var kit: DrumKit

    public init(_ setup: UnitSetup) {
        kit = DrumKit(sampleRate: setup.sampleRate)
        reset()
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        switch event {
        case .message(let message): handle(message)
        case .reset(_, let port): resetPort(port, letsRing: false)
        case .standard(_, let port): resetPort(port, letsRing: true)
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part,
            .insertion:
            parts.apply(event)
        // It is played, and counts no time of its own.
        case .time: break
        }
    }

    @_noLocks private mutating func handle(_ message: MIDIMessage) {
        let part = Int(message.port & 15) &* 16 &+ Int(message.channel & 15)
        guard let message = parts.parts[part].heard(message) else { return }
        let key = message.data1 & 127, value = message.data2 & 127
        switch message.kind {
        case .noteOn: if value > 0 { strike(part, key, value) }
        case .controlChange:
            let consequence = parts.control(part, Controller(rawValue: key), value)
            if case .allSoundOff = consequence { kit.silence(part..<(part &+ 1)) }
        case .programChange: parts.parts[part].resetDrums()
        case .noteOff, .keyPressure, .channelPressure, .pitchBend, nil: break
        }
    }

    @_noLocks private mutating func strike(_ part: Int, _ key: UInt8, _ velocity: UInt8) {
        guard let stroke = kit.strike(part: part, key: key, force: Float(velocity) / 127) else { return }
        let state = parts.parts + part
        if let pitch = state.pointee.drumControl(.pitch, of: key) { stroke.pointee.tune = Double(pitch) - 64 }
        if let level = state.pointee.drumControl(.level, of: key) {
            stroke.pointee.level = Float(level) / 127 * (Float(level) / 127)
        }
        if let pan = state.pointee.drumControl(.pan, of: key), pan > 0 {
            stroke.pointee.pan = max(min((Float(pan) - 64) * (100.0 / 63), 100), -100)
        }
    }

    @_noLocks private mutating func resetPort(_ port: UInt8, letsRing: Bool) {
        let first = Int(port & 15) &* 16
        if !letsRing { kit.silence(first..<(first &+ 16)) }
        parts.reset(port: port)
        for part in first..<(first &+ 16) { parts.reset(part) }
    }

    @_noLocks public mutating func reset() {
        kit.reset()
        for port in 0..<16 { resetPort(UInt8(truncatingIfNeeded: port), letsRing: true) }
    }

    /// Drops the quieter half of what rings.
    @_noLocks public mutating func shed(_ level: Int) {
        if level > 0 { kit.shed() }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if kit.usedCount == 0 {
            io.publish(0, 0)
            return .silent
        }
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        rt_zero(left, io.frames)
        rt_zero(right, io.frames)
        for i in 0..<DrumKit.capacity where kit.strokes[i].isUsed {
            let level = parts.level(kit.strokes[i].part)
            kit.strokes[i].wantedLeft = level.left
            kit.strokes[i].wantedRight = level.right
        }
        kit.render(left, right, io.frames, at: io.sampleTime.rawValue, settings(io))
        io.publish(0, Float(Int32(truncatingIfNeeded: kit.usedCount)))
        kit.scale(left, right, io.frames, by: io[Parameter.gain])
        return .sounding
    }

    @_noLocks private func settings(_ io: borrowing RenderIO) -> DrumKitSettings {
        var settings = DrumKitSettings()
        settings.kick.set(io[Parameter.kickTune], io[Parameter.kickDecay], io[Parameter.kickLevel])
        settings.snare.set(io[Parameter.snareTune], io[Parameter.snareDecay], io[Parameter.snareLevel])
        settings.toms.set(io[Parameter.tomTune], io[Parameter.tomDecay], io[Parameter.tomLevel])
        settings.hats.set(io[Parameter.hatTune], io[Parameter.hatDecay], io[Parameter.hatLevel])
        settings.cymbals.set(io[Parameter.cymbalTune], io[Parameter.cymbalDecay], io[Parameter.cymbalLevel])
        settings.percussion.set(io[Parameter.percussionTune], io[Parameter.percussionDecay], io[Parameter.percussionLevel])
        settings.click = Double(io[Parameter.kickClick].target) * 0.01
        settings.snares = Double(io[Parameter.snares].target) * 0.01
        settings.width = io[Parameter.width].target * 0.01
        settings.velocityCurve = Double(io[Parameter.velocityCurve].target)
        return settings
    }
}
