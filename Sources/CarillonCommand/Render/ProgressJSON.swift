import Carillon

/// A line of `carillon render --progress json`. Its keys are documented in the guide "Reports as JSON".
struct ProgressJSON: Encodable {
    enum Event: String, Encodable { case begin, progress, song, error, end }

    struct Running: Encodable {
        let song: String
        /// 0...1.
        let part: Double
    }

    let event: Event
    /// Seconds since the beginning.
    var elapsed: Double?
    /// 0...1 of all songs.
    var part: Double?
    /// Songs that are done, and their number; at the end also those that failed and those that were left out.
    var done: Int?
    var count: Int?
    var failed: Int?
    var skipped: Int?
    var running: [Running]?
    /// Seconds of sound that are there, of a single song or of one that is done; and how long a single one will be without its tail.
    var seconds: Double?
    var expectedSeconds: Double?
    /// A song that begins or is over, its place among all from 1, its file, and what became of it: `done`, `failed`, `skipped`.
    var song: String?
    var number: Int?
    var output: String?
    var state: String?
    /// The reason, of what failed, and its exit code; at the end that of the call.
    var error: String?
    var exitCode: Int32?

    init(event: Event) { self.event = event }

    init(_ state: ProgressBar.State, sampleRate: Int, elapsed: Double) {
        self.init(event: .progress)
        self.elapsed = elapsed
        switch state {
        case .song(let progress):
            let (now, end) = (Double(progress.frames), Double(progress.expectedFrames))
            (seconds, expectedSeconds) = (now / Double(sampleRate), end / Double(sampleRate))
            (part, done, count) = (end > 0 ? min(now / end, 1) : 0, 0, 1)
        case .songs(let done, let count, let parts, let running):
            (self.done, self.count, self.running) = (done, count, running)
            part = count > 0 ? parts / Double(count) : 1
        }
    }

    init(beginning song: String, number: Int, of count: Int, elapsed: Double) {
        self.init(event: .begin)
        (self.song, self.number, self.count, self.elapsed) = (song, number, count, elapsed)
    }

    init(_ outcome: RenderBatch.Outcome, number: Int, elapsed: Double) {
        self.init(event: .song)
        (self.number, self.elapsed) = (number, elapsed)
        switch outcome {
        case .success(let result):
            (song, output, state, seconds) = (result.songPath, result.outputPath, "done", result.report.duration)
        case .failure(let failure):
            (song, output, state) = (failure.song, failure.keptPath, failure.keptPath == nil ? "failed" : "skipped")
            if failure.keptPath == nil { (error, exitCode) = (Failure.oneLine(failure.reason), failure.exitCode) }
        }
    }

    init(refusal: String, exitCode: Int32) {
        self.init(event: .error)
        (error, self.exitCode) = (Failure.oneLine(refusal), exitCode)
    }
}
