import Glibc
import MIDI
import Testing

@testable import Samplers

/// Both oscillators, measured on a step (volume) and a ramp (pitch), against section 8.1.3 of the SoundFont Technical
/// Specification 2.04: triangles that begin upwards after their delay.
@Suite struct OracleLFOTests {
    /// -1...1 at a time since the oscillator's start.
    static func triangle(_ turns: Double) -> Double {
        if turns <= 0 { return 0 }
        let place = turns - turns.rounded(.down)
        return place < 0.25 ? 4 * place : place < 0.75 ? 2 - 4 * place : 4 * place - 4
    }

    /// Absolute cents of a rate in hertz.
    private func rate(_ hertz: Double) -> Int { Int((6_900 + 1_200 * log2(hertz / 440)).rounded()) }

    /// At sustain's 19.2 dB there is room to both sides.
    @Test(arguments: [(5.0, 0.02, 80), (11.0, 0.05, -120), (3.0, 0.001, 150)])
    func volumeSwingsInDecibels(hertz: Double, delay: Double, centibels: Int) throws {
        let font = OracleSoundFont(
            Oracle.step,
            [(54, 1), (13, centibels), (21, Oracle.timecents(delay)), (22, rate(hertz)), (36, -12_000), (37, 200)])
        let sound = try Oracle.play(font, frames: 24_000)
        let exact = Oracle.hertz(Double(rate(hertz)))
        sound.expectGain(400..<23_900, slack: 2) {
            pow(10, (-19.2 + Double(centibels) / 10 * Self.triangle(exact * ($0 - delay))) / 20)
        }
    }

    /// Section 8.1.3, generator 13: the gain rises and falls.
    @Test func aSwingGoesBothWays() throws {
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.step, [(54, 1), (13, 200), (22, rate(8))]), frames: 9_000)
        let exact = Oracle.hertz(Double(rate(8)))
        sound.expectGain(400..<8_900, slack: 2) { pow(10, 20 * Self.triangle(exact * $0) / 20) }
    }

    @Test(arguments: [5, 6]) func pitchSwingsInCents(generator: Int) throws {
        let delay = generator == 5 ? 21 : 23
        for (hertz, seconds, cents) in [(5.0, 0.03, 100), (8.0, 0.001, -300)] {
            let font = OracleSoundFont(
                Oracle.ramp, [(generator, cents), (delay, Oracle.timecents(seconds)), (delay + 1, rate(hertz))])
            let sound = try Oracle.play(font, frames: 24_000)
            for age in stride(from: 256, to: 23_900, by: 64) {
                let exact = Oracle.hertz(Double(rate(hertz)))
                let laws = stride(from: -128, through: 192, by: 16).map {
                    Double(cents) * Self.triangle(exact * (Double(age + $0) / 48_000 - seconds))
                }
                let heard = sound.cents(age, age + 64)
                guard !(laws.min()! - 0.5...laws.max()! + 0.5).contains(heard) else { continue }
                Issue.record("\(hertz) Hz, frame \(age): \(heard) cents, not \(laws[8])")
                break
            }
        }
    }

    /// The tops of the triangle are where its frequency says, to a thousandth, after many turns.
    @Test func theRateHoldsOverManyTurns() throws {
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.step, [(54, 1), (13, 100), (22, rate(20)), (36, -12_000), (37, 200)]), frames: 48_000)
        // Upwards through the middle every 20th of a second: count, and measure from the first to the last.
        var crossings: [Double] = []
        for age in 400..<47_900 where sound.level(age) < -19.2 && sound.level(age + 1) >= -19.2 {
            let (a, b) = (sound.level(age) + 19.2, sound.level(age + 1) + 19.2)
            crossings.append(Double(age) - a / (b - a))
        }
        #expect(crossings.count == 19)
        let turn = (crossings[18] - crossings[0]) / 18
        #expect(abs(48_000 / turn / Oracle.hertz(Double(rate(20))) - 1) < 0.001)
    }
}
