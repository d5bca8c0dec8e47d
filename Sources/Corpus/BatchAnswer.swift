import FoundationEssentials

/// The outcome of a job, on its way back.
package struct BatchAnswer: Codable {
    /// The row, if the job is done.
    package var row: String?
    /// The path of its sound in the folder.
    package var output: String?
    package var error: String?
    package var code = BatchFault.Code.data
    /// True if the folder of the batch takes nothing more.
    package var isOutputAtFault = false
    /// Seconds of sound, bytes of all files, and seconds of a processor: what a sample goes by.
    package var duration = 0.0
    package var bytes: Int64 = 0
    package var processorSeconds = 0.0

    package init() {}

    /// Reads an answer.
    package init(text: String) throws { self = try JSONDecoder().decode(BatchAnswer.self, from: Data(text.utf8)) }

    /// The answer on one line.
    package var text: String { JSONOutput.plain(self) }
}
