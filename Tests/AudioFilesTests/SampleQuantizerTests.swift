import Testing

@testable import AudioFiles

@Suite struct SampleQuantizerTests {
    /// The error of 16-bit conversion in steps, for a constant input.
    private func errors(_ level: Float, frames: Int, first: Int64 = 0, channels: Int = 1) -> [[Double]] {
        var output = [Int16](repeating: 0, count: frames * channels)
        withPlanes(Array(repeating: Array(repeating: level, count: frames), count: channels)) { planes in
            planes.withUnsafeBufferPointer {
                _ = SampleQuantizer.quantize16($0, from: 0, frames: frames, firstFrame: first, to: &output)
            }
        }
        return (0..<channels).map { channel in
            (0..<frames).map { Double(output[$0 * channels + channel]) - Double(level) * 32768 }
        }
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    @Test(arguments: [0.0001, 0.25 / 32768, 0.5 / 32768, 0.9 / 32768, -0.7 / 32768, 0.3] as [Float])
    func `the error has mean zero and the power of triangular dither at any level`(level: Float) {
        let error = errors(level, frames: 200_000)[0]
        // Rounding and two uniform numbers: 3/12 of a step squared.
        let power = mean(error.map { $0 * $0 })
        #expect(abs(mean(error)) < 4 * 0.5 / 200_000.0.squareRoot())
        #expect(abs(power - 0.25) < 0.005)
        #expect(error.allSatisfy { abs($0) <= 1.5 })
    }

    @Test func `the noise of one sample says nothing about another`() {
        let count = 100_000
        let error = errors(100.5 / 32768, frames: count, channels: 2)
        let power = 0.25
        for lag in [1, 2, 3, 4, 7, 8, 16, 64, 256, 512, 4096, 5689, 11_378] {
            let products = (0..<(count - lag)).map { error[0][$0] * error[0][$0 + lag] }
            #expect(abs(mean(products) / power) < 5 / Double(count).squareRoot(), "lag \(lag)")
        }
        #expect(abs(mean(zip(error[0], error[1]).map { $0 * $1 }) / power) < 5 / Double(count).squareRoot())
    }

    @Test func `the noise is white`() {
        // Averaged periodograms at 32 frequencies, by Goertzel's recursion: relative deviation 1/sqrt(100) each.
        let error = errors(0.1, frames: 102_400)[0]
        for band in 1...32 {
            let w = 2 * cosine(Double(band) / 66)
            var sum = 0.0
            for part in 0..<100 {
                var a = 0.0, b = 0.0
                for i in 0..<1024 { (a, b) = (error[part * 1024 + i] + w * a - b, a) }
                sum += (a * a + b * b - w * a * b) / 1024
            }
            #expect(abs(sum / 100 / 0.25 - 1) < 0.5, "band \(band)")
        }
    }

    /// cos(pi * x) by its series, for x in 0...1.
    private func cosine(_ x: Double) -> Double {
        let y = 3.141592653589793 * x
        var term = 1.0, sum = 1.0
        for k in 1...16 {
            term *= -y * y / Double((2 * k - 1) * 2 * k)
            sum += term
        }
        return sum
    }

    @Test func `digital silence stays silent`() {
        #expect(errors(0, frames: 5000)[0].allSatisfy { $0 == 0 })
        #expect(errors(-0.0, frames: 5000)[0].allSatisfy { $0 == 0 })
    }

    @Test func `the noise belongs to the frame, whichever call converts it and however loud its neighbours are`() {
        var plane = (0..<3000).map { Float($0 % 7) / 32768 }
        let convert = { (plane: [Float], parts: [Int], channels: Int) -> [Int16] in
            var output = [Int16](repeating: 0, count: plane.count * channels)
            withPlanes(Array(repeating: plane, count: channels)) { planes in
                planes.withUnsafeBufferPointer { planes in
                    output.withUnsafeMutableBufferPointer { output in
                        var done = 0
                        for part in parts {
                            _ = SampleQuantizer.quantize16(
                                planes, from: done, frames: part, firstFrame: Int64(done),
                                to: output.baseAddress! + done * channels)
                            done += part
                        }
                    }
                }
            }
            return output
        }
        for channels in 1...3 {
            #expect(convert(plane, [3000], channels) == convert(plane, [1, 17, 982, 2000], channels))
        }
        let quiet = convert(plane, [3000], 2)
        plane[1000] = 3
        var loud = convert(plane, [3000], 2)
        #expect(loud[2000] == 32767 && loud[2001] == 32767)
        loud[2000] = quiet[2000]
        loud[2001] = quiet[2001]
        #expect(loud == quiet)
    }

    @Test func `24 bits are rounded to nearest`() {
        var output = [Int32](repeating: 0, count: 4)
        let input: [Float] = [0.5 / 8_388_608, 1.5 / 8_388_608, -0.75 / 8_388_608, 1]
        let clipped = withPlanes([input]) { planes in
            planes.withUnsafeBufferPointer { SampleQuantizer.quantize24($0, from: 0, frames: 4, to: &output) }
        }
        #expect(output.map { $0 >> 8 } == [0, 2, -1, 8_388_607])
        #expect(clipped == 0)
    }

    @Test func `two channels, eight frames at a time, give the bits of one sample after the other`() {
        let odd: [Float] = [0, -0.0, 1, -1, 1.5, -1.5, .nan, -.nan, .infinity, -.infinity, 0x1p-133, 32_766 / 32_768, 1e30, 0.3]
        var state: UInt32 = 1
        func next() -> Float {
            state = state &* 1_664_525 &+ 1_013_904_223
            return state >> 28 < 4 ? odd[Int(state >> 8) % odd.count] : Float(Int32(bitPattern: state)) / 2_147_483_648 * 1.1
        }
        for frames in Array(0...40) + [511, 512, 513, 1_500] {
            for isLoud in [false, true] {
                let planes = (0..<2).map { _ in (0..<frames).map { _ in isLoud ? next() : 0.9 * min(max(next(), -1), 1) } }
                let first = Int64(state) * 7
                var output = [Int16](repeating: 0, count: max(frames * 2, 1))
                withPlanes(planes) { planes in
                    planes.withUnsafeBufferPointer {
                        _ = SampleQuantizer.quantize16($0, from: 0, frames: frames, firstFrame: first, to: &output)
                    }
                }
                for frame in 0..<frames {
                    for channel in 0..<2 {
                        let index = UInt32(truncatingIfNeeded: first * 2 + Int64(frame * 2 + channel))
                        let word = SampleQuantizer.dithered(planes[channel][frame], index, isClamped: true)
                        #expect(output[frame * 2 + channel] == Int16(truncatingIfNeeded: word), "\(planes[channel][frame])")
                    }
                }
            }
        }
    }
}
