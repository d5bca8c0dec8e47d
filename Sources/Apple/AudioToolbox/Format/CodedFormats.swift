internal import AudioFiles

/// Vorbis, for which Apple has no format: 'vorb'.
let vorbisFormat: AudioFormatID = 0x766F_7262

struct CodedFormat {
    let id: AudioFormatID
    let name: String
    let coding: SoundForm.Coding?
    /// Frames of a packet; 0 where they differ.
    var frames = 1
    /// Bytes of a packet for each channel; 0 where they differ.
    var bytes = 0
    var bits = 0
    var flags: AudioFormatFlags = 0

    static let all = [
        CodedFormat(id: kAudioFormatULaw, name: "µLaw 2:1", coding: .muLaw, bytes: 1, bits: 8),
        CodedFormat(id: kAudioFormatALaw, name: "aLaw 2:1", coding: .aLaw, bytes: 1, bits: 8),
        CodedFormat(id: kAudioFormatAppleIMA4, name: "IMA 4:1", coding: .ima4, frames: 64, bytes: 34),
        lossless(.alac16, kAppleLosslessFormatFlag_16BitSourceData), lossless(.alac20, kAppleLosslessFormatFlag_20BitSourceData),
        lossless(.alac24, kAppleLosslessFormatFlag_24BitSourceData), lossless(.alac32, kAppleLosslessFormatFlag_32BitSourceData),
        CodedFormat(id: kAudioFormatFLAC, name: "FLAC", coding: nil, frames: 4_096),
        CodedFormat(id: kAudioFormatMPEGLayer3, name: "MPEG Layer 3", coding: .mp3, frames: 1_152),
        CodedFormat(id: kAudioFormatOpus, name: "Opus", coding: .opus, frames: 960),
        CodedFormat(id: vorbisFormat, name: "Vorbis", coding: .vorbis, frames: 0),
        CodedFormat(id: kAudioFormatDVIIntelIMA, name: "IMA ADPCM", coding: nil, frames: 0),
        CodedFormat(id: kAudioFormatMicrosoftGSM, name: "GSM 6.10", coding: nil, frames: 0),
    ]

    private static func lossless(_ coding: SoundForm.Coding, _ flags: AudioFormatFlags) -> CodedFormat {
        CodedFormat(id: kAudioFormatAppleLossless, name: "Apple Lossless", coding: coding, frames: 4_096, flags: flags)
    }

    static func find(_ id: AudioFormatID) -> CodedFormat? { all.first { $0.id == id } }

    /// The formats that are decoded here.
    static let ids = all.reduce(into: [kAudioFormatLinearPCM]) { ids, format in
        if !ids.contains(format.id) { ids.append(format.id) }
    }

    static let encoded = ids.filter { id in FileType.all.contains { $0.formats.contains { $0.mFormatID == id } } }

    func description(rate: Double, channels: Int) -> AudioStreamBasicDescription {
        let packet = UInt32(clamping: bytes * channels)
        let isHalf = id == kAudioFormatMPEGLayer3 && rate > 0 && rate < 32_000
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: packet,
            mFramesPerPacket: UInt32(isHalf ? frames / 2 : frames), mBytesPerFrame: frames == 1 ? packet : 0,
            mChannelsPerFrame: UInt32(clamping: channels), mBitsPerChannel: UInt32(bits), mReserved: 0)
    }

    /// Fills what a description leaves at 0; nil for a format that is not decoded here.
    static func complete(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription? {
        guard ids.contains(format.mFormatID), format.mChannelsPerFrame <= 1_024 else { return nil }
        var format = format
        if let coded = find(format.mFormatID) {
            var whole = coded.description(rate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
            whole.mFormatFlags = format.mFormatFlags
            if format.mFramesPerPacket > 0, coded.bytes == 0 { whole.mFramesPerPacket = format.mFramesPerPacket }
            return whole
        }
        guard format.mBitsPerChannel <= 64 else { return nil }
        let channels = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 ? 1 : format.mChannelsPerFrame
        if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 1 }
        if format.mBytesPerFrame == 0 { format.mBytesPerFrame = (format.mBitsPerChannel + 7) / 8 * channels }
        if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
        return format
    }

    static func name(_ format: AudioStreamBasicDescription) -> String {
        guard format.mFormatID == kAudioFormatLinearPCM else {
            return find(format.mFormatID)?.name ?? format.mFormatID.fourCharacters
        }
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0,
            isBig = format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        let sign = format.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 ? "signed" : "unsigned"
        let order = format.mBitsPerChannel == 8 ? "" : isBig ? " big-endian" : " little-endian"
        return "Linear PCM, \(format.mBitsPerChannel) bit\(order) \(isFloat ? "floating point" : "\(sign) integer")"
    }
}

extension SoundForm {
    private static let linear: [Coding: (bits: Int, isFloat: Bool)] = [
        .int8: (8, false), .uint8: (8, false), .int16: (16, false), .int24: (24, false), .int32: (32, false),
        .float32: (32, true), .float64: (64, true),
    ]

    /// Bits of an integer that is given back as it was.
    var depth: Int? {
        switch coding {
        case .alac16: 16
        case .alac20: 20
        case .alac24: 24
        default: container == .flac ? Self.linear[coding]?.bits : nil
        }
    }

    func description(rate: Double, channels: Int) -> AudioStreamBasicDescription {
        if container == .flac {
            var format = CodedFormat.find(kAudioFormatFLAC)?.description(rate: rate, channels: channels)
            format?.mFormatFlags =
                coding == .int24 ? kAppleLosslessFormatFlag_24BitSourceData : kAppleLosslessFormatFlag_16BitSourceData
            return format ?? AudioStreamBasicDescription()
        }
        if let (bits, isFloat) = Self.linear[coding] {
            return PCMLayout(
                rate: rate, channels: channels, bits: bits, isFloat: isFloat, isBigEndian: isBigEndian,
                isSigned: coding != .uint8
            ).description
        }
        let coded = CodedFormat.all.first { $0.coding == coding }?.description(rate: rate, channels: channels)
        return coded ?? AudioStreamBasicDescription()
    }
}
