import Synchronization

/// Values that a program computed and that are not finite numbers: bends, gains, durations, rates.
///
/// What throws refuses them by a typed error. What does not throw counts them as 0, and they are counted here, for the whole
/// process: a program that divides by 0 finds out.
public enum NonFiniteValues {
    private static let counter = Atomic<Int>(0)

    /// Values that counted as 0 so far. Any thread.
    public static var count: Int { counter.load(ordering: .relaxed) }

    static func add() { counter.add(1, ordering: .relaxed) }
}

extension BinaryFloatingPoint {
    /// The value; 0, and counted by `NonFiniteValues`, for a value that is not a finite number. Control side.
    package var finite: Self {
        if isFinite { return self }
        NonFiniteValues.add()
        return 0
    }
}

extension Int {
    /// The whole number nearest to a value, within 2^53 of 0; 0, and counted, for a value that is not a finite number. Control
    /// side.
    package init(nearest value: Double) { self.init(Swift.min(Swift.max(value.finite.rounded(), -0x1p53), 0x1p53)) }
}
