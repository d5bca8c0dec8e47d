import DSP
import Glibc

/// Reads an audio file of any kind that libsndfile knows, as planar floating-point samples with full scale 1.
///
/// Control side, one thread at a time.
public final class AudioFileReader {
    private static let blockFrames = 4096

    /// The file, as it was named.
    public let path: String
    public let channels: Int
    /// The loudspeaker for each channel; nil if the file does not name them, and nothing is assumed. With a layout, frames
    /// are read in the order of `SpeakerLayout.speakers`, else in that of the file.
    public let layout: SpeakerLayout?
    /// True if `layout` is not in the file, but the usual one for its number of channels.
    public let hasAssumedLayout: Bool
    /// Hertz.
    public let sampleRate: Int
    /// Frames in the file by its header; a stream's header may not know.
    public let frames: Int64

    let file: SndFileCalls.File
    /// What libsndfile reads the bytes through that were given.
    let cursor: ByteCursor?
    private let block: UnsafeMutablePointer<Float>
    private let places: [Int]

    /// Opens `path`.
    ///
    /// - Parameter assumesLayout: whether four, five, six and eight channels of a file that says nothing of loudspeakers are
    ///   taken for quad, 5.0, 5.1 and 7.1 in the order of WAVE, as files of Wave64, AU and raw samples have them.
    /// - Throws: `cannotOpen` if there is no such file, `unreadable` if it is not audio.
    public convenience init(path: String, assumesLayout: Bool = false) throws(AudioFileError) {
        guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, .last) }
        try self.init(SndFileCalls.open(path: path), path: path, assumesLayout: assumesLayout, cursor: nil)
    }

    /// Opens the bytes of a file.
    package convenience init(_ bytes: FileBytes) throws(PacketFile.Refusal) {
        let cursor = ByteCursor(bytes)
        self.init(try SndFileCalls.open(cursor), path: bytes.path ?? "", assumesLayout: false, cursor: cursor)
    }

    private init(_ opened: SndFileCalls.Opened, path: String, assumesLayout: Bool, cursor: ByteCursor?) {
        self.path = path
        self.cursor = cursor
        (file, channels, sampleRate, frames) = opened
        let stated = SndFileCalls.channelOrder(opened.file, channels: opened.channels)
        let assumed =
            assumesLayout && stated == nil
            ? SndFileCalls.usualOrder(opened.file, channels: opened.channels) : nil
        let order = stated ?? assumed
        layout = order?.layout
        hasAssumedLayout = assumed != nil
        places = order?.places ?? Array(0..<opened.channels)
        block = .allocate(capacity: Self.blockFrames * opened.channels)
    }

    deinit {
        _ = SndFileCalls.close(file)
        block.deallocate()
    }

    /// Reads the next frames into one buffer per channel, of `capacity` frames each. Returns how many came; 0 at the end.
    ///
    /// - Throws: `unreadable` if the rest is damaged; `channels` and `frames` for memory that cannot be.
    public func read(_ output: [UnsafeMutablePointer<Float>], capacity: Int) throws(AudioFileError) -> Int {
        try AudioFileError.check(path, given: output.count, wanted: channels, frames: capacity)
        var done = 0
        while done < capacity {
            let part = min(capacity - done, Self.blockFrames)
            let count = SndFileCalls.read(file, block, frames: part)
            if count < part, let message = SndFileCalls.message(file) {
                throw .unreadable(path: path, message: message)
            }
            for channel in 0..<channels {
                let place = places[channel]
                for i in 0..<count { output[channel][done + i] = block[i * channels + place] }
            }
            done += count
            if count < part { break }
        }
        return done
    }

    /// Reads up to `frames` frames and discards them. Returns how many; 0 at the end.
    func skip(_ frames: Int) -> Int { SndFileCalls.read(file, block, frames: min(frames, Self.blockFrames)) }

    /// Reads all that is left, one array per channel. Memory grows with what is really there, not with the header.
    ///
    /// - Throws: `unreadable`.
    public func readAll() throws(AudioFileError) -> [[Float]] {
        var planes = [[Float]](repeating: [], count: channels)
        while true {
            let count = SndFileCalls.read(file, block, frames: Self.blockFrames)
            if let message = SndFileCalls.message(file) { throw .unreadable(path: path, message: message) }
            guard count > 0 else { return planes }
            for channel in 0..<channels {
                let place = places[channel]
                for i in 0..<count { planes[channel].append(block[i * channels + place]) }
            }
        }
    }

    /// Reads the next frames at double precision, one array per channel in the order of the file: integers of 32 bits come
    /// unchanged. None is the end.
    ///
    /// - Throws: `unreadable` if the rest is damaged.
    package func readDoubles(_ frames: Int) throws(AudioFileError) -> [[Double]] {
        let samples = UnsafeMutablePointer<Double>.allocate(capacity: max(1, frames * channels))
        defer { samples.deallocate() }
        let count = SndFileCalls.read(file, samples, frames: frames)
        if count < frames, let message = SndFileCalls.message(file) { throw .unreadable(path: path, message: message) }
        return (0..<channels).map { channel in (0..<max(0, count)).map { samples[$0 * channels + channel] } }
    }
}
