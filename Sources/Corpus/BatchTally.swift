/// The outcome of a batch's jobs so far.
public struct BatchTally: Sendable {
    /// Jobs that were rendered, that were done before, and that failed; and jobs begun again after the death of their worker.
    public internal(set) var done = 0, skipped = 0, failed = 0, redone = 0
    /// Seconds of sound that were rendered, and of processors that this took.
    public internal(set) var duration = 0.0, processorSeconds = 0.0
    /// Bytes of their files.
    public internal(set) var bytes: Int64 = 0
    /// The first reason why a job failed.
    public internal(set) var firstFault: String?
    /// Names of fields that are not options, and are in the rows as they came.
    public internal(set) var passed: Set<String> = []

    mutating func add(_ answer: BatchAnswer) {
        done += 1
        duration += answer.duration
        processorSeconds += answer.processorSeconds
        bytes += answer.bytes
    }
}
