import AudioToolbox
import Testing

@testable import AudioFiles

@Suite struct AudioFileTests {
    @Test func constantsHaveTheValuesOfPublicBindings() {
        var count = 0
        AudioToolboxTable.forEach { name, value, fact in
            count += 1
            #expect(value == fact, "\(name)")
        }
        #expect(count > 130)
        #expect(AudioFileFlags.eraseFile.rawValue == 1 && AudioFilePermissions.readWritePermission.rawValue == 3)
    }

    /// One property of an open file.
    private func get<Value>(_ file: AudioFileID, _ property: AudioFilePropertyID, _ start: Value) throws -> Value {
        var value = start, size = UInt32(MemoryLayout<Value>.size)
        let status = withUnsafeMutableBytes(of: &value) { AudioFileGetProperty(file, property, &size, $0.baseAddress!) }
        try #require(status == noErr, "\(property.fourCharacters)")
        #expect(size == MemoryLayout<Value>.size)
        return value
    }

    @Test(arguments: [
        ("a.wav", AudioFileFormat.Container.wav, kAudioFileWAVEType), ("a.aiff", .aiff, kAudioFileAIFFType),
        ("a.caf", .caf, kAudioFileCAFType), ("a.au", .au, kAudioFileNextType), ("a.rf64", .rf64, kAudioFileRF64Type),
    ])
    func filesOfTheLibraryAreRead(_ name: String, _ container: AudioFileFormat.Container, _ type: AudioFileTypeID) throws {
        let folder = try SoundFolder()
        for (encoding, bits) in [(AudioFileFormat.Encoding.int16, 16), (.int24, 24), (.float32, 32)]
        where container.encodings.contains(encoding) {
            try folder.write(name, container, encoding, frames: 1_000, channels: 2)
            var opened: AudioFileID?
            try #require(AudioFileOpenURL(folder.url(name), .readPermission, 0, &opened) == noErr, "\(name) \(bits)")
            let file = try #require(opened)
            let format = try get(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
            #expect(format.mSampleRate == 44_100 && format.mChannelsPerFrame == 2 && format.mBitsPerChannel == bits)
            #expect(format.mBytesPerPacket == bits / 4 && format.mFormatID == kAudioFormatLinearPCM)
            #expect(
                try get(file, kAudioFilePropertyFileFormat, UInt32(0))
                    == (encoding == .float32 && type == kAudioFileAIFFType ? kAudioFileAIFCType : type))
            #expect(try get(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 1_000)
            #expect(try get(file, kAudioFilePropertyAudioDataByteCount, UInt64(0)) == UInt64(250 * bits))
            #expect(abs(try get(file, kAudioFilePropertyEstimatedDuration, 0.0) - 1_000 / 44_100) < 1e-9)
            #expect(try get(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0)) == bits / 4)
            // Packets and bytes are the same sound; from 900 there are 100, then none.
            var bytes = [UInt8](repeating: 0, count: 2_000), packets: UInt32 = 200, size = UInt32(bytes.count)
            #expect(AudioFileReadPacketData(file, false, &size, nil, 900, &packets, &bytes) == noErr)
            #expect(packets == 100 && size == UInt32(25 * bits))
            var again = [UInt8](repeating: 0, count: 2_000), count: UInt32 = 2_000
            #expect(AudioFileReadBytes(file, false, Int64(900 * bits / 4), &count, &again) == kAudioFileEndOfFileError)
            #expect(count == size && again == bytes)
            packets = 5
            #expect(AudioFileReadPackets(file, false, &size, nil, 1_000, &packets, &bytes) == noErr && packets == 0 && size == 0)
            #expect(AudioFileClose(file) == noErr && AudioFileClose(file) == kAudio_ParamError)
        }
    }

    /// Every type with every format of linear PCM that it says it takes: what is written is what libsndfile reads.
    @Test func theLibraryReadsWhatIsWritten() throws {
        let folder = try SoundFolder(), tone = SoundFolder.tone(333, channels: 3)
        for type in [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType] {
            var asked = AudioFileTypeAndFormatID(mFileType: type, mFormatID: kAudioFormatLinearPCM), size: UInt32 = 0
            #expect(
                AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &asked, &size) == noErr)
            var formats = [AudioStreamBasicDescription](repeating: AudioStreamBasicDescription(), count: Int(size) / 40)
            #expect(
                AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &asked, &size, &formats)
                    == noErr)
            #expect(formats.count >= 4)
            for offered in formats {
                let format = pcm(offered.mBitsPerChannel, offered.mFormatFlags, channels: 3), name = "b-\(type)"
                let message = "\(type.fourCharacters) \(format.mBitsPerChannel) \(format.mFormatFlags)"
                var made: AudioFileID?
                let status = withUnsafePointer(to: format) {
                    AudioFileCreateWithURL(folder.url(name), type, $0, .eraseFile, &made)
                }
                let file = try #require(made, "\(message): \(status)")
                // Encoded by the converter, which the other tests compare with calculation.
                let bytes = try converted(tone, format)
                var half: UInt32 = 111, rest: UInt32 = 222
                let part = Int(111 * format.mBytesPerFrame)
                #expect(AudioFileWritePackets(file, false, UInt32(part), nil, 0, &half, bytes) == noErr && half == 111)
                let second = Array(bytes[part...])
                #expect(AudioFileWritePackets(file, false, UInt32(second.count), nil, 111, &rest, second) == noErr, "\(message)")
                #expect(AudioFileClose(file) == noErr)
                let read = try folder.read(name)
                let step = format.mFormatFlags & float != 0 ? 0 : Float(exp2(1 - Double(format.mBitsPerChannel)))
                #expect(read.count == 3 && read[0].count == 333, "\(message)")
                for channel in 0..<3 {
                    let worst = zip(read[channel], tone[channel]).map { abs($0 - $1) }.max() ?? 1
                    #expect(worst <= step / 2 * 1.001, "\(message): \(worst)")
                }
            }
        }
    }

    private func converted(_ planes: [[Float]], _ format: AudioStreamBasicDescription) throws -> [UInt8] {
        let frames = planes[0].count, channels = planes.count
        var samples = [Float]()
        for frame in 0..<frames { for plane in planes { samples.append(plane[frame]) } }
        var made: AudioConverterRef?
        var source = pcm(32, float, channels: UInt32(channels)), target = format
        try #require(AudioConverterNew(&source, &target, &made) == noErr)
        let converter = try #require(made)
        defer { AudioConverterDispose(converter) }
        var bytes = [UInt8](repeating: 0, count: frames * Int(format.mBytesPerFrame)), size = UInt32(bytes.count)
        try #require(AudioConverterConvertBuffer(converter, UInt32(samples.count * 4), samples, &size, &bytes) == noErr)
        #expect(Int(size) == bytes.count)
        return bytes
    }

    @Test(arguments: [
        (kAudioFileWAVEType, pcm(16, integer)), (kAudioFileAIFFType, pcm(16, integer | big)),
        (kAudioFileAIFCType, pcm(32, float | big)), (kAudioFileCAFType, pcm(24, integer)),
        (kAudioFileNextType, pcm(16, integer | big)),
    ])
    func aFileGrowsWhenItIsOpenedAgain(_ type: AudioFileTypeID, _ format: AudioStreamBasicDescription) throws {
        let folder = try SoundFolder(), tone = SoundFolder.tone(150, channels: 2), frame = Int(format.mBytesPerFrame)
        var format = format, made: AudioFileID?, first: UInt32 = 100, rest: UInt32 = 50
        let bytes = try converted(tone, format), end = [UInt8](bytes[(100 * frame)...])
        try #require(AudioFileCreateWithURL(folder.url("g"), type, &format, .eraseFile, &made) == noErr)
        let begun = try #require(made), wrong = [UInt8](repeating: 0, count: 100 * frame)
        #expect(AudioFileWritePackets(begun, false, UInt32(wrong.count), nil, 0, &first, wrong) == noErr)
        #expect(AudioFileClose(begun) == noErr)
        try #require(AudioFileOpenURL(folder.url("g"), .readWritePermission, 0, &made) == noErr)
        let file = try #require(made)
        #expect(AudioFileWritePackets(file, false, UInt32(end.count), nil, 101, &rest, end) == kAudioFileInvalidPacketOffsetError)
        rest = 50
        #expect(AudioFileWritePackets(file, false, UInt32(end.count), nil, 100, &rest, end) == noErr && rest == 50)
        #expect(AudioFileWritePackets(file, false, UInt32(bytes.count), nil, 0, &first, bytes) == noErr)
        #expect(AudioFileClose(file) == noErr)
        let read = try folder.read("g"), worst = zip(read.joined(), tone.joined()).map { abs($0 - $1) }.max() ?? 1
        #expect(read.map(\.count) == [150, 150] && worst < 2e-5)
    }

    /// Chunks that libsndfile would not write again: packets are replaced, none added.
    @Test func whatElseIsInAFileStays() throws {
        let folder = try SoundFolder(), path = folder.path + "/k.wav"
        try folder.write("k.wav", .wav, .int16, frames: 100, channels: 1)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes += Array("own \u{4}\0\0\0bell".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var made: AudioFileID?, one: UInt32 = 1
        try #require(AudioFileOpenURL(folder.url("k.wav"), .readWritePermission, 0, &made) == noErr)
        let file = try #require(made), offset = Int(try get(file, kAudioFilePropertyDataOffset, Int64(0)))
        #expect(AudioFileWritePackets(file, false, 2, nil, 100, &one, [Int16(7)]) == kAudioFileOperationNotSupportedError)
        one = 1
        #expect(AudioFileWritePackets(file, false, 2, nil, 50, &one, [Int16(0x0102)]) == noErr && AudioFileClose(file) == noErr)
        bytes.replaceSubrange(offset + 100..<offset + 102, with: [2, 1])
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }

    @Test func whatStandsBeforeThePacketsComesBack() throws {
        let folder = try SoundFolder()
        var surround = AudioChannelLayout(), bitmap = AudioChannelLayout()
        surround.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
        (bitmap.mChannelLayoutTag, bitmap.mChannelBitmap) = (kAudioChannelLayoutTag_UseChannelBitmap, .init(rawValue: 0x3F))
        for (type, layout) in [(kAudioFileCAFType, surround), (kAudioFileWAVEType, bitmap)] {
            var format = pcm(16, integer, channels: 6), layout = layout, made: AudioFileID?, packets: UInt32 = 10
            try #require(AudioFileCreateWithURL(folder.url("l"), type, &format, .eraseFile, &made) == noErr)
            let written = try #require(made), samples = (0..<60).map { Int16($0) }
            #expect(AudioFileSetProperty(written, kAudioFilePropertyChannelLayout, 32, &layout) == noErr)
            let cookie = AudioFileSetProperty(written, kAudioFilePropertyMagicCookieData, 4, [UInt8(1), 2, 3, 4])
            #expect(cookie == (type == kAudioFileCAFType ? noErr : kAudioFileUnsupportedPropertyError))
            #expect(AudioFileWritePackets(written, false, 120, nil, 0, &packets, samples) == noErr)
            #expect(
                AudioFileSetProperty(written, kAudioFilePropertyChannelLayout, 32, &layout)
                    == kAudioFileOperationNotSupportedError)
            #expect(AudioFileClose(written) == noErr)
            try #require(AudioFileOpenURL(folder.url("l"), .readPermission, 0, &made) == noErr)
            let file = try #require(made), found = try get(file, kAudioFilePropertyChannelLayout, AudioChannelLayout())
            defer { AudioFileClose(file) }
            #expect(found.mChannelLayoutTag == layout.mChannelLayoutTag && found.mChannelBitmap == layout.mChannelBitmap)
            var back = [Int16](repeating: 0, count: 60), size: UInt32 = 120
            #expect(AudioFileReadPacketData(file, false, &size, nil, 0, &packets, &back) == noErr && back == samples)
            if type == kAudioFileCAFType { #expect(try get(file, kAudioFilePropertyMagicCookieData, UInt32(0)) == 0x0403_0201) }
        }
    }

    /// A file in memory, behind callbacks, also where only the library decodes it.
    @Test func filesLieBehindCallbacks() throws {
        final class Memory {
            var bytes: [UInt8]
            init(_ bytes: [UInt8]) { self.bytes = bytes }
        }
        guard AudioFileFormat.Container.available.contains(.flac) else { return }
        let folder = try SoundFolder()
        try folder.write("m.flac", .flac, .int24, frames: 5_000, channels: 1)
        let memory = Memory([UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/m.flac"))))
        let read: AudioFile_ReadProc = { client, place, count, buffer, actual in
            let bytes = Unmanaged<Memory>.fromOpaque(client).takeUnretainedValue().bytes
            let part = max(0, min(Int(count), bytes.count - Int(place)))
            bytes.withUnsafeBytes { buffer.copyMemory(from: $0.baseAddress! + Int(place), byteCount: part) }
            actual.pointee = UInt32(part)
            return noErr
        }
        let size: AudioFile_GetSizeProc = { Int64(Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue().bytes.count) }
        var made: AudioFileID?, extended: ExtAudioFileRef?
        let client = Unmanaged.passUnretained(memory).toOpaque()
        try #require(AudioFileOpenWithCallbacks(client, read, nil, size, nil, 0, &made) == noErr)
        let file = try #require(made)
        #expect(try get(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription()).mFormatID == kAudioFormatFLAC)
        try #require(ExtAudioFileWrapAudioFileID(file, false, &extended) == noErr)
        let frames = try #require(extended)
        var format = pcm(32, float, channels: 1), samples = [Float](repeating: 0, count: 5_000), count: UInt32 = 5_000
        #expect(ExtAudioFileSetProperty(frames, kExtAudioFileProperty_ClientDataFormat, 40, &format) == noErr)
        samples.withUnsafeMutableBufferPointer { samples in
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(samples, numberOfChannels: 1))
            #expect(ExtAudioFileRead(frames, &count, &list) == noErr && count == 5_000)
        }
        #expect(samples == SoundFolder.tone(5_000, channels: 1)[0])
        #expect(ExtAudioFileDispose(frames) == noErr && AudioFileClose(file) == noErr)
    }

    /// The answer of the textbook's third chapter for a CAF file.
    @Test func aCoreAudioFileTakesTheFormatsOfTheTextbook() {
        var asked = AudioFileTypeAndFormatID(mFileType: kAudioFileCAFType, mFormatID: kAudioFormatLinearPCM), size: UInt32 = 0
        AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &asked, &size)
        var formats = [AudioStreamBasicDescription](repeating: AudioStreamBasicDescription(), count: Int(size) / 40)
        AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &asked, &size, &formats)
        #expect(
            formats.map { "\($0.mFormatFlags) \($0.mBitsPerChannel)" } == [
                "14 8", "14 16", "14 24", "14 32", "11 32", "11 64", "12 16", "12 24", "12 32", "9 32", "9 64",
            ])
        asked.mFileType = kAudioFileMP3Type
        #expect(
            AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &asked, &size)
                == kAudioFileUnsupportedDataFormatError)
        asked.mFileType = 0x1234_5678
        #expect(
            AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &asked, &size)
                == kAudioFileUnsupportedFileTypeError)
        #expect(
            AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 3, &asked, &size)
                == kAudioFileBadPropertySizeError)
    }

    @Test func typesAnswerToTheirNames() throws {
        var type = kAudioFileWAVEType, list: Unmanaged<CFArray>?, size = UInt32(8)
        #expect(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ExtensionsForType, 4, &type, &size, &list) == noErr)
        #expect(list?.takeRetainedValue() as? [String] == ["wav"])
        var name = "aif" as CFString, types = [UInt32](repeating: 0, count: 8)
        size = UInt32(32)
        try withUnsafeMutablePointer(to: &name) { name in
            try #require(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_TypesForExtension, 8, name, &size, &types) == noErr)
        }
        #expect(Set(types.prefix(Int(size) / 4)) == [kAudioFileAIFFType, kAudioFileAIFCType])
        size = 4
        #expect(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_WritableTypes, 0, nil, &size, &types) == noErr && size == 4)
    }

    @Test func whatIsWrittenInAFileIsInItsDictionary() throws {
        let folder = try SoundFolder()
        try folder.write("t.wav", .wav, .int16, frames: 44_100, channels: 1)
        var opened: AudioFileID?
        AudioFileOpenURL(folder.url("t.wav"), .readPermission, kAudioFileWAVEType, &opened)
        let file = try #require(opened)
        defer { AudioFileClose(file) }
        var size: UInt32 = 0, writable: UInt32 = 9
        #expect(
            AudioFileGetPropertyInfo(file, kAudioFilePropertyInfoDictionary, &size, &writable) == noErr && size == 8
                && writable == 0)
        let held = try #require(try get(file, kAudioFilePropertyInfoDictionary, nil as Unmanaged<CFDictionary>?))
        let dictionary = held.takeRetainedValue()
        #expect(
            dictionary[kAFInfoDictionary_Title] as? String == "Bell" && dictionary[kAFInfoDictionary_Artist] as? String == "Tower"
        )
        #expect(dictionary[kAFInfoDictionary_ApproximateDurationInSeconds] as? String == "1.000")
        var translation = AudioFramePacketTranslation(mFrame: 0, mPacket: 77, mFrameOffsetInPacket: 0)
        translation = try get(file, kAudioFilePropertyPacketToFrame, translation)
        #expect(translation.mFrame == 77)
        var bytes = AudioBytePacketTranslation()
        bytes.mByte = 13
        bytes = try get(file, kAudioFilePropertyByteToPacket, bytes)
        #expect(bytes.mPacket == 6 && bytes.mByteOffsetInPacket == 1)
    }

    @Test func badArgumentsAreErrorCodes() throws {
        let folder = try SoundFolder()
        try folder.write("x.wav", .wav, .int16, frames: 100, channels: 1)
        try Data("not a sound at all".utf8).write(to: URL(fileURLWithPath: folder.path + "/text"))
        try Data("RIFF....WAVEfmt ".utf8).write(to: URL(fileURLWithPath: folder.path + "/cut.wav"))
        var made: AudioFileID?
        #expect(AudioFileOpenURL(folder.url("none.wav"), .readPermission, 0, &made) == kAudio_FileNotFoundError && made == nil)
        #expect(AudioFileOpenURL(folder.url("text"), .readPermission, 0, &made) == kAudioFileUnsupportedFileTypeError)
        #expect(AudioFileOpenURL(folder.url("cut.wav"), .readPermission, 0, &made) == kAudioFileInvalidFileError)
        #expect(AudioFileOpenURL(folder.url(""), .readPermission, 0, &made) == kAudioFileUnsupportedFileTypeError)
        #expect(AudioFileOpenURL(NSURL(string: "http://a/b")!, .readPermission, 0, &made) == kAudio_BadFilePathError)
        var format = pcm(16, integer)
        #expect(AudioFileCreateWithURL(folder.url("x.wav"), kAudioFileWAVEType, &format, [], &made) == kAudioFilePermissionsError)
        #expect(
            AudioFileCreateWithURL(folder.url("y"), kAudioFileM4AType, &format, [], &made) == kAudioFileUnsupportedFileTypeError)
        #expect(
            AudioFileCreateWithURL(folder.url("y"), kAudioFileAIFFType, &format, [], &made)
                == kAudioFileUnsupportedDataFormatError)
        format.mBytesPerFrame = 3
        #expect(
            AudioFileCreateWithURL(folder.url("y"), kAudioFileWAVEType, &format, [], &made)
                == kAudioFileUnsupportedDataFormatError)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/y"))
        #expect(AudioFileOpenURL(folder.url("x.wav"), .readPermission, 0, &made) == noErr)
        let file = try #require(made)
        var number: UInt32 = 4, bytes = [UInt8](repeating: 0, count: 16), size: UInt32 = 3
        #expect(AudioFileWriteBytes(file, false, 0, &number, bytes) == kAudioFilePermissionsError && number == 0)
        #expect(
            AudioFileReadPacketData(file, false, &size, nil, -1, &number, &bytes) == kAudioFileInvalidPacketOffsetError
                || number == 0)
        number = 4
        #expect(AudioFileReadBytes(file, false, -1, &number, &bytes) == kAudioFilePositionError)
        size = 39
        #expect(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &bytes) == kAudioFileBadPropertySizeError)
        #expect(AudioFileGetProperty(file, 0x6162_6364, &size, &bytes) == kAudioFileUnsupportedPropertyError)
        #expect(AudioFileSetProperty(file, kAudioFilePropertyReserveDuration, 8, bytes) == kAudioFileUnsupportedPropertyError)
        AudioFileClose(file)
        number = 4
        #expect(AudioFileReadBytes(file, false, 0, &number, &bytes) == kAudio_ParamError)
        let never = try #require(OpaquePointer(bitPattern: 0x7))
        #expect(AudioFileClose(never) == kAudio_ParamError && ExtAudioFileDispose(never) == kAudio_ParamError)
        #expect(AudioConverterDispose(never) == kAudio_ParamError)
    }
}
