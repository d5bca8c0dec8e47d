import Carillon

/// A line of `carillon render --progress json`. Its keys are documented in the guide "Reports as JSON".
struct ProgressJSON: Encodable {
    /// `progress` or `song`.
    let event: String
    /// Seconds since the beginning.
    var elapsed: Double?
    /// 0...1 of all songs.
    var part: Double?
    /// Songs that are done, and their number.
    var done: Int?
    var count: Int?
    /// Seconds of sound that are there, of a single song, and how long it will be without its tail.
    var seconds: Double?
    var expectedSeconds: Double?
    /// A song that is over, its file, and what became of it: `done`, `failed`, `skipped`.
    var song: String?
    var output: String?
    var state: String?
    /// The reason, of one that failed.
    var error: String?

    /// The progress of all.
    init(_ state: ProgressBar.State, sampleRate: Int, elapsed: Double) {
        event = "progress"
        self.elapsed = elapsed
        switch state {
        case .song(let progress):
            let (now, end) = (Double(progress.frames), Double(progress.expectedFrames))
            (seconds, expectedSeconds) = (now / Double(sampleRate), end / Double(sampleRate))
            (part, done, count) = (end > 0 ? min(now / end, 1) : 0, 0, 1)
        case .songs(let done, let count, let parts):
            (self.done, self.count) = (done, count)
            part = count > 0 ? parts / Double(count) : 1
        }
    }

    /// The outcome of a song.
    init(_ outcome: RenderBatch.Outcome) {
        event = "song"
        switch outcome {
        case .success(let result): (song, output, state) = (result.songPath, result.outputPath, "done")
        case .failure(let failure):
            (song, output, state) = (failure.song, failure.keptPath, failure.keptPath == nil ? "failed" : "skipped")
            if failure.keptPath == nil { error = Failure.oneLine(failure.reason) }
        }
    }
}
