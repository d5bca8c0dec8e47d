/// The highest of the values of the last seconds.
struct WorstOfLate {
    private static let patience = Duration.seconds(2)
    private var highest = 0.0, since: ContinuousClock.Instant?

    /// What it is now.
    var value: Double { highest }

    mutating func take(_ value: Double, at now: ContinuousClock.Instant) {
        if let since, value < highest, now - since < Self.patience { return }
        highest = value
        since = now
    }
}
