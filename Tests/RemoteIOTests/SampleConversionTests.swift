import RealtimeCore
import Testing

@testable import RemoteIO

@Suite struct SampleConversionTests {
    /// Converts one channel of samples and reads the bytes.
    private func bytes(_ samples: [Float], _ format: SampleFormat) -> (bytes: [UInt8], clipped: Int) {
        convert([samples], map: [0], format)
    }

    private func convert(_ channels: [[Float]], map: [Int32], _ format: SampleFormat) -> (bytes: [UInt8], clipped: Int) {
        let frames = channels[0].count
        let buffer = AudioBuffer(channels: channels.count, capacity: max(frames, 1))
        for (c, channel) in channels.enumerated() { for (i, x) in channel.enumerated() { buffer.channels[c][i] = x } }
        var bytes = [UInt8](repeating: 0xAA, count: frames * map.count * format.bytes + 8)
        let clipped = bytes.withUnsafeMutableBytes { raw in
            SampleConversion.write(
                buffer.channels, map: map, channels: map.count, frames: frames, format: format, to: raw.baseAddress!)
        }
        #expect(bytes.suffix(8).allSatisfy { $0 == 0xAA }, "wrote beyond the end")
        return (bytes.dropLast(8), clipped)
    }

    @Test func fullScaleAndSilenceAreTheEndsOfEachFormat() {
        let samples: [Float] = [0, -1, 1, -0.5, 0.5]
        #expect(bytes(samples, .int16).bytes == [0, 0, 0, 0x80, 0xFF, 0x7F, 0, 0xC0, 0, 0x40])
        #expect(bytes(samples, .int24Packed).bytes == [0, 0, 0, 0, 0, 0x80, 0xFF, 0xFF, 0x7F, 0, 0, 0xC0, 0, 0, 0x40])
        #expect(
            bytes(samples, .int24).bytes == [
                0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0xC0, 0xFF, 0, 0, 0x40, 0,
            ])
        #expect(
            bytes(samples, .int32).bytes == [
                0, 0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0xC0, 0, 0, 0, 0x40,
            ])
        #expect(bytes([1, -0.5], .float32).bytes == [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF])
    }

    @Test(arguments: SampleFormat.allCases) func whatIsBeyondFullScaleIsClampedAndCounted(_ format: SampleFormat) {
        let loud = bytes([1.0001, -1.0001, 2, -.infinity, .infinity, 1, -1, 0.999], format)
        #expect(loud.clipped == 5)
        let size = format.bytes
        func sample(_ index: Int) -> ArraySlice<UInt8> { loud.bytes[(index * size)..<((index + 1) * size)] }
        for (clamped, end) in [(0, 5), (1, 6), (2, 5), (3, 6), (4, 5)] {
            #expect(Array(sample(clamped)) == Array(sample(end)))
        }
    }

    @Test(arguments: SampleFormat.allCases) func whatIsNotANumberIsSilence(_ format: SampleFormat) {
        let result = bytes([.nan], format)
        #expect(result.bytes.allSatisfy { $0 == 0 } && result.clipped == 0)
    }

    @Test(arguments: SampleFormat.allCases) func thereAndBackIsWithinHalfAStep(_ format: SampleFormat) {
        let bits = [SampleFormat.int16: 15, .int24: 23, .int24Packed: 23, .int32: 24, .float32: 24][format] ?? 0
        let step = 1 / Float(1 << bits)
        let samples = (0..<1000).map { Float(($0 * 7919) % 2000 - 1000) / 1001 }
        let map: [Int32] = [0, 1, -1]
        let other = samples.map { -$0 / 3 }
        let written = convert([samples, other], map: map, format).bytes
        let back = AudioBuffer(channels: 3, capacity: 1000)
        written.withUnsafeBytes {
            SampleConversion.read($0.baseAddress!, channels: 3, frames: 1000, format: format, to: back.channels)
        }
        for i in 0..<1000 {
            #expect(abs(back.channels[0][i] - samples[i]) <= step / 2)
            #expect(abs(back.channels[1][i] - other[i]) <= step / 2)
            #expect(back.channels[2][i] == 0)
        }
    }

    @Test func theMapSaysWhichSpeakerPlaysWhat() {
        let swapped = convert([[0.25], [-0.25]], map: [1, 0, -1, 1], .int16).bytes
        #expect(swapped == [0, 0xE0, 0, 0x20, 0, 0, 0, 0xE0])
    }
}
