import DSP
import MIDI
import UnitAPI

/// A velocity curve: the loudness of each touch of the keys, for hands and keyboards that do not suit each other.
///
/// Velocities follow a `TouchCurve` from `low` to `high` whose exponent is 1 / 4^`curve`: 0 is straight, above 0 soft touches
/// are louder (the square root at 50 %, the fourth root at 100 %), below 0 they are softer. With `fixed` every note is as
/// loud as `high`. Nothing else that is played changes.
public struct VelocityCurve: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "velo", manufacturer: .carillon),
        name: "velocity-curve", summary: "How loud each touch of the keys is.", outputs: [.music()], acceptsMusic: true)

    public enum Parameter: Int, UnitParameter {
        case curve, low, high, fixed

        public var spec: ParameterSpec {
            switch self {
            case .curve: .percent("curve", -100...100, 0, smoothing: 0, "Above 0 soft touches are louder, below 0 softer.")
            case .low: .number("low", 1...127, 1, smoothing: 0, "The velocity that the softest touch plays.")
            case .high: .number("high", 1...127, 127, smoothing: 0, "The velocity that the hardest touch plays.")
            case .fixed:
                ParameterSpec.toggle("fixed", default: false, help: "Whether every note is as loud as the hardest touch.")
            }
        }
    }

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        guard case .message(var message) = event, message.status & 0xF0 == 0x90, message.data2 > 0 else {
            return outlet.send(event)
        }
        let low = UInt8(outlet[Parameter.low] + 0.5), high = UInt8(outlet[Parameter.high] + 0.5)
        let exponent = Float(DeterministicMath.quickExp2(-0.02 * Double(outlet[Parameter.curve])))
        let curve = outlet[Parameter.fixed] < 0.5 ? TouchCurve(exponent: exponent, low: low, high: high) : TouchCurve(fixed: high)
        message.data2 = curve.value(of: message.data2)
        outlet.send(.message(message))
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks public mutating func reset() {}
}
