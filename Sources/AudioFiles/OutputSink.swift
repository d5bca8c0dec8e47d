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
class OutputSink: SoundCursor {
    /// Bytes that files and streams of this process have taken so far.
    static let takenByAll = Atomic<Int>(0)
    /// Longer than any header without tags that libsndfile writes before the first sample.
    private static let headerCapacity = 4096

    private let descriptor: Int32
    /// Where the sound begins in the file of `descriptor`, for standard output may have something in it; nil for a stream.
    private let origin: Int64?
    var headerRoom = 0

    var fault: SystemFault?
    /// True if what lies before the end may still be written after an error.
    var takesCorrections = false
    /// The end of what the encoder has written.
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

    override var end: Int64 { length }

    override func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard fault == nil || takesCorrections && position + Int64(bytes.count) <= length else { return 0 }
        let count = super.write(bytes)
        length = max(length, position)
        return count
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

    override func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
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
