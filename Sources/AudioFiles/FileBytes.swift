import Glibc

/// The bytes of a file, which are read and written at any place: on disk, in memory, or behind functions of a program.
package final class FileBytes {
    /// Reads or writes up to so many bytes at a place; returns how many, 0 at the end, or nil for an error.
    package typealias Reading = (UnsafeMutableRawPointer, Int, Int64) -> Int?
    package typealias Writing = (UnsafeRawPointer, Int, Int64) -> Int?

    private let reading: Reading
    private let writing: Writing
    private let measuring: () -> Int64
    private let resizing: (Int64) -> Bool
    private let descriptor: Int32?
    /// Where the file lies, if it is on disk.
    package let path: String?

    /// Bytes behind functions: `size` says how many there are, `resize` cuts them off and returns whether it could.
    package init(
        read: @escaping Reading, write: @escaping Writing, size: @escaping () -> Int64, resize: @escaping (Int64) -> Bool
    ) {
        (reading, writing, measuring, resizing, descriptor, path) = (read, write, size, resize, nil, nil)
    }

    /// Opens a file with flags of `open`. Nil for what is none, or cannot be opened; `fault` says why.
    package init?(path: String, flags: Int32, fault: inout SystemFault) {
        let descriptor = open(path, flags | O_CLOEXEC, 0o666)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            fault = descriptor < 0 ? .last : SystemFault(code: EISDIR)
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        (self.descriptor, self.path) = (descriptor, path)
        reading = { buffer, count, place in Self.repeated { pread(descriptor, buffer, count, off_t(place)) } }
        writing = { buffer, count, place in Self.repeated { pwrite(descriptor, buffer, count, off_t(place)) } }
        measuring = {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
        }
        resizing = { ftruncate(descriptor, off_t($0)) == 0 }
    }

    /// A call that a signal interrupts is made again.
    private static func repeated(_ call: () -> Int) -> Int? {
        while true {
            let done = call()
            if done >= 0 { return done }
            if errno != EINTR { return nil }
        }
    }

    /// Bytes in memory, to be read.
    convenience init(_ bytes: [UInt8]) {
        self.init(
            read: { buffer, count, place in
                let part = min(count, bytes.count - Int(place))
                bytes.withUnsafeBytes { bytes in
                    if part > 0, let base = bytes.baseAddress { buffer.copyMemory(from: base + Int(place), byteCount: part) }
                }
                return max(0, part)
            }, write: { _, _, _ in nil }, size: { Int64(bytes.count) }, resize: { _ in false })
    }

    deinit { if let descriptor { close(descriptor) } }

    package var size: Int64 { max(0, measuring()) }

    /// Cuts off what lies behind so many bytes. Returns whether that could be done.
    package func resize(to size: Int64) -> Bool { resizing(size) }

    /// Reads up to so many bytes. Returns how many came, fewer at the end; nil for an error before the first.
    package func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at place: Int64) -> Int? {
        var done = 0
        while done < count {
            let part = reading(buffer + done, count - done, place + Int64(done))
            guard let part else { return done > 0 ? done : nil }
            if part <= 0 || part > count - done { break }
            done += part
        }
        return done
    }

    /// Writes bytes. Returns whether all were taken.
    package func write(_ buffer: UnsafeRawPointer, _ count: Int, at place: Int64) -> Bool {
        var done = 0
        while done < count {
            let part = writing(buffer + done, count - done, place + Int64(done))
            guard let part, part > 0, part <= count - done else { return false }
            done += part
        }
        return true
    }
}
