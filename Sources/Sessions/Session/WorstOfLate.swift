/// The highest of the values of the last seconds.
struct WorstOfLate {
    /// Seconds that a value is remembered.
    private static let patience = 2.0
    private var highest = 0.0, since = -Double.infinity

    /// The highest value, as of now.
    var value: Double { highest }

    /// Takes in a value at a moment, in seconds of any clock that never goes back.
    mutating func take(_ value: Double, at now: Double) {
        if value < highest, now - since < Self.patience { return }
        highest = value
        since = now
    }
}
