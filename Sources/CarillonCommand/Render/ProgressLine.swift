import Carillon
import Corpus
import Reports

/// A line of `carillon render --progress json`. Its keys are documented in the guide "Reports as JSON".
struct ProgressLine {
    private let members: [(String, FieldValue)]

    var text: String { JSONOutput.text(FieldValue.group(members)) }

    private init(_ event: String, elapsed: Double? = nil, _ members: [(String, FieldValue)]) {
        self.members = [("event", .text(event)), ("elapsed", elapsed.fieldValue)] + members
    }

    /// The progress of all songs, 0...1; of a single one the seconds of sound, and how many there will be without a tail.
    init(_ state: ProgressBar.State, sampleRate: Int, elapsed: Double) {
        let done: Int, count: Int, part: Double, more: [(String, FieldValue)]
        switch state {
        case .song(let progress):
            let (now, end) = (Double(progress.frames), Double(progress.expectedFrames))
            (done, count, part) = (0, 1, end > 0 ? min(now / end, 1) : 0)
            more = [
                ("seconds", .number(now / Double(sampleRate))), ("expectedSeconds", .number(end / Double(sampleRate))),
            ]
        case .songs(let finished, let all, let parts, let running):
            (done, count, part) = (finished, all, all > 0 ? parts / Double(all) : 1)
            more = [("running", .list(running.map { .group([("song", .text($0.song)), ("part", .number($0.part))]) }))]
        }
        self.init(
            "progress", elapsed: elapsed, [("part", .number(part)), ("done", .whole(done)), ("count", .whole(count))] + more)
    }

    init(beginning song: String, number: Int, of count: Int, elapsed: Double) {
        self.init(
            "begin", elapsed: elapsed, [("song", .text(song)), ("number", .whole(number)), ("count", .whole(count))])
    }

    init(_ outcome: RenderBatch.Outcome, number: Int, elapsed: Double) {
        let song: String, output: String?, state: String, more: [(String, FieldValue)]
        switch outcome {
        case .success(let result):
            (song, output, state) = (result.songPath, result.outputPath, "done")
            more = [("seconds", .number(result.report.duration))]
        case .failure(let failure):
            (song, output, state) = (failure.song, failure.keptPath, failure.keptPath == nil ? "failed" : "skipped")
            more = failure.keptPath == nil ? Self.fault(failure.reason, failure.exitCode) : []
        }
        self.init(
            "song", elapsed: elapsed,
            [("number", .whole(number)), ("song", .text(song)), ("output", output.fieldValue), ("state", .text(state))] + more)
    }

    init(refusal: String, exitCode: Int32) { self.init("error", Self.fault(refusal, exitCode)) }

    /// The last line of a call.
    init(count: Int, done: Int, failed: Int, skipped: Int, exitCode: Int32, elapsed: Double) {
        let numbers = [("count", count), ("done", done), ("failed", failed), ("skipped", skipped), ("exitCode", Int(exitCode))]
        self.init("end", elapsed: elapsed, numbers.map { ($0.0, .whole($0.1)) })
    }

    private static func fault(_ reason: String, _ exitCode: Int32) -> [(String, FieldValue)] {
        [("error", .text(OneLine.text(reason))), ("exitCode", .whole(Int(exitCode)))]
    }
}
