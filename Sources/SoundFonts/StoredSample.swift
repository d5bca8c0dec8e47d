import AudioFiles
import Glibc

/// The place of a sample's frames in its file and how they are read, for any kind of file.
struct StoredSample: Sendable, Hashable {
    enum Encoding: Sendable, Hashable {
        /// Unsigned, 128 is silence.
        case pcm8
        /// Signed, little endian.
        case pcm16
        /// The upper sixteen of 24 bits; the lower eight are in a row from this byte of the file on.
        case pcm24(low: Int)
        /// Ogg Vorbis: the number of frames is known only after decoding.
        case vorbis
        case audioFile(path: String, identity: FileIdentity, channel: Int)
        /// One turn of a generator of SFZ.
        case generated(GeneratedWave)
    }

    var encoding: Encoding
    var bytes: Range<Int>
    /// The distance from one frame to the next; bytes between them belong to other channels. Unit: bytes.
    var stride: Int
    /// First frame of the loop, and the one after its last, counted from the sample's first; they may lie outside.
    var loopStart: Int, loopEnd: Int
    /// Frames per second.
    var rate: Int
    var rootKey: Int
    /// The amount by which the sample sounds above its key. Unit: cents.
    var correction: Int
    /// What an SFZ region does with the frames before they play.
    var treatment = SampleTreatment()
    /// How the frames of an audio file can be streamed; nil if it must be loaded whole.
    var streaming: Streaming?

    /// The form in which frames of an audio file are streamed.
    enum Streaming: Sendable, Hashable {
        case words, floats

        /// Nil for a file that cannot be read exactly from any frame on.
        init?(_ reader: AudioFileReader) {
            guard reader.isExactlySeekable else { return nil }
            switch reader.coding {
            case .int8, .uint8, .int16: self = .words
            default: self = .floats
            }
        }
    }

    init(
        _ encoding: Encoding, _ bytes: Range<Int>, stride: Int, loop: (start: Int, end: Int), rate: Int, rootKey: Int = 60,
        correction: Int = 0
    ) {
        (self.encoding, self.bytes, self.stride) = (encoding, bytes, stride)
        (loopStart, loopEnd) = loop
        (self.rate, self.rootKey, self.correction) = (rate, rootKey, correction)
    }

    /// Frames of a compressed sample, as its stream has them.
    var decodedFrames = 0

    var frames: Int { encoding == .vorbis ? decodedFrames : bytes.count / stride }
}

extension StoredSample {
    init(_ header: SampleHeader, _ layout: SoundFontContents.Layout) {
        let wave = layout.wave
        let pitch = (rootKey: header.rootKey, correction: header.correction)
        guard !header.isCompressed else {
            // Converters differ in whether `end` is the last byte or the next. The loop counts from the sample's start.
            let end = max(min(header.end + 1, wave.count), header.start)
            self.init(
                .vorbis, wave.lowerBound + header.start..<wave.lowerBound + end, stride: 1,
                loop: (header.loopStart, header.loopEnd), rate: header.sampleRate, rootKey: pitch.rootKey,
                correction: pitch.correction)
            decodedFrames = header.decodedFrames
            return
        }
        let start = wave.lowerBound + header.start * 2
        self.init(
            layout.low.map { .pcm24(low: $0.lowerBound + header.start) } ?? .pcm16,
            start..<start + (header.end - header.start) * 2, stride: 2,
            loop: (header.loopStart - header.start, header.loopEnd - header.start), rate: header.sampleRate,
            rootKey: pitch.rootKey, correction: pitch.correction)
    }

    /// True if frames of PCM have more than 16 bits.
    var isFloat: Bool { if case .pcm24 = encoding { true } else { false } }

    /// Reads the frames, which `file` has or leads to: as 16 bits, or as floats in the same scale if there are 24.
    /// Of an audio file these channels, of others one.
    func read(
        _ file: borrowing SoundFontBytes, number: Int, channels: [Int], _ memory: SampleMemory
    ) throws(SoundFontError) -> [SampleBlock] {
        switch encoding {
        case .audioFile(let path, let identity, _): return try read(path, identity, channels, memory)
        case .generated(let wave): return [wave.block(memory)]
        case .vorbis: return [try decode(file, number, memory)]
        case .pcm8, .pcm16, .pcm24:
            if encoding == .pcm16, stride == 2, let own = file.ownBytes {
                return [SampleBlock(borrowing: own + bytes.lowerBound, frames: frames)]
            }
            let room = SampleBlock.allocate(frames * (isFloat ? 4 : 2))
            do throws(SoundFontError) {
                try read(0..<frames, file, to: room)
            } catch {
                free(room)
                throw error
            }
            return [SampleBlock(owning: room, isFloat: isFloat, frames: frames, memory)]
        }
    }

    private func decode(
        _ file: borrowing SoundFontBytes, _ number: Int, _ budget: SampleMemory
    ) throws(SoundFontError) -> SampleBlock {
        let stream = try file.read("smpl", at: bytes.lowerBound, count: bytes.count)
        let loaded: (memory: [UnsafeMutableRawPointer], frames: Int)
        do throws(AudioFileError) {
            let encoded = try EncodedSamples(stream, path: file.path)
            loaded = try SampleBlock.load(channels: 1, frameBytes: 2) { (memory, part) throws(AudioFileError) in
                try encoded.read(memory[0].bindMemory(to: Int16.self, capacity: part), part)
            }
        } catch {
            throw .brokenVorbis(path: file.path, sample: number, offset: 0)
        }
        return SampleBlock(owning: loaded.memory[0], isFloat: false, frames: loaded.frames, budget)
    }

    /// Reads some frames of PCM.
    func read(
        _ part: Range<Int>, _ file: borrowing SoundFontBytes, to memory: UnsafeMutableRawPointer
    ) throws(SoundFontError) {
        let place = bytes.lowerBound + part.lowerBound * stride, count = part.count
        if case .pcm24(let low) = encoding {
            let upper = try file.read("smpl", at: place, count: count * stride)
            let lower = try file.read("sm24", at: low + part.lowerBound, count: count)
            let samples = memory.bindMemory(to: Float.self, capacity: count)
            for frame in 0..<count {
                let word = Int16(truncatingIfNeeded: Int(upper[frame * 2]) | Int(upper[frame * 2 + 1]) << 8)
                samples[frame] = Float(Int32(word) << 8 | Int32(lower[frame])) / 256
            }
        } else if encoding == .pcm16, stride == 2 {
            try file.read(place..<place + count * 2, to: memory)
        } else {
            let read = try file.read("data", at: place, count: count * stride)
            let samples = memory.bindMemory(to: Int16.self, capacity: count)
            for frame in 0..<count {
                let at = frame * stride
                samples[frame] =
                    encoding == .pcm8
                    ? Int16(Int(read[at]) - 128) << 8
                    : Int16(truncatingIfNeeded: Int(read[at]) | Int(read[at + 1]) << 8)
            }
        }
    }

    /// Channels of an audio file: as 16 bits if its kind has no more, and no fade makes other frames.
    private func read(
        _ path: String, _ identity: FileIdentity, _ channels: [Int], _ memory: SampleMemory
    ) throws(SoundFontError) -> [SampleBlock] {
        guard FileIdentity(path: path) == identity else { throw .changed(path: path) }
        let isFloat = streamedBytes != 2, bytes = isFloat ? 4 : 2, loaded: (memory: [UnsafeMutableRawPointer], frames: Int)
        do throws(AudioFileError) {
            let reader = try AudioFileReader(path: path)
            let planes = (0..<reader.channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: SampleBlock.mostOfPart) }
            defer { for plane in planes { plane.deallocate() } }
            loaded = try SampleBlock.load(channels: channels.count, frameBytes: bytes) { (memory, part) throws(AudioFileError) in
                let count = channels.allSatisfy(planes.indices.contains) ? try reader.read(planes, capacity: part) : 0
                for (channel, memory) in zip(channels, memory) {
                    Self.write(UnsafeBufferPointer(start: planes[channel], count: count), to: memory, isFloat: isFloat)
                }
                return count
            }
        } catch { throw .refused(path: path, message: error.description) }
        return loaded.memory.map { channel in
            treatment.apply(to: channel, isFloat: isFloat, frames: loaded.frames)
            return SampleBlock(owning: channel, isFloat: isFloat, frames: loaded.frames, memory)
        }
    }

    /// Writes samples of full scale 1 in the scale of 16 bits.
    static func write(_ samples: UnsafeBufferPointer<Float>, to memory: UnsafeMutableRawPointer, isFloat: Bool) {
        if isFloat {
            let target = memory.bindMemory(to: Float.self, capacity: samples.count)
            for frame in samples.indices { target[frame] = samples[frame].isFinite ? samples[frame] * 32_768 : 0 }
        } else {
            let target = memory.bindMemory(to: Int16.self, capacity: samples.count)
            for frame in samples.indices { target[frame] = Int16(min(max(samples[frame] * 32_768, -32_768), 32_767)) }
        }
    }
}
