import Glibc
import Testing

@testable import SampleRate

@Suite struct SampleRateConverterTests {
    static let pairs = [(44_100, 48_000), (48_000, 44_100), (22_050, 96_000), (96_000, 8_000)]

    /// A sine of full scale.
    static func sine(_ frequency: Double, rate: Int, frames: Int) -> [Float] {
        (0..<frames).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    @Test(arguments: pairs) func aSineKeepsItsPitchItsLevelAndItsPlace(_ from: Int, _ to: Int) throws {
        let frames = from / 2
        let made = try SampleRateConverter.convert([Self.sine(997, rate: from, frames: frames)], from: from, to: to)[0]
        let wanted = Self.sine(997, rate: to, frames: made.count)
        // The ends have no neighbours to be interpolated from.
        let edge = to / 50
        let worst = (edge..<made.count - edge).map { abs(made[$0] - wanted[$0]) }.max() ?? 1
        #expect(worst < 1e-4, "off by \(worst)")
    }

    @Test(arguments: pairs) func asManyFramesComeOutAsTheInputLasts(_ from: Int, _ to: Int) throws {
        for frames in [1, 100, 12_345] {
            let made = try SampleRateConverter.convert([[Float](repeating: 0.5, count: frames)], from: from, to: to)[0]
            #expect(abs(Double(made.count) - Double(frames) * Double(to) / Double(from)) <= 1)
        }
    }

    @Test func thePiecesInWhichItComesDoNotMatter() throws {
        let left = Self.sine(440, rate: 44_100, frames: 30_000), right = Self.sine(3_000, rate: 44_100, frames: 30_000)
        let whole = try SampleRateConverter.convert([left, right], from: 44_100, to: 48_000)
        for (piece, capacity) in [(1_000, 77), (313, 4_096)] {
            let converter = try SampleRateConverter(from: 44_100, to: 48_000, channels: 2)
            var made: [[Float]] = [[], []]
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity)
            defer { memory.deallocate() }
            func pull() throws {
                while true {
                    let count = try converter.pull([memory, memory + capacity], capacity: capacity)
                    if count == 0 { return }
                    for c in 0..<2 { made[c] += UnsafeBufferPointer(start: memory + c * capacity, count: count) }
                }
            }
            for start in stride(from: 0, to: 30_000, by: piece) {
                let end = min(start + piece, 30_000)
                try converter.push([Array(left[start..<end]), Array(right[start..<end])], frames: end - start)
                try pull()
            }
            converter.flush()
            try pull()
            #expect(made == whole)
        }
    }

    @Test func equalRatesPassFramesAsTheyAre() throws {
        let sound = Self.sine(440, rate: 48_000, frames: 5_000)
        #expect(try SampleRateConverter.convert([sound], from: 48_000, to: 48_000) == [sound])
    }

    @Test func aResetConverterIsANewOne() throws {
        let sound = Self.sine(440, rate: 44_100, frames: 10_000)
        let converter = try SampleRateConverter(from: 44_100, to: 48_000, channels: 1)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 20_000)
        defer { memory.deallocate() }
        var passes: [[Float]] = []
        for _ in 0..<2 {
            try converter.push([sound], frames: 10_000)
            converter.flush()
            let made = try converter.pull([memory], capacity: 20_000)
            passes.append(Array(UnsafeBufferPointer(start: memory, count: made)))
            try converter.startAgain()
        }
        #expect(passes[0] == passes[1])
        #expect(passes[0].count == 10_884)
    }

    @Test func soundOfOtherChannelsAndFramesIsRefused() throws {
        for channels in [0, -1, 1025] {
            #expect(throws: SampleRateError.channels(channels, wanted: 1...1024)) {
                try SampleRateConverter(from: 44_100, to: 48_000, channels: channels)
            }
        }
        for rate in [44_100, 48_000] {
            let converter = try SampleRateConverter(from: rate, to: 48_000, channels: 2)
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: 200)
            defer { memory.deallocate() }
            #expect(throws: SampleRateError.channels(1, wanted: 2...2)) { try converter.push([[0]], frames: 1) }
            #expect(throws: SampleRateError.frames(3, most: 2)) { try converter.push([[0, 0], [0, 0, 0]], frames: 3) }
            #expect(throws: SampleRateError.frames(-1, most: 2)) { try converter.push([[0, 0], [0, 0]], frames: -1) }
            #expect(throws: SampleRateError.channels(1, wanted: 2...2)) { try converter.pull([memory], capacity: 100) }
            #expect(throws: SampleRateError.frames(-1, most: .max)) {
                try converter.pull([memory, memory + 100], capacity: -1)
            }
            #expect(try converter.pull([memory, memory + 100], capacity: 100) == 0)
            try converter.push([[1, 1], [1, 1]], frames: 2)
            converter.flush()
            #expect(throws: SampleRateError.ended) { try converter.push([[0], [0]], frames: 1) }
            #expect(try converter.pull([memory, memory + 100], capacity: 100) > 1)
        }
        #expect(throws: SampleRateError.self) { try SampleRateConverter.convert([[1, 2], [1]], from: 44_100, to: 48_000) }
    }

    @Test(arguments: [(0, 48_000), (48_000, 0), (48_000, 2_000_000)]) func senselessRatesAreRefused(
        _ from: Int, _ to: Int
    ) {
        #expect(throws: SampleRateError.refused(from: from, to: to, reason: "out of range")) {
            _ = try SampleRateConverter(from: from, to: to, channels: 1)
        }
    }
}
