import Carillon

/// The outcome of a batch's jobs so far.
struct BatchTally {
    var done = 0, skipped = 0, failed = 0, redone = 0
    /// Seconds of sound that were rendered, and of processors that this took.
    var duration = 0.0, processorSeconds = 0.0
    /// Bytes of their files.
    var bytes: Int64 = 0
    /// The first reason why a job came to nothing.
    var firstFault: String?
    /// Names of fields that are no options, and are in the rows as they came.
    var passed: Set<String> = []

    mutating func add(_ answer: BatchAnswer) {
        done += 1
        duration += answer.duration
        processorSeconds += answer.processorSeconds
        bytes += answer.bytes
    }
}

extension BatchTally {
    /// A summary in one line of text.
    func summary(seconds: Double) -> String {
        var parts = ["\(CountedNoun.text(done, "job")) done"]
        if skipped > 0 { parts.append("\(skipped) skipped, done before") }
        if failed > 0 { parts.append("\(failed) failed, the first: \(Failure.oneLine(firstFault ?? ""))") }
        if redone > 0 { parts.append("\(redone) begun again after the death of a process") }
        parts.append("\(Self.length(duration)) of sound in \(Self.length(seconds))")
        if !passed.isEmpty { parts.append("passed through: \(passed.sorted().prefix(12).joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }

    /// A length of time in the unit that suits it.
    static func length(_ seconds: Double) -> String {
        if seconds < 120 { return "\(RenderJob.fixed(seconds, 1)) s" }
        return seconds < 7_200 ? "\(RenderJob.fixed(seconds / 60, 1)) min" : "\(RenderJob.fixed(seconds / 3_600, 1)) h"
    }
}
