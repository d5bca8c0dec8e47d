/// The judgement of a watchdog on what it sees: a pure state machine, without clock and thread.
struct WatchdogState {
    enum Fault: Equatable {
        /// A thread computes without getting anywhere.
        case computes
        /// The program's end hangs.
        case stands
    }

    /// The things that are seen at a look; times in nanoseconds.
    struct Sight: Equatable {
        var now: Int64
        /// Processor time that the watched thread has used; nil if it is not counted, or when the thread has ended.
        var processorTime: Int64?
        /// Processor time that a thread which works for the watched one has used for what it does now.
        var helperTime: Int64 = 0
        var beats = 0
        /// When the program, or the stage of its end that it is in, was to be over; nil means no end was requested.
        var due: Int64?
        /// Bytes that files have taken.
        var written = 0
    }

    /// The time by which the end may be late, and a file with its next byte, in nanoseconds.
    static let margin: Int64 = 2_000_000_000

    /// Processor time without a beat after which the thread counts as stuck, nanoseconds; nil means it may compute for as long
    /// as it likes.
    let patience: Int64?
    private var beat: (count: Int, time: Int64)?
    private var written: (bytes: Int, time: Int64)?

    init(patience: Int64? = nil) { self.patience = patience }

    /// Takes in what the watchdog has seen; returns the fault, if there is one.
    mutating func look(_ sight: Sight) -> Fault? {
        if let patience, sight.helperTime >= patience { return .computes }
        if let patience, let time = sight.processorTime {
            if let beat, beat.count == sight.beats {
                if time - beat.time >= patience { return .computes }
            } else {
                beat = (sight.beats, time)
            }
        }
        guard let due = sight.due else { return nil }
        // What files need they get, as long as the disk gets on.
        if written?.bytes != sight.written { written = (sight.written, sight.now) }
        return sight.now - max(due, written?.time ?? due) >= Self.margin ? .stands : nil
    }
}
