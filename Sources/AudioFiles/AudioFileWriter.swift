import DSP
import Glibc

/// Writes rendered sound to an audio file, a device, a pipe or standard output.
///
/// 1. `init` opens the target; nothing is visible under its name yet, unless it is a recording.
/// 2. `write` takes planar frames, as many at a time as the caller likes: the file's bytes do not depend on it.
/// 3. `finish` moves the file into its place, or `abandon` (or losing the writer, or any error) removes it.
///
/// The same samples give the same bytes: no times, no random numbers. (A lossy encoder computes in floating point and
/// may differ between versions of its library and between processors.)
///
/// Control side, one thread at a time. `write` does not allocate.
public final class AudioFileWriter {
    /// Frames that are converted and written at a time; encoders always see multiples of it, except at the end.
    private static let blockFrames = 4096
    /// RIFF counts 2^32 bytes, of which the headers need a few.
    private static let limitOf32Bits: Int64 = 0xFFFF_FFFF - 65_536

    /// Where the file is written, as given to `init`; "-" is standard output.
    public let path: String
    public let format: AudioFileFormat
    public let channels: Int
    /// The loudspeaker for each channel; nil if the file does not name them and keeps the channels in the order of `write`.
    public let layout: SpeakerLayout?
    /// Hertz.
    public let sampleRate: Int
    /// Frames taken by `write` so far.
    public private(set) var framesWritten: Int64 = 0
    /// Samples beyond full scale so far, counted over all channels. Integer formats clamp them and lossy formats will
    /// clip when they are played; 32-bit float keeps them, so its count is always 0.
    public private(set) var clippedSamples: Int64 = 0
    /// Bytes that went to the target; final after `finish`.
    public var byteCount: Int64 { sink.length }

    /// Bytes that the files of all writers in this process have taken so far: whether the disk gets on. Any thread, without a
    /// lock.
    public static var bytesTakenByAll: Int { OutputSink.takenByAll.load(ordering: .relaxed) }

    /// The path of the unfinished file, to remove it without this writer; nil if it has no name: then it disappears with the
    /// process.
    public var unfinishedPath: String? { target.unfinishedPath }

    /// True if the finished file took the place of another; known after `finish`.
    public var hasReplaced: Bool { target.hasReplaced }

    /// True if the part that was written is kept, as a complete file, when the rest fails.
    private let keepsPartial: Bool
    private let length: AudioFileLength
    private let sink: OutputSink
    private let target: OutputTarget
    private var file: SndFileCalls.File?
    private var isComplete = false
    private let maximumFrames: Int64
    private let block: UnsafeMutableRawPointer
    private var framesInBlock = 0
    private let ordered: UnsafeMutableBufferPointer<UnsafePointer<Float>>
    private let places: [Int]
    private var encoded: Int64 = 0

    /// Opens `path` ("-" for standard output).
    ///
    /// - Parameters:
    ///   - layout: which loudspeaker each of as many channels is for, in the order of `SpeakerLayout.speakers`; the file gets
    /// them
    ///     in its own order, and says so if it can. nil means the file says nothing.
    ///   - sampleRate: hertz.
    ///   - length: what is known of the number of frames; see `AudioFileLength`.
    ///   - loop: the frames that players repeat without end, written if the container can hold them (`Container.tellsLoop`).
    ///   - isRecording: the file has its own name from the beginning, which must be free, and a crash leaves what was written.
    ///   - replaces: whether a finished file may take the place of another.
    ///   - keepsPartial: whether a file that is abandoned, or of which a write fails, stays with what it has, finished and under
    ///     its name; a recording does so always, and a stream keeps what has left.
    ///   - tags: texts and places that it gets beside its sound, as far as its kind has a place for them.
    /// - Throws: `formatNotInLibrary`, `sampleRateNotOffered`, `channelCountNotOffered`, `layoutNotOffered`, `cannotStream`,
    ///   `isDirectory`, `cannotCreate`, `exists`, `tooLong`, `encoderRefused`; `channels` for a layout of other channels.
    public convenience init(
        path: String, format: AudioFileFormat, channels: Int, layout: SpeakerLayout? = nil, sampleRate: Int,
        length: AudioFileLength = .unknown, isRecording: Bool = false, replaces: Bool = true,
        keepsPartial: Bool = false, tags: AudioTags = AudioTags(), loop: Range<Int64>? = nil
    ) throws(AudioFileError) {
        if let layout {
            if layout.channels != channels { throw .channels(path: path, given: channels, wanted: layout.channels) }
            try format.requireSupport(layout: layout)
        }
        try format.requireSupport(channels: channels, sampleRate: sampleRate)
        let target = try OutputTarget(path: path, isRecording: isRecording, replaces: replaces)
        try self.init(
            target: target, sink: OutputSink(descriptor: target.descriptor), format: format, channels: channels,
            layout: layout, sampleRate: sampleRate, length: length, keepsPartial: keepsPartial, tags: tags, loop: loop)
    }

    /// Opens `path` for sound of an engine's rate, which files can have in whole hertz only; the rest as the other does.
    public convenience init(
        path: String, format: AudioFileFormat, channels: Int, layout: SpeakerLayout? = nil, sampleRate: Double,
        length: AudioFileLength = .unknown
    ) throws(AudioFileError) {
        let rate = Int(exactly: sampleRate) ?? 0
        try self.init(path: path, format: format, channels: channels, layout: layout, sampleRate: rate, length: length)
    }

    /// Returns true if `path` leads to something that is written to directly, such as a device or a named pipe.
    public static func isStream(path: String) -> Bool { OutputTarget.isStream(path: path) }

    init(
        target: OutputTarget, sink: OutputSink, format: AudioFileFormat, channels: Int, layout: SpeakerLayout? = nil,
        sampleRate: Int, length: AudioFileLength, keepsPartial: Bool = false,
        tags: AudioTags = AudioTags(), loop: Range<Int64>? = nil
    ) throws(AudioFileError) {
        let path = target.path
        guard sink.isSeekable || format.container.canStream else {
            throw .cannotStream(path: path, container: format.container)
        }
        let sampleBytes = format.encoding?.bytes ?? 4
        let frameLimit = Self.limitOf32Bits / Int64(channels * sampleBytes)
        var opened = format
        var isDowngradable = false
        if format.container.isLimitedTo4GiB, sink.isSeekable {
            let mayBeLonger = length.bound.map { $0 > frameLimit } ?? true
            if mayBeLonger, format.container == .wav {
                opened = try AudioFileFormat(.rf64, encoding: format.encoding)
                isDowngradable = true
            } else if mayBeLonger, length != .unknown {
                throw .tooLong(path: path, container: format.container)
            }
        }
        let isLimited = opened.container.isLimitedTo4GiB && sink.isSeekable
        maximumFrames = isLimited ? frameLimit : Int64.max
        if format.container.isOgg { sink.serialNumber = OggSerialNumber() }
        let isUntold = layout == nil && channels > 2
        if format.container == .wav, !sink.isSeekable {
            var frames: Int64?
            if case .exactly(let promised) = length { frames = promised }
            sink.completeHeader = { [frames] in
                WAVHeader.complete(&$0, frames: frames, bytesPerFrame: channels * sampleBytes)
                if isUntold { WAVHeader.clearSpeakers(&$0) }
            }
        } else if opened.container == .rf64 {
            sink.completeHeader = {
                WAVHeader.clearPeakTime(&$0)
                if isDowngradable, channels <= 2 { WAVHeader.simplifyFormat(&$0) }
                if isUntold { WAVHeader.clearSpeakers(&$0) }
            }
        } else if opened.container == .wav, isUntold {
            sink.completeHeader = { WAVHeader.clearSpeakers(&$0) }
        }
        let file = try SndFileCalls.open(
            opened, channels: channels, sampleRate: sampleRate, sink: sink, path: path)
        if isDowngradable { SndFileCalls.allowDowngradeToWAV(file) }
        if !tags.isEmpty {
            let (texts, cues) = tags.fitting(opened.container)
            // Each with a few words around it.
            sink.headerRoom = texts.reduce(0) { $0 + $1.bytes.count + 16 } + cues.reduce(0) { $0 + $1.name.utf8.count + 64 }
            SndFileCalls.setTags(file, texts: texts, cues: cues, isWAV: opened.container == .wav)
        }
        if let loop, opened.container.tellsLoop, let first = UInt32(exactly: loop.lowerBound),
            let end = UInt32(exactly: loop.upperBound)
        {
            SndFileCalls.setLoop(file, first..<end)
        }
        let order = layout.map { ChannelOrder($0, in: opened.container) }
        if let layout, let order, channels > 2 {
            let isTaken = SndFileCalls.setChannelMap(file, order.speakers)
            let isNeeded = opened.container.needsMap && format.container.tells(layout)
            if isNeeded && !isTaken {
                _ = SndFileCalls.close(file)
                target.remove()
                throw .layoutNotOffered(container: format.container, layout: layout)
            }
        }
        (self.path, self.format, self.channels, self.layout) = (path, format, channels, layout)
        places = order?.places ?? Array(0..<channels)
        ordered = .allocate(capacity: channels)
        self.sampleRate = sampleRate
        self.length = length
        self.keepsPartial = target.isRecording || keepsPartial && target.isFile
        (self.sink, self.target, self.file) = (sink, target, file)
        block = .allocate(byteCount: Self.blockFrames * channels * 4, alignment: 64)
    }

    deinit {
        abandon()
        block.deallocate()
        ordered.deallocate()
    }

    /// Takes the next `frames` frames, one pointer per channel.
    ///
    /// After an error the writer is abandoned: the file is removed, but a recording keeps what was written; further frames
    /// are refused.
    ///
    /// - Throws: `writeFailed`, `encodingFailed`, `tooLong`; of a recording `cutShort`. `channels` and `frames` for what cannot
    ///   be passed, which changes nothing.
    public func write(
        _ samples: UnsafeBufferPointer<UnsafePointer<Float>>, frames: Int
    ) throws(AudioFileError) {
        try AudioFileError.check(path, given: samples.count, wanted: channels, frames: frames)
        guard file != nil else { throw .encodingFailed(path: path, message: "the writer is closed") }
        for channel in 0..<channels { ordered.initializeElement(at: places[channel], to: samples[channel]) }
        let samples = UnsafeBufferPointer(ordered)
        var done = 0
        while done < frames {
            let part = min(frames - done, Self.blockFrames - framesInBlock)
            convert(samples, from: done, frames: part)
            framesInBlock += part
            framesWritten += Int64(part)
            done += part
            if framesInBlock == Self.blockFrames { try flush() }
        }
    }

    /// Takes the next `frames` frames, one pointer per channel.
    public func write(_ samples: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        try samples.withUnsafeBufferPointer { pointers throws(AudioFileError) in
            try write(pointers, frames: frames)
        }
    }

    /// Makes what was written so far a whole file, for a crash or a full disk; only of a recording, and where the
    /// format keeps its length in a header: the others can be read as they are. Changes nothing of the finished file.
    ///
    /// - Throws: as `write`.
    public func makeCheckpoint() throws(AudioFileError) {
        guard target.isRecording, format.encoding != nil, let file else { return }
        try flush()
        SndFileCalls.updateHeader(file)
        if let fault = sink.fault { throw failure(fault) }
    }

    /// Completes the file and puts it in its place. A second call does nothing.
    ///
    /// - Throws: `writeFailed`, `encodingFailed`, `cannotReplace`, `exists`, `lengthMismatch`; then the file is removed. Of a
    ///   recording `cutShort`.
    public func finish() throws(AudioFileError) {
        try complete()
        guard isComplete else { return }
        isComplete = false
        try target.commit()
    }

    /// Completes the file, which takes no more frames; `finish` then only puts it in its place, where `abandon` does not take
    /// it away. For several files that come all or none.
    ///
    /// - Throws: as `finish`.
    public func complete() throws(AudioFileError) {
        guard file != nil else { return }
        try flush()
        let message = closeEncoder()
        let isWritten = sink.finish()
        if let fault = sink.fault { throw failure(fault) }
        guard isWritten, message == nil else {
            throw givenUp(.encodingFailed(path: path, message: message ?? "unfinished"), message ?? "unfinished")
        }
        if case .exactly(let promised) = length, !sink.isSeekable, promised != framesWritten {
            abandon()
            throw .lengthMismatch(path: path, promised: promised, written: framesWritten)
        }
        isComplete = true
    }

    /// Gives up: nothing stays under the target's name that was not there before, but what was written of a recording, and of a
    /// file of which a part is kept, unless `keepsPartial` is false. Does nothing after `finish`. Returns whether what was
    /// written is under the target's name now.
    @discardableResult
    public func abandon(keepsPartial: Bool = true) -> Bool {
        if self.keepsPartial, keepsPartial || target.isRecording, framesWritten > 0, file != nil {
            do throws(AudioFileError) {
                try finish()
                return true
            } catch {
                // An error now changes nothing: it cannot be reported any more, and what is on the disk stays.
            }
        }
        _ = closeEncoder()
        target.remove()
        return false
    }

    private func convert(_ samples: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int) {
        let offset = framesInBlock * channels
        switch format.encoding {
        case .int16:
            let output = block.assumingMemoryBound(to: Int16.self) + offset
            clippedSamples += Int64(
                SampleQuantizer.quantize16(
                    samples, from: start, frames: frames, firstFrame: framesWritten, to: output))
        case .int24:
            let output = block.assumingMemoryBound(to: Int32.self) + offset
            clippedSamples += Int64(
                SampleQuantizer.quantize24(samples, from: start, frames: frames, to: output))
        case .float32:
            let output = block.assumingMemoryBound(to: Float.self) + offset
            SampleQuantizer.interleave(samples, from: start, frames: frames, to: output)
        case nil:
            let output = block.assumingMemoryBound(to: Float.self) + offset
            clippedSamples += Int64(
                SampleQuantizer.interleaveFinite(samples, from: start, frames: frames, to: output))
        }
    }

    private func flush() throws(AudioFileError) {
        guard let file, framesInBlock > 0 else { return }
        let frames = framesInBlock
        framesInBlock = 0
        guard framesWritten <= maximumFrames else {
            throw givenUp(
                .tooLong(path: path, container: format.container), "\(format.container.rawValue) ends at 4 GiB")
        }
        let isTaken =
            switch format.encoding {
            case .int16: SndFileCalls.write(file, block.assumingMemoryBound(to: Int16.self), frames: frames)
            case .int24: SndFileCalls.write(file, block.assumingMemoryBound(to: Int32.self), frames: frames)
            case .float32, nil: SndFileCalls.write(file, block.assumingMemoryBound(to: Float.self), frames: frames)
            }
        // Some encoders take frames although their bytes could not be written.
        if let fault = sink.fault { throw failure(fault) }
        guard isTaken else {
            let message = SndFileCalls.message(file) ?? "the encoder did not take all frames"
            throw givenUp(.encodingFailed(path: path, message: message), message)
        }
        encoded += Int64(frames)
    }

    private func failure(_ fault: SystemFault) -> AudioFileError {
        givenUp(.writeFailed(path: path, fault), fault.description)
    }

    /// A recording with sound, or a file of which a part is kept, stays up to its last good write, and its header says so.
    private func givenUp(_ error: AudioFileError, _ reason: String) -> AudioFileError {
        sink.takesCorrections = keepsPartial
        _ = closeEncoder()
        guard keepsPartial, encoded > 0, sink.length > 0 else {
            target.remove()
            return error
        }
        sink.trim()
        do throws(AudioFileError) { try target.commit() } catch { return error }
        // An encoder that compresses holds more than it has written.
        let isCompressed = format.encoding == nil || format.container == .flac
        return .cutShort(path: path, reason: reason, frames: isCompressed ? nil : encoded)
    }

    private func closeEncoder() -> String? {
        guard let file else { return nil }
        self.file = nil
        return SndFileCalls.close(file)
    }
}

extension AudioFileFormat {
    /// Checks that the container can hold these loudspeakers, and that its readers find them again.
    ///
    /// - Throws: `layoutNotOffered`.
    public func requireSupport(layout: SpeakerLayout) throws(AudioFileError) {
        if !container.layouts.contains(layout) { throw .layoutNotOffered(container: container, layout: layout) }
    }

    /// Checks that the container takes `channels` channels at this rate, and that the installed libsndfile can write it.
    ///
    /// - Throws: `channelCountNotOffered`, `sampleRateNotOffered`, `bitRateOutOfRange`, `formatNotInLibrary`.
    public func requireSupport(channels: Int, sampleRate: Int) throws(AudioFileError) {
        guard channels >= 1, channels <= container.maximumChannels else {
            throw .channelCountNotOffered(container: container, channels: channels)
        }
        guard sampleRate >= 1, sampleRate <= container.maximumSampleRate,
            container.sampleRates?.contains(sampleRate) ?? true
        else { throw .sampleRateNotOffered(container: container, sampleRate: sampleRate) }
        if let bitRate, let offered = container.bitRates(channels: channels, sampleRate: sampleRate),
            !offered.contains(bitRate)
        {
            throw .bitRateOutOfRange(container: container, bitRate: bitRate, offered: offered)
        }
        guard SndFileCalls.canWrite(self, channels: channels, sampleRate: sampleRate) else {
            throw .formatNotInLibrary(self, available: Container.available, library: SndFileCalls.library)
        }
    }
}

extension AudioFileFormat.Container {
    /// The containers that the installed libsndfile can write.
    public static var available: [Self] {
        allCases.filter { SndFileCalls.canWrite(AudioFileFormat(defaultOf: $0), channels: 2, sampleRate: 48_000) }
    }
}

extension AudioFileFormat.Encoding {
    /// Bytes of one sample in a file.
    public var bytes: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .float32: 4
        }
    }
}
