/// A stream description with its channel layout. Immutable.
open class AVAudioFormat: NSObject, NSCopying {
    /// The description; it may be read after this object is gone.
    public let streamDescription: UnsafePointer<AudioStreamBasicDescription>
    /// The loudspeakers of the channels; nil where they have none.
    public let channelLayout: AVAudioChannelLayout?
    /// What a decoder needs; linear PCM has none.
    open var magicCookie: Data?

    private init(_ description: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        streamDescription = withUnsafeBytes(of: description) { SharedBytes.pointer(to: $0) }
            .assumingMemoryBound(to: AudioStreamBasicDescription.self)
        channelLayout = layout
    }

    /// A format of nothing: no channel, 0 Hz. No node and no buffer takes it.
    public convenience override init() { self.init(AudioStreamBasicDescription(), nil) }

    /// A format of a description; nil for more than two channels, which need a layout.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(streamDescription: asbd, channelLayout: nil)
    }

    /// A format of a description; nil for more than two channels without a layout, or another number than its.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
    ) {
        let channels = asbd.pointee.mChannelsPerFrame
        if channels == 0 || (layout?.channelCount).map({ $0 != channels }) ?? (channels > 2) { return nil }
        self.init(asbd.pointee, layout)
    }

    /// Float32, one buffer for each channel.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Float32, one buffer for each channel.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
    }

    /// Linear PCM; nil for no channel or rate, another format, and more than two channels, which need a layout.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard format != .otherFormat, (1...2).contains(channels), sampleRate > 0 else { return nil }
        self.init(Self.description(format, sampleRate, channels, interleaved), nil)
    }

    /// Linear PCM for the channels of a layout.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) { self.init(Self.description(format, sampleRate, layout.channelCount, interleaved), layout) }

    /// A format by settings: `AVFormatIDKey`, `AVSampleRateKey`, `AVNumberOfChannelsKey` and those of linear PCM.
    public convenience init?(settings: [String: Any]) {
        let layout = (settings[AVChannelLayoutKey] as? Data).flatMap { AVAudioChannelLayout([UInt8]($0)) }
        func number(_ key: String) -> Double? { (settings[key] as? NSNumber)?.doubleValue ?? SettingValue.double(settings[key]) }
        func whole(_ key: String, _ usual: UInt32) -> UInt32 { number(key).map { UInt32(exactly: $0.rounded()) ?? 0 } ?? usual }
        let id = whole(AVFormatIDKey, kAudioFormatLinearPCM), channels = whole(AVNumberOfChannelsKey, 2)
        guard let rate = number(AVSampleRateKey), rate > 0 else { return nil }
        var description = AudioStreamBasicDescription()
        if id == kAudioFormatLinearPCM {
            let isFloat = number(AVLinearPCMIsFloatKey) ?? 0 != 0
            let bits = whole(AVLinearPCMBitDepthKey, isFloat ? 32 : 16)
            FillOutASBDForLPCM(
                &description, rate, channels, bits, bits, isFloat, number(AVLinearPCMIsBigEndianKey) ?? 0 != 0,
                number(AVLinearPCMIsNonInterleaved) ?? 0 != 0)
        } else {
            description = Self.encoded(id, rate, channels)
        }
        self.init(streamDescription: &description, channelLayout: layout)
    }

    /// A format that is not linear PCM, as far as its ID says it.
    static func encoded(_ id: AudioFormatID, _ rate: Double, _ channels: UInt32) -> AudioStreamBasicDescription {
        var description = AudioStreamBasicDescription(), size: UInt32 = 40
        (description.mSampleRate, description.mFormatID, description.mChannelsPerFrame) = (rate, id, channels)
        // What is not known here stays as it is.
        AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &description)
        return description
    }

    static func description(
        _ format: AVAudioCommonFormat, _ rate: Double, _ channels: AVAudioChannelCount, _ isInterleaved: Bool
    ) -> AudioStreamBasicDescription {
        var description = AudioStreamBasicDescription()
        let bits: UInt32 = format == .pcmFormatFloat64 ? 64 : format == .pcmFormatInt16 ? 16 : 32
        let isFloat = format == .pcmFormatFloat32 || format == .pcmFormatFloat64
        FillOutASBDForLPCM(&description, rate, channels, bits, bits, isFloat, false, !isInterleaved)
        return description
    }

    /// Float32, native, one buffer for each channel.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// The kind of its samples; `otherFormat` for what is not native or not linear PCM.
    public var commonFormat: AVAudioCommonFormat {
        let format = streamDescription.pointee
        guard format.mFormatID == kAudioFormatLinearPCM, IsAudioFormatNativeEndian(format) else { return .otherFormat }
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isSigned = format.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        let width = format.mBytesPerFrame / (isInterleaved ? max(1, format.mChannelsPerFrame) : 1) * 8
        guard width == format.mBitsPerChannel, format.mFormatFlags & kLinearPCMFormatFlagsSampleFractionMask == 0 else {
            return .otherFormat
        }
        return switch (isFloat, isSigned, width) {
        case (true, _, 32): .pcmFormatFloat32
        case (true, _, 64): .pcmFormatFloat64
        case (false, true, 16): .pcmFormatInt16
        case (false, true, 32): .pcmFormatInt32
        default: .otherFormat
        }
    }

    /// Channels, and frames per second.
    public var channelCount: AVAudioChannelCount { streamDescription.pointee.mChannelsPerFrame }
    public var sampleRate: Double { streamDescription.pointee.mSampleRate }

    /// True where all channels of linear PCM are in one buffer.
    public var isInterleaved: Bool {
        let format = streamDescription.pointee
        return format.mFormatID == kAudioFormatLinearPCM && format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
    }

    /// The buffers of a list in this format.
    var bufferCount: Int { isInterleaved || streamDescription.pointee.mFormatID != kAudioFormatLinearPCM ? 1 : Int(channelCount) }

    /// The format as settings, which make an equal one.
    public var settings: [String: Any] {
        let format = streamDescription.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: format.mFormatID, AVSampleRateKey: format.mSampleRate, AVNumberOfChannelsKey: channelCount,
        ]
        if format.mFormatID == kAudioFormatLinearPCM {
            settings[AVLinearPCMBitDepthKey] = format.mBitsPerChannel
            settings[AVLinearPCMIsFloatKey] = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
            settings[AVLinearPCMIsBigEndianKey] = format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
            settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
        }
        if let layout = channelLayout?.layout {
            settings[AVChannelLayoutKey] = Data(bytes: layout, count: 12 + 20 * Int(layout.pointee.mNumberChannelDescriptions))
        }
        return settings
    }

    /// The format itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        let (a, b) = (streamDescription.pointee, other.streamDescription.pointee)
        // Apple's "packed" says nothing where the size says it.
        return a.mSampleRate == b.mSampleRate && a.mFormatID == b.mFormatID && a.mFormatFlags == b.mFormatFlags
            && a.mBytesPerFrame == b.mBytesPerFrame && a.mChannelsPerFrame == b.mChannelsPerFrame
            && a.mBitsPerChannel == b.mBitsPerChannel && channelLayout == other.channelLayout
    }

    open override var hash: Int { sampleRate.hashValue &* 31 &+ Int(channelCount) }

    open override var description: String {
        let kind =
            switch commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat: streamDescription.pointee.mFormatID.fourCharacters
            }
        let order = channelCount > 1 ? isInterleaved ? ", interleaved" : ", deinterleaved" : ""
        return "<AVAudioFormat: \(channelCount) ch, \(sampleRate) Hz, \(kind)\(order)>"
    }
}

/// A number of a settings dictionary, of whatever type a program wrote it.
enum SettingValue {
    static func double(_ value: Any?) -> Double? {
        switch value {
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as Bool: value ? 1 : 0
        default: nil
        }
    }
}
