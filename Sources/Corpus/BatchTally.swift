import Carillon

/// The outcome of a batch's jobs so far.
package struct BatchTally {
    package var done = 0, skipped = 0, failed = 0, redone = 0
    /// Seconds of sound that were rendered, and of processors that this took.
    package var duration = 0.0, processorSeconds = 0.0
    /// Bytes of their files.
    package var bytes: Int64 = 0
    /// The first reason why a job came to nothing.
    package var firstFault: String?
    /// Names of fields that are no options, and are in the rows as they came.
    package var passed: Set<String> = []

    package init() {}

    package mutating func add(_ answer: BatchAnswer) {
        done += 1
        duration += answer.duration
        processorSeconds += answer.processorSeconds
        bytes += answer.bytes
    }
}
