internal import AudioFiles

final class AudioFileObject: HandledObject, @unchecked Sendable {
    let store: FileBytes
    private(set) var head: FileHead
    let isReadable: Bool
    let isWritable: Bool
    private let sound: PacketFile
    private let form: SoundForm?
    /// The head in the file is not that of what was written.
    private var isChanged = false
    var defersSizes = true

    /// Opens what is there; nil, with Apple's code, where that cannot be.
    init?(_ bytes: FileBytes, reads: Bool, writes: Bool, _ status: inout OSStatus) {
        do {
            sound = try PacketFile(bytes)
        } catch {
            status = error.status
            return nil
        }
        guard let head = FileHead(sound) else {
            status = sound.form == nil ? kAudioFileUnsupportedFileTypeError : kAudioFileUnsupportedDataFormatError
            return nil
        }
        (store, self.head, isReadable, isWritable, form) = (bytes, head, reads, writes, sound.form)
    }

    init?(_ bytes: FileBytes, _ type: AudioFileTypeID, _ form: SoundForm, rate: Double, channels: Int) {
        do {
            sound = try PacketFile(creating: form, in: bytes, channels: channels, sampleRate: Int(rate))
        } catch {
            return nil
        }
        (store, self.form, isReadable, isWritable) = (bytes, form, true, true)
        head = FileHead(
            type: type, format: form.description(rate: rate, channels: channels), dataOffset: sound.dataOffset, dataBytes: 0)
    }

    /// Packets that can be reached by their number.
    var hasPackets: Bool { head.packetBytes > 0 }

    var takesFrames: Bool { isWritable && form?.takesFrames ?? false }

    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at byte: Int64) -> Int? {
        guard byte >= 0, byte <= head.dataBytes else { return 0 }
        let most = Int(min(Int64(count), head.dataBytes - byte))
        return store.read(buffer, most, at: head.dataOffset + byte)
    }

    /// Chunks behind the sound would be lost.
    private var canGrow: Bool { store.size <= head.dataOffset + head.dataBytes + 1 && sound.prepareToGrow() }

    /// Writes bytes of packets, and makes the file longer where they reach beyond its end.
    func write(_ buffer: UnsafeRawPointer, _ count: Int, at byte: Int64) -> OSStatus {
        guard isWritable else { return kAudioFilePermissionsError }
        guard hasPackets, head.encodedFrames == 0 else { return kAudioFileOperationNotSupportedError }
        guard byte >= 0, byte <= head.dataBytes else { return kAudioFilePositionError }
        guard byte <= head.largestData - Int64(count) else { return kAudioFileDoesNotAllow64BitDataSizeError }
        if byte + Int64(count) > head.dataBytes, !canGrow { return kAudioFileOperationNotSupportedError }
        guard store.write(buffer, count, at: head.dataOffset + byte) else { return kAudioFileUnspecifiedError }
        if byte + Int64(count) > head.dataBytes {
            head.dataBytes = byte + Int64(count)
            isChanged = true
        }
        return defersSizes ? noErr : update()
    }

    /// Appends frames, one array for each channel: as packets of linear PCM, else as the library encodes them.
    func append(_ planes: [[Double]]) -> OSStatus {
        let frames = planes.first?.count ?? 0, channels = planes.count, linear = PCMLayout(head.format)
        guard let form, takesFrames else { return kAudioFilePermissionsError }
        if frames == 0 { return noErr }
        let layout =
            linear
            ?? PCMLayout(
                rate: head.format.mSampleRate, channels: channels, bits: form.depth ?? 64, isFloat: form.depth == nil,
                bytes: form.depth == nil ? 8 : 4)
        return withUnsafeTemporaryAllocation(byteCount: frames * layout.bytesPerFrame, alignment: 8) { memory in
            guard let base = memory.baseAddress else { return kAudio_MemFullError }
            for (channel, plane) in planes.enumerated() {
                // The encoders take neither what is beyond full scale nor what is no number.
                let plane = linear == nil ? plane.map { $0.isNaN ? 0 : max(-1, min(1, $0)) } : plane
                layout.encode(plane, count: frames, base + channel * layout.bytes, stride: layout.bytesPerFrame)
            }
            if linear != nil { return write(base, memory.count, at: head.dataBytes) }
            // The encoder goes on behind packets that were written.
            let status = hasPackets && !sound.prepareToGrow() ? kAudioFileOperationNotSupportedError : update()
            if status != noErr { return status }
            let isTaken =
                layout.isFloat
                ? sound.write(base.assumingMemoryBound(to: Double.self), frames: frames)
                : sound.write(base.assumingMemoryBound(to: Int32.self), frames: frames)
            if head.format.mFramesPerPacket == 1 {
                head.dataBytes += Int64(frames) * head.packetBytes
            } else {
                head.encodedFrames += Int64(frames)
            }
            return isTaken ? noErr : kAudioFileUnspecifiedError
        }
    }

    /// Sets what stands before the packets, as long as there are none.
    private func change(_ body: () -> OSStatus) -> OSStatus {
        guard isWritable else { return kAudioFilePermissionsError }
        guard head.dataBytes == 0, head.frames == 0 else { return kAudioFileOperationNotSupportedError }
        let status = body()
        head.dataOffset = sound.dataOffset
        return status
    }

    func setCookie(_ cookie: [UInt8]) -> OSStatus {
        change {
            sound.add(chunk: "kuki", cookie)
            head.cookie = cookie
            return noErr
        }
    }

    /// WAVE takes a bitmap, CAF any layout.
    func setLayout(_ layout: [UInt8]) -> OSStatus {
        guard ChannelLayouts.channels(layout) == Int(head.format.mChannelsPerFrame) else { return kAudio_ParamError }
        return change {
            if head.type == kAudioFileCAFType {
                sound.add(chunk: "chan", ChannelLayouts.caf(layout))
            } else {
                guard let known = ChannelLayouts.labels(layout), known.tag == kAudioChannelLayoutTag_UseChannelBitmap,
                    sound.setSpeakers(known.bitmap)
                else { return kAudioFileOperationNotSupportedError }
            }
            head.layout = layout
            return noErr
        }
    }

    /// Puts the lengths into the file.
    func update() -> OSStatus {
        guard isWritable, isChanged else { return noErr }
        isChanged = false
        return sound.setLength(packets: head.packets, packetBytes: Int(head.packetBytes))
            ? noErr : kAudioFileUnspecifiedError
    }

    func finish() -> OSStatus {
        let status = update()
        return sound.finish() || !isWritable ? status : kAudioFileUnspecifiedError
    }
}

extension PacketFile.Refusal {
    var status: OSStatus {
        switch self {
        case .isNoAudio: kAudioFileUnsupportedFileTypeError
        case .isNotOffered: kAudioFileUnsupportedDataFormatError
        case .isDamaged: kAudioFileInvalidFileError
        }
    }
}
