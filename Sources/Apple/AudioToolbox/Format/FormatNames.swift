/// Formats in words.
enum FormatNames {
    static let names: [AudioFormatID: String] = [
        kAudioFormatAppleIMA4: "IMA 4:1", kAudioFormatULaw: "µLaw 2:1", kAudioFormatALaw: "aLaw 2:1",
        kAudioFormatMPEGLayer3: "MPEG Layer 3", kAudioFormatAppleLossless: "Apple Lossless", kAudioFormatFLAC: "FLAC",
        kAudioFormatOpus: "Opus", vorbisFormat: "Vorbis", kAudioFormatMPEG4AAC: "MPEG-4 AAC",
        kAudioFormatDVIIntelIMA: "IMA ADPCM",
        kAudioFormatMicrosoftGSM: "GSM 6.10",
    ]

    static func name(_ format: AudioStreamBasicDescription) -> String {
        guard format.mFormatID == kAudioFormatLinearPCM else { return names[format.mFormatID] ?? format.mFormatID.fourCharacters }
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0,
            isBig = format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        let sign = format.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 ? "signed" : "unsigned"
        let order = format.mBitsPerChannel == 8 ? "" : isBig ? " big-endian" : " little-endian"
        return "Linear PCM, \(format.mBitsPerChannel) bit\(order) \(isFloat ? "floating point" : "\(sign) integer")"
    }
}
