import Carillon

/// What is told of several songs: a line for each, a summary, an exit code; or an object with all of it.
struct BatchReport {
    private let count: Int
    private let isQuiet: Bool
    private let keepsJSON: Bool
    private var entries: [BatchJSON.Entry] = []
    private var failed = 0
    private var hasToldSoundFonts = false
    /// That of the first song that failed; nil when none has.
    private(set) var exitCode: Int32?

    init(count: Int, isQuiet: Bool, keepsJSON: Bool) {
        (self.count, self.isQuiet, self.keepsJSON) = (count, isQuiet, keepsJSON)
    }

    /// Tells what came of the next song. Failures are told always.
    mutating func tell(_ outcome: RenderBatch.Outcome) {
        switch outcome {
        case .success(let result):
            if !isQuiet {
                // All songs are played by the same.
                if !hasToldSoundFonts { result.chosenSoundFonts.forEach { StandardError.print(Failure.oneLine($0)) } }
                hasToldSoundFonts = true
                StandardError.print(Failure.oneLine(result.row))
            }
            if keepsJSON { entries.append(.done(RenderJSON(result))) }
        case .failure(let failure):
            failed += 1
            exitCode = exitCode ?? failure.exitCode
            StandardError.print("carillon: \(Failure.oneLine(failure.row))")
            if keepsJSON {
                entries.append(
                    .failed(song: failure.song, error: Failure.oneLine(failure.reason), exitCode: failure.exitCode))
            }
        }
    }

    /// `97 of 100 songs in 31 s, 3 failed`.
    func summary(seconds: Double) -> String {
        let time = seconds < 10 ? RenderJob.fixed(seconds, 1) : RenderJob.fixed(seconds, 0)
        return "\(count - failed) of \(count) songs in \(time) s" + (failed > 0 ? ", \(failed) failed" : "")
    }

    func object(seconds: Double) -> BatchJSON { BatchJSON(songs: entries, failed: failed, seconds: seconds) }
}
