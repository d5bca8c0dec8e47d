import Glibc

/// Frames that are kept until they are wanted again, in their order: in memory up to a bound, what follows in a file that has no
/// name and is gone with the program. Control side, one thread.
public final class FrameSpool {
    /// Frames that are kept and given back at a time.
    public static let chunk = 16_384
    /// Bytes that are kept in memory.
    public static let room = 128 << 20

    /// Channels of each frame.
    public let channels: Int
    /// Frames that are kept.
    public private(set) var frames: Int64 = 0
    private let folder: String
    private let room: Int
    /// Chunks in memory, each plane after plane; the last may not be full.
    private var chunks: [UnsafeMutablePointer<Float>] = []
    /// The chunk that is filled or was read, where memory is full.
    private let window: UnsafeMutablePointer<Float>
    private var descriptor: Int32 = -1

    /// An empty spool.
    ///
    /// - Parameters:
    ///   - folder: where the file is made that memory has no room for; nil: `TMPDIR`, or /tmp.
    ///   - room: bytes that are kept in memory.
    public init(channels: Int, folder: String? = nil, room: Int = FrameSpool.room) {
        precondition(channels > 0, "a spool has channels")
        (self.channels, self.room) = (channels, room)
        self.folder = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        window = .allocate(capacity: Self.chunk * channels)
    }

    deinit {
        chunks.forEach { $0.deallocate() }
        window.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    private var bytes: Int { Self.chunk * channels * MemoryLayout<Float>.stride }

    /// Takes the next frames, one pointer per channel. Throws `cannotCreate`, `writeFailed` for the file.
    public func add(_ samples: [UnsafePointer<Float>], frames count: Int) throws(AudioFileError) {
        precondition(samples.count == channels && count >= 0, "one pointer per channel")
        var done = 0
        while done < count {
            let place = Int(frames % Int64(Self.chunk)), part = min(count - done, Self.chunk - place)
            if place == 0, try !isFiled(frames) { chunks.append(.allocate(capacity: Self.chunk * channels)) }
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
    /// - Throws: what `body` throws; `writeFailed` where the file cannot be read again.
    public func forEach(
        _ body: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        // What is not written yet stands in the window, where the chunks before it come to stand.
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

    /// Tells whether the chunk at `start` stands in the file, which is made with the first of them.
    private func isFiled(_ start: Int64) throws(AudioFileError) -> Bool {
        if descriptor >= 0 { return true }
        if (chunks.count + 1) * bytes <= room { return false }
        descriptor = OutputTarget.openNameless(in: folder, O_RDWR, 0o600)
        if descriptor >= 0 { return true }
        // A file system without files that have no name.
        var name = Array("\(folder)/.carillon-spool-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .cannotCreate(path: folder, .last) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
        return true
    }

    private func offset(_ start: Int64) -> off_t {
        off_t((start / Int64(Self.chunk) - Int64(chunks.count)) * Int64(bytes))
    }

    private func flush(at start: Int64) throws(AudioFileError) {
        var done = 0
        while done < bytes {
            let count = pwrite(descriptor, UnsafeRawPointer(window) + done, bytes - done, offset(start) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .writeFailed(path: folder, .last) }
            done += count
        }
    }

    private func read(at start: Int64) throws(AudioFileError) -> UnsafeMutablePointer<Float> {
        var done = 0
        while done < bytes {
            let count = pread(descriptor, UnsafeMutableRawPointer(window) + done, bytes - done, offset(start) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .writeFailed(path: folder, count < 0 ? .last : SystemFault(code: EIO)) }
            done += count
        }
        return window
    }
}
