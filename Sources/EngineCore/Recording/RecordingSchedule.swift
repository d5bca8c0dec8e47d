import RealtimeCore

/// When a recorder writes and when it does not: a pure list of moments.
struct RecordingSchedule {
    enum Turn { case begin, pause, resume, end }

    private var turns: [(time: SampleTime, turn: Turn)] = []
    private(set) var isRecording = false
    private(set) var hasBegun = false
    private(set) var hasEnded = false

    /// Adds a moment; those of the same time happen in the order in which they were added.
    package mutating func add(_ turn: Turn, at time: SampleTime) {
        let place = turns.firstIndex { $0.time > time } ?? turns.endIndex
        turns.insert((time, turn), at: place)
    }

    /// Carries out the turns that are due at `now`. Returns those that had an effect: a pause while nothing is recorded has
    /// none.
    mutating func advance(to now: SampleTime) -> [Turn] {
        var happened: [Turn] = []
        while let next = turns.first, next.time <= now {
            turns.removeFirst()
            if hasEnded { continue }
            switch next.turn {
            case .begin: (hasBegun, isRecording) = (true, true)
            case .pause:
                if !isRecording { continue }
                isRecording = false
            case .resume:
                if isRecording || !hasBegun { continue }
                isRecording = true
            case .end: (hasEnded, isRecording) = (true, false)
            }
            happened.append(next.turn)
        }
        return happened
    }

    /// Frames from `now` to the next moment, at most `limit`.
    func frames(from now: SampleTime, limit: Int) -> Int { min(turns.first.map { $0.time - now } ?? limit, limit) }
}
