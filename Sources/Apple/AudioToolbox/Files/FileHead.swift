internal import AudioFiles

struct FileHead {
    var type: AudioFileTypeID
    var format: AudioStreamBasicDescription
    var dataOffset: Int64
    var dataBytes: Int64
    /// Frames of packets that differ in size, or that an encoder took.
    var encodedFrames: Int64 = 0
    var cookie: [UInt8] = []
    /// A layout as the file has it: the bytes of an `AudioChannelLayout`.
    var layout: [UInt8] = []
    var packetTable: AudioFilePacketTableInfo?

    /// Bytes of each packet; 0 where they differ.
    var packetBytes: Int64 { Int64(format.mBytesPerPacket) }

    var largestPacket: Int { packetBytes > 0 ? Int(packetBytes) : format.mFormatID == kAudioFormatMPEGLayer3 ? 1_441 : 1 << 16 }

    var packets: Int64 {
        if packetBytes > 0 { return dataBytes / packetBytes }
        guard format.mFramesPerPacket > 0 else { return 0 }
        let size = Int64(format.mFramesPerPacket)
        return (encodedFrames + size - 1) / size
    }

    var frames: Int64 { packetBytes > 0 && dataBytes > 0 ? packets * Int64(format.mFramesPerPacket) : encodedFrames }

    var seconds: Double { format.mSampleRate > 0 ? Double(frames) / format.mSampleRate : 0 }

    var largestData: Int64 {
        switch type {
        case kAudioFileCAFType: .max / 2
        case kAudioFileNextType, kAudioFileWAVEType: 0xFFFF_FFFF - 4_096
        default: 0x7FFF_FFFF - 4_096
        }
    }
}

extension FileHead {
    /// The head of a file that is there; nil for a kind of file without a type of Apple's.
    init?(_ sound: PacketFile) {
        guard let form = sound.form, let type = FileType.id(form) else { return nil }
        format = form.description(rate: Double(sound.sampleRate), channels: sound.channels)
        let tag = form.container == .wav ? sound.chunk("fmt ").number(0, isBig: false, UInt16.self) : nil
        if let tag, [.ima4, .other].contains(form.coding) {
            // Apple names them by their number in WAVE: 'ms' and two bytes.
            format = AudioStreamBasicDescription()
            (format.mFormatID, format.mSampleRate) = (0x6D73_0000 | UInt32(tag), Double(sound.sampleRate))
            format.mChannelsPerFrame = UInt32(sound.channels)
        }
        if format.mFormatID == 0 { return nil }
        (self.type, dataOffset) = (type, sound.dataOffset)
        let rest = max(0, sound.bytes.size - sound.dataOffset)
        let frames = min(max(0, sound.frames), 1 << 56)
        let size = Int64(format.mBytesPerPacket)
        // A head may say more than there is.
        encodedFrames = size == 0 ? frames : 0
        dataBytes = size == 0 ? rest : min(rest / size, frames / Int64(format.mFramesPerPacket)) * size
        if type == kAudioFileCAFType {
            cookie = sound.chunk("kuki")
            layout = ChannelLayouts.bytes(caf: sound.chunk("chan"))
            let table = sound.chunk("pakt")
            if let valid = table.number(8, isBig: true, Int64.self) {
                packetTable = AudioFilePacketTableInfo(
                    mNumberValidFrames: valid, mPrimingFrames: table.number(16, isBig: true) ?? 0,
                    mRemainderFrames: table.number(20, isBig: true) ?? 0)
            }
        } else if form.container == .wav, let mask = sound.chunk("fmt ").number(20, isBig: false, UInt32.self), mask != 0 {
            layout = ChannelLayouts.bytes(bitmap: mask)
        }
    }
}

extension [UInt8] {
    /// A number of a chunk; nil beyond its end.
    func number<Number: FixedWidthInteger>(_ place: Int, isBig: Bool, _: Number.Type = Number.self) -> Number? {
        guard place >= 0, place + MemoryLayout<Number>.size <= count else { return nil }
        let value = withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
        return isBig ? Number(bigEndian: value) : Number(littleEndian: value)
    }
}
