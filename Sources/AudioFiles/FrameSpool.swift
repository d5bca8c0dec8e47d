import CRealtime
import Glibc

/// Frames that are kept until they are wanted again, in their order: in memory up to a bound, what follows in a file that has no
/// name and is gone with the program.
///
/// The bound is low: a page of a file costs less than one of memory, and is the system's to take back. Control side, one thread.
package final class FrameSpool {
    /// Frames that are kept and given back at a time.
    package static let chunk = 16_384
    /// Bytes that are kept in memory.
    package static let room = 32 << 20

    /// Channels of each frame.
    package let channels: Int
    /// Frames that are kept.
    package private(set) var frames: Int64 = 0
    private let folder: String
    /// Chunks that memory has room for, and those that are there, each plane after plane; the last may not be full.
    private let most: Int
    private var chunks: [UnsafeMutablePointer<Float>] = []
    /// The memory of all chunks, from the first on: huge pages, if the system has them.
    private var memory: UnsafeMutableRawPointer?
    private let window: UnsafeMutablePointer<Float>
    private var descriptor: Int32 = -1
    /// True for a plane of a chunk in the file that is digital silence, which the file has no bytes of; plane after plane.
    private var silent: [Bool] = []

    /// Creates an empty spool that keeps `room` bytes in memory. The rest goes to `folder`: nil is `TMPDIR`, or /tmp; if that
    /// is memory itself (tmpfs), /var/tmp is taken if it is not.
    ///
    /// Precondition: `channels` is at least 1.
    package init(channels: Int, folder: String? = nil, room: Int = FrameSpool.room) {
        precondition(channels > 0, "a spool has channels")
        self.channels = channels
        most = max(room, 0) / (Self.chunk * channels * MemoryLayout<Float>.stride)
        let wanted = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let other = "/var/tmp"
        self.folder = filesystem_is_memory(wanted) && !filesystem_is_memory(other) && access(other, W_OK) == 0 ? other : wanted
        window = .allocate(capacity: Self.chunk * channels)
    }

    deinit {
        if let memory { munmap(memory, most * bytes) }
        window.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    private var bytes: Int { Self.chunk * channels * MemoryLayout<Float>.stride }

    /// Takes the next frames, one pointer per channel. Throws `cannotCreate`, `writeFailed` for the file; `channels`, `frames`.
    package func add(_ samples: [UnsafePointer<Float>], frames count: Int) throws(AudioFileError) {
        try AudioFileError.check(folder, given: samples.count, wanted: channels, frames: count)
        var done = 0
        while done < count {
            let place = Int(frames % Int64(Self.chunk)), part = min(count - done, Self.chunk - place)
            if place == 0 { try beginChunk() }
            let to = descriptor >= 0 ? window : chunks[chunks.count - 1]
            for channel in 0..<channels {
                (to + channel * Self.chunk + place).update(from: samples[channel] + done, count: part)
            }
            frames += Int64(part)
            done += part
            if descriptor >= 0, place + part == Self.chunk { try flush(at: frames - Int64(Self.chunk)) }
        }
    }

    /// Gives every chunk back: pointers for each channel, valid during the call, and the frames of it.
    ///
    /// - Throws: what `body` throws; `writeFailed` if the file cannot be read again.
    package func forEach(
        _ body: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        // Frames that are not written yet are in the window, at the place of the chunks before it.
        let rest = Int(frames % Int64(Self.chunk))
        if descriptor >= 0, rest > 0 { try flush(at: frames - Int64(rest)) }
        var start: Int64 = 0
        while start < frames {
            let index = Int(start / Int64(Self.chunk)), base: UnsafeMutablePointer<Float>
            if index < chunks.count { base = chunks[index] } else { base = try read(at: start) }
            let count = Int(min(frames - start, Int64(Self.chunk)))
            try body((0..<channels).map { UnsafePointer(base + $0 * Self.chunk) }, count)
            start += Int64(count)
        }
    }

    private func addChunk() -> Bool {
        guard chunks.count < most, let memory = memory ?? Self.map(most * bytes) else { return false }
        self.memory = memory
        chunks.append((memory + chunks.count * bytes).assumingMemoryBound(to: Float.self))
        return true
    }

    private static func map(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let made = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let made, made != MAP_FAILED else {
            // A fault that comes later is not for want of memory.
            errno = 0
            return nil
        }
        madvise(made, bytes, MADV_HUGEPAGE)
        return made
    }

    private func beginChunk() throws(AudioFileError) {
        if descriptor >= 0 || addChunk() { return }
        descriptor = OutputTarget.openNameless(in: folder, O_RDWR, 0o600)
        if descriptor >= 0 { return }
        // A file system without files that have no name.
        var name = Array("\(folder)/.carillon-spool-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .cannotCreate(path: folder, .last) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    private func offset(_ start: Int64) -> off_t {
        off_t((start / Int64(Self.chunk) - Int64(chunks.count)) * Int64(bytes))
    }

    private var planeBytes: Int { Self.chunk * MemoryLayout<Float>.stride }

    private func flush(at start: Int64) throws(AudioFileError) {
        let first = Int(offset(start)) / planeBytes
        if silent.count < first + channels { silent += repeatElement(false, count: first + channels - silent.count) }
        for channel in 0..<channels {
            let plane = UnsafeRawPointer(window + channel * Self.chunk)
            // Nothing but zero bits: the first four, and all that follow are as those before them.
            silent[first + channel] =
                plane.load(as: UInt32.self) == 0 && memcmp(plane, plane + 4, planeBytes - 4) == 0
        }
        try forEachRun(from: first) { (run) throws(AudioFileError) in
            try transfer(run, at: start) { pwrite(descriptor, $0, $1, $2) }
        }
    }

    private func read(at start: Int64) throws(AudioFileError) -> UnsafeMutablePointer<Float> {
        let first = Int(offset(start)) / planeBytes
        for channel in 0..<channels where silent[first + channel] {
            (window + channel * Self.chunk).update(repeating: 0, count: Self.chunk)
        }
        try forEachRun(from: first) { (run) throws(AudioFileError) in
            try transfer(run, at: start) { pread(descriptor, $0, $1, $2) }
        }
        return window
    }

    private func forEachRun(
        from first: Int, _ body: (Range<Int>) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        var start = 0
        while start < channels {
            var end = start
            while end < channels, !silent[first + end] { end += 1 }
            if end > start { try body(start..<end) }
            start = end + 1
        }
    }

    private func transfer(
        _ planes: Range<Int>, at start: Int64, _ call: (UnsafeMutableRawPointer, Int, off_t) -> Int
    ) throws(AudioFileError) {
        let base = UnsafeMutableRawPointer(window)
        var done = planes.lowerBound * planeBytes
        let end = planes.upperBound * planeBytes
        while done < end {
            let count = call(base + done, end - done, offset(start) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .writeFailed(path: folder, count < 0 ? .last : SystemFault(code: EIO)) }
            done += count
        }
    }

    /// Forgets all frames; the memory stays for those that follow.
    package func removeAll() {
        if descriptor >= 0 { close(descriptor) }
        (frames, descriptor) = (0, -1)
        chunks.removeAll(keepingCapacity: true)
        silent.removeAll(keepingCapacity: true)
    }
}
