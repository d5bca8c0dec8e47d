// Heads of files that are written: WAVE, AIFF, AIFC, CAF, NeXT. Lengths are put in when the file is closed.

extension FileHead {
    /// The types whose packets can be written.
    static let writableTypes = [
        kAudioFileAIFCType, kAudioFileAIFFType, kAudioFileCAFType, kAudioFileNextType, kAudioFileWAVEType,
    ]

    /// The formats that a file of this type takes, without rate and channels; those of linear PCM first.
    static func formats(_ type: AudioFileTypeID) -> [AudioStreamBasicDescription] {
        func pcm(_ bits: [Int], isFloat: Bool = false, isBig: Bool) -> [AudioStreamBasicDescription] {
            bits.map { bits in
                var format = AudioStreamBasicDescription()
                format.mFormatID = kAudioFormatLinearPCM
                format.mFormatFlags =
                    kAudioFormatFlagIsPacked | (isBig ? kAudioFormatFlagIsBigEndian : 0)
                    | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                format.mFramesPerPacket = 1
                format.mBitsPerChannel = UInt32(bits)
                return format
            }
        }
        func other(_ id: AudioFormatID, frames: UInt32 = 1, bits: UInt32 = 8) -> AudioStreamBasicDescription {
            var format = AudioStreamBasicDescription()
            (format.mFormatID, format.mFramesPerPacket, format.mBitsPerChannel) = (id, frames, bits)
            return format
        }
        let telephone = [other(kAudioFormatULaw), other(kAudioFormatALaw)]
        switch type {
        case kAudioFileAIFFType: return pcm([8, 16, 24, 32], isBig: true)
        case kAudioFileAIFCType:
            return pcm([8, 16, 24, 32], isBig: true) + pcm([32, 64], isFloat: true, isBig: true) + pcm([16], isBig: false)
                + telephone + [other(kAudioFormatAppleIMA4, frames: 64, bits: 0)]
        case kAudioFileWAVEType:
            var formats = pcm([8, 16, 24, 32], isBig: false) + pcm([32, 64], isFloat: true, isBig: false)
            formats[0].mFormatFlags = kAudioFormatFlagIsPacked
            return formats + telephone
        case kAudioFileCAFType:
            return pcm([8, 16, 24, 32], isBig: true) + pcm([32, 64], isFloat: true, isBig: true)
                + pcm([16, 24, 32], isBig: false) + pcm([32, 64], isFloat: true, isBig: false) + telephone
                + [other(kAudioFormatAppleIMA4, frames: 64, bits: 0)]
        case kAudioFileNextType:
            return pcm([8, 16, 24, 32], isBig: true) + pcm([32, 64], isFloat: true, isBig: true) + telephone
        default: return []
        }
    }

    /// The format as a new file has it; nil where the type does not take it.
    static func accepted(_ format: AudioStreamBasicDescription, _ type: AudioFileTypeID) -> AudioStreamBasicDescription? {
        var format = format
        let channels = format.mChannelsPerFrame
        guard (1...1_024).contains(channels), (1...4e9).contains(format.mSampleRate) else { return nil }
        let fits = formats(type).first { offered in
            offered.mFormatID == format.mFormatID
                && (format.mFormatID != kAudioFormatLinearPCM
                    || offered.mBitsPerChannel == format.mBitsPerChannel
                        && (offered.mFormatFlags ^ format.mFormatFlags) & Self.kinds(format.mBitsPerChannel) == 0)
        }
        guard let fits else { return nil }
        if format.mFormatID == kAudioFormatLinearPCM {
            guard let layout = PCMLayout(format), layout.isInterleaved, layout.fraction == 0, layout.bits == 8 * layout.bytes
            else { return nil }
            format.mFormatFlags |= kAudioFormatFlagIsPacked
            return format
        }
        let bytes = format.mFormatID == kAudioFormatAppleIMA4 ? 34 * channels : channels
        return .constant(
            format.mFormatID, rate: format.mSampleRate, channels: Int(channels), packetBytes: Int(bytes),
            frames: Int(fits.mFramesPerPacket), bits: Int(fits.mBitsPerChannel))
    }

    /// Flags that make another kind of sample: one byte has no order.
    private static func kinds(_ bits: UInt32) -> AudioFormatFlags {
        kAudioFormatFlagIsFloat | kAudioFormatFlagIsSignedInteger | (bits == 8 ? 0 : kAudioFormatFlagIsBigEndian)
    }

    /// The bytes before the first packet; the same number for any length of data.
    func bytes() -> [UInt8] {
        switch type {
        case kAudioFileWAVEType: waveBytes()
        case kAudioFileCAFType: cafBytes()
        case kAudioFileNextType: nextBytes()
        default: aiffBytes()
        }
    }

    /// The greatest length of data that the type has room for.
    var largestData: Int64 {
        switch type {
        case kAudioFileCAFType: .max / 2
        case kAudioFileNextType, kAudioFileWAVEType: 0xFFFF_FFFF - 4_096
        default: 0x7FFF_FFFF - 4_096
        }
    }

    private var bits: Int { Int(format.mBitsPerChannel) }
    private var isFloat: Bool { format.mFormatFlags & kAudioFormatFlagIsFloat != 0 && format.mFormatID == kAudioFormatLinearPCM }

    private func waveBytes() -> [UInt8] {
        let channels = format.mChannelsPerFrame, mask = ChannelLayouts.labels(layout)?.bitmap ?? 0
        let tag: UInt16 =
            switch format.mFormatID {
            case kAudioFormatULaw: 7
            case kAudioFormatALaw: 6
            default: isFloat ? 3 : 1
            }
        let isExtensible = (channels > 2 || mask != 0) && tag < 4
        var form = HeaderBytes(isBig: false)
        form.add(isExtensible ? 0xFFFE : tag)
        form.add(UInt16(channels))
        form.add(UInt32(format.mSampleRate))
        form.add(UInt32(clamping: Int64(format.mSampleRate) * packetBytes))
        form.add(UInt16(clamping: packetBytes))
        form.add(UInt16(bits))
        if isExtensible {
            form.add(UInt16(22))
            form.add(UInt16(bits))
            form.add(mask)
            form.add(tag)
            form.add([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        } else if tag != 1 {
            form.add(UInt16(0))
        }
        var bytes = HeaderBytes(isBig: false), fact = HeaderBytes(isBig: false)
        if tag != 1 {
            fact.add("fact")
            fact.add(UInt32(4))
            fact.add(UInt32(clamping: packets))
        }
        bytes.add("RIFF")
        bytes.add(UInt32(clamping: Int64(4 + 8 + form.bytes.count + fact.bytes.count + 8) + dataBytes + dataBytes % 2))
        bytes.add("WAVEfmt ")
        bytes.add(UInt32(form.bytes.count))
        bytes.add(form.bytes + fact.bytes)
        bytes.add("data")
        bytes.add(UInt32(clamping: dataBytes))
        return bytes.bytes
    }

    private func aiffBytes() -> [UInt8] {
        var common = HeaderBytes(isBig: true)
        common.add(UInt16(format.mChannelsPerFrame))
        // IMA4 counts its packets.
        common.add(UInt32(clamping: packets))
        common.add(UInt16(format.mFormatID == kAudioFormatLinearPCM ? bits : 16))
        common.add(extended: format.mSampleRate)
        if type == kAudioFileAIFCType {
            let kind =
                switch format.mFormatID {
                case kAudioFormatULaw: "ulaw"
                case kAudioFormatALaw: "alaw"
                case kAudioFormatAppleIMA4: "ima4"
                default:
                    isFloat
                        ? bits == 32 ? "fl32" : "fl64"
                        : bits > 8 && format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 ? "sowt" : "NONE"
                }
            common.add(kind)
            common.add(UInt16(0))
        }
        var bytes = HeaderBytes(isBig: true), version = HeaderBytes(isBig: true)
        if type == kAudioFileAIFCType {
            version.add("FVER")
            version.add(UInt32(4))
            version.add(UInt32(0xA280_5140))
        }
        bytes.add("FORM")
        bytes.add(UInt32(clamping: Int64(4 + version.bytes.count + 8 + common.bytes.count + 16) + dataBytes + dataBytes % 2))
        bytes.add(type == kAudioFileAIFCType ? "AIFC" : "AIFF")
        bytes.add(version.bytes)
        bytes.add("COMM")
        bytes.add(UInt32(common.bytes.count))
        bytes.add(common.bytes)
        bytes.add("SSND")
        bytes.add(UInt32(clamping: dataBytes + 8))
        bytes.add(UInt64(0))
        return bytes.bytes
    }

    private func nextBytes() -> [UInt8] {
        let kind: UInt32 =
            switch format.mFormatID {
            case kAudioFormatULaw: 1
            case kAudioFormatALaw: 27
            default: isFloat ? bits == 32 ? 6 : 7 : UInt32(bits / 8 + 1)
            }
        var bytes = HeaderBytes(isBig: true)
        bytes.add(".snd")
        bytes.add(UInt32(28))
        bytes.add(UInt32(clamping: dataBytes))
        bytes.add(kind)
        bytes.add(UInt32(format.mSampleRate))
        bytes.add(format.mChannelsPerFrame)
        bytes.add(UInt32(0))
        return bytes.bytes
    }

    private func cafBytes() -> [UInt8] {
        var bytes = HeaderBytes(isBig: true)
        func chunk(_ name: String, _ size: Int64) {
            bytes.add(name)
            bytes.add(size)
        }
        bytes.add("caff")
        bytes.add(UInt32(1 << 16))
        chunk("desc", 32)
        bytes.add(format.mSampleRate)
        bytes.add(code: format.mFormatID)
        let isLittle = format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0
        bytes.add(format.mFormatID == kAudioFormatLinearPCM ? (isFloat ? 1 : 0) | (isLittle ? 2 : 0) : UInt32(0))
        bytes.add(format.mBytesPerPacket)
        bytes.add(format.mFramesPerPacket)
        bytes.add(format.mChannelsPerFrame)
        bytes.add(format.mBitsPerChannel)
        if let (tag, bitmap, labels) = ChannelLayouts.labels(layout) {
            chunk("chan", Int64(12 + 20 * labels.count))
            bytes.add(tag)
            bytes.add(bitmap)
            bytes.add(UInt32(labels.count))
            for label in labels {
                bytes.add(label)
                bytes.add([UInt8](repeating: 0, count: 16))
            }
        }
        if !cookie.isEmpty {
            chunk("kuki", Int64(cookie.count))
            bytes.add(cookie)
        }
        chunk("data", dataBytes + 4)
        bytes.add(UInt32(0))
        return bytes.bytes
    }
}
