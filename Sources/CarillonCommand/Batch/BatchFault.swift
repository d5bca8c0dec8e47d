/// A refusal of a batch, or of one of its jobs: one sentence with its remedy.
struct BatchFault: Error, Sendable {
    let reason: String
    let exitCode: Int32

    init(_ reason: String, exitCode: Int32) { (self.reason, self.exitCode) = (reason, exitCode) }
}
