import MIDI
import UnitAPI

/// A transposer: everything that is played, higher or lower.
///
/// Notes that sound when the setting changes end as they began: the release of a key ends the note that it played. Drums are
/// not transposed by default; keys out of range are left out.
public struct Transposer: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "trsp", manufacturer: .carillon), name: "transposer",
        summary: "Plays all notes higher or lower.", outputs: [.music()], acceptsMusic: true)

    public enum Parameter: Int, UnitParameter {
        case octaves, semitones, drums

        public var spec: ParameterSpec {
            switch self {
            case .octaves: .number("octaves", -5...5, 0, smoothing: 0, "Octaves up; below 0 down.")
            case .semitones:
                .semitones(
                    "semitones", -12...12, 0, smoothing: 0,
                    "Semitones up besides; below 0 down. The nearest whole number counts.")
            case .drums:
                ParameterSpec.toggle(
                    "drums", default: false,
                    help: "Whether channel 10 and others that play drums move too, each of whose keys is another drum.")
            }
        }
    }

    private var keys = KeyMap()

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        guard let press = keys.take(event, outlet) else { return }
        var key = Int(press.key)
        if outlet[Parameter.drums] > 0.5 || !keys.isDrums(press.part) {
            key &+= 12 &* outlet.nearest(Parameter.octaves) &+ outlet.nearest(Parameter.semitones)
        }
        if key >= 0 && key <= 127 {
            keys.play(UInt8(truncatingIfNeeded: key), velocity: press.velocity, for: press, outlet)
        }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks public mutating func reset() { keys.reset() }
}
