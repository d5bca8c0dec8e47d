internal import AudioFiles

/// Files of the Ogg format, for which Apple has no type: 'OggS'.
let oggFileType: AudioFileTypeID = 0x4F67_6753

struct FileType {
    let id: AudioFileTypeID
    let name: String
    let extensions: [String]
    let mimeTypes: [String]
    let identifiers: [String]
    let forms: [SoundForm]

    private init(
        _ id: AudioFileTypeID, _ name: String, _ extensions: String, _ mimeTypes: String, _ identifiers: String,
        _ container: AudioFileFormat.Container, big: [SoundForm.Coding] = [], little: [SoundForm.Coding] = []
    ) {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        (self.id, self.name) = (id, name)
        (self.extensions, self.mimeTypes, self.identifiers) = (words(extensions), words(mimeTypes), words(identifiers))
        let all =
            big.map { SoundForm(container, $0, isBigEndian: true) }
            + little.map { SoundForm($0 == .opus ? .opus : container, $0) }
        forms = all.filter { $0.isOffered(channels: 1, sampleRate: 48_000) }
    }

    private static let integers: [SoundForm.Coding] = [.int8, .int16, .int24, .int32]
    private static let floats: [SoundForm.Coding] = [.float32, .float64]
    private static let telephone: [SoundForm.Coding] = [.muLaw, .aLaw]

    static let all = [
        FileType(
            kAudioFileAIFCType, "AIFC", "aifc aiff aif", "audio/aiff audio/x-aiff", "public.aifc-audio", .aiff,
            big: integers + floats, little: [.int16] + telephone + [.ima4]),
        FileType(
            kAudioFileAIFFType, "AIFF", "aiff aif", "audio/aiff audio/x-aiff", "public.aiff-audio", .aiff, big: integers),
        FileType(
            kAudioFileCAFType, "Apple CAF", "caf", "audio/x-caf", "com.apple.coreaudio-format", .caf, big: integers + floats,
            little: [.int16, .int24, .int32] + floats + telephone + [.ima4, .alac16, .alac20, .alac24]),
        FileType(kAudioFileFLACType, "FLAC", "flac", "audio/flac", "org.xiph.flac", .flac, little: [.int16, .int24]),
        FileType(kAudioFileMP3Type, "MPEG Layer 3", "mp3 mpga", "audio/mpeg audio/mp3", "public.mp3", .mp3, little: [.mp3]),
        FileType(
            kAudioFileNextType, "NeXT/Sun", "snd au", "audio/basic", "public.au-audio public.ulaw-audio", .au,
            big: integers + floats, little: telephone),
        FileType(oggFileType, "Ogg", "ogg oga opus", "audio/ogg", "org.xiph.ogg", .vorbis, little: [.vorbis, .opus]),
        FileType(kAudioFileRF64Type, "RF64", "wav", "audio/vnd.wave", "public.rf64-audio", .rf64),
        FileType(
            kAudioFileWAVEType, "WAVE", "wav", "audio/wav audio/x-wav audio/vnd.wave", "com.microsoft.waveform-audio", .wav,
            little: [.uint8, .int16, .int24, .int32] + floats + telephone),
    ]

    static func find(_ id: AudioFileTypeID) -> FileType? { all.first { $0.id == id } }

    /// The type of a file that is there; nil where Apple has none.
    static func id(_ form: SoundForm) -> AudioFileTypeID? {
        switch form.container {
        case .wav: kAudioFileWAVEType
        case .rf64: kAudioFileRF64Type
        case .aiff: integers.contains(form.coding) && form.isBigEndian ? kAudioFileAIFFType : kAudioFileAIFCType
        case .au: kAudioFileNextType
        case .caf: kAudioFileCAFType
        case .flac: kAudioFileFLACType
        case .mp3: kAudioFileMP3Type
        case .vorbis, .opus: oggFileType
        case .w64, .raw: nil
        }
    }

    /// The formats that a new file takes, without rate and channels; those of linear PCM first.
    var formats: [AudioStreamBasicDescription] { forms.map { $0.description(rate: 0, channels: 0) } }

    /// How a new file holds a format; nil where the type does not take it.
    func form(_ format: AudioStreamBasicDescription) -> SoundForm? {
        guard let rate = Int(exactly: format.mSampleRate) else { return nil }
        let isPCM = format.mFormatID == kAudioFormatLinearPCM
        if isPCM {
            guard let layout = PCMLayout(format), layout.isInterleaved, layout.fraction == 0, layout.bits == 8 * layout.bytes
            else { return nil }
        }
        // One byte has no order. What is given back as it was names its bits.
        let kinds = kAudioFormatFlagIsFloat | kAudioFormatFlagIsSignedInteger
        let mask = format.mBitsPerChannel == 8 ? kinds : kinds | kAudioFormatFlagIsBigEndian
        let depth = [0, 16, 20, 24, 32][Int(min(format.mFormatFlags, 4))]
        return forms.first { form in
            let offered = form.description(rate: 0, channels: 0)
            let fits =
                isPCM
                ? offered.mBitsPerChannel == format.mBitsPerChannel && (offered.mFormatFlags ^ format.mFormatFlags) & mask == 0
                : form.depth == nil || form.depth == (depth > 0 ? depth : max(16, Int(format.mBitsPerChannel)))
            return offered.mFormatID == format.mFormatID && fits
                && form.isOffered(channels: Int(format.mChannelsPerFrame), sampleRate: rate)
        }
    }
}
