internal import AudioFiles

/// A file that takes frames.
protocol FrameSink: AnyObject {
    var channels: Int { get }
    var rate: Double { get }
    /// Appends frames, one array for each channel.
    func write(_ planes: [[Double]]) -> OSStatus
    func finish() -> OSStatus
}

/// Linear PCM, as packets.
final class PacketSink: FrameSink {
    private let file: AudioFileObject
    private let layout: PCMLayout

    init?(_ file: AudioFileObject) {
        guard let layout = PCMLayout(file.head.format), file.isWritable else { return nil }
        (self.file, self.layout) = (file, layout)
    }

    var channels: Int { layout.channels }
    var rate: Double { layout.rate }

    func write(_ planes: [[Double]]) -> OSStatus {
        let frames = planes.first?.count ?? 0, size = layout.bytesPerFrame
        if frames == 0 { return noErr }
        return withUnsafeTemporaryAllocation(byteCount: frames * size, alignment: 8) { memory in
            guard let base = memory.baseAddress else { return kAudio_MemFullError }
            for (channel, plane) in planes.enumerated() {
                plane.withUnsafeBufferPointer { plane in
                    if let from = plane.baseAddress {
                        layout.encode(from, count: frames, base + channel * layout.bytes, stride: size)
                    }
                }
            }
            return file.write(base, frames * size, at: file.head.dataBytes)
        }
    }

    func finish() -> OSStatus { file.update() }
}

/// What the library encodes: FLAC, MP3.
final class EncodedSink: FrameSink {
    private let writer: AudioFileWriter

    /// Begins a file, which gets its name when it is finished.
    init(_ path: String, _ format: AudioStreamBasicDescription, _ container: AudioFileFormat.Container, replaces: Bool)
        throws(AudioFileError)
    {
        let is24 = format.mFormatFlags == kAppleLosslessFormatFlag_24BitSourceData || format.mBitsPerChannel == 24
        let encoding: AudioFileFormat.Encoding? = container.isLossy ? nil : is24 ? .int24 : .int16
        writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(container, encoding: encoding), channels: Int(format.mChannelsPerFrame),
            layout: nil, sampleRate: Int(format.mSampleRate), replaces: replaces)
    }

    var channels: Int { writer.channels }
    var rate: Double { Double(writer.sampleRate) }

    func write(_ planes: [[Double]]) -> OSStatus {
        let frames = planes.first?.count ?? 0
        if frames == 0 { return noErr }
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: frames * channels) { memory in
            guard let base = memory.baseAddress else { return kAudio_MemFullError }
            for (channel, plane) in planes.enumerated() {
                for (index, sample) in plane.enumerated() { base[channel * frames + index] = Float(sample) }
            }
            do throws(AudioFileError) {
                try writer.write((0..<channels).map { UnsafePointer(base + $0 * frames) }, frames: frames)
                return noErr
            } catch {
                return error.status
            }
        }
    }

    func finish() -> OSStatus {
        do {
            try writer.finish()
            return noErr
        } catch {
            return error.status
        }
    }
}

extension AudioFileError {
    /// Apple's code for what happened.
    var status: OSStatus {
        switch self {
        case .exists: kAudioFilePermissionsError
        case .isDirectory: kAudio_BadFilePathError
        case .cannotCreate(_, let fault), .cannotOpen(_, let fault), .cannotReplace(_, let fault):
            [ENOENT, ENOTDIR].contains(fault.code) ? kAudio_FileNotFoundError : kAudioFilePermissionsError
        case .tooLong: kAudioFileDoesNotAllow64BitDataSizeError
        case .unreadable: kAudioFileInvalidFileError
        case .formatNotInLibrary, .sampleRateNotOffered, .channelCountNotOffered, .layoutNotOffered, .encodingNotOffered:
            kAudioFileUnsupportedDataFormatError
        default: kAudioFileUnspecifiedError
        }
    }
}
