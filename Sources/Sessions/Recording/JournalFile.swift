import Document
import Glibc
import Patches
import RealtimeCore
import Reports

/// A journal that grows with the session: each event is on its way to the disk as soon as it is known, so that a power
/// cut costs no more than the last moment. Control side, one thread.
final class JournalFile {
    let path: String
    private var descriptor: Int32

    /// Throws `cannotCreate`, `cannotWrite`. `mustBeNew`: a file of that name is an error, EEXIST.
    init(path: String, _ journal: Journal, mustBeNew: Bool = false) throws(Fault) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | (mustBeNew ? O_EXCL : O_TRUNC) | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
        do throws(Fault) {
            let header: String
            do { header = try journal.header } catch { throw .patch(path: path, line: 3, error) }
            try write(header)
        } catch {
            if mustBeNew { unlink(path) }
            throw error
        }
    }

    /// Removes a journal without an audio file.
    func remove() { unlink(path) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ entries: [Journal.Entry], _ edits: [Journal.Edit] = []) throws(Fault) {
        if entries.isEmpty && edits.isEmpty { return }
        let lines: String
        do { lines = try Journal.lines(entries, edits) } catch { throw .patch(path: path, line: 0, error) }
        try write(lines)
    }

    /// Says that something is missing from here on.
    func markIncomplete() throws(Fault) { try write("complete no\n") }

    /// Writes the end and closes the file.
    func finish(_ end: SampleTime) throws(Fault) {
        try write(Journal.lastLine(end))
        let code = close(descriptor) == 0 ? 0 : errno
        descriptor = -1
        if code != 0 { throw .cannotWrite(path: path, code: code) }
    }

    private func write(_ text: String) throws(Fault) {
        let code = WholeText.write(text, to: descriptor)
        if code != 0 { throw .cannotWrite(path: path, code: code) }
    }
}

extension Journal {
    /// Reads a journal.
    package init(path: String) throws(Fault) {
        let text: String
        do { text = try BoundedFile.text(path: path, limit: Self.largestFile) } catch {
            switch error {
            case .cannotRead(let code): throw .cannotRead(path: path, code: code)
            case .tooLarge: throw .tooLarge(path: path)
            }
        }
        try self.init(text: text, path: path)
    }

    /// Returns whether the file at `path` begins as a journal does; false if it cannot be read.
    package static func isJournal(path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        var bytes = [UInt8](repeating: 0, count: firstLine.utf8.count)
        return Glibc.read(descriptor, &bytes, bytes.count) == bytes.count
            && [firstLine, formerFirstLine].contains { Array($0.utf8) == bytes }
    }

    /// Writes all of it. Throws `cannotWrite`.
    package func write(path: String) throws(Fault) {
        let file = try JournalFile(path: path, self)
        try file.append(entries, edits)
        try file.finish(end)
    }
}
