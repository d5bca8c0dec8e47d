internal import AudioFiles

/// A kind of file: its names, and what can be done with it here.
struct FileType {
    let id: AudioFileTypeID
    let name: String
    let extensions: [String]
    let mimeTypes: [String]
    let identifiers: [String]
    /// What writes it, beside packets of this module.
    var encoder: AudioFileFormat.Container?

    static let all = [
        FileType(
            id: kAudioFileAIFCType, name: "AIFC", extensions: ["aifc", "aiff", "aif"], mimeTypes: ["audio/aiff", "audio/x-aiff"],
            identifiers: ["public.aifc-audio"]),
        FileType(
            id: kAudioFileAIFFType, name: "AIFF", extensions: ["aiff", "aif"], mimeTypes: ["audio/aiff", "audio/x-aiff"],
            identifiers: ["public.aiff-audio"]),
        FileType(
            id: kAudioFileCAFType, name: "Apple CAF", extensions: ["caf"], mimeTypes: ["audio/x-caf"],
            identifiers: ["com.apple.coreaudio-format"]),
        FileType(
            id: kAudioFileFLACType, name: "FLAC", extensions: ["flac"], mimeTypes: ["audio/flac"], identifiers: ["org.xiph.flac"],
            encoder: .flac),
        FileType(
            id: kAudioFileMP3Type, name: "MPEG Layer 3", extensions: ["mp3", "mpga"], mimeTypes: ["audio/mpeg", "audio/mp3"],
            identifiers: ["public.mp3"], encoder: .mp3),
        FileType(
            id: kAudioFileNextType, name: "NeXT/Sun", extensions: ["snd", "au"], mimeTypes: ["audio/basic"],
            identifiers: ["public.au-audio", "public.ulaw-audio"]),
        FileType(
            id: kAudioFileRF64Type, name: "RF64", extensions: ["wav"], mimeTypes: ["audio/vnd.wave"],
            identifiers: ["public.rf64-audio"]),
        FileType(
            id: kAudioFileWAVEType, name: "WAVE", extensions: ["wav"], mimeTypes: ["audio/wav", "audio/x-wav", "audio/vnd.wave"],
            identifiers: ["com.microsoft.waveform-audio"]),
    ]

    static func find(_ id: AudioFileTypeID) -> FileType? { all.first { $0.id == id } }

    /// The containers that the installed library writes.
    static let installed = Set(AudioFileFormat.Container.available)

    var isEncoded: Bool { encoder.map(Self.installed.contains) ?? false }
    var isWritable: Bool { FileHead.writableTypes.contains(id) || isEncoded }

    /// The formats that a new file takes.
    var formats: [AudioStreamBasicDescription] {
        guard isEncoded else { return FileHead.formats(id) }
        var format = AudioStreamBasicDescription()
        format.mFormatID = id == kAudioFileFLACType ? kAudioFormatFLAC : kAudioFormatMPEGLayer3
        format.mFramesPerPacket = id == kAudioFileFLACType ? 4_096 : 1_152
        return [format]
    }
}
