import MIDI
import RealtimeCore
import UnitAPI

/// A chord for each key: one finger plays all of it.
///
/// The chord is always the same one, or that of the scale on the key's own step: in C major D plays a minor chord and G a
/// major one. With `strum` its notes follow each other, as on a guitar; letting go of the key ends all of them. Keys that do
/// not belong to the scale play alone. Drums are left alone.
public struct ChordMapper: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "chrd", manufacturer: .carillon),
        name: "chord-mapper", summary: "A chord for each key: one finger plays all of it.", outputs: [.music()],
        acceptsMusic: true)

    public enum Parameter: Int, UnitParameter {
        case chord, root, scale, inversion, strum, direction, level

        public var spec: ParameterSpec {
            switch self {
            case .chord: ParameterSpec.choice("chord", Chord.names, default: 1, help: "Which chord.")
            case .root:
                ParameterSpec.choice("root", Scale.roots, default: 0, help: "The key note of the scale, for chords of it.")
            case .scale: ParameterSpec.choice("scale", Scale.names, default: 1, help: "The scale, for chords of it.")
            case .inversion: .number("inversion", 0...3, 0, smoothing: 0, "How many of its lowest notes go up an octave.")
            case .strum: .seconds("strum", 0...0.25, 0, smoothing: 0, "Time from one note to the next.")
            case .direction:
                ParameterSpec.choice(
                    "direction", ["up", "down"], default: 0, help: "Whether the lowest or the highest note comes first.")
            case .level: .percent("level", 0...100, 100, smoothing: 0, "How loud the other notes are beside the key's own.")
            }
        }
    }

    private let sampleRate: Double
    private var keys = KeyMap()
    private var late = LateMusic()

    public init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        guard let press = keys.take(event, outlet) else { return }
        late.remove(part: press.part, struck: press.key)
        if keys.isDrums(press.part) { return keys.play(press.key, velocity: press.velocity, for: press, outlet) }
        var chord = Chord(
            outlet.nearest(Parameter.chord), on: Int(press.key),
            Scale(outlet.nearest(Parameter.scale), root: outlet.nearest(Parameter.root)))
        chord.invert(outlet.nearest(Parameter.inversion))
        let gap = Double(outlet[Parameter.strum]) * sampleRate
        let isUp = outlet.nearest(Parameter.direction) == 0
        let others = max(Float(press.velocity) * 0.01 * outlet[Parameter.level], 1)
        var placed = 0.0
        for turn in 0..<chord.count {
            let key = chord[isUp ? turn : chord.count &- 1 &- turn]
            if key < 0 || key > 127 { continue }
            let velocity = key == Int(press.key) ? press.velocity : UInt8(others)
            let sound = UInt8(truncatingIfNeeded: key), wait = Int(gap * placed + 0.5)
            placed += 1
            if wait == 0 {
                keys.play(sound, velocity: velocity, for: press, outlet)
            } else if late.hasRoom {
                let time = (outlet.sampleTime + wait).rawValue
                late.add(.init(at: time, part: press.part, key: sound, velocity: velocity, struck: press.key))
            }
        }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = io.sampleTime.rawValue, end = start &+ Int64(io.frames)
        while late.nextTime < end {
            let note = late.take(), press = KeyPress(part: note.part, key: note.struck, velocity: note.velocity)
            // The key may have been released meanwhile.
            if keys.isDown(press) {
                let frame = Int(max(note.time &- start, 0))
                keys.play(note.key, velocity: note.velocity, for: press, io.outlet(at: frame))
            }
        }
        return late.count > 0 ? .sounding : .silent
    }

    @_noLocks public mutating func reset() {
        keys.reset()
        late.removeAll()
    }
}
