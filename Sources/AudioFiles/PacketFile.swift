import Glibc

/// An audio file with its packets as they lie in it: libsndfile reads and writes what stands around them, and encodes frames.
///
/// Control side, one thread at a time.
package final class PacketFile {
    /// Why a file cannot be opened or begun.
    package enum Refusal: Error, CustomStringConvertible {
        case isNoAudio, isNotOffered, isDamaged

        package var description: String {
            switch self {
            case .isNoAudio: "it is no audio file that libsndfile knows"
            case .isNotOffered: "libsndfile does not offer its coding"
            case .isDamaged: "its head is damaged"
            }
        }
    }

    package let bytes: FileBytes
    /// Nil for a kind of file that this package does not name.
    package let form: SoundForm?
    package let channels: Int
    /// Hertz.
    package let sampleRate: Int
    /// Frames by the head, when it was opened.
    package let frames: Int64
    /// Where the first packet lies.
    package private(set) var dataOffset: Int64 = 0

    private var file: SndFileCalls.File
    /// False until the head of a file that was there is to change.
    private var isWriter: Bool
    private let cursor: ByteCursor
    private var isClosed = false

    /// Opens what is there.
    package init(_ bytes: FileBytes) throws(Refusal) {
        (self.bytes, isWriter) = (bytes, false)
        let unknown = IMA4Packets.channels(bytes)
        cursor = ByteCursor(unknown.map { IMA4Packets.shown(bytes, channels: $0) } ?? bytes)
        let opened = try SndFileCalls.open(cursor)
        (file, sampleRate) = (opened.file, opened.sampleRate)
        form = unknown == nil ? SndFileCalls.form(file) : SoundForm(.caf, .ima4)
        channels = unknown ?? opened.channels
        frames = unknown == nil ? opened.frames : max(0, min(opened.frames, 1 << 48)) * IMA4Packets.packetFrames
        dataOffset = isSeekable ? start() : 0
    }

    /// Begins a file in place of what is there.
    package init(creating form: SoundForm, in bytes: FileBytes, channels: Int, sampleRate: Int) throws(Refusal) {
        (self.bytes, self.form, self.channels, self.sampleRate, frames) = (bytes, form, channels, sampleRate, 0)
        isWriter = true
        guard bytes.resize(to: 0) else { throw .isDamaged }
        let isUnknown = form.isUnknownIMA4
        cursor = ByteCursor(isUnknown ? IMA4Packets.shown(bytes, channels: channels) : bytes)
        if form.container.isOgg { cursor.serialNumber = OggSerialNumber() }
        if form.container == .wav, channels > 2 { cursor.completeHeader = { WAVHeader.clearSpeakers(&$0) } }
        file = try SndFileCalls.create(
            isUnknown ? SoundForm(.caf, .muLaw) : form, cursor,
            channels: isUnknown ? IMA4Packets.shownChannels(channels) : channels, sampleRate: sampleRate)
        begin()
    }

    deinit { _ = finish() }

    /// Vorbis, Opus, FLAC and MP3 have packets of several sizes, which libsndfile does not show.
    private var isSeekable: Bool { form.map { ![.flac, .vorbis, .opus, .mp3].contains($0.container) } ?? false }

    private var encodesBlocks: Bool { form?.coding == .ima4 && form?.isUnknownIMA4 == false }

    /// The place that libsndfile goes to for the first frame.
    private func start() -> Int64 {
        _ = SndFileCalls.seek(file, to: 0)
        return cursor.target
    }

    private func begin() {
        guard isSeekable else { return }
        SndFileCalls.updateHeader(file)
        // There is no seeking in what encodes blocks.
        dataOffset = encodesBlocks ? bytes.size : start()
        _ = bytes.resize(to: dataOffset)
    }

    /// The contents of the first chunk with this name, of four letters; empty without one.
    package func chunk(_ name: String) -> [UInt8] { SndFileCalls.chunk(file, name) }

    /// Puts a chunk before the first packet of a file that was begun.
    package func add(chunk name: String, _ contents: [UInt8]) {
        SndFileCalls.add(chunk: name, contents, to: file)
        begin()
    }

    /// Names the speakers of a file that was begun, by the bits of WAVE. Returns whether it contains them.
    package func setSpeakers(_ mask: UInt32) -> Bool {
        cursor.completeHeader = nil
        defer { begin() }
        return SndFileCalls.setSpeakers(file, mask)
    }

    /// Prepares a file that was there for more packets behind those that it has. Returns false where its head is not as this
    /// package writes it, since what else stands in it would be lost.
    package func prepareToGrow() -> Bool {
        if isWriter { return true }
        guard !isClosed, let form, plainOffset(form) == dataOffset else { return false }
        _ = SndFileCalls.close(file)
        isClosed = true
        _ = cursor.seek(to: 0, whence: SEEK_SET)
        do { file = try SndFileCalls.open(cursor, writes: true).file } catch { return false }
        (isWriter, isClosed) = (true, false)
        return true
    }

    /// The length of a new file's head, which is written nowhere.
    private func plainOffset(_ form: SoundForm) -> Int64? {
        var end: Int64 = 0
        let nowhere = FileBytes(
            read: { _, _, _ in 0 },
            write: { _, count, place in
                end = max(end, place + Int64(count))
                return count
            }, size: { end },
            resize: {
                end = $0
                return true
            })
        do {
            return try PacketFile(creating: form, in: nowhere, channels: channels, sampleRate: sampleRate).dataOffset
        } catch {
            return nil
        }
    }

    /// Writes the head for so many packets that were put into `bytes`, whose last one has so many bytes.
    package func setLength(packets: Int64, packetBytes: Int) -> Bool {
        if packets > 0, !encodesBlocks {
            var last = [UInt8](repeating: 0, count: packetBytes)
            let place = dataOffset + (packets - 1) * Int64(packetBytes)
            // libsndfile counts what passes through it.
            guard bytes.read(&last, packetBytes, at: place) == packetBytes,
                SndFileCalls.rewrite(file, last, frame: packets - 1)
            else { return false }
        }
        SndFileCalls.updateHeader(file)
        return true
    }

    /// Encodes interleaved frames: integers with their bits at the top.
    package func write(_ samples: UnsafePointer<Int32>, frames: Int) -> Bool { SndFileCalls.write(file, samples, frames: frames) }

    /// Encodes interleaved frames of full scale 1.
    package func write(_ samples: UnsafePointer<Double>, frames: Int) -> Bool {
        SndFileCalls.write(file, samples, frames: frames)
    }

    /// Completes what was encoded; the file takes no more. Returns whether that was possible.
    package func finish() -> Bool {
        if isClosed { return true }
        isClosed = true
        return SndFileCalls.close(file) == nil
    }
}
