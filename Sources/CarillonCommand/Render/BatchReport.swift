import Carillon
import Reports

/// The report on several songs: a line for each, a summary, an exit code; or an object with all of it.
struct BatchReport {
    private let count: Int
    private let isQuiet: Bool
    private let keepsJSON: Bool
    private var entries: [FieldValue] = []
    private var failed = 0, skipped = 0, repaired = 0, remarked = 0
    private var hasToldSoundFonts = false
    private(set) var exitCode: Int32?

    init(count: Int, isQuiet: Bool, keepsJSON: Bool) {
        (self.count, self.isQuiet, self.keepsJSON) = (count, isQuiet, keepsJSON)
    }

    /// Failures are always reported.
    mutating func tell(_ outcome: RenderBatch.Outcome) {
        switch outcome {
        case .success(let result):
            if result.facts.repairCount > 0 { repaired += 1 }
            if result.otherRemarks > 0 { remarked += 1 }
            if !isQuiet {
                // All songs are played by the same.
                if !hasToldSoundFonts { result.chosenSoundFonts.forEach { StandardError.print(OneLine.text($0)) } }
                hasToldSoundFonts = true
                StandardError.print(OneLine.text(result.row))
            }
            if keepsJSON { entries.append(result.fieldValue) }
        case .failure(let failure):
            if let kept = failure.keptPath {
                skipped += 1
                if !isQuiet { StandardError.print(OneLine.text(failure.row)) }
                if keepsJSON { add(failure.song, [("output", .text(kept)), ("skipped", .flag(true))]) }
                return
            }
            failed += 1
            exitCode = exitCode ?? failure.exitCode
            StandardError.print("carillon: \(OneLine.text(failure.row))")
            if keepsJSON {
                add(
                    failure.song,
                    [("error", .text(OneLine.text(failure.reason))), ("exitCode", .whole(Int(failure.exitCode)))])
            }
        }
    }

    private mutating func add(_ song: String, _ members: [(String, FieldValue)]) {
        entries.append(.group([("song", .text(song))] + members))
    }

    /// `96 of 100 songs in 31 s, 3 failed, 1 skipped, 2 repaired (carillon inspect SONG lists it)`.
    func summary(seconds: Double) -> String {
        let time = seconds < 10 ? RenderJob.fixed(seconds, 1) : RenderJob.fixed(seconds, 0)
        var parts = ["\(count - failed - skipped) of \(count) songs in \(time) s"]
        if failed > 0 { parts.append("\(failed) failed") }
        if skipped > 0 { parts.append("\(skipped) skipped") }
        // A row has room for the number of repairs, not for their text.
        if repaired > 0 { parts.append("\(repaired) repaired (carillon inspect SONG lists it)") }
        if remarked > 0 { parts.append("\(remarked) with remarks (--json lists them)") }
        return parts.joined(separator: ", ")
    }

    func object(seconds: Double) -> FieldValue {
        .group([
            ("songs", .list(entries)), ("failed", .whole(failed)), ("skipped", .whole(skipped)), ("seconds", .number(seconds)),
        ])
    }
}
