import Carillon

/// Counts a call's songs by their outcome. In JSON form, `{"event":"end", ...}` is the last object.
final class RenderTally {
    private let start = ContinuousClock().now
    private var count = 0, done = 0, failed = 0, skipped = 0

    func expect(_ count: Int) { self.count = count }

    func add(_ outcome: RenderBatch.Outcome) {
        switch outcome {
        case .success: done += 1
        case .failure(let failure): if failure.keptPath == nil { failed += 1 } else { skipped += 1 }
        }
    }

    /// The last line of a call that ends with this code.
    func end(exitCode: Int32) -> ProgressLine {
        ProgressLine(
            count: count, done: done, failed: failed, skipped: skipped, exitCode: exitCode,
            elapsed: (ContinuousClock().now - start).inSeconds)
    }
}
