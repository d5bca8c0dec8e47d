import Corpus
import Reports
import UnitAPI

extension BatchTally {
    /// A summary in one line of text.
    func summary(seconds: Double) -> String {
        var parts = ["\(CountedNoun.text(done, "job")) done"]
        if skipped > 0 { parts.append("\(skipped) skipped, done before") }
        if failed > 0 { parts.append("\(failed) failed, the first: \(OneLine.text(firstFault ?? ""))") }
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

extension BatchCheck {
    /// The report as lines of text.
    func lines(jobs processes: Int) -> [String] {
        var lines = ["\(CountedNoun.text(jobs, "job")): \(done) done before, \(faulty) that cannot start"]
        if let firstFault { lines.append("the first fault: \(firstFault)") }
        if let audioHours, let bytes, let processorHours {
            let work = processorHours * 3_600, size = Double(bytes)
            lines.append(
                "from \(CountedNoun.text(sampled, "job")): about \(BatchTally.length(audioHours * 3_600)) of sound, "
                    + (size < 1e9 ? "\(RenderJob.fixed(size / 1e6, 1)) MB" : "\(RenderJob.fixed(size / 1e9, 1)) GB")
                    + ", \(BatchTally.length(work)) of a processor (\(BatchTally.length(work / Double(max(processes, 1)))) with "
                    + "\(processes))")
        }
        if failed > 0 { lines.append("\(failed) of the sample failed") }
        if !passed.isEmpty { lines.append("passed through, not options: \(passed.joined(separator: ", "))") }
        return lines
    }
}
