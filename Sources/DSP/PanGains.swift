// [render]

/// The part that either side of a mixer keeps of a sound that is between left and right.
///
/// A mono source that moves should stay as loud as it is. How much it must be lowered in the middle depends on the room:
/// speakers far apart add powers (-3 dB), speakers that add amplitudes, and mono listeners, want -6 dB, and -4.5 dB lies
/// between. A `balance` lowers nothing there, and is for what is stereo already. Source: C. Roads, The Computer Music
/// Tutorial (MIT Press, 1996): linear and constant-power panning; -4.5 dB is the geometric mean of the two.
@frozen public struct PanGains: BitwiseCopyable {
    /// The part that the left side keeps, 0...1.
    public var left: Float
    /// The part that the right side keeps, 0...1.
    public var right: Float

    /// The laws' names, those of `init(pan:law:)` in order: the louder the middle, the earlier.
    public static let laws = ["balance", "equal-power", "compromise", "linear"]

    @_noLocks @inlinable init(left: Float, right: Float) {
        self.left = left
        self.right = right
    }

    /// The gains at `pan`, -100 (left) ... 100 (right), by a law of the list; between whole numbers they lie between two laws.
    @_noLocks public init(pan: Float, law: Float) {
        if law <= 0 {
            self.init(left: BalanceLaw.left(pan), right: BalanceLaw.right(pan))
            return
        }
        let below = min(Int(law), 3), part = law - Float(below)
        let low = Self.gains(pan, below)
        if part <= 0 {
            self = low
            return
        }
        let high = Self.gains(pan, min(below &+ 1, 3))
        self.init(left: low.left + (high.left - low.left) * part, right: low.right + (high.right - low.right) * part)
    }

    @_noLocks private static func gains(_ pan: Float, _ law: Int) -> PanGains {
        if law == 0 { return PanGains(left: BalanceLaw.left(pan), right: BalanceLaw.right(pan)) }
        let place = min(max((Double(pan) + 100) * 0.005, 0), 1)
        let left = DeterministicMath.cosine(turns: place * 0.25), right = DeterministicMath.sine(turns: place * 0.25)
        switch law {
        case 1: return PanGains(left: Float(left), right: Float(right))
        case 2:
            return PanGains(
                left: Float(DeterministicMath.squareRoot(max(left, 0) * (1 - place))),
                right: Float(DeterministicMath.squareRoot(right * place)))
        default: return PanGains(left: Float(1 - place), right: Float(place))
        }
    }
}
