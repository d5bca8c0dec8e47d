/// What the head of an audio file says: where its packets lie, and of what format they are.
struct FileHead {
    var type: AudioFileTypeID
    var format: AudioStreamBasicDescription
    /// Where the first packet lies.
    var dataOffset: Int64
    var dataBytes: Int64
    /// Frames, where the head or the decoder knows them.
    var frames: Int64?
    var cookie: [UInt8] = []
    /// A layout as the file has it: the bytes of an `AudioChannelLayout`.
    var layout: [UInt8] = []
    var packetTable: AudioFilePacketTableInfo?
    /// The greatest packet, for packets of several sizes.
    var largestPacket = 0

    /// Bytes of each packet; 0 where they differ.
    var packetBytes: Int64 { Int64(format.mBytesPerPacket) }

    var packets: Int64 {
        if packetBytes > 0 { return dataBytes / packetBytes }
        guard let frames, format.mFramesPerPacket > 0 else { return 0 }
        let size = Int64(format.mFramesPerPacket)
        return (frames + size - 1) / size
    }

    var seconds: Double {
        let count = frames ?? packets * Int64(format.mFramesPerPacket)
        return format.mSampleRate > 0 ? Double(count) / format.mSampleRate : 0
    }
}

extension AudioStreamBasicDescription {
    /// A format whose packets all have one size, but are no PCM.
    static func constant(
        _ id: AudioFormatID, rate: Double, channels: Int, packetBytes: Int, frames: Int = 1, bits: Int = 0
    ) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: id, mFormatFlags: 0, mBytesPerPacket: UInt32(clamping: packetBytes),
            mFramesPerPacket: UInt32(clamping: frames), mBytesPerFrame: frames == 1 ? UInt32(clamping: packetBytes) : 0,
            mChannelsPerFrame: UInt32(clamping: channels), mBitsPerChannel: UInt32(clamping: bits), mReserved: 0)
    }
}

extension FileHead {
    /// The head of a file of any kind that can be read; nil, with Apple's code, for others.
    static func read(_ store: ByteStore, _ status: inout OSStatus) -> FileHead? {
        status = kAudioFileUnsupportedFileTypeError
        guard let start = store.bytes(12, at: 0), let first = start.code(0), let third = start.code(8) else { return nil }
        let head: FileHead?
        switch (first, third) {
        case (code("RIFF"), code("WAVE")), (code("RF64"), code("WAVE")): head = wave(store, is64: first == code("RF64"))
        case (code("FORM"), code("AIFF")), (code("FORM"), code("AIFC")): head = aiff(store, isAIFC: third == code("AIFC"))
        case (code("caff"), _): head = caf(store)
        case (code(".snd"), _): head = next(store)
        default: return compressed(store, start, &status)
        }
        status = head == nil ? kAudioFileInvalidFileError : noErr
        return head
    }

    /// The chunks of a RIFF or FORM file: code, place and length of their contents.
    private static func chunks(_ store: ByteStore, from start: Int64, isBig: Bool, size64: [UInt32: Int64] = [:]) -> [(
        code: UInt32, place: Int64, size: Int64
    )] {
        var found: [(UInt32, Int64, Int64)] = [], place = start
        let end = store.size
        while place + 8 <= end, found.count < 1_000, let head = store.bytes(8, at: place), let name = head.code(0) {
            let stated = Int64(head.number(4, isBig: isBig, UInt32.self) ?? 0)
            let size = stated == 0xFFFF_FFFF ? size64[name] ?? stated : stated
            // What is still being written, or was cut, ends with the file.
            let rest = min(max(0, size), end - place - 8)
            found.append((name, place + 8, rest))
            place += 8 + rest + rest % 2
        }
        return found
    }

    private static func wave(_ store: ByteStore, is64: Bool) -> FileHead? {
        var sizes: [UInt32: Int64] = [:]
        if is64, let ds64 = store.bytes(36, at: 12), ds64.code(0) == code("ds64") {
            sizes[code("data")] = ds64.number(16, isBig: false, Int64.self)
        }
        let chunks = chunks(store, from: 12, isBig: false, size64: sizes)
        guard let form = chunks.first(where: { $0.code == code("fmt ") }), form.size >= 16,
            let bytes = store.bytes(Int(min(form.size, 64)), at: form.place),
            let data = chunks.first(where: { $0.code == code("data") }),
            var tag = bytes.number(0, isBig: false, UInt16.self), let channels = bytes.number(2, isBig: false, UInt16.self),
            let rate = bytes.number(4, isBig: false, UInt32.self), let block = bytes.number(12, isBig: false, UInt16.self),
            var bits = bytes.number(14, isBig: false, UInt16.self), channels > 0, block > 0
        else { return nil }
        var layout: [UInt8] = []
        let container = bits
        if tag == 0xFFFE, bytes.count >= 40, let mask = bytes.number(20, isBig: false, UInt32.self) {
            tag = bytes.number(24, isBig: false, UInt16.self) ?? 0
            if let valid = bytes.number(18, isBig: false, UInt16.self), valid > 0, valid <= bits { bits = valid }
            if mask != 0 { layout = ChannelLayouts.bytes(bitmap: mask) }
        }
        var format: AudioStreamBasicDescription
        switch tag {
        case 1, 3:
            let pcm = PCMLayout(
                rate: Double(rate), channels: Int(channels), bits: Int(container), isFloat: tag == 3, isSigned: container > 8)
            format = pcm.description
            if bits < container {
                (format.mBitsPerChannel, format.mFormatFlags) = (
                    UInt32(bits), kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh
                )
            }
            guard let checked = PCMLayout(format), checked.bytesPerFrame == Int(block) else { return nil }
        case 6, 7:
            format = .constant(
                tag == 6 ? kAudioFormatALaw : kAudioFormatULaw, rate: Double(rate), channels: Int(channels),
                packetBytes: Int(channels), bits: 8)
        case 0x11, 0x31:
            let frames = bytes.number(18, isBig: false, UInt16.self).map(Int.init) ?? 0
            guard frames > 0 else { return nil }
            format = .constant(
                tag == 0x11 ? kAudioFormatDVIIntelIMA : kAudioFormatMicrosoftGSM, rate: Double(rate), channels: Int(channels),
                packetBytes: Int(block), frames: frames)
        default: return nil
        }
        return FileHead(
            type: is64 ? kAudioFileRF64Type : kAudioFileWAVEType, format: format, dataOffset: data.place, dataBytes: data.size,
            layout: layout)
    }

    private static func aiff(_ store: ByteStore, isAIFC: Bool) -> FileHead? {
        let chunks = chunks(store, from: 12, isBig: true)
        guard let common = chunks.first(where: { $0.code == code("COMM") }), common.size >= (isAIFC ? 22 : 18),
            let bytes = store.bytes(Int(min(common.size, 64)), at: common.place), let rate = bytes.extended(8),
            let channels = bytes.number(0, isBig: true, UInt16.self), let bits = bytes.number(6, isBig: true, UInt16.self),
            let frames = bytes.number(2, isBig: true, UInt32.self), channels > 0
        else { return nil }
        let kind = isAIFC ? bytes.code(18) ?? 0 : code("NONE")
        func pcm(_ bits: UInt16, isFloat: Bool = false, isBig: Bool = true) -> AudioStreamBasicDescription? {
            guard isFloat ? bits == 32 || bits == 64 : (1...32).contains(bits) else { return nil }
            var format = PCMLayout(
                rate: rate, channels: Int(channels), bits: (Int(bits) + 7) / 8 * 8, isFloat: isFloat, isBigEndian: isBig
            ).description
            if bits % 8 != 0 {
                format.mBitsPerChannel = UInt32(bits)
                format.mFormatFlags = format.mFormatFlags & ~kAudioFormatFlagIsPacked | kAudioFormatFlagIsAlignedHigh
            }
            return format
        }
        let format: AudioStreamBasicDescription? =
            switch kind {
            case code("NONE"), code("twos"), code("in24"), code("in32"): pcm(bits)
            case code("sowt"): pcm(bits, isBig: false)
            case code("fl32"), code("FL32"): pcm(32, isFloat: true)
            case code("fl64"), code("FL64"): pcm(64, isFloat: true)
            case code("ulaw"), code("ULAW"):
                .constant(kAudioFormatULaw, rate: rate, channels: Int(channels), packetBytes: Int(channels), bits: 8)
            case code("alaw"), code("ALAW"):
                .constant(kAudioFormatALaw, rate: rate, channels: Int(channels), packetBytes: Int(channels), bits: 8)
            case code("ima4"):
                .constant(kAudioFormatAppleIMA4, rate: rate, channels: Int(channels), packetBytes: 34 * Int(channels), frames: 64)
            default: nil
            }
        guard let format else { return nil }
        let type = isAIFC ? kAudioFileAIFCType : kAudioFileAIFFType
        guard let sound = chunks.first(where: { $0.code == code("SSND") }), sound.size >= 8,
            let offset = store.bytes(4, at: sound.place)?.number(0, isBig: true, UInt32.self)
        else {
            return frames == 0 ? FileHead(type: type, format: format, dataOffset: store.size, dataBytes: 0) : nil
        }
        let skipped = min(sound.size, 8 + Int64(offset))
        return FileHead(type: type, format: format, dataOffset: sound.place + skipped, dataBytes: sound.size - skipped)
    }

    private static func next(_ store: ByteStore) -> FileHead? {
        guard let bytes = store.bytes(24, at: 0), let offset = bytes.number(4, isBig: true, UInt32.self),
            let stated = bytes.number(8, isBig: true, UInt32.self), let kind = bytes.number(12, isBig: true, UInt32.self),
            let rate = bytes.number(16, isBig: true, UInt32.self), let channels = bytes.number(20, isBig: true, UInt32.self),
            (1...1_024).contains(channels), offset >= 24, Int64(offset) <= store.size
        else { return nil }
        let format: AudioStreamBasicDescription
        switch kind {
        case 2, 3, 4, 5:
            format =
                PCMLayout(
                    rate: Double(rate), channels: Int(channels), bits: Int(kind - 1) * 8, isFloat: false, isBigEndian: true
                ).description
        case 6, 7:
            format =
                PCMLayout(
                    rate: Double(rate), channels: Int(channels), bits: kind == 6 ? 32 : 64, isFloat: true, isBigEndian: true
                ).description
        case 1, 27:
            format = .constant(
                kind == 1 ? kAudioFormatULaw : kAudioFormatALaw, rate: Double(rate), channels: Int(channels),
                packetBytes: Int(channels), bits: 8)
        default: return nil
        }
        let rest = store.size - Int64(offset)
        return FileHead(
            type: kAudioFileNextType, format: format, dataOffset: Int64(offset),
            dataBytes: stated == 0xFFFF_FFFF ? rest : min(rest, Int64(stated)))
    }

    private static func caf(_ store: ByteStore) -> FileHead? {
        var place: Int64 = 8, head: FileHead?, data: (place: Int64, size: Int64)?
        var cookie: [UInt8] = [], layout: [UInt8] = [], table: AudioFilePacketTableInfo?
        while let chunk = store.bytes(12, at: place), let name = chunk.code(0),
            let size = chunk.number(4, isBig: true, Int64.self)
        {
            let start = place + 12, rest = store.size - start
            let length = size < 0 ? rest : min(size, rest)
            switch name {
            case code("desc"):
                guard let bytes = store.bytes(32, at: start), let rate = bytes.double(0), rate.isFinite, rate >= 0,
                    let id = bytes.code(8), let stated = bytes.number(12, isBig: true, UInt32.self)
                else { return nil }
                func number(_ place: Int) -> UInt32 { bytes.number(place, isBig: true, UInt32.self) ?? 0 }
                var format = AudioStreamBasicDescription(
                    mSampleRate: rate, mFormatID: id, mFormatFlags: stated, mBytesPerPacket: number(16),
                    mFramesPerPacket: number(20),
                    mBytesPerFrame: 0, mChannelsPerFrame: number(24), mBitsPerChannel: number(28), mReserved: 0)
                if id == kAudioFormatLinearPCM {
                    // The file has two flags of its own: float, and little-endian.
                    let bits = Int(format.mBitsPerChannel), channels = Int(format.mChannelsPerFrame)
                    guard channels > 0, channels <= 1_024, bits > 0, bits <= 64, Int(format.mBytesPerPacket) % channels == 0
                    else { return nil }
                    let flags =
                        (stated & 1 != 0 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                        | (stated & 2 != 0 ? 0 : kAudioFormatFlagIsBigEndian)
                    let isPacked = Int(format.mBytesPerPacket) / channels * 8 == bits
                    format.mFormatFlags = flags | (isPacked ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh)
                    format.mBytesPerFrame = format.mBytesPerPacket
                    guard PCMLayout(format) != nil else { return nil }
                } else if format.mFramesPerPacket == 1 {
                    format.mBytesPerFrame = format.mBytesPerPacket
                }
                head = FileHead(type: kAudioFileCAFType, format: format, dataOffset: 0, dataBytes: 0)
            case code("data"): data = (start + 4, max(0, length - 4))
            case code("kuki"): cookie = store.bytes(Int(min(length, 1 << 20)), at: start) ?? []
            case code("chan"): layout = store.bytes(Int(min(length, 1 << 16)), at: start).map(ChannelLayouts.bytes(caf:)) ?? []
            case code("pakt"):
                if let bytes = store.bytes(24, at: start), let valid = bytes.number(8, isBig: true, Int64.self) {
                    table = AudioFilePacketTableInfo(
                        mNumberValidFrames: valid, mPrimingFrames: bytes.number(16, isBig: true) ?? 0,
                        mRemainderFrames: bytes.number(20, isBig: true) ?? 0)
                }
            default: break
            }
            if size < 0 { break }
            let (end, overflow) = start.addingReportingOverflow(size)
            if overflow || end > store.size { break }
            place = end
        }
        guard var head, let data else { return nil }
        (head.dataOffset, head.dataBytes) = data
        (head.cookie, head.layout, head.packetTable) = (cookie, layout, table)
        if head.packetBytes == 0 { head.frames = table.map { min(max(0, $0.mNumberValidFrames), 1 << 56) } }
        return head
    }
}
