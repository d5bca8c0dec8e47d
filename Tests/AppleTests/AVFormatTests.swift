import AVFoundation
import Testing

@Suite struct AVFormatTests {
    @Test func formatsAreDescriptions() throws {
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        #expect(standard.isStandard && !standard.isInterleaved && standard.commonFormat == .pcmFormatFloat32)
        #expect(standard.streamDescription.pointee.mBytesPerFrame == 4 && standard.channelCount == 2)
        let int16 = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 2, interleaved: true))
        #expect(int16.streamDescription.pointee.mBytesPerFrame == 4 && int16.isInterleaved && !int16.isStandard)
        #expect(AVAudioFormat(settings: int16.settings) == int16 && int16 != standard)
        let one: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true, AVLinearPCMIsNonInterleaved: true,
        ]
        let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        #expect(AVAudioFormat(settings: one) == mono)
        // More than two channels need a layout.
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6) == nil)
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let surround = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        #expect(surround.channelCount == 6 && AVAudioFormat(settings: surround.settings) == surround)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 1) == nil)
        let wild: [String: Any] = [AVFormatIDKey: -1, AVSampleRateKey: Double.infinity, AVNumberOfChannelsKey: Double.nan]
        #expect(AVAudioFormat(settings: wild) == nil)
    }

    /// As programs written for autorelease pools do.
    @Test func descriptionsOutliveTheirFormats() throws {
        func place() throws -> UnsafePointer<AudioStreamBasicDescription> {
            try #require(AVAudioFormat(standardFormatWithSampleRate: 12_345, channels: 2)).streamDescription
        }
        func layout() throws -> UnsafePointer<AudioChannelLayout> {
            try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A)).layout
        }
        #expect(try place().pointee.mSampleRate == 12_345 && place() == place())
        #expect(try layout().pointee.mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A && layout() == layout())
    }

    @Test func buffersShowTheirFrames() throws {
        let planar = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: planar, frameCapacity: 100))
        buffer.frameLength = 60
        let shown = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList))
        let room = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        #expect(shown.map(\.mDataByteSize) == [240, 240] && room.map(\.mDataByteSize) == [400, 400])
        let channels = try #require(buffer.floatChannelData)
        channels[1][59] = 0.5
        #expect(UnsafeMutableBufferPointer<Float>(room[1])[59] == 0.5 && buffer.stride == 1 && buffer.int16ChannelData == nil)
        let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
        channels[1][59] = 0
        #expect(copy.floatChannelData?[1][59] == 0.5 && copy.frameLength == 60)
        buffer.frameLength = 101
        #expect(buffer.frameLength == 60)

        let pairs = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 2, interleaved: true))
        let packed = try #require(AVAudioPCMBuffer(pcmFormat: pairs, frameCapacity: 4))
        let left = try #require(packed.int16ChannelData)
        #expect(packed.stride == 2 && left[1] - left[0] == 1)

        var freed = 0
        do {
            var samples: [Float] = [1, 2, 3, 4]
            try samples.withUnsafeMutableBufferPointer { memory in
                var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(memory, numberOfChannels: 1))
                let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
                let view = AVAudioPCMBuffer(pcmFormat: mono, bufferListNoCopy: &list) { _ in freed += 1 }
                #expect(view?.frameLength == 4 && view?.floatChannelData?[0][3] == 4)
                #expect(AVAudioPCMBuffer(pcmFormat: planar, bufferListNoCopy: &list) == nil)
            }
        }
        #expect(freed == 1)
    }

    @Test func timesExtrapolate() throws {
        let anchor = AVAudioTime(hostTime: 5_000_000_000, sampleTime: 48_000, atRate: 48_000)
        let later = try #require(AVAudioTime(sampleTime: 72_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(later.hostTime == 5_500_000_000)
        let host = try #require(AVAudioTime(hostTime: 6_000_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(host.sampleTime == 96_000 && host.sampleRate == 48_000)
        #expect(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 2)) == nil)
        #expect(AVAudioTime.seconds(forHostTime: AVAudioTime.hostTime(forSeconds: 2.5)) == 2.5)
        var stamp = later.audioTimeStamp
        #expect(
            stamp.mFlags == .sampleHostTimeValid && AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000).sampleTime == 72_000)
    }

    @Test func filesComeBackAsTheyWereWritten() throws {
        let folder = try SoundFolder(), tone = SoundFolder.tone(10_000, channels: 2)
        for name in ["a.wav", "a.aif", "a.caf"] {
            let url = folder.url(name) as URL
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 2,
                AVLinearPCMBitDepthKey: 24,
            ]
            let writer = try AVAudioFile(forWriting: url, settings: settings)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: writer.processingFormat, frameCapacity: 10_000))
            buffer.frameLength = 10_000
            for (channel, samples) in tone.enumerated() {
                buffer.floatChannelData?[channel].update(from: samples, count: samples.count)
            }
            try writer.write(from: buffer)
            #expect(writer.length == 10_000)
            writer.close()
            #expect(throws: NSError.self) { try writer.write(from: buffer) }
            #expect(try folder.read(name) == tone)

            let reader = try AVAudioFile(forReading: url)
            #expect(reader.length == 10_000 && reader.fileFormat.streamDescription.pointee.mBitsPerChannel == 24)
            reader.framePosition = 9_000
            let rest = try #require(AVAudioPCMBuffer(pcmFormat: reader.processingFormat, frameCapacity: 4_096))
            try reader.read(into: rest)
            #expect(
                rest.frameLength == 1_000 && rest.floatChannelData?[1][999] == tone[1][9_999] && reader.framePosition == 10_000)
            try reader.read(into: rest, frameCount: 10)
            #expect(rest.frameLength == 0)
        }
        #expect(throws: NSError.self) { try AVAudioFile(forReading: folder.url("none.wav") as URL) }
        let aac: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]
        do {
            _ = try AVAudioFile(forWriting: folder.url("a.m4a") as URL, settings: aac)
            Issue.record("no encoder is known")
        } catch let error as NSError { #expect(error.domain == NSOSStatusErrorDomain && error.code != 0) }
    }

    @Test(arguments: [
        ("a.aifc", kAudioFormatAppleIMA4), ("a.caf", kAudioFormatAppleLossless), ("a.wav", kAudioFormatULaw),
        ("a.flac", kAudioFormatFLAC), ("a.flac", kAudioFormatLinearPCM), ("a.opus", kAudioFormatOpus),
        ("a.mp3", kAudioFormatMPEGLayer3),
    ])
    func settingsChooseTheEncoder(_ name: String, _ id: AudioFormatID) throws {
        let folder = try SoundFolder(), url = folder.url(name) as URL
        let settings: [String: Any] = [
            AVFormatIDKey: id, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1, AVEncoderBitDepthHintKey: 16,
        ]
        let writer = try AVAudioFile(forWriting: url, settings: settings)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: writer.processingFormat, frameCapacity: 9_600))
        buffer.frameLength = 9_600
        for frame in 0..<9_600 { buffer.floatChannelData?[0][frame] = toneSample(frame, rate: 48_000) }
        try writer.write(from: buffer)
        writer.close()
        let reader = try AVAudioFile(forReading: url)
        #expect(reader.length >= 9_600 && reader.length < 9_700)
        #expect(reader.fileFormat.streamDescription.pointee.mFormatID == (name == "a.flac" ? kAudioFormatFLAC : id))
        let back = try #require(AVAudioPCMBuffer(pcmFormat: reader.processingFormat, frameCapacity: 9_600))
        try reader.read(into: back)
        let samples = Array(UnsafeBufferPointer(start: back.floatChannelData?[0], count: Int(back.frameLength)))
        #expect(worstError(samples, rate: 48_000, 1_000..<8_000) < 0.04)
    }

    @Test func convertersAnswerTheirInput() throws {
        let float = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let int = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true))
        let source = try #require(AVAudioPCMBuffer(pcmFormat: float, frameCapacity: 100))
        source.frameLength = 100
        for frame in 0..<100 { source.floatChannelData?[0][frame] = Float(frame) / 128 }
        let target = try #require(AVAudioPCMBuffer(pcmFormat: int, frameCapacity: 100))
        let converter = try #require(AVAudioConverter(from: float, to: int))
        try converter.convert(to: target, from: source)
        let samples = UnsafeBufferPointer(start: target.int16ChannelData?[0], count: 200)
        #expect(target.frameLength == 100)
        for frame in 0..<100 { #expect(samples[2 * frame] == frame * 256 && samples[2 * frame + 1] == frame * 256) }

        converter.channelMap = [-1, 0]
        try converter.convert(to: target, from: source)
        #expect((0..<100).allSatisfy { samples[2 * $0] == 0 && samples[2 * $0 + 1] == $0 * 256 })

        // A rate: as many frames as the ratio says, to the end; without input, as many as there are.
        let high = try #require(AVAudioFormat(standardFormatWithSampleRate: 88_200, channels: 1))
        let resampler = try #require(AVAudioConverter(from: float, to: high))
        let room = try #require(AVAudioPCMBuffer(pcmFormat: high, frameCapacity: 64))
        var left = 3, total = 0
        while true {
            var fault: NSError?
            let status = resampler.convert(to: room, error: &fault) { _, state in
                state.pointee = left > 0 ? .haveData : .endOfStream
                left -= 1
                return left >= 0 ? source : nil
            }
            #expect(fault == nil)
            if status == .endOfStream { break }
            #expect(status == .haveData)
            total += Int(room.frameLength)
        }
        #expect(total == 600)
        resampler.reset()
        let status = resampler.convert(to: room, error: nil) { _, state in
            state.pointee = .noDataNow
            return nil
        }
        #expect(status == .inputRanDry && room.frameLength == 0)
    }
}
