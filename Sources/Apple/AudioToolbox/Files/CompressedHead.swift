internal import AudioFiles

// Files that the decoder's library reads: FLAC, MP3, Vorbis and Opus. Their format and length are what it says.

/// Files of the Ogg format, for which Apple has no type.
let oggFileType = code("OggS")
/// Vorbis, for which Apple has no format.
let vorbisFormat = code("vorb")

extension FileHead {
    static func compressed(_ store: ByteStore, _ start: [UInt8], _ status: inout OSStatus) -> FileHead? {
        guard let kind = kind(store, start), let path = store.path else { return nil }
        let reader: AudioFileReader
        do {
            reader = try AudioFileReader(path: path)
        } catch {
            status = kAudioFileInvalidFileError
            return nil
        }
        status = noErr
        var format = AudioStreamBasicDescription()
        format.mSampleRate = Double(reader.sampleRate)
        format.mChannelsPerFrame = UInt32(reader.channels)
        (format.mFormatID, format.mFramesPerPacket) = (kind.format, kind.frames)
        var head = FileHead(
            type: kind.type, format: format, dataOffset: kind.offset, dataBytes: max(0, store.size - kind.offset),
            frames: min(max(0, reader.frames), 1 << 56))
        head.largestPacket = kind.largest
        if kind.format == kAudioFormatMPEGLayer3, reader.sampleRate < 32_000 { head.format.mFramesPerPacket = 576 }
        return head
    }

    private typealias Kind = (type: AudioFileTypeID, format: AudioFormatID, frames: UInt32, offset: Int64, largest: Int)

    private static func kind(_ store: ByteStore, _ start: [UInt8]) -> Kind? {
        if start.code(0) == code("fLaC") {
            guard let info = store.bytes(42, at: 0), let block = info.number(10, isBig: true, UInt16.self),
                let largest = info.number(15, isBig: true, UInt32.self)
            else { return nil }
            return (kAudioFileFLACType, kAudioFormatFLAC, UInt32(block), 0, largest >> 8 > 0 ? Int(largest >> 8) : 1 << 16)
        }
        if start.code(0) == code("OggS"), let page = store.bytes(36, at: 0) {
            let isOpus = page[28...].starts(with: Array("OpusHead".utf8))
            return (oggFileType, isOpus ? kAudioFormatOpus : vorbisFormat, isOpus ? 960 : 0, 0, 1 << 16)
        }
        var offset: Int64 = 0
        if start.starts(with: Array("ID3".utf8)) {
            offset = 10 + start[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        }
        guard let frame = store.bytes(4, at: offset), frame[0] == 0xFF, frame[1] & 0xE6 == 0xE2 else { return nil }
        return (kAudioFileMP3Type, kAudioFormatMPEGLayer3, 1_152, offset, 1_441)
    }
}
