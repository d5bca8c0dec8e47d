import Carillon
import Glibc

/// The rows of a batch on their way to a descriptor.
final class BatchRows {
    private var bytes: [UInt8] = []
    private let descriptor: Int32?

    /// - Parameter descriptor: nil: rows go nowhere.
    init(_ descriptor: Int32?) { self.descriptor = descriptor }

    /// True if there is so much that it should go.
    var isFull: Bool { bytes.count > 1 << 20 }

    /// Adds a row, which has no line break or one at its end.
    func add(_ row: String) {
        bytes += row.utf8
        if bytes.last != 10 { bytes.append(10) }
    }

    /// Writes what is there.
    ///
    /// - Throws: exit code 74.
    func flush() throws(BatchFault) {
        let code = descriptor.map { WholeText.write(bytes, to: $0) } ?? 0
        if code != 0 { throw BatchFault("standard output: writing failed (\(SystemCode.text(code)))", .io) }
        bytes.removeAll(keepingCapacity: true)
    }
}
