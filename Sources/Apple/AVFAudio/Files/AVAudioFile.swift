/// An audio file that is read or written by frames in its processing format.
open class AVAudioFile: NSObject {
    public let url: URL
    /// The format of the file itself.
    public let fileFormat: AVAudioFormat
    /// The format of buffers that are read and written: linear PCM.
    public let processingFormat: AVAudioFormat
    private var handle: ExtAudioFileRef?
    private let isWriter: Bool
    private var written: AVAudioFramePosition = 0
    private let readable: AVAudioFramePosition

    /// Opens a file to be read as Float32 in separate buffers.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file to be read as samples of that kind.
    public convenience init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        var opened: ExtAudioFileRef?
        try check(ExtAudioFileOpenURL(fileURL as CFURL, &opened), fileURL.path)
        try self.init(opened, fileURL, nil, format, interleaved, isWriter: false)
    }

    private init(
        _ opened: ExtAudioFileRef?, _ url: URL, _ layout: AVAudioChannelLayout?, _ kind: AVAudioCommonFormat,
        _ isInterleaved: Bool,
        isWriter: Bool
    ) throws {
        guard let opened else { throw osError(kAudioFileUnspecifiedError, url.path) }
        do {
            var file = AudioStreamBasicDescription(), frames: Int64 = 0, size: UInt32 = 40
            try check(ExtAudioFileGetProperty(opened, kExtAudioFileProperty_FileDataFormat, &size, &file), url.path)
            size = 8
            try check(ExtAudioFileGetProperty(opened, kExtAudioFileProperty_FileLengthFrames, &size, &frames), url.path)
            let layout = layout ?? Self.layout(opened, channels: file.mChannelsPerFrame)
            var client = AVAudioFormat.description(kind, file.mSampleRate, file.mChannelsPerFrame, isInterleaved)
            guard kind != .otherFormat, let fileFormat = AVAudioFormat(streamDescription: &file, channelLayout: layout),
                let processing = AVAudioFormat(streamDescription: &client, channelLayout: layout)
            else { throw osError(kAudioFileUnsupportedDataFormatError, url.path) }
            try check(ExtAudioFileSetProperty(opened, kExtAudioFileProperty_ClientDataFormat, 40, &client), url.path)
            (self.fileFormat, processingFormat, self.url) = (fileFormat, processing, url)
            (handle, self.isWriter, readable) = (opened, isWriter, frames)
        } catch {
            ExtAudioFileDispose(opened)
            throw error
        }
    }

    /// Creates a file to be written in Float32 buffers; its extension chooses its type, the settings its format, also a coded one.
    /// A file that is there is replaced.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates a file to be written in buffers of samples of that kind.
    public convenience init(
        forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
    ) throws {
        guard let asked = AVAudioFormat(settings: settings) else {
            throw osError(kAudioFileUnsupportedDataFormatError, fileURL.path)
        }
        let type = try Self.type(fileURL, settings)
        var file = asked.streamDescription.pointee
        switch (file.mFormatID, type) {
        case (kAudioFormatLinearPCM, kAudioFileFLACType), (kAudioFormatAppleLossless, _), (kAudioFormatFLAC, _):
            let depth =
                SettingValue.double(settings[AVLinearPCMBitDepthKey]) ?? SettingValue.double(settings[AVEncoderBitDepthHintKey])
            let id = type == kAudioFileFLACType ? kAudioFormatFLAC : file.mFormatID
            file = AVAudioFormat.encoded(id, file.mSampleRate, file.mChannelsPerFrame)
            // FLAC has at most 24.
            file.mFormatFlags = [20: 2, 24: 3, 32: type == kAudioFileFLACType ? 3 : 4][depth ?? 16] ?? 1
        case (kAudioFormatLinearPCM, _):
            // The byte order is the type's, and files are interleaved.
            let isBig =
                [kAudioFileAIFFType, kAudioFileNextType].contains(type)
                || (type != kAudioFileWAVEType && file.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
            FillOutASBDForLPCM(
                &file, file.mSampleRate, file.mChannelsPerFrame, file.mBitsPerChannel, file.mBitsPerChannel,
                file.mFormatFlags & kAudioFormatFlagIsFloat != 0, isBig)
        default: break
        }
        var opened: ExtAudioFileRef?
        let flags = AudioFileFlags.eraseFile.rawValue
        try check(
            ExtAudioFileCreateWithURL(fileURL as CFURL, type, &file, asked.channelLayout?.layout, flags, &opened), fileURL.path)
        try self.init(opened, fileURL, asked.channelLayout, format, interleaved, isWriter: true)
    }

    deinit { close() }

    private static func layout(_ handle: ExtAudioFileRef, channels: UInt32) -> AVAudioChannelLayout? {
        var size: UInt32 = 0
        let property = kExtAudioFileProperty_FileChannelLayout
        if ExtAudioFileGetPropertyInfo(handle, property, &size, nil) == noErr {
            var bytes = [UInt8](repeating: 0, count: Int(size))
            let status = ExtAudioFileGetProperty(handle, property, &size, &bytes)
            if status == noErr, let layout = AVAudioChannelLayout(bytes), layout.channelCount == channels { return layout }
        }
        return channels > 2 ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels) : nil
    }

    private static func type(_ url: URL, _ settings: [String: Any]) throws -> AudioFileTypeID {
        if let type = SettingValue.double(settings[AVAudioFileTypeKey]) { return AudioFileTypeID(exactly: type) ?? 0 }
        var name = url.pathExtension as CFString, types: [AudioFileTypeID] = [0, 0], size: UInt32 = 8
        let status = withUnsafeMutablePointer(to: &name) {
            AudioFileGetGlobalInfo(kAudioFileGlobalInfo_TypesForExtension, 8, $0, &size, &types)
        }
        // The plainest of several stands last.
        guard status == noErr, let type = types.prefix(Int(size) / 4).last else {
            throw osError(kAudioFileUnsupportedFileTypeError, url.path)
        }
        return type
    }

    /// Frames in the file.
    public var length: AVAudioFramePosition { isWriter ? written : readable }
    /// True until `close`.
    public var isOpen: Bool { handle != nil }

    /// The frame that is read or written next.
    open var framePosition: AVAudioFramePosition {
        get {
            guard let handle, !isWriter else { return written }
            var frame: Int64 = 0
            return ExtAudioFileTell(handle, &frame) == noErr ? frame : 0
        }
        set {
            guard let handle, !isWriter, ExtAudioFileSeek(handle, newValue) == noErr else {
                return Refusal.write("\(url.path): framePosition \(newValue) cannot be set")
            }
        }
    }

    /// Reads as many frames as the buffer has room for; fewer at the end.
    open func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    /// Reads so many frames; fewer at the end.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        guard let handle, !isWriter, buffer.format.isLike(processingFormat) else { throw osError(kAudio_ParamError, url.path) }
        var count = min(frames, buffer.frameCapacity)
        try check(ExtAudioFileRead(handle, &count, buffer.mutableAudioBufferList), url.path)
        buffer.frameLength = count
    }

    /// Appends the frames of a buffer.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        guard let handle, isWriter, buffer.format.isLike(processingFormat) else { throw osError(kAudio_ParamError, url.path) }
        try check(ExtAudioFileWrite(handle, buffer.frameLength, buffer.audioBufferList), url.path)
        written += Int64(buffer.frameLength)
    }

    /// Completes the file and lets go of it, as the end of this object does.
    open func close() {
        if let handle { ExtAudioFileDispose(handle) }
        handle = nil
    }
}

extension AVAudioFormat {
    /// True if buffers of one can be taken for buffers of the other.
    func isLike(_ other: AVAudioFormat) -> Bool {
        sampleRate == other.sampleRate && channelCount == other.channelCount && commonFormat == other.commonFormat
            && isInterleaved == other.isInterleaved
    }
}
