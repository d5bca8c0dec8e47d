import FoundationEssentials
import Reports

/// A job as a worker gets it: all that decides its sound, with the values that were drawn.
public struct BatchOrder: Codable, Sendable {
    /// The hash of all that decides the sound: the name of its files.
    public let key: String
    /// The path of the song.
    public let song: String
    package let songHash: String
    package let options: BatchOptions
    /// The job's fields, those that are not options among them.
    public let fields: [String: JSONValue]

    /// The order on one line.
    package var text: String { JSONOutput.plain(self) }

}

extension BatchOrder {
    /// Reads an order.
    package init(text: String) throws { self = try JSONDecoder().decode(BatchOrder.self, from: Data(text.utf8)) }
}

/// The outcome of a job, on its way from a worker to its batch.
package struct BatchAnswer: Codable, Sendable {
    var status = BatchRow.Status.failed
    /// The row, if the job is done.
    var row: String?
    /// The path of its sound in the folder.
    var output: String?
    var error: String?
    var code = Fault.Exit.software
    /// True if the folder of the batch takes nothing more.
    var endsBatch = false
    /// Seconds of sound, bytes of all files, and seconds of a processor: what a sample goes by.
    var duration = 0.0
    var bytes: Int64 = 0
    var processorSeconds = 0.0

    init() {}

    /// The answer of a worker that cannot say what it did.
    package init(_ status: BatchRow.Status, _ error: String) { (self.status, self.error) = (status, error) }

    /// Reads an answer.
    package init(text: String) throws { self = try JSONDecoder().decode(BatchAnswer.self, from: Data(text.utf8)) }

    /// The answer on one line.
    package var text: String { JSONOutput.plain(self) }
}
