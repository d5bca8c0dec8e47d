import CarillonTestKit
import Glibc
import RealtimeCore
import Testing
import UnitAPI
import Units

@Suite struct AutoWahTests {
    /// How loud a weak tone beside a loud hum comes out, which opens the filter. Unit: decibels.
    private func gain(_ tone: Double, hum: Float, _ values: [String: Float]) throws -> Double {
        let frames = 96_000
        let probe = sine(tone, amplitude: 0.001, frames: frames), loud = sine(20, amplitude: Double(hum), frames: frames)
        let sound = zip(probe, loud).map { $0 + $1 }
        let heard = try play(AutoWah.self, left: sound, right: sound, values: values).recording[0].suffix(48_000)
        return decibels(max(amplitude(heard, at: tone), 1e-9) / 0.001)
    }

    /// Where a narrow filter stands: the loudest of tones a twelfth of an octave apart. Unit: hertz.
    private func peak(hum: Float, _ values: [String: Float]) throws -> Double {
        let tones = (0...60).map { 200 * pow(2, Double($0) / 12) }
        return try tones.map { ($0, try gain($0, hum: hum, values)) }.max { $0.1 < $1.1 }!.0
    }

    /// The follower holds the hum's crests: fast up, slowly down.
    private static let narrow: [String: Float] = [
        "type": 1, "manual": 400, "resonance": 12, "attack": 0.001, "release": 2, "sensitivity": 0, "range": 3,
    ]

    @Test(arguments: [(0.0, 400), (0.25, 673), (0.5, 1_131), (1, 3_200)] as [(Float, Double)])
    func theFilterStandsAsManyOctavesUpAsTheSoundIsLoud(hum: Float, wanted: Double) throws {
        let found = try peak(hum: hum, Self.narrow)
        // The follower stays a few hundredths below the crests.
        #expect(abs(log2(found / wanted)) < 0.17, "\(found) Hz, not \(wanted)")
    }

    @Test func sensitivityIsGainBeforeTheFollowerAndNoMoreThanTheRangeIsReached() throws {
        let values = Self.narrow.merging(["sensitivity": 12.04]) { $1 }
        #expect(abs(log2(try peak(hum: 0.125, values) / 1_131)) < 0.17)
        #expect(abs(log2(try peak(hum: 1, values) / 3_200)) < 0.1)
    }

    @Test func aRangeBelowZeroClosesTheFilter() throws {
        let values = Self.narrow.merging(["range": -1, "manual": 2_000]) { $1 }
        #expect(abs(log2(try peak(hum: 1, values) / 1_000)) < 0.1)
    }

    @Test func theSwingMovesTheFilterBySampleTime() throws {
        // A tone at the upper end of a swing is loudest at a quarter of each period.
        let tone = sine(800, amplitude: 0.1, frames: 144_000)
        let values: [String: Float] = [
            "type": 1, "manual": 400, "resonance": 12, "range": 0, "rate": 1, "depth": 1,
        ]
        let heard = try play(AutoWah.self, left: tone, right: tone, values: values).recording[0]
        for period in 1...2 {
            func level(_ part: Double) -> Double {
                let middle = Int((Double(period) + part) * 48_000)
                return decibels(amplitude(heard[(middle - 600)..<(middle + 600)], at: 800) / 0.1)
            }
            #expect(level(0.25) > -0.5, "\(level(0.25))")
            #expect(level(0.75) < -20 && level(0) < -10)
        }
    }

    @Test func attackAndReleaseTakeTheirTime() throws {
        // Two thirds of the way down in the release: the peak passes a tone on its way from 3200 to 400 Hz.
        let loud = [Float](repeating: 1, count: 48_000) + [Float](repeating: 0, count: 48_000)
        let probe = sine(850, amplitude: 0.001, frames: 96_000)
        let sound = zip(loud, probe).map { $0 + $1 }
        let values = Self.narrow.merging(["release": 0.2, "attack": 0.05, "resonance": 20]) { $1 }
        let heard = try play(AutoWah.self, left: sound, right: sound, values: values).recording[0]
        let window = 480
        func loudest(_ range: Range<Int>) -> Double {
            let places = stride(from: range.lowerBound, to: range.upperBound, by: window)
            let best = places.max { a, b in
                amplitude(heard[a..<(a + window)], at: 850) < amplitude(heard[b..<(b + window)], at: 850)
            }!
            return Double(best + window / 2 - range.lowerBound) / 48_000
        }
        // 850 Hz is 1.087 octaves up: a level of 0.3625 of 1, after release * ln(1 / 0.3625) and attack * ln(1 / 0.6375).
        let down = loudest(48_000..<95_000)
        #expect(abs(down - 0.2 * log(1 / 0.3625)) < 0.03, "\(down) s")
    }

    @Test func silenceStaysSilentAndItFallsAsleep() throws {
        let rig = try play(AutoWah.self, left: [1, 0.5], right: [1, 0.5], frames: 192_000)
        #expect(isAsleep(rig))
        let still = try play(AutoWah.self, left: [0], right: [0], frames: 4_800)
        #expect(still.recording[0].allSatisfy { $0 == 0 } && isAsleep(still))
    }

    @Test(arguments: [1, 7, 64, 100, 1_024], [0, 1, 2] as [Float]) func blockSizesDoNotMatter(block: Int, type: Float) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let values: [String: Float] = ["type": type, "depth": 1, "rate": 5, "sensitivity": 6]
        let reference = try play(AutoWah.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(AutoWah.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
