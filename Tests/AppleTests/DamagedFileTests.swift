import AudioToolbox
import Testing

@testable import AudioFiles

/// Files whose heads say what cannot be: an error code, or a sound that ends with the file.
@Suite struct DamagedFileTests {
    @Test(arguments: [
        ("d.wav", AudioFileFormat.Container.wav), ("d.aiff", .aiff), ("d.caf", .caf), ("d.au", .au), ("d.rf64", .rf64),
        ("d.flac", .flac),
    ])
    func headsAreNotBelieved(_ name: String, _ container: AudioFileFormat.Container) throws {
        guard AudioFileFormat.Container.available.contains(container) else { return }
        let folder = try SoundFolder(), url = URL(fileURLWithPath: folder.path + "/" + name)
        try folder.write(name, container, .int16, frames: 300, channels: 2)
        let whole = try Data(contentsOf: url)
        var state: UInt64 = 41, opened = 0, refused = 0
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0...next(3) { bytes[next(min(120, bytes.count))] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(next(256))][next(6)] }
            if next(4) == 0 { bytes = bytes.prefix(next(bytes.count)) }
            try bytes.write(to: url)
            var made: AudioFileID?
            guard AudioFileOpenURL(folder.url(name), .readPermission, 0, &made) == noErr, let file = made else {
                #expect(made == nil)
                refused += 1
                continue
            }
            opened += 1
            var buffer = [UInt8](repeating: 0, count: 4_096), packets: UInt32 = 64, size: UInt32 = 4_096
            AudioFileReadPacketData(file, false, &size, nil, Int64(next(400)), &packets, &buffer)
            #expect(size <= 4_096)
            for property in [
                kAudioFilePropertyAudioDataByteCount, kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyBitRate,
                kAudioFilePropertyEstimatedDuration,
            ] {
                size = 8
                #expect(AudioFileGetProperty(file, property, &size, &buffer) == noErr)
            }
            var extended: ExtAudioFileRef?
            if ExtAudioFileWrapAudioFileID(file, false, &extended) == noErr, let extended {
                var client = pcm(16, integer)
                ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, 40, &client)
                buffer.withUnsafeMutableBytes { buffer in
                    let part = AudioBuffer(mNumberChannels: 2, mDataByteSize: 4_096, mData: buffer.baseAddress)
                    var list = AudioBufferList(mNumberBuffers: 1, mBuffers: part), frames: UInt32 = 1_024
                    ExtAudioFileRead(extended, &frames, &list)
                    #expect(frames <= 1_024)
                }
                #expect(ExtAudioFileDispose(extended) == noErr)
            }
            #expect(AudioFileClose(file) == noErr)
        }
        #expect(opened > 20 && refused > 20, "\(opened) \(refused)")
    }
}
