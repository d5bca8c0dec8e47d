import Glibc
import MIDI
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// How clean a sample is that is read between its frames: of a sine everything is known, so what is left of the sound when
/// the sine is taken away is what interpolation, loop and rounding have added.
@Suite struct InterpolationTests {
    /// The parameter's choices.
    private enum Choice: Float {
        case cubic = 2
        case seven, sinc16, sinc32
    }

    /// A sine at 48 kHz; where it loops, a whole number of its periods does.
    private static func font(_ hertz: Double, loop: Range<Int>? = nil, has24Bits: Bool = true) -> OracleSoundFont {
        let frames = (0..<(loop?.upperBound ?? 24_000)).map { 20_000 * sin(2 * .pi * hertz * Double($0) / 48_000) }
        var font = OracleSoundFont(.init(frames: frames, loop: loop ?? 8..<16), [(54, loop == nil ? 0 : 1)])
        font.has24Bits = has24Bits
        return font
    }

    private static func play(_ font: OracleSoundFont, semitones: Int, _ choice: Choice) throws -> Oracle {
        try Oracle.play(font, key: UInt8(60 + semitones), values: ["interpolation": choice.rawValue])
    }

    /// What is left beside the sine `hertz`, when the one that fits best, and a steady level, are taken away. Unit: decibels
    /// below that sine.
    private static func rest(_ sound: Oracle, beside hertz: Double) -> Double {
        let ages = 2_000..<9_000
        let turn = 2 * .pi * hertz / sound.rate
        let columns: [(Double) -> Double] = [{ cos(turn * $0) }, { sin(turn * $0) }, { _ in 1 }]
        // The normal equations, solved by elimination: the columns are nearly orthogonal.
        var rows = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 3)
        for age in ages {
            let values = columns.map { $0(Double(age)) } + [sound.left[Oracle.start + age]]
            for row in 0..<3 { for column in 0..<4 { rows[row][column] += values[row] * values[column] } }
        }
        for pivot in 0..<3 {
            for row in 0..<3 where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in 0..<4 { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        let fit = (0..<3).map { rows[$0][3] / rows[$0][$0] }
        var power = 0.0
        for age in ages {
            let wanted = (0..<3).reduce(0.0) { $0 + fit[$1] * columns[$1](Double(age)) }
            power += pow(sound.left[Oracle.start + age] - wanted, 2)
        }
        let sine = (fit[0] * fit[0] + fit[1] * fit[1]) / 2
        return 10 * log10(power / Double(ages.count) / sine)
    }

    private static func moved(_ hertz: Double, _ semitones: Int) -> Double { hertz * pow(2, Double(semitones) / 12) }

    /// Measured, moved by -7, 1 and 7 semitones: four points -50, -49, -49 dB; seven -57, -55, -56; 16 points
    /// -104, -99, -97; 32 points -105, -103, -100.
    @Test(arguments: [-7, 1, 7]) func fiveKilohertzStayASine(semitones: Int) throws {
        var rests: [Double] = []
        for choice in [Choice.cubic, .seven, .sinc16, .sinc32] {
            let sound = try Self.play(Self.font(5_000), semitones: semitones, choice)
            rests.append(Self.rest(sound, beside: Self.moved(5_000, semitones)))
        }
        #expect(rests[3] < -90, "32 points: \(rests[3]) dB")
        #expect(rests[2] < -90, "16 points: \(rests[2]) dB")
        #expect((-70 ... -40).contains(rests[1]), "7 points: \(rests[1]) dB")
        #expect((-70 ... -40).contains(rests[0]), "4 points: \(rests[0]) dB")
    }

    /// The rest of 16 bits' own rounding lies at -94 dB.
    @Test(arguments: [-7, 1, 7]) func samplesOfSixteenBitsAreAsCleanAsTheyAre(semitones: Int) throws {
        let sound = try Self.play(Self.font(5_000, has24Bits: false), semitones: semitones, .sinc32)
        let rest = Self.rest(sound, beside: Self.moved(5_000, semitones))
        #expect(rest < -90, "\(rest) dB")
    }

    /// What half the output's rate cannot hold is taken away by 32 points, and lowered by 16, where a cubic brings it back as
    /// another tone: 0 to -3 dB, -33 to -57, -93.
    @Test(arguments: [(21_500.0, 7), (18_500, 12), (15_500, 19)]) func whatIsTooHighIsGone(hertz: Double, semitones: Int) throws {
        func level(_ choice: Choice) throws -> Double {
            let sound = try Self.play(Self.font(hertz), semitones: semitones, choice)
            let frames = sound.left[Oracle.start + 1_000..<Oracle.start + 7_000]
            let whole = 20_000.0 / 32_768 * Oracle.middle * Oracle.filterGain / 2.0.squareRoot()
            return 20 * log10(sqrt(frames.reduce(0) { $0 + $1 * $1 } / Double(frames.count)) / whole)
        }
        let levels = try [level(.cubic), level(.sinc16), level(.sinc32)]
        #expect(levels[2] < -90 && levels[1] < -30 && levels[0] > -10, "\(levels)")
    }

    /// One period of twelve frames is shorter than the points beside a position; 480 are many times as long.
    @Test(arguments: [12, 48, 480], [-7, 0, 7]) func aLoopedSineStaysASine(length: Int, semitones: Int) throws {
        let font = Self.font(4_000, loop: 96..<96 + length)
        for choice in [Choice.sinc16, .sinc32] {
            let sound = try Self.play(font, semitones: semitones, choice)
            let rest = Self.rest(sound, beside: Self.moved(4_000, semitones))
            #expect(rest < -90, "\(choice): \(rest) dB")
        }
    }

    /// A sample that is played at once from its first frame begins there, and does not end before its last.
    @Test func itBeginsAndEndsWhereTheSampleDoes() throws {
        let click = Oracle.clicks(400, first: 20)
        var places: [Int] = []
        for choice in [Choice.cubic, .sinc16, .sinc32] {
            let sound = try Self.play(OracleSoundFont(click, [(54, 0)]), semitones: 0, choice)
            places.append(sound.left.indices.max { abs(sound.left[$0]) < abs(sound.left[$1]) } ?? 0)
            #expect(sound.left[(Oracle.start + 600)...].allSatisfy { abs($0) < 1e-3 })
        }
        #expect(places[1] == places[0] && places[2] == places[0])
    }

    /// Any block, any number of threads.
    @Test(arguments: [Choice.sinc16, .sinc32].map(\.rawValue)) func nothingDependsOnBlocksAndThreads(choice: Float) throws {
        let events = try SamplerRig.timeline(SamplerRig.songs + "/glass-bridge.mid").filter { $0.time.rawValue < 48_000 * 2 }
        func play(block: Int, threads: Int) throws -> [[Float]] {
            let rig = try SamplerRig("embedded", values: ["interpolation": choice, "shares": 2], threads: threads)
            let sound = rig.play(events, frames: 48_000 * 2, block: block)
            #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
            return sound
        }
        let whole = try play(block: 512, threads: 1)
        #expect(whole[0].contains { abs($0) > 0.01 })
        for (block, threads) in [(64, 1), (7, 1), (1_000, 2), (512, 4)] {
            #expect(try play(block: block, threads: threads) == whole, "blocks of \(block), \(threads) threads")
        }
    }
}
