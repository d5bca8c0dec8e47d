import MIDI
import UnitAPI

/// A scale mapper: every key that is struck plays a note of the scale.
///
/// A key that does not belong to the scale plays a neighbour that does, or nothing. Of two neighbours that are equally near
/// the lower one is played. Drums are left alone.
public struct ScaleMapper: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "scal", manufacturer: .carillon),
        name: "scale-mapper", summary: "Moves every note that is played into a scale.", outputs: [.music()],
        acceptsMusic: true)

    public enum Parameter: Int, UnitParameter {
        case root, scale, others

        public var spec: ParameterSpec {
            switch self {
            case .root: ParameterSpec.choice("root", Scale.roots, default: 0, help: "The key note.")
            case .scale: ParameterSpec.choice("scale", Scale.names, default: 1, help: "The scale on it.")
            case .others:
                ParameterSpec.choice(
                    "others", ["nearest", "down", "up", "silent"], default: 0,
                    help: "What keys outside the scale play: the nearest key of it, the next below or above, or nothing.")
            }
        }
    }

    private var keys = KeyMap()

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        guard let press = keys.take(event, outlet) else { return }
        var key = Int(press.key)
        if !keys.isDrums(press.part) {
            let scale = Scale(outlet.nearest(Parameter.scale), root: outlet.nearest(Parameter.root))
            if !scale.contains(key) {
                let below = scale.key(-1, above: key), above = scale.key(1, above: key)
                switch outlet.nearest(Parameter.others) {
                case 0: key = key &- below <= above &- key ? below : above
                case 1: key = below
                case 2: key = above
                default: return
                }
            }
        }
        if key >= 0 && key <= 127 {
            keys.play(UInt8(truncatingIfNeeded: key), velocity: press.velocity, for: press, outlet)
        }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks public mutating func reset() { keys.reset() }
}
