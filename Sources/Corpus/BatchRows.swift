import AudioFiles
import Carillon
import Glibc

/// The rows of a batch on their way to a descriptor.
final class BatchRows {
    private var bytes: [UInt8] = []
    private let descriptor: Int32?

    /// - Parameter descriptor: nil means rows go nowhere.
    init(_ descriptor: Int32?) { self.descriptor = descriptor }

    /// True if there is so much that it should go.
    var isFull: Bool { bytes.count > 1 << 20 }

    func add(_ row: String) {
        bytes += row.utf8
        if bytes.last != 10 { bytes.append(10) }
    }

    func flush() throws(Fault) {
        let code = descriptor.map { WholeText.write(bytes, to: $0) } ?? 0
        if code != 0 { throw Fault("standard output: writing failed (\(SystemFault(code: code)))", .io) }
        bytes.removeAll(keepingCapacity: true)
    }
}
