import AudioFiles
import Synchronization

/// The frames of a sample in its file, read from any place on. Control side; one thread at a time reads a source.
protocol FrameSource: AnyObject {
    /// True if frames are floats in the scale of 16 bits, false if they are `Int16`.
    var isFloat: Bool { get }
    var frames: Int { get }
    /// The number of channels that are read together.
    var channels: Int { get }
    /// Corrects `frames` if fewer are there, as in a damaged stream. Throws what the file throws.
    func countFrames() throws(SoundFontError)
    /// Reads frames that are there, to one memory for each channel. Throws what the file throws.
    func read(_ part: Range<Int>, to memory: [UnsafeMutableRawPointer]) throws(SoundFontError)
    /// Closes a file that is opened again when it is read.
    func close()
}

/// A file of SoundFonts or DLS that stays open.
final class OpenSoundFont: Sendable {
    let bytes: SoundFontBytes

    init(_ bytes: consuming SoundFontBytes) { self.bytes = bytes }
}

/// Frames of PCM in a SoundFont or DLS file.
final class PlainFrames: FrameSource {
    private let file: OpenSoundFont
    private let sample: StoredSample

    init(_ sample: StoredSample, _ file: OpenSoundFont) { (self.sample, self.file) = (sample, file) }

    var isFloat: Bool { sample.isFloat }
    var frames: Int { sample.frames }
    var channels: Int { 1 }

    func countFrames() {}

    func read(_ part: Range<Int>, to memory: [UnsafeMutableRawPointer]) throws(SoundFontError) {
        guard file.bytes.isUnchanged else { throw .changed(path: file.bytes.path) }
        try sample.read(part, file.bytes, to: memory[0])
    }

    func close() {}
}

/// Frames of a compressed sample in a SoundFont, decoded from any frame on.
final class EncodedFrames: FrameSource {
    private(set) var frames: Int
    private let file: OpenSoundFont
    private let bytes: Range<Int>
    private let sample: Int
    private var decoder: (samples: EncodedSamples, next: Int)?

    init(_ stored: StoredSample, sample: Int, frames: Int, _ file: OpenSoundFont) {
        (bytes, self.sample, self.frames, self.file) = (stored.bytes, sample, frames, file)
    }

    var isFloat: Bool { false }
    var channels: Int { 1 }

    func read(_ part: Range<Int>, to memory: [UnsafeMutableRawPointer]) throws(SoundFontError) {
        if decoder == nil { decoder = (try opened(), 0) }
        guard let (samples, next) = decoder else { return }
        decoder = nil
        do throws(AudioFileError) {
            if next != part.lowerBound { try samples.seek(to: part.lowerBound) }
            let count = try samples.read(memory[0].bindMemory(to: Int16.self, capacity: part.count), part.count)
            guard count == part.count else { throw .unreadable(path: file.bytes.path, message: "it ends too soon") }
        } catch { throw broken }
        decoder = (samples, part.upperBound)
    }

    func countFrames() throws(SoundFontError) {
        let samples = try opened()
        if samples.has(frames - 1) { return decoder = (samples, frames) }
        let all = try opened()
        do throws(AudioFileError) { frames = try all.countRest(upTo: frames) } catch { throw broken }
    }

    private func opened() throws(SoundFontError) -> EncodedSamples {
        let path = file.bytes.path
        guard file.bytes.isUnchanged else { throw .changed(path: path) }
        let file = file, place = bytes.lowerBound, size = bytes.count
        let stream = FileBytes(
            read: { buffer, count, from in
                let first = place + Int(from), last = min(first + count, place + size)
                if first >= last { return 0 }
                do throws(SoundFontError) { try file.bytes.read(first..<last, to: buffer) } catch { return nil }
                return last - first
            }, write: { _, _, _ in nil }, size: { Int64(size) }, resize: { _ in false })
        do throws(AudioFileError) { return try EncodedSamples(stream, path: path) } catch { throw broken }
    }

    private var broken: SoundFontError { .brokenVorbis(path: file.bytes.path, sample: sample, offset: 0) }

    func close() { decoder = nil }
}

/// Frames of channels of an audio file, as an SFZ region plays them.
final class AudioFrames: FrameSource {
    private(set) var frames: Int
    let isFloat: Bool
    private let path: String, identity: FileIdentity
    private let places: [Int]
    private let treatment: SampleTreatment
    private var open: (reader: AudioFileReader, next: Int)?

    /// `places` are the channels in the file.
    init(_ path: String, _ identity: FileIdentity, _ places: [Int], _ treatment: SampleTreatment, frames: Int, isFloat: Bool) {
        (self.path, self.identity, self.places) = (path, identity, places)
        (self.treatment, self.frames, self.isFloat) = (treatment, frames, isFloat)
    }

    var channels: Int { places.count }

    func read(_ part: Range<Int>, to memory: [UnsafeMutableRawPointer]) throws(SoundFontError) {
        var samples = try direct(part)
        if let fade = treatment.faded(part, of: frames) {
            let before = try direct(fade.sources)
            for channel in places.indices {
                samples[channel].withUnsafeMutableBufferPointer { treatment.fade($0, before[channel], fade, of: frames) }
            }
        }
        for channel in places.indices {
            samples[channel].withUnsafeBufferPointer { StoredSample.write($0, to: memory[channel], isFloat: isFloat) }
        }
    }

    /// Frames before the fade, one array for each channel, in the direction in which they play.
    private func direct(_ part: Range<Int>) throws(SoundFontError) -> [[Float]] {
        guard treatment.isReversed else { return try planes(part) }
        return try planes(frames - part.upperBound..<frames - part.lowerBound).map { $0.reversed() }
    }

    private func planes(_ part: Range<Int>) throws(SoundFontError) -> [[Float]] {
        guard FileIdentity(path: path) == identity else { throw .changed(path: path) }
        let reader: AudioFileReader, next: Int
        if let open { (reader, next) = open } else { (reader, next) = (try opened(), 0) }
        open = nil
        do throws(AudioFileError) {
            if next != part.lowerBound { try reader.seek(to: Int64(part.lowerBound)) }
            let planes = (0..<reader.channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: part.count) }
            defer { for plane in planes { plane.deallocate() } }
            let count = try reader.read(planes, capacity: part.count)
            guard count == part.count else { throw .unreadable(path: path, message: "it ends before frame \(part.upperBound)") }
            open = (reader, part.upperBound)
            return places.map { Array(UnsafeBufferPointer(start: planes[$0], count: count)) }
        } catch { throw refused(error) }
    }

    func countFrames() throws(SoundFontError) {
        let reader = try opened()
        if reader.has(Int64(frames - 1)) { return open = (reader, frames) }
        let all = try opened()
        do throws(AudioFileError) { frames = try all.countRest(upTo: frames) } catch { throw refused(error) }
    }

    private func opened() throws(SoundFontError) -> AudioFileReader {
        do throws(AudioFileError) { return try AudioFileReader(path: path) } catch { throw refused(error) }
    }

    private func refused(_ error: AudioFileError) -> SoundFontError { .refused(path: path, message: error.description) }

    func close() { open = nil }
}
