import Carillon

/// The work of the limiter in words, with the `--gain` at which it would have been idle.
struct LimiterLine {
    /// `limiter up to 5.1 dB, over 0.1 dB for 12 % and over 1 dB for 3 % of the time (--gain -6 avoids it)`.
    let text: String

    /// Nil if the limiter had nothing to do. A `gain` of nil means a loudness was chosen, which limits its work itself.
    init?(_ work: LimiterWork, seconds: Double, gain: Float?) {
        if !work.isNotable { return nil }
        let advice = gain.flatMap { work.idleGain(insteadOf: $0) }.map { " (--gain \($0) avoids it)" } ?? ""
        text =
            "limiter up to \(RenderJob.fixed(work.most, 1)) dB, over 0.1 dB for "
            + "\(Self.percent(work.reducedShare(of: seconds))) and over 1 dB for "
            + "\(Self.percent(work.pressedShare(of: seconds))) of the time" + advice
    }

    private static func percent(_ share: Double) -> String {
        let percent = share * 100
        return (percent > 0 && percent < 1 ? "under 1" : RenderJob.fixed(percent, 0)) + " %"
    }
}
