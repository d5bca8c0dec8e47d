internal import AudioFiles

/// A file's frames, decoded.
protocol FrameSource: AnyObject {
    var channels: Int { get }
    var rate: Double { get }
    var frames: Int64 { get }
    /// The next frames, one array for each channel, none at the end; nil for damage.
    func read(_ frames: Int) -> [[Double]]?
    func seek(to frame: Int64) -> Bool
}

/// Linear PCM, from its packets.
final class PacketSource: FrameSource {
    private let file: AudioFileObject
    private let layout: PCMLayout
    private var place: Int64 = 0

    init?(_ file: AudioFileObject) {
        guard let layout = PCMLayout(file.head.format) else { return nil }
        (self.file, self.layout) = (file, layout)
    }

    var channels: Int { layout.channels }
    var rate: Double { layout.rate }
    var frames: Int64 { file.head.packets }

    func read(_ frames: Int) -> [[Double]]? {
        let count = Int(min(Int64(frames), self.frames - place)), size = layout.bytesPerFrame
        var bytes = [UInt8](repeating: 0, count: count * size)
        let done = bytes.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { file.read($0, bytes.count, at: place * Int64(size)) } ?? 0
        }
        guard let done else { return nil }
        let whole = done / size
        place += Int64(whole)
        return bytes.withUnsafeBytes { bytes in
            (0..<layout.channels).map { channel in
                Array(unsafeUninitializedCapacity: whole) { plane, filled in
                    if let from = bytes.baseAddress, let to = plane.baseAddress {
                        layout.decode(from + channel * layout.bytes, stride: size, count: whole, to)
                    }
                    filled = whole
                }
            }
        }
    }

    func seek(to frame: Int64) -> Bool {
        place = frame
        return true
    }
}

/// What the library decodes: mu-law, A-law, IMA4, ALAC, FLAC, MP3, Vorbis, Opus.
final class DecodedSource: FrameSource {
    private let reader: AudioFileReader

    init(path: String) throws(AudioFileError) { reader = try AudioFileReader(path: path) }

    var channels: Int { reader.channels }
    var rate: Double { Double(reader.sampleRate) }
    var frames: Int64 { max(0, reader.frames) }

    func read(_ frames: Int) -> [[Double]]? {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: max(1, frames * channels)) { memory in
            guard let base = memory.baseAddress else { return nil }
            do {
                let count = try reader.read((0..<channels).map { base + $0 * frames }, capacity: frames)
                return (0..<channels).map { channel in (0..<count).map { Double(base[channel * frames + $0]) } }
            } catch {
                return nil
            }
        }
    }

    func seek(to frame: Int64) -> Bool {
        do {
            try reader.seek(to: frame)
            return true
        } catch {
            return false
        }
    }
}
