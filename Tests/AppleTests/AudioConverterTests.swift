import AudioToolbox
import Testing

@Suite struct AudioConverterTests {
    private func make(_ from: AudioStreamBasicDescription, _ to: AudioStreamBasicDescription) throws -> AudioConverterRef {
        var made: AudioConverterRef?
        var from = from, to = to
        try #require(AudioConverterNew(&from, &to, &made) == noErr)
        return try #require(made)
    }

    private func convert<From, To>(
        _ samples: [From], _ from: AudioStreamBasicDescription, _ to: AudioStreamBasicDescription, _ empty: To
    ) throws -> [To] {
        let converter = try make(from, to)
        defer { AudioConverterDispose(converter) }
        let bytes = UInt32(samples.count * MemoryLayout<From>.stride), frames = bytes / from.mBytesPerFrame
        var output = [To](repeating: empty, count: Int(frames * to.mBytesPerFrame) / MemoryLayout<To>.stride)
        var size = UInt32(output.count * MemoryLayout<To>.stride)
        let status = samples.withUnsafeBytes { samples in
            output.withUnsafeMutableBytes {
                AudioConverterConvertBuffer(converter, bytes, samples.baseAddress!, &size, $0.baseAddress!)
            }
        }
        #expect(status == noErr)
        return output
    }

    @Test func samplesKeepTheirValues() throws {
        let all = (-32_768...32_767).map { Int16($0) }
        let one = pcm(16, integer, channels: 1)
        let floats = try convert(all, one, pcm(32, float, channels: 1), Float(0))
        #expect(floats.first == -1 && floats[32_768] == 0 && floats.last == Float(32_767) / 32_768)
        #expect(try convert(floats, pcm(32, float, channels: 1), one, Int16(0)) == all)
        #expect(try convert(all, one, pcm(16, integer | big, channels: 1), Int16(0)) == all.map(\.byteSwapped))
        let words: [Int32] = [.min, -1, 0, 1, 0x1234_5678, .max], four = pcm(32, integer, channels: 1)
        #expect(try convert(words, four, four, Int32(0)) == words)
        #expect(
            try convert(words, four, pcm(64, float | big, channels: 1), UInt64(0)).map { Double(bitPattern: $0.byteSwapped) }
                == words.map { Double($0) / 2_147_483_648 })
        let three = try convert([Float(0.5), -1, 2], pcm(32, float, channels: 1), pcm(24, integer, channels: 1), UInt8(0))
        #expect(three == [0, 0, 0x40, 0, 0, 0x80, 0xFF, 0xFF, 0x7F])
        let unsigned = try convert([Float(0), -1, 1, .nan], pcm(32, float, channels: 1), pcm(8, 0, channels: 1), UInt8(1))
        #expect(unsigned == [128, 0, 255, 128])
    }

    /// Old units compute in 8.24: 1 is 2^24, and there is room above.
    @Test func fixedPointHasRoomAboveFullScale() throws {
        let fixed = pcm(32, integer | 24 << kLinearPCMFormatFlagsSampleFractionShift, channels: 1),
            floats = pcm(32, float, channels: 1)
        #expect(try convert([Float(1), -0.5, 100, 200], floats, fixed, Int32(0)) == [1 << 24, -(1 << 23), 100 << 24, .max])
        #expect(try convert([Int32(1 << 24), 3 << 24], fixed, floats, Float(0)) == [1, 3])
        var high = pcm(32, integer, channels: 1)
        (high.mBitsPerChannel, high.mFormatFlags) = (20, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh)
        #expect(try convert([Float(0.5), -1], floats, high, Int32(0)) == [0x4000_0000, .min])
    }

    @Test func channelsKeepTheirNumbersOrFollowTheMap() throws {
        let mono = pcm(16, integer, channels: 1), stereo = pcm(16, integer)
        #expect(try convert([Int16(5), 6], mono, stereo, Int16(0)) == [5, 5, 6, 6])
        #expect(try convert([Int16(5), 6, 7, 8], stereo, mono, Int16(0)) == [5, 7])
        #expect(try convert([Int16(5), 6], stereo, pcm(16, integer, channels: 3), Int16(9)) == [5, 6, 0])
        let converter = try make(stereo, stereo)
        defer { AudioConverterDispose(converter) }
        var map: [Int32] = [1, -1], size: UInt32 = 8, back: [Int32] = [9, 9]
        #expect(AudioConverterSetProperty(converter, kAudioConverterChannelMap, 8, map) == noErr)
        #expect(AudioConverterGetProperty(converter, kAudioConverterChannelMap, &size, &back) == noErr && back == map)
        var output = [Int16](repeating: 3, count: 2)
        size = 4
        #expect(AudioConverterConvertBuffer(converter, 4, [Int16(1), 2], &size, &output) == noErr && output == [2, 0])
        map = [0, 2]
        #expect(AudioConverterSetProperty(converter, kAudioConverterChannelMap, 8, map) == kAudio_ParamError)
        #expect(
            AudioConverterSetProperty(converter, kAudioConverterChannelMap, 4, map) == kAudioConverterErr_BadPropertySizeError)
    }

    /// What a callback gives: a tone in pieces of 100 frames.
    private final class Source {
        var samples: [Float]
        var place = 0
        var error = noErr
        init(_ samples: [Float]) { self.samples = samples }
    }

    private let give: AudioConverterComplexInputDataProc = { _, packets, list, _, userData in
        guard let userData else { return kAudio_ParamError }
        let source = Unmanaged<Source>.fromOpaque(userData).takeUnretainedValue()
        if source.error != noErr { return source.error }
        let count = min(100, Int(packets.pointee), source.samples.count - source.place)
        source.samples.withUnsafeMutableBufferPointer { samples in
            let part = UnsafeMutableBufferPointer(rebasing: samples[source.place..<source.place + count])
            UnsafeMutableAudioBufferListPointer(list)[0] = AudioBuffer(part, numberOfChannels: 1)
        }
        source.place += count
        packets.pointee = UInt32(count)
        return noErr
    }

    private func fill(_ converter: AudioConverterRef, _ source: Source, frames: UInt32) -> (OSStatus, [Float]) {
        var output = [Float](repeating: 0, count: Int(frames)), count = frames
        let status = output.withUnsafeMutableBufferPointer { output in
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(output, numberOfChannels: 1))
            return AudioConverterFillComplexBuffer(
                converter, give, Unmanaged.passUnretained(source).toOpaque(), &count, &list, nil)
        }
        return (status, Array(output.prefix(Int(count))))
    }

    @Test func aToneKeepsItsPitchAtAnotherRate() throws {
        let source = Source((0..<44_100).map { toneSample($0, rate: 44_100) })
        let converter = try make(pcm(32, float, channels: 1), pcm(32, float, rate: 48_000, channels: 1))
        defer { AudioConverterDispose(converter) }
        var all: [Float] = []
        while true {
            let (status, part) = fill(converter, source, frames: 1_000)
            #expect(status == noErr)
            if part.isEmpty { break }
            all += part
        }
        #expect(abs(all.count - 48_000) <= 1)
        let worst = worstError(all, rate: 48_000, 1_000..<47_000)
        #expect(worst < 1e-4)
        #expect(AudioConverterReset(converter) == noErr)
        source.place = 0
        #expect(fill(converter, source, frames: 10).1.count == 10)
    }

    @Test func errorsOfTheCallbackAndBadSizesComeBack() throws {
        let source = Source([Float](repeating: 0.25, count: 150))
        let converter = try make(pcm(32, float, channels: 1), pcm(32, float, channels: 1))
        let (first, part) = fill(converter, source, frames: 120)
        #expect(first == noErr && part == [Float](repeating: 0.25, count: 120))
        source.error = -1234
        #expect(fill(converter, source, frames: 120).0 == -1234)
        source.error = noErr
        #expect(fill(converter, source, frames: 120).1.isEmpty == false)
        var short = [Float](repeating: 0, count: 4), frames: UInt32 = 5
        short.withUnsafeMutableBufferPointer { short in
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(short, numberOfChannels: 1))
            let place = Unmanaged.passUnretained(source).toOpaque()
            #expect(
                AudioConverterFillComplexBuffer(converter, give, place, &frames, &list, nil)
                    == kAudioConverterErr_InvalidOutputSize)
            list.mNumberBuffers = 0
            frames = 2
            #expect(
                AudioConverterFillComplexBuffer(converter, give, place, &frames, &list, nil)
                    == kAudioConverterErr_InvalidOutputSize)
        }
        var size: UInt32 = 4
        #expect(AudioConverterConvertBuffer(converter, 7, short, &size, &short) == kAudioConverterErr_InvalidInputSize)
        #expect(AudioConverterConvertBuffer(converter, 8, [Float(1), 2], &size, &short) == kAudioConverterErr_InvalidOutputSize)
        #expect(AudioConverterGetProperty(converter, 0x6162_6364, &size, &short) == kAudioConverterErr_PropertyNotSupported)
        AudioConverterDispose(converter)
        #expect(AudioConverterReset(converter) == kAudio_ParamError)
        var made: AudioConverterRef?, odd = pcm(32, float, rate: 0), good = pcm(32, float)
        #expect(AudioConverterNew(&odd, &good, &made) == kAudioConverterErr_InputSampleRateOutOfRange && made == nil)
        odd.mFormatID = kAudioFormatMPEG4AAC
        #expect(AudioConverterNew(&good, &odd, &made) == kAudioConverterErr_FormatNotSupported)
        odd = pcm(32, float)
        odd.mChannelsPerFrame = .max
        #expect(AudioConverterNew(&odd, &good, &made) == kAudioConverterErr_FormatNotSupported)
    }

    @Test func sizesAreCalculatedForTheOtherSide() throws {
        let converter = try make(pcm(16, integer), pcm(32, float, rate: 88_200))
        defer { AudioConverterDispose(converter) }
        var size: UInt32 = 4, value: UInt32 = 400
        #expect(AudioConverterGetProperty(converter, kAudioConverterPropertyCalculateOutputBufferSize, &size, &value) == noErr)
        #expect(value == 1_600)
        #expect(AudioConverterGetProperty(converter, kAudioConverterPropertyCalculateInputBufferSize, &size, &value) == noErr)
        #expect(value == 400)
        #expect(
            AudioConverterGetProperty(converter, kAudioConverterPropertyMaximumOutputPacketSize, &size, &value) == noErr
                && value == 8)
        var info: UInt32 = 0, writable = DarwinBoolean(true)
        #expect(AudioConverterGetPropertyInfo(converter, kAudioConverterCurrentInputStreamDescription, &info, &writable) == noErr)
        #expect(info == 40 && !writable.boolValue)
    }
}
