import AudioFiles
import Carillon
import Glibc

/// A pipe, closed with its owner unless an end was closed before. No process that is started inherits it.
package final class Pipe {
    package private(set) var reader: Int32 = -1
    package private(set) var writer: Int32 = -1

    package init() throws(Fault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Fault("no pipe can be opened (\(SystemFault(code: errno)))", .system) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        closeReader()
        closeWriter()
    }

    package func closeReader() { reader = Self.closed(reader) }
    package func closeWriter() { writer = Self.closed(writer) }

    private static func closed(_ end: Int32) -> Int32 {
        if end >= 0 { close(end) }
        return -1
    }

    /// Waits for a byte; false once the other end is closed.
    static func hasByte(_ reader: Int32) -> Bool {
        var byte: UInt8 = 0, count = 0
        repeat { count = read(reader, &byte, 1) } while count < 0 && errno == EINTR
        return count == 1
    }

    static func sendByte(_ writer: Int32) { _ = WholeText.write([1], to: writer) }
}
