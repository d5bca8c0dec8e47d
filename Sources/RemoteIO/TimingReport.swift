import RealtimeCore

/// The times that decide whether playing feels right, as histograms in fixed memory. `--timing-report` prints them.
///
/// The audio thread fills all but `eventError`, which the MIDI thread or another placer of events fills.
package final class TimingReport: Sendable {
    /// Frames from where an event should have taken effect to where it did.
    package let eventError = TimingHistogram()
    /// Nanoseconds from when a slice could be written to when the thread woke.
    package let wakeLateness = TimingHistogram()
    /// Nanoseconds that a slice took to render.
    package let renderTime = TimingHistogram()
    /// Frames by which the device's pointer was not where the clock expected it.
    package let clockError = TimingHistogram()

    /// Nothing measured yet.
    package init() {}

    /// A table in plain text, one line per histogram. Control side.
    package func text(xruns counts: DeviceCounts) -> String {
        return [
            Self.line("event error, frames", eventError) { String($0) },
            Self.line("wake-up lateness, us", nanoseconds: wakeLateness),
            Self.line("render time, us", nanoseconds: renderTime),
            Self.line("device pointer - clock, frames", clockError) { String($0) },
            "xruns: \(counts.xruns) (\(XrunCause.renderLate) \(counts.renderLate), \(XrunCause.wokeLate) \(counts.wokeLate), "
                + "\(XrunCause.driver) \(counts.driver)), suspended \(counts.suspends), lost \(counts.losses)",
        ].joined(separator: "\n")
    }
    /// A line of that table, of a histogram of nanoseconds, in microseconds. Control side.
    package static func line(_ name: String, nanoseconds histogram: TimingHistogram) -> String {
        line(name, histogram) { value in
            let tenths = (value + (value < 0 ? -50 : 50)) / 100
            return "\(tenths / 10).\(abs(tenths % 10))"
        }
    }

    private static func line(_ name: String, _ histogram: TimingHistogram, _ show: (Int64) -> String) -> String {
        let summary = histogram.summary
        if summary.count == 0 { return "\(name): nothing measured" }
        let values = [
            ("min", summary.minimum), ("5 %", summary.percentile(0.05)), ("median", summary.percentile(0.5)),
            ("95 %", summary.percentile(0.95)), ("99.9 %", summary.percentile(0.999)), ("max", summary.maximum),
        ]
        return "\(name): \(summary.count) values, " + values.map { "\($0.0) \(show($0.1))" }.joined(separator: ", ")
    }
}
