import Testing

@testable import AudioFiles
@testable import AudioToolbox

@Suite struct ExtendedAudioFileTests {
    private func open(_ url: CFURL, _ client: AudioStreamBasicDescription?) throws -> ExtAudioFileRef {
        var made: ExtAudioFileRef?
        try #require(ExtAudioFileOpenURL(url, &made) == noErr)
        let file = try #require(made)
        if var client {
            #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == noErr)
        }
        return file
    }

    /// All frames, as planar floats, in pieces of a size that no block has.
    private func readAll(_ file: ExtAudioFileRef, channels: Int) throws -> [[Float]] {
        let list = AudioBufferList.allocate(maximumBuffers: channels), part = 777
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: part * channels)
        defer {
            memory.deallocate()
            free(list.unsafeMutablePointer)
        }
        var all = [[Float]](repeating: [], count: channels)
        while true {
            for channel in 0..<channels {
                list[channel] = AudioBuffer(
                    UnsafeMutableBufferPointer(start: memory + channel * part, count: part), numberOfChannels: 1)
            }
            var frames = UInt32(part)
            try #require(ExtAudioFileRead(file, &frames, list.unsafeMutablePointer) == noErr)
            #expect(list[0].mDataByteSize == 4 * frames)
            if frames == 0 { return all }
            for channel in 0..<channels {
                all[channel] += UnsafeBufferPointer(start: memory + channel * part, count: Int(frames))
            }
        }
    }

    @Test(arguments: [
        ("a.wav", AudioFileFormat.Container.wav), ("a.aiff", .aiff), ("a.caf", .caf), ("a.au", .au), ("a.rf64", .rf64),
        ("a.flac", .flac), ("a.ogg", .vorbis), ("a.opus", .opus), ("a.mp3", .mp3),
    ])
    func framesAreThoseOfTheLibrary(_ name: String, _ container: AudioFileFormat.Container) throws {
        guard AudioFileFormat.Container.available.contains(container) else { return }
        let folder = try SoundFolder()
        let encoding: AudioFileFormat.Encoding? = container.isLossy ? nil : .int24
        if container == .opus {
            let writer = try AudioFileWriter(
                path: folder.path + "/a.opus", format: AudioFileFormat(.opus), channels: 2, sampleRate: 48_000)
            try SoundFolder.tone(10_000, channels: 2).withPointers { try writer.write($0, frames: 10_000) }
            try writer.finish()
        } else {
            try folder.write(name, container, encoding, frames: 10_000, channels: 2)
        }
        let rate: Double = container == .opus ? 48_000 : 44_100
        let file = try open(folder.url(name), pcm(32, float, rate: rate, planar: true))
        var length: Int64 = 0, size: UInt32 = 8, format = AudioStreamBasicDescription()
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length) == noErr)
        let all = try readAll(file, channels: 2), library = try folder.read(name)
        #expect(all == library && length == Int64(library[0].count), "\(name)")
        size = 40
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &format) == noErr)
        #expect((format.mFormatID == kAudioFormatLinearPCM) == (encoding != nil && container != .flac))
        // From a frame in the middle, the same frames.
        if container != .opus, container != .vorbis, container != .mp3 {
            var place: Int64 = 0
            #expect(ExtAudioFileSeek(file, 4_321) == noErr && ExtAudioFileTell(file, &place) == noErr && place == 4_321)
            #expect(try readAll(file, channels: 2).map(\.count) == [5_679, 5_679])
        }
        #expect(ExtAudioFileSeek(file, -1) == kExtAudioFileError_InvalidSeek)
        #expect(ExtAudioFileDispose(file) == noErr && ExtAudioFileDispose(file) == kAudio_ParamError)
    }

    /// G.711 by its formula; the library decodes what was written as packets.
    @Test(arguments: [
        (kAudioFileWAVEType, "u.wav"), (kAudioFileAIFCType, "u.aifc"), (kAudioFileCAFType, "u.caf"), (kAudioFileNextType, "u.au"),
    ])
    func telephoneSoundIsDecoded(_ type: AudioFileTypeID, _ name: String) throws {
        let folder = try SoundFolder(), codes = (0...255).map { UInt8($0) }
        let expected = codes.map { code -> Float in
            let bits = Int(~code), magnitude = ((bits & 0xF) << 3 + 0x84) << (bits >> 4 & 7) - 0x84
            return Float(bits & 0x80 != 0 ? -magnitude : magnitude) / 32_768
        }
        var format = AudioStreamBasicDescription()
        (format.mSampleRate, format.mFormatID, format.mChannelsPerFrame) = (8_000, kAudioFormatULaw, 1)
        var made: AudioFileID?, packets: UInt32 = 256
        try #require(AudioFileCreateWithURL(folder.url(name), type, &format, .eraseFile, &made) == noErr)
        let written = try #require(made)
        #expect(AudioFileWritePackets(written, false, 256, nil, 0, &packets, codes) == noErr && AudioFileClose(written) == noErr)
        let file = try open(folder.url(name), pcm(32, float, rate: 8_000, channels: 1))
        defer { ExtAudioFileDispose(file) }
        #expect(try readAll(file, channels: 1)[0] == expected)
    }

    @Test func packetsOfIMA4HaveSixtyFourFrames() throws {
        let folder = try SoundFolder()
        for type in [kAudioFileAIFCType, kAudioFileCAFType] {
            var format = AudioStreamBasicDescription()
            (format.mSampleRate, format.mFormatID, format.mChannelsPerFrame) = (22_050, kAudioFormatAppleIMA4, 2)
            var made: AudioFileID?, packets: UInt32 = 5
            try #require(AudioFileCreateWithURL(folder.url("i"), type, &format, .eraseFile, &made) == noErr)
            let written = try #require(made), bytes = (0..<340).map { UInt8($0 % 7) }
            #expect(
                AudioFileWritePackets(written, false, 340, nil, 0, &packets, bytes) == noErr && AudioFileClose(written) == noErr)
            try #require(AudioFileOpenURL(folder.url("i"), .readPermission, 0, &made) == noErr)
            let opened = try #require(made)
            var back = [UInt8](repeating: 0, count: 340), size: UInt32 = 340
            #expect(
                AudioFileReadPacketData(opened, false, &size, nil, 0, &packets, &back) == noErr && packets == 5 && back == bytes)
            #expect(AudioFileClose(opened) == noErr)
            if type == kAudioFileCAFType {
                // libsndfile decodes it in AIFC alone.
                var none: ExtAudioFileRef?
                #expect(ExtAudioFileOpenURL(folder.url("i"), &none) == kAudioFileUnsupportedDataFormatError && none == nil)
                continue
            }
            let file = try open(folder.url("i"), pcm(32, float, rate: 22_050, planar: true))
            defer { ExtAudioFileDispose(file) }
            #expect(try readAll(file, channels: 2).map(\.count) == [320, 320])
        }
    }

    /// Written from floats in pieces, read by the library: integers within half a step, floats exactly.
    @Test(arguments: [
        (kAudioFileWAVEType, pcm(16, integer)), (kAudioFileAIFFType, pcm(24, integer | big)), (kAudioFileCAFType, pcm(32, float)),
        (kAudioFileAIFCType, pcm(32, float | big)), (kAudioFileNextType, pcm(16, integer | big)),
    ])
    func framesAreWritten(_ type: AudioFileTypeID, _ format: AudioStreamBasicDescription) throws {
        let folder = try SoundFolder(), tone = SoundFolder.tone(5_000, channels: 2)
        var format = format, client = pcm(32, float, planar: true), made: ExtAudioFileRef?
        try #require(
            ExtAudioFileCreateWithURL(folder.url("w"), type, &format, nil, AudioFileFlags.eraseFile.rawValue, &made) == noErr)
        let file = try #require(made)
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == noErr)
        #expect(ExtAudioFileWriteAsync(file, 0, nil) == noErr)
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        tone.withPointers { planes in
            for start in stride(from: 0, to: 5_000, by: 1_250) {
                for channel in 0..<2 {
                    let part = UnsafeMutableBufferPointer(
                        start: UnsafeMutablePointer(mutating: planes[channel] + start), count: 1_250)
                    list[channel] = AudioBuffer(part, numberOfChannels: 1)
                }
                #expect(ExtAudioFileWrite(file, 1_250, list.unsafePointer) == noErr)
            }
        }
        #expect(ExtAudioFileWrite(file, 1_251, list.unsafePointer) == kAudio_ParamError)
        #expect(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client)
                == kExtAudioFileError_InvalidOperationOrder)
        #expect(ExtAudioFileDispose(file) == noErr)
        let read = try folder.read("w"),
            step = format.mFormatFlags & float != 0 ? 0 : Float(exp2(1 - Double(format.mBitsPerChannel)))
        let worst = zip(read.joined(), tone.joined()).map { abs($0 - $1) }.max() ?? 1
        #expect(read.map(\.count) == [5_000, 5_000] && worst <= step / 2 * 1.001, "\(worst)")
    }

    @Test func flacKeepsTwentyFourBits() throws {
        guard AudioFileFormat.Container.available.contains(.flac) else { return }
        let folder = try SoundFolder(), tone = SoundFolder.tone(6_000, channels: 1)
        var format = AudioStreamBasicDescription(), client = pcm(32, float, channels: 1), made: ExtAudioFileRef?
        (format.mSampleRate, format.mFormatID, format.mChannelsPerFrame) = (44_100, kAudioFormatFLAC, 1)
        format.mFormatFlags = kAppleLosslessFormatFlag_24BitSourceData
        #expect(ExtAudioFileCreateWithURL(folder.url("f.flac"), kAudioFileFLACType, &format, nil, 1, &made) == noErr)
        let file = try #require(made)
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == noErr)
        tone.withPointers { planes in
            let samples = UnsafeMutableBufferPointer(start: UnsafeMutablePointer(mutating: planes[0]), count: 6_000)
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(samples, numberOfChannels: 1))
            #expect(ExtAudioFileWrite(file, 6_000, &list) == noErr)
        }
        #expect(ExtAudioFileDispose(file) == noErr)
        #expect(try folder.read("f.flac") == tone)
    }

    /// Every encoder, read back through the library: as many frames, each near to the tone.
    @Test(
        arguments: [
            (kAudioFileWAVEType, kAudioFormatULaw, 0, Float(0.02)), (kAudioFileAIFCType, kAudioFormatALaw, 0, 0.02),
            (kAudioFileCAFType, kAudioFormatULaw, 0, 0.02), (kAudioFileNextType, kAudioFormatALaw, 0, 0.02),
            (kAudioFileAIFCType, kAudioFormatAppleIMA4, 0, 0.04), (kAudioFileCAFType, kAudioFormatAppleLossless, 1, 0x1p-16),
            (kAudioFileCAFType, kAudioFormatAppleLossless, 3, 0), (kAudioFileFLACType, kAudioFormatFLAC, 0, 0x1p-16),
            (oggFileType, kAudioFormatOpus, 0, 0.03), (oggFileType, vorbisFormat, 0, 0.03),
            (kAudioFileMP3Type, kAudioFormatMPEGLayer3, 0, 0.02),
        ] as [(AudioFileTypeID, AudioFormatID, UInt32, Float)])
    func encodersWrite(_ type: AudioFileTypeID, _ id: AudioFormatID, _ flags: UInt32, _ worst: Float) throws {
        var asked = type, size: UInt32 = 0, ids = [UInt32](repeating: 0, count: 20)
        AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableFormatIDs, 4, &asked, &size)
        AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableFormatIDs, 4, &asked, &size, &ids)
        guard ids.prefix(Int(size) / 4).contains(id) else { return }
        let folder = try SoundFolder(), channels = flags == 3 ? 1 : 2, tone = SoundFolder.tone(9_600, channels: channels)
        var format = AudioStreamBasicDescription(), made: ExtAudioFileRef?
        (format.mSampleRate, format.mFormatID, format.mChannelsPerFrame) = (48_000, id, UInt32(channels))
        format.mFormatFlags = flags
        var client = pcm(32, float, rate: 48_000, channels: UInt32(channels), planar: true)
        try #require(ExtAudioFileCreateWithURL(folder.url("e"), type, &format, nil, 1, &made) == noErr)
        let file = try #require(made)
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == noErr)
        let list = AudioBufferList.allocate(maximumBuffers: channels)
        defer { free(list.unsafeMutablePointer) }
        tone.withPointers { planes in
            for (channel, plane) in planes.enumerated() {
                let samples = UnsafeMutableBufferPointer(start: UnsafeMutablePointer(mutating: plane), count: 9_600)
                list[channel] = AudioBuffer(samples, numberOfChannels: 1)
            }
            #expect(ExtAudioFileWrite(file, 9_600, list.unsafePointer) == noErr)
        }
        var length: Int64 = 0
        size = 8
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length) == noErr && length == 9_600)
        #expect(ExtAudioFileDispose(file) == noErr)
        let reader = try open(folder.url("e"), client)
        defer { ExtAudioFileDispose(reader) }
        let back = try readAll(reader, channels: channels)
        size = 40
        #expect(ExtAudioFileGetProperty(reader, kExtAudioFileProperty_FileDataFormat, &size, &format) == noErr)
        #expect(format.mFormatID == id && back.allSatisfy { (9_600..<9_700).contains($0.count) }, "\(back.map(\.count))")
        let fault = zip(back, tone).map { zip($0, $1).dropFirst(1_000).dropLast(1_000).map { abs($0 - $1) }.max() ?? 1 }
        #expect(fault.allSatisfy { $0 <= worst }, "\(id.fourCharacters): \(fault)")
    }

    /// What the encoders would damage is refused.
    @Test func losslessSoundIsWrittenWhereItStaysSo() throws {
        let folder = try SoundFolder()
        for (id, flags, channels, type) in [
            (kAudioFormatAppleLossless, 4, 1, kAudioFileCAFType), (kAudioFormatAppleLossless, 3, 2, kAudioFileCAFType),
            (kAudioFormatAppleLossless, 1, 9, kAudioFileCAFType), (kAudioFormatFLAC, 4, 2, kAudioFileFLACType),
            (kAudioFormatAppleIMA4, 0, 2, kAudioFileCAFType),
        ] as [(AudioFormatID, UInt32, UInt32, AudioFileTypeID)] {
            var format = AudioStreamBasicDescription(), made: ExtAudioFileRef?
            (format.mSampleRate, format.mFormatID, format.mChannelsPerFrame) = (48_000, id, channels)
            format.mFormatFlags = flags
            let status = ExtAudioFileCreateWithURL(folder.url("n"), type, &format, nil, 1, &made)
            #expect(status == kAudioFileUnsupportedDataFormatError && made == nil, "\(id.fourCharacters) \(flags)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/n"))
    }

    @Test func theRateOfTheProgramIsNotTheFiles() throws {
        let folder = try SoundFolder()
        try folder.write("r.wav", .wav, .float32, frames: 44_100, channels: 1)
        let file = try open(folder.url("r.wav"), pcm(32, float, rate: 22_050, channels: 1))
        defer { ExtAudioFileDispose(file) }
        let half = try readAll(file, channels: 1)[0]
        #expect(abs(half.count - 22_050) <= 1)
        let worst = worstError(half, rate: 22_050, 500..<21_500)
        #expect(worst < 1e-4)
        var place: Int64 = 0
        #expect(ExtAudioFileTell(file, &place) == noErr && abs(place - 44_100) <= 2)
    }

    @Test func badArgumentsAreErrorCodes() throws {
        let folder = try SoundFolder()
        try folder.write("b.wav", .wav, .int16, frames: 100, channels: 2)
        let file = try open(folder.url("b.wav"), nil)
        var aac = AudioStreamBasicDescription(), number: UInt32 = 4, bytes = [UInt8](repeating: 0, count: 8)
        (aac.mSampleRate, aac.mFormatID, aac.mChannelsPerFrame) = (44_100, kAudioFormatMPEG4AAC, 2)
        #expect(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &aac)
                == kExtAudioFileError_NonPCMClientFormat)
        #expect(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 39, &aac)
                == kExtAudioFileError_InvalidPropertySize)
        #expect(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileLengthFrames, 8, bytes) == kExtAudioFileError_InvalidProperty)
        #expect(
            ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &number, &bytes)
                == kExtAudioFileError_InvalidPropertySize)
        #expect(ExtAudioFileSeek(file, 101) == kExtAudioFileError_InvalidSeek && ExtAudioFileSeek(file, 100) == noErr)
        var list = AudioBufferList()
        #expect(ExtAudioFileRead(file, &number, &list) == kAudio_ParamError && number == 0)
        #expect(ExtAudioFileWrite(file, 1, &list) == kAudioFilePermissionsError)
        #expect(ExtAudioFileDispose(file) == noErr)
        var made: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(folder.url("none"), &made) == kAudio_FileNotFoundError && made == nil)
        #expect(
            ExtAudioFileCreateWithURL(folder.url("c.m4a"), kAudioFileM4AType, &aac, nil, 1, &made)
                == kAudioFileUnsupportedFileTypeError)
        #expect(
            ExtAudioFileCreateWithURL(folder.url("c.caf"), kAudioFileCAFType, &aac, nil, 1, &made)
                == kAudioFileUnsupportedDataFormatError)
    }
}
