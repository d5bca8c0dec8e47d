import Glibc
import Synchronization

/// Where the bytes of an encoder go: a file that can be corrected at its beginning, or a stream that cannot.
///
/// The encoder sees a seekable file in both cases. In a stream, the first bytes wait here, so that a header that is
/// written twice goes out once; what the encoder wants to correct later is dropped, and the formats that cannot live
/// with that are refused before (`canStream`).
///
/// The first error of the system is kept in `fault`; all later writes fail, but corrections of what is there already, where
/// they are wanted: they need no room on the disk.
class OutputSink {
    /// Bytes that files and streams of this process have taken so far.
    static let takenByAll = Atomic<Int>(0)
    /// Longer than any header without tags that libsndfile writes before the first sample.
    private static let headerCapacity = 4096

    private let descriptor: Int32
    /// Where the sound begins in the file of `descriptor`, for standard output may have something in it; nil for a stream.
    private let origin: Int64?
    /// Called with the first bytes of a stream before they leave, or with each header that is written to a file.
    var completeHeader: ((inout [UInt8]) -> Void)?
    var headerRoom = 0
    var serialNumber: OggSerialNumber?

    var fault: SystemFault?
    /// True if what lies before the end may still be written after an error.
    var takesCorrections = false
    /// Where the encoder writes next, and the end of what it has written.
    private(set) var position: Int64 = 0
    private(set) var length: Int64 = 0
    /// The waiting first bytes of a stream, nil once they are gone.
    private var header: [UInt8]?
    private var streamed: Int64 = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        // pwrite appends to a file that was opened for appending, at any offset it is given.
        let appends = fcntl(descriptor, F_GETFL) & O_APPEND != 0
        let offset = isFile && !appends ? lseek(descriptor, 0, SEEK_CUR) : -1
        origin = offset >= 0 ? Int64(offset) : nil
        header = origin == nil ? [] : nil
    }

    var isSeekable: Bool { origin != nil }

    /// Moves the encoder's position. - Returns: the new position, or -1.
    func seek(to offset: Int64, whence: Int32) -> Int64 {
        let start: Int64 = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : length
        let (target, isTooBig) = start.addingReportingOverflow(offset)
        guard !isTooBig, target >= 0 else { return -1 }
        position = target
        return target
    }

    /// Takes `bytes` at the encoder's position. - Returns: how many were taken: all, or 0 after an error.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard fault == nil || takesCorrections && position + Int64(bytes.count) <= length else { return 0 }
        if serialNumber != nil {
            var rest = bytes[...]
            while !rest.isEmpty, let result = serialNumber?.take(UnsafeRawBufferPointer(rebasing: rest)) {
                rest = rest.dropFirst(result.taken)
                position += Int64(result.taken)
                guard result.isComplete else { continue }
                let isWritten = serialNumber?.page.withUnsafeBytes { put($0, at: position - Int64($0.count)) }
                guard isWritten == true else { return 0 }
                serialNumber?.clear()
            }
        } else {
            guard put(bytes, at: position) else { return 0 }
            position += Int64(bytes.count)
        }
        length = max(length, position)
        return bytes.count
    }

    /// Sends what waits; a file is at its end then, where the next writer to standard output goes on. False after an error.
    func finish() -> Bool {
        if let origin { _ = lseek(descriptor, off_t(origin + length), SEEK_SET) } else { releaseHeader() }
        return fault == nil
    }

    /// Cuts off what follows the end: the beginning of a write that failed.
    func trim() {
        if let origin { _ = ftruncate(descriptor, off_t(origin + length)) }
    }

    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        if let origin {
            guard offset == 0, let completeHeader else { return store(bytes, at: origin + offset) }
            var first = Array(bytes)
            completeHeader(&first)
            return first.withUnsafeBytes { store($0, at: origin) }
        }
        let end = offset + Int64(bytes.count)
        if header != nil {
            if end <= Int64(Self.headerCapacity + headerRoom) {
                let index = Int(offset)
                if let missing = header.map({ Int(end) - $0.count }), missing > 0 {
                    header?.append(contentsOf: repeatElement(0, count: missing))
                }
                header?.replaceSubrange(index..<(index + bytes.count), with: bytes)
                return true
            }
            releaseHeader()
            guard fault == nil else { return false }
        }
        guard offset <= streamed else {
            fault = SystemFault(code: ESPIPE)
            return false
        }
        let gone = Int(min(streamed - offset, Int64(bytes.count)))
        return send(UnsafeRawBufferPointer(rebasing: bytes[gone...]))
    }

    private func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        var done = 0
        while done < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, part.baseAddress, part.count, off_t(offset) + done)
            guard advance(&done, by: count) else { return false }
        }
        return true
    }

    private func releaseHeader() {
        guard var bytes = header else { return }
        header = nil
        completeHeader?(&bytes)
        _ = bytes.withUnsafeBytes { send($0) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var done = 0
        while done < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
            guard advance(&done, by: Glibc.write(descriptor, part.baseAddress, part.count)) else { return false }
        }
        streamed += Int64(bytes.count)
        return true
    }

    /// Adds the result of a system call to `done`, or keeps its error; an interrupted call is repeated.
    private func advance(_ done: inout Int, by count: Int) -> Bool {
        if count > 0 { Self.takenByAll.add(count, ordering: .relaxed) }
        if count > 0 {
            done += count
            return true
        }
        if count < 0, errno == EINTR { return true }
        fault = count < 0 ? .last : SystemFault(code: EIO)
        return false
    }
}
