// [render]

/// A model of how a sound becomes softer with its distance.
///
/// Nearer than the reference distance it is as loud as there, farther than the maximum distance it becomes no softer.
/// Source: OpenAL 1.1 Specification and Reference (2005), section 3.4, the clamped models; the Web Audio API's `PannerNode`
/// has the same three, and says what becomes of bounds in the wrong order or equal to each other.
public struct DistanceModel: BitwiseCopyable {
    /// The models' names, in the order of `init`.
    public static let names = ["inverse", "linear", "exponential"]

    private let model: Int
    private let reference: Double, maximum: Double, rollOff: Double

    /// Creates a model by its place in `names`; distances above 0 in metres, `rollOff` 0 or more.
    @_noLocks public init(_ model: Int, reference: Double, maximum: Double, rollOff: Double) {
        self.model = model
        self.reference = min(reference, maximum)
        self.maximum = max(reference, maximum)
        self.rollOff = rollOff
    }

    /// Returns the amplitude at `distance` metres, 0...1.
    @_noLocks public func gain(at distance: Double) -> Double {
        let distance = min(max(distance, reference), maximum)
        switch model {
        case 1:
            let part = maximum > reference ? (distance - reference) / (maximum - reference) : 1
            return max(1 - rollOff * part, 0)
        case 2: return DeterministicMath.power(distance / reference, -rollOff)
        default: return reference / (reference + rollOff * (distance - reference))
        }
    }
}
