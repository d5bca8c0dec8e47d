import Glibc
import MIDI
import Testing

@testable import Samplers

/// Where in the sample a voice reads: a ramp tells it frame by frame. Generators 0 to 4, 12, 45, 50 and 54, section 8.1.3
/// of the SoundFont Technical Specification 2.04.
@Suite struct OracleAddressTests {
    /// Frames that the filter holds a ramp back, found on the ramp itself.
    private static let delay = Result { 200 - (try Oracle.play(OracleSoundFont(Oracle.ramp), frames: 300).place(200)) }

    private func looped(_ generators: [(Int, Int)], mode: Int = 1, loop: Range<Int> = 1_000..<1_400) -> OracleSoundFont {
        var sample = Oracle.ramp
        sample.loop = loop
        return OracleSoundFont(sample, [(54, mode)] + generators)
    }

    /// Frames are those of the ramp in the middle of straight pieces: the filter rings where they leap.
    private func expect(_ sound: Oracle, _ age: Int, _ wanted: Double, at location: SourceLocation = #_sourceLocation) throws {
        let heard = sound.place(age) + (try Self.delay.get())
        #expect(abs(heard - wanted) < 0.05, "frame \(age): \(heard), not \(wanted)", sourceLocation: location)
    }

    @Test func theStartIsMovedFineAndCoarse() throws {
        try expect(try Oracle.play(looped([(0, 700)], mode: 0), frames: 400), 300, 1_000)
        try expect(try Oracle.play(looped([(4, 1), (0, -68)], mode: 0), frames: 400), 300, 33_000)
        // Nothing lies before the sample's first frame.
        try expect(try Oracle.play(looped([(0, -700)], mode: 0), frames: 400), 300, 300)
    }

    @Test func theEndIsMovedFineAndCoarse() throws {
        func last(_ generators: [(Int, Int)]) throws -> Int {
            var sample = OracleSoundFont.Sample(frames: [Double](repeating: Oracle.height, count: 40_000))
            sample.loop = 8..<16
            let sound = try Oracle.play(OracleSoundFont(sample, generators), frames: 41_000)
            return (0..<41_000).last { abs(sound.gain($0)) > 0.5 } ?? -1
        }
        // The filter takes a frame or two; the last frame is held for the interpolation.
        let cases = [([], 40_000), ([(1, -1_000)], 39_000), ([(12, -1), (1, 100)], 7_332), ([(1, 500)], 40_000)]
        for (generators, frames) in cases {
            let heard = try last(generators)
            #expect(abs(heard - frames) <= 3, "\(generators): \(heard)")
        }
    }

    @Test func nothingSoundsBehindTheEnd() throws {
        let sample = OracleSoundFont.Sample(frames: [Double](repeating: Oracle.height, count: 1_000))
        let sound = try Oracle.play(OracleSoundFont(sample), frames: 4_000)
        #expect(sound.gain(990) > 0.9)
        #expect(sound.left[(Oracle.start + 1_088)...].allSatisfy { $0 == 0 })
    }

    /// Place in a loop of a voice that reads frame by frame.
    private func place(_ age: Int, _ loop: Range<Int>) -> Double {
        Double(age < loop.upperBound ? age : loop.lowerBound + (age - loop.lowerBound) % loop.count)
    }

    @Test func loopsAreExactToTheFrame() throws {
        let cases: [([(Int, Int)], Range<Int>)] = [
            ([], 1_000..<1_400), ([(2, 100)], 1_100..<1_400), ([(3, -150)], 1_000..<1_250), ([(2, -500), (3, 77)], 500..<1_477),
            ([(50, 1), (45, 1), (0, 1_000), (4, 1)], 33_768..<34_168),
        ]
        for (generators, loop) in cases {
            let sound = try Oracle.play(looped(generators), frames: 6_000)
            let start = loop.lowerBound > 30_000 ? 33_768 : 0
            for age in stride(from: 300, to: 5_900, by: 171) {
                let wanted = place(start + age, loop)
                // Some frames behind a leap the filter still rings.
                if wanted - Double(loop.lowerBound) < 60 && start + age >= loop.upperBound { continue }
                try expect(sound, age, wanted)
            }
        }
    }

    @Test func whoBeginsBehindTheLoopBeginsWithIt() throws {
        try expect(try Oracle.play(looped([(0, 1_400)]), frames: 400), 300, 1_300)
        try expect(try Oracle.play(looped([(0, 1_399)]), frames: 400), 300, 1_299)
    }

    @Test func inMode2TheSampleBeginsWhenItsKeyGoesUp() throws {
        let sound = try Oracle.play(looped([(38, 6_000)], mode: 2), off: 3_000, frames: 6_000)
        #expect(sound.left[..<(Oracle.start + 2_990)].allSatisfy { $0 == 0 })
        // The release begins with a period of the voice.
        let away = 3_000 + (64 - 3_000 % 64) % 64
        // 3 dB a second of release: under 0.2 dB, of -30 000.
        #expect(abs(sound.place(5_000) - Double(5_000 - away)) < 700)
    }

    @Test func theThreeModesLoopNeverAlwaysAndUntilRelease() throws {
        for (mode, isLooping, isLoopingReleased) in [(0, false, false), (1, true, true), (3, true, false)] {
            let sound = try Oracle.play(looped([(38, 6_000)], mode: mode), off: 3_000, frames: 6_000)
            let before = isLooping ? place(2_900, 1_000..<1_400) : 2_900
            try expect(sound, 2_900, before)
            // 3 dB a second of release: under 0.2 dB, of -30 000.
            let after = sound.place(5_000)
            // The release begins with a period of the voice.
            let away = 3_000 + (64 - 3_000 % 64) % 64
            let wanted =
                isLoopingReleased
                ? place(5_000, 1_000..<1_400)
                : isLooping ? place(away, 1_000..<1_400) + Double(5_000 - away) : 5_000
            #expect(abs(after - wanted) < 700, "mode \(mode): \(after), not \(wanted)")
        }
    }

    /// A loop of two frames is a tone of half the rate: far below it, of known height.
    @Test func aLoopOfTwoFramesSounds() throws {
        var frames = [Double](repeating: 0, count: 200)
        for frame in 100..<200 { frames[frame] = frame % 2 == 0 ? 12_000 : -12_000 }
        let sample = OracleSoundFont.Sample(frames: frames, loop: 120..<122)
        let sound = try Oracle.play(OracleSoundFont(sample, [(54, 1), (51, -36)]), frames: 12_000)
        let part = sound.part(of: 3_000, 2_000..<12_000)
        let amplitude = 2 * sqrt(part.real * part.real + part.imaginary * part.imaginary)
        // The cubic between -1 and 1 lies within a tenth of a sine.
        #expect(abs(amplitude / (12_000.0 / 32_768 * Oracle.filterGain * Oracle.middle) - 1) < 0.12)
        // One of a single frame is none: the sample ends.
        let short = OracleSoundFont.Sample(frames: frames, loop: 120..<121)
        let ended = try Oracle.play(OracleSoundFont(short, [(54, 1)]), frames: 2_000)
        #expect(ended.left.suffix(1_500).allSatisfy { $0 == 0 })
    }

    /// Read so fast that a period spans more frames than are copied: one by one, and to the same places.
    @Test(arguments: [72, 84, 100]) func aPeriodMayLeapOverThousandsOfFrames(semitones: Int) throws {
        var sample = Oracle.ramp
        // A level for each half of the loop: where it reads, the mean tells.
        sample.frames = sample.frames.map { $0 < 0 ? -8_000 : 24_000 }
        sample.loop = 0..<60_000
        let font = OracleSoundFont(sample, [(54, 1), (51, semitones), (8, 4_500)])
        let sound = try Oracle.play(font, frames: 12_000)
        // Ten times around, or more.
        let values = (2_000..<11_375).map { sound.left[Oracle.start + $0] }
        let mean = values.reduce(0, +) / Double(values.count) / (Oracle.filterGain * Oracle.middle) * 32_768
        #expect(abs(mean - 8_000) < 200, "\(mean)")
        // Without a loop such a sample is over at once.
        let once = try Oracle.play(OracleSoundFont(sample, [(51, semitones)]), frames: 3_000)
        #expect(once.left.suffix(1_500).allSatisfy { $0 == 0 })
        #expect(once.left.contains { $0 != 0 })
    }

    @Test func twentyFourBitsCarryWhatSixteenCannot() throws {
        // A sine of half a step of 16 bits.
        let frames = (0..<4_000).map { 0.5 * sin(2 * .pi * Double($0) / 100) }
        let sample = OracleSoundFont.Sample(frames: frames, loop: 100..<3_900)
        var font = OracleSoundFont(sample, [(54, 1)])
        font.has24Bits = true
        let sound = try Oracle.play(font, frames: 12_000)
        let part = sound.part(of: 480, 2_000..<12_000)
        let amplitude = 2 * sqrt(part.real * part.real + part.imaginary * part.imaginary)
        #expect(abs(amplitude / (0.5 / 32_768 * Oracle.filterGain * Oracle.middle) - 1) < 0.01)
        // The third of its harmonics would tell of steps.
        let third = sound.part(of: 1_440, 2_000..<12_000)
        #expect(sqrt(third.real * third.real + third.imaginary * third.imaginary) < amplitude / 200)
    }
}
