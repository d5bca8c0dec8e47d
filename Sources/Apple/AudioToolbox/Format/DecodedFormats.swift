internal import AudioFiles

/// The formats that the library reads and writes.
enum DecodedFormats {
    static let ids = [
        kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4, kAudioFormatAppleLossless,
        kAudioFormatDVIIntelIMA, kAudioFormatMicrosoftGSM, kAudioFormatFLAC, kAudioFormatMPEGLayer3, kAudioFormatOpus,
        vorbisFormat,
    ]

    static let encoded: [AudioFormatID] =
        [kAudioFormatLinearPCM] + (FileType.installed.contains(.flac) ? [kAudioFormatFLAC] : [])
        + (FileType.installed.contains(.mp3) ? [kAudioFormatMPEGLayer3] : [])

    /// Packets of one format may differ in size.
    static func isVariable(_ id: AudioFormatID) -> Bool {
        [kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatMPEGLayer3, kAudioFormatOpus, vorbisFormat].contains(id)
    }

    /// Fills what a description leaves at 0; nil for a format that is not decoded here.
    static func complete(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription? {
        var format = format
        guard ids.contains(format.mFormatID), format.mChannelsPerFrame <= 1_024 else { return nil }
        let channels = format.mChannelsPerFrame
        switch format.mFormatID {
        case kAudioFormatLinearPCM:
            guard format.mBitsPerChannel <= 64 else { return nil }
            let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
            if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 1 }
            if format.mBytesPerFrame == 0 { format.mBytesPerFrame = (format.mBitsPerChannel + 7) / 8 * (isPlanar ? 1 : channels) }
            if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
        case kAudioFormatULaw, kAudioFormatALaw:
            return .constant(
                format.mFormatID, rate: format.mSampleRate, channels: Int(channels), packetBytes: Int(channels), bits: 8)
        case kAudioFormatAppleIMA4:
            return .constant(
                format.mFormatID, rate: format.mSampleRate, channels: Int(channels), packetBytes: 34 * Int(channels), frames: 64)
        case kAudioFormatMPEGLayer3:
            if format.mFramesPerPacket == 0 { format.mFramesPerPacket = format.mSampleRate < 32_000 ? 576 : 1_152 }
        case kAudioFormatAppleLossless, kAudioFormatFLAC: if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 4_096 }
        default: break
        }
        return format
    }
}
