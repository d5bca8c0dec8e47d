import Convolution
import DSP
import Testing

@Suite struct PartitionedConvolutionTests {
    /// White noise, the same in every run.
    private func noise(_ count: Int, _ seed: UInt64) -> [Float] {
        let noise = CounterNoise(seed: seed)
        return (0..<count).map { Float(noise.pair(at: Int64($0)).left) }
    }

    /// What comes out on both sides; `cuts` are the lengths of the runs, over and over, cut again at multiples of 64.
    private static func play(
        _ responses: [[Float]], _ left: [Float], _ right: [Float], cuts: [Int] = [64], from start: Int = 0
    ) -> [[Float]] {
        var convolution = PartitionedConvolution(responses: responses)
        var toLeft = left, toRight = right, done = 0, turn = 0, room = 0
        while done < left.count {
            if room == 0 { (room, turn) = (cuts[turn % cuts.count], turn + 1) }
            let position = start + done, count = min(room, left.count - done, 64 - position % 64)
            toLeft.withUnsafeMutableBufferPointer { toLeft in
                toRight.withUnsafeMutableBufferPointer { toRight in
                    left.withUnsafeBufferPointer { left in
                        right.withUnsafeBufferPointer { right in
                            convolution.process(
                                left.baseAddress! + done, right.baseAddress! + done, toLeft.baseAddress! + done,
                                toRight.baseAddress! + done, count, at: position)
                        }
                    }
                }
            }
            done += count
            room -= count
        }
        return [toLeft, toRight]
    }

    /// The sum of the definition, at frame `n`.
    private static func direct(_ sound: [Float], _ response: [Float], at n: Int) -> Double {
        var sum = 0.0
        for k in max(0, n - response.count + 1)...n { sum += Double(sound[k]) * Double(response[n - k]) }
        return sum
    }

    /// Decibels of the difference to the definition against what that gives, at a hundred frames.
    private static func error(_ heard: [Float], _ wanted: (Int) -> Double) -> Double {
        var wrong = 0.0, right = 0.0
        for n in stride(from: 7, to: heard.count, by: heard.count / 100) {
            let sum = wanted(n)
            wrong += (Double(heard[n]) - sum) * (Double(heard[n]) - sum)
            right += sum * sum
        }
        return 10 * DeterministicMath.log2(max(wrong / right, 1e-30)) / DeterministicMath.log2(10)
    }

    @Test(arguments: [1, 63, 64, 65, 1_000, 1_024, 1_025, 8_192, 8_193, 30_011])
    func itIsTheSumOfTheDefinition(length: Int) {
        let left = noise(20_000, 1), right = noise(20_000, 2), responses = [noise(length, 3), noise(length, 4)]
        let heard = Self.play(responses, left, right)
        for (side, sound) in [left, right].enumerated() {
            let error = Self.error(heard[side]) { Self.direct(sound, responses[side], at: $0) }
            #expect(error < -120, "side \(side): \(error) dB")
        }
        // One response serves both sides.
        #expect(Self.play([responses[0]], left, left)[1] == heard[0])
    }

    @Test func fourResponsesAreEveryWayFromASideToASide() {
        let left = noise(12_000, 5), right = noise(12_000, 6), responses = (7..<11).map { noise(10_000, $0) }
        let heard = Self.play(responses, left, right)
        for side in 0..<2 {
            let error = Self.error(heard[side]) {
                Self.direct(left, responses[side], at: $0) + Self.direct(right, responses[2 + side], at: $0)
            }
            #expect(error < -120, "side \(side): \(error) dB")
        }
    }

    @Test(arguments: [0, 1, 63, 64, 511, 1_023, 1_024, 1_535, 8_191, 8_192, 12_287, 12_288, 20_000])
    func aClickComesOutWhereTheResponseHasOne(frame: Int) {
        var response = [Float](repeating: 0, count: 20_001), click = [Float](repeating: 0, count: 26_000)
        response[frame] = 1
        click[333] = 1
        let heard = Self.play([response], click, click, from: 21)[0]
        for n in heard.indices where n != 333 + frame { #expect(abs(heard[n]) < 1e-6, "frame \(n): \(heard[n])") }
        #expect(abs(heard[333 + frame] - 1) < 1e-6)
    }

    @Test func whereRunsAreCutDoesNotMatter() {
        let left = noise(15_000, 11), right = noise(15_000, 12), responses = [noise(13_000, 13), noise(13_000, 14)]
        let whole = Self.play(responses, left, right, cuts: [64], from: 40)
        for cuts in [[1], [7, 57], [64, 1, 30], [4_096]] {
            #expect(Self.play(responses, left, right, cuts: cuts, from: 40) == whole, "\(cuts)")
        }
    }

    @Test func aClearedOneIsANewOne() {
        let response = noise(9_000, 21), sound = noise(10_000, 22)
        var convolution = PartitionedConvolution(responses: [response])
        func play() -> [Float] {
            var heard = [Float](repeating: 0, count: 9_984), other = heard
            for n in stride(from: 0, to: heard.count, by: 64) {
                heard.withUnsafeMutableBufferPointer { heard in
                    other.withUnsafeMutableBufferPointer { other in
                        sound.withUnsafeBufferPointer { sound in
                            let from = sound.baseAddress! + n
                            convolution.process(from, from, heard.baseAddress! + n, other.baseAddress! + n, 64, at: n)
                        }
                    }
                }
            }
            return heard
        }
        let first = play()
        convolution.clear()
        #expect(play() == first)
    }
}
