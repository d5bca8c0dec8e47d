import AudioToolbox
import Synchronization
import Testing

/// Calls in any order, half of them with what cannot be: an error code each, nothing left open.
@Suite struct CallSequenceTests {
    private let give: AudioConverterComplexInputDataProc = { converter, packets, list, _, userData in
        // A callback may ask its own converter.
        var size: UInt32 = 4, value: UInt32 = 0
        AudioConverterGetProperty(converter, kAudioConverterPropertyMaximumInputPacketSize, &size, &value)
        UnsafeMutableAudioBufferListPointer(list)[0].mData = userData
        UnsafeMutableAudioBufferListPointer(list)[0].mDataByteSize = 1_024
        packets.pointee = min(packets.pointee, 1_024 / max(1, value))
        return noErr
    }

    /// Files of the folder that are open.
    private func open(in folder: SoundFolder) throws -> Int {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors.count { number in
            var path = [CChar](repeating: 0, count: 4_096)
            let length = readlink("/proc/self/fd/" + number, &path, path.count - 1)
            return length > 0
                && String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self).hasPrefix(folder.path)
        }
    }

    @Test func everyCallAnswers() throws {
        let folder = try SoundFolder(), memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << 16)
        defer { memory.deallocate() }
        var dice = Dice(state: 7), good = 0, bad = 0
        let types = [
            kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType, kAudioFileM4AType,
            kAudioFileFLACType, kAudioFileMP3Type, 0x4F67_6753, 0,
        ]
        let coded = [
            kAudioFormatULaw, kAudioFormatAppleIMA4, kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatMPEGLayer3,
            kAudioFormatOpus,
        ].map { id in
            var format = pcm(0, 1, rate: 48_000)
            format.mFormatID = id
            return format
        }
        let formats =
            coded + [
                pcm(16, integer), pcm(16, integer | big), pcm(24, integer | big), pcm(32, float),
                pcm(64, float | big, channels: 1),
                AudioStreamBasicDescription(), pcm(32, float, rate: 22_050), pcm(16, integer, channels: 4_000),
            ]
        let properties = [
            kAudioFilePropertyDataFormat, kAudioFilePropertyChannelLayout, kAudioFilePropertyAudioDataPacketCount,
            kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketToFrame, kAudioFilePropertyReserveDuration,
            kExtAudioFileProperty_ClientDataFormat, kExtAudioFileProperty_FileLengthFrames, kAudioConverterChannelMap,
            kAudioConverterPropertyCalculateOutputBufferSize, 0,
        ]
        for _ in 0..<Dice.sequences(1_500) {
            var handles: [OpaquePointer] = [OpaquePointer(bitPattern: 0x10)!]
            for _ in 0..<20 {
                var made: OpaquePointer?, format = dice.pick(formats), number = UInt32(dice.pick([0, 1, 16, 100, 1_000])),
                    size = UInt32(dice.pick([0, 4, 8, 40, 1_024, 4_096]))
                let handle = dice.pick(handles), name = folder.url("s\(dice.next(3))"), property = dice.pick(properties),
                    place = Int64(dice.pick([0, 0, 5, 100, -1, 1 << 40]))
                var list = AudioBufferList(
                    mNumberBuffers: UInt32(dice.pick([1, 1, 1, 0])),
                    mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 4_096, mData: memory))
                let status: OSStatus
                switch dice.next(16) {
                case 0, 1:
                    status = AudioFileCreateWithURL(
                        name, dice.pick(types), &format, dice.pick([.eraseFile, .eraseFile, []]), &made)
                case 2: status = AudioFileOpenURL(name, dice.pick([.readPermission, .readWritePermission]), 0, &made)
                case 3: status = ExtAudioFileOpenURL(name, &made)
                case 4: status = ExtAudioFileCreateWithURL(name, dice.pick(types), &format, nil, UInt32(dice.next(2)), &made)
                case 5: status = ExtAudioFileWrapAudioFileID(handle, dice.next(2) == 0, &made)
                case 6:
                    var other = dice.pick(formats)
                    status = AudioConverterNew(&format, &other, &made)
                case 7: status = AudioFileWritePackets(handle, false, 4_096, nil, place, &number, memory)
                case 8: status = AudioFileReadPacketData(handle, false, &size, nil, place, &number, memory)
                case 9: status = AudioFileGetProperty(handle, property, &size, memory)
                case 10: status = ExtAudioFileWrite(handle, number, &list)
                case 11: status = ExtAudioFileRead(handle, &number, &list)
                case 12:
                    status =
                        property == kExtAudioFileProperty_ClientDataFormat
                        ? ExtAudioFileSetProperty(handle, property, 40, &format)
                        : AudioFileSetProperty(handle, property, size, memory)
                case 13: status = AudioConverterFillComplexBuffer(handle, give, memory, &number, &list, nil)
                case 14: status = AudioConverterConvertBuffer(handle, size, memory, &number, memory + 8_192)
                default: status = dice.pick([AudioFileClose, ExtAudioFileDispose, AudioConverterDispose])(handle)
                }
                if status == noErr { good += 1 } else { bad += 1 }
                if let made { handles.append(made) }
            }
            for handle in handles.reversed() where ExtAudioFileDispose(handle) != noErr {
                if AudioFileClose(handle) != noErr { AudioConverterDispose(handle) }
            }
        }
        #expect(min(good, bad) > 3 * Dice.sequences(1_500), "\(good) \(bad)")
        #expect(try open(in: folder) == 0)
    }

    private final class FaultCount: Sendable {
        let count = Atomic(0)
    }

    @Test func severalThreadsUseOneFile() async throws {
        let folder = try SoundFolder()
        var format = pcm(16, integer, channels: 1), made: AudioFileID?
        try #require(AudioFileCreateWithURL(folder.url("t.wav"), kAudioFileWAVEType, &format, .eraseFile, &made) == noErr)
        let number = UInt(bitPattern: made)
        let faults = FaultCount()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    guard let file = OpaquePointer(bitPattern: number) else { return }
                    for step in 0..<500 {
                        var packets: UInt32 = 4, bytes = [UInt8](repeating: UInt8(thread), count: 8), size: UInt32 = 8
                        let status =
                            step % 2 == 0
                            ? AudioFileWritePackets(file, false, 8, nil, 0, &packets, bytes)
                            : AudioFileReadPacketData(file, false, &size, nil, 0, &packets, &bytes)
                        // What one thread writes, no other cuts in two.
                        if status != noErr || Set(bytes.prefix(Int(size))).count != 1 { faults.count.add(1, ordering: .relaxed) }
                    }
                }
            }
        }
        let file = try #require(made)
        #expect(faults.count.load(ordering: .relaxed) == 0 && AudioFileClose(file) == noErr)
        #expect(try folder.read("t.wav")[0].count == 4)
    }
}
