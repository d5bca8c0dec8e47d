import AudioFiles
import Carillon
import Glibc

/// The lines of a manifest, as they come.
final class BatchLines {
    let descriptor: Int32
    private let name: String
    private var bytes: [UInt8] = []
    private var start = 0
    private(set) var isOver = false
    private var number = 0
    private static let longest = 1 << 26

    init(_ path: String) throws(Fault) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        if descriptor < 0 || fstat(descriptor, &status) != 0 {
            throw Fault("\(path): the manifest cannot be read (\(SystemFault(code: errno)))", .noInput)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Fault(
                "\(path): is a folder; name a file with a job on each line, such as find \(path) -name '*.mid' writes",
                .noInput)
        }
    }

    deinit { if descriptor > 0 { close(descriptor) } }

    /// The next line that is not empty, with its number from 1; nil if it has not come yet, or the end has.
    func next() -> (number: Int, text: String)? {
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: 10) ?? (isOver ? bytes.count : nil) else { return nil }
            let line = bytes[start..<end]
            start = min(end + 1, bytes.count)
            number += 1
            var text = String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            // A mark of the byte order, which editors write before the first line.
            if number == 1, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
            if text.contains(where: { $0 != " " && $0 != "\t" }) { return (number, text) }
        }
        return nil
    }

    /// All lines that have not been read.
    func rest() throws(Fault) -> [(number: Int, text: String)] {
        var rest: [(number: Int, text: String)] = []
        while true {
            while let line = next() { rest.append(line) }
            if isOver { return rest }
            try fill()
        }
    }

    /// True if reading on does not wait.
    var isReady: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    /// Reads on; waits if there is nothing yet.
    func fill() throws(Fault) {
        if isOver { return }
        if start > 0 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        if bytes.count > Self.longest {
            throw Fault("\(name): line \(number + 1) is longer than \(Self.longest >> 20) MiB", .data)
        }
        var room = [UInt8](repeating: 0, count: 1 << 18)
        let count = read(descriptor, &room, room.count)
        if count < 0, errno != EINTR {
            throw Fault("\(name): the manifest cannot be read (\(SystemFault(code: errno)))", .io)
        }
        if count == 0 { isOver = true } else if count > 0 { bytes += room[..<count] }
    }
}
