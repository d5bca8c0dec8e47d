/// The straight line through pulses of a clock: the time at which each was due, estimated from the times of all. Pure.
///
/// Least squares, which no unbiased estimate of a line through evenly noisy points beats (Gauss and Markov; Kay, Fundamentals
/// of Statistical Signal Processing: Estimation Theory, 1993, example 3.7): of n pulses that each come by s too early or too
/// late, the last one's place is known to 2 s / sqrt(n), the period to s * sqrt(12 / n^3).
struct PulseLine: Sendable {
    /// A pulse that came: its number, and when. Unit of times: nanoseconds.
    struct Pulse: Hashable, Sendable {
        var index: Int64
        var time: Int64
    }

    /// The pulse from which it counts.
    let last: Pulse
    /// The time at which it was due, after it came.
    let lag: Double
    let period: Double
    let spread: Double
    /// The uncertainty of the period, one standard deviation.
    let periodError: Double
    /// True if the youngest pulses lie to one side of the line, farther than chance would have it.
    let hasDrifted: Bool

    /// The numbers of last pulses whose mean is checked; about five standard deviations of that mean, in those of one pulse;
    /// and the error in nanoseconds that is always near enough.
    static let tails = [8, 24]
    private static let bounds = [1.6, 0.95], near = 100_000.0

    /// The line through `pulses`, which go up; nil for none, and for one alone without a period that is better known.
    init?(_ pulses: ArraySlice<Pulse>, period known: Double? = nil) {
        guard let last = pulses.last, known != nil || pulses.count > 1 else { return nil }
        self.last = last
        let count = Double(pulses.count)
        // Seen from the last one, so that numbers stay small.
        func place(_ pulse: Pulse) -> (x: Double, y: Double) {
            (Double(pulse.index - last.index), Double(pulse.time - last.time))
        }
        var sum = (x: 0.0, y: 0.0)
        for pulse in pulses { (sum.x, sum.y) = (sum.x + place(pulse).x, sum.y + place(pulse).y) }
        let mean = (x: sum.x / count, y: sum.y / count)
        var width = 0.0, slant = 0.0
        for pulse in pulses {
            let (x, y) = place(pulse)
            (width, slant) = (width + (x - mean.x) * (x - mean.x), slant + (x - mean.x) * (y - mean.y))
        }
        guard let period = known ?? (width > 0 ? slant / width : nil) else { return nil }
        self.period = period
        lag = mean.y - period * mean.x
        var squares = 0.0, behind = 0.0, means: [Double] = []
        for (place, pulse) in pulses.reversed().enumerated() {
            let rest = Double(pulse.time - last.time) - lag - period * Double(pulse.index - last.index)
            squares += rest * rest
            behind += rest
            if Self.tails.contains(place + 1), pulses.count >= 3 * (place + 1) { means.append(abs(behind) / Double(place + 1)) }
        }
        let spread = (squares / max(count - 2, 1)).squareRoot()
        self.spread = spread
        hasDrifted = zip(means, Self.bounds).contains { $0 > max($1 * spread, Self.near) }
        periodError = width > 0 ? spread / width.squareRoot() : .infinity
    }

    static func misfit(_ pulses: ArraySlice<Pulse>) -> Double {
        guard pulses.count > 2, let line = PulseLine(pulses) else { return 0 }
        return line.spread * line.spread * Double(pulses.count - 2)
    }

    /// The number of the pulse that is due at a moment, with parts of a pulse.
    func index(at time: Int64) -> Double { Double(last.index) + (Double(time - last.time) - lag) / period }

    /// Returns when a pulse is due, after the last one came.
    func delay(ofIndex index: Int64) -> Double { lag + period * Double(index - last.index) }
}
