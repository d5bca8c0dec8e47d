import Carillon
import Glibc

/// The rows of a batch on their way to standard output.
package final class BatchRows {
    private var bytes: [UInt8] = []
    private let areWanted: Bool
    private var room = [UInt8](repeating: 0, count: 1 << 16)

    package init(areWanted: Bool = true) { self.areWanted = areWanted }

    /// True if there is so much that it should go.
    package var isFull: Bool { bytes.count > 1 << 20 }

    /// Adds a row, which has no line break or one at its end.
    package func add(_ row: String) {
        bytes += row.utf8
        if bytes.last != 10 { bytes.append(10) }
    }

    /// Adds the row in a file as that of a job which is skipped; false if there is none.
    package func addKept(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return false }
        defer { close(descriptor) }
        let start = bytes.count
        bytes += Self.skipped
        var isFirst = true
        while true {
            let count = read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            if isFirst, !room.starts(with: Self.done) { break }
            bytes += room[(isFirst ? Self.done.count : 0)..<count]
            isFirst = false
        }
        if isFirst {
            bytes.removeSubrange(start...)
            return false
        }
        if bytes.last != 10 { bytes.append(10) }
        return true
    }

    private static let done = Array(BatchRow.Status.done.opening.utf8)
    private static let skipped = Array(BatchRow.Status.skipped.opening.utf8)

    /// Writes what is there.
    ///
    /// - Throws: exit code 74.
    package func flush() throws(BatchFault) {
        let code = areWanted ? WholeText.write(bytes, to: 1) : 0
        if code != 0 { throw BatchFault("standard output: writing failed (\(SystemCode.text(code)))", .io) }
        bytes.removeAll(keepingCapacity: true)
    }
}
