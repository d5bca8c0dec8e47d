import Synchronization

/// The line that says why nothing is heard yet: told once, and only where it lasts. Any thread.
final class MeasuringNotice: Sendable {
    /// Time that somebody waits without a word.
    static let patience = Duration.seconds(1)

    private let state = Mutex<(start: ContinuousClock.Instant?, isTold: Bool)>((nil, false))

    /// Returns the line when it is time for it. The first call is the beginning.
    func line(_ song: String, at now: ContinuousClock.Instant) -> String? {
        let isDue = state.withLock { state in
            let start = state.start ?? now
            state.start = start
            if state.isTold || now - start < Self.patience { return false }
            state.isTold = true
            return true
        }
        return isDue
            ? Failure.oneLine("\(song): its loudness is being measured, this once, so that it plays as loud as others") : nil
    }
}
