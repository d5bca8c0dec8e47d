import Glibc
import MIDI
import Testing

@testable import Samplers

/// Level and place: attenuation, velocity, volume, expression, pan and balance on a step, against sections 8.1.3 and 8.4 of
/// the SoundFont Technical Specification 2.04.
@Suite struct OracleLevelTests {
    private func step(_ generators: [(Int, Int)] = [], isPlain: Bool = true) -> OracleSoundFont {
        OracleSoundFont(Oracle.step, [(54, 1)] + generators, isPlain: isPlain)
    }

    private func expect(_ heard: Double, _ wanted: Double, at location: SourceLocation = #_sourceLocation) {
        #expect(abs(heard - wanted) < 0.02, "\(heard) dB instead of \(wanted)", sourceLocation: location)
    }

    /// Files mean 0.4 of what they say: so did the hardware that they were made on.
    @Test(arguments: [0, 25, 100, 500, 1_440, -100]) func attenuationIsFourTenthsOfTheFiles(centibels: Int) throws {
        let sound = try Oracle.play(step([(48, centibels)]), frames: 2_000)
        expect(sound.level(1_500), -0.04 * Double(max(centibels, 0)))
    }

    /// 40 dB a decade: the concave curve over 960 centibels.
    @Test(arguments: [1, 10, 32, 64, 100, 127]) func velocityIsConcave(velocity: UInt8) throws {
        let sound = try Oracle.play(step(isPlain: false), velocity: velocity, frames: 2_000, [(-100, .controller(7, 127))])
        #expect(abs(sound.level(1_500) - 40 * log10(Double(velocity) / 127)) < 0.05)
    }

    @Test(arguments: [7, 11]) func volumeAndExpressionAreConcave(controller: UInt8) throws {
        let values: [UInt8] = [100, 64, 20, 4, 127]
        let other: UInt8 = controller == 7 ? 11 : 7
        let sound = try Oracle.play(
            step(isPlain: false), frames: 6_000,
            [(-100, .controller(other, 127))]
                + values.enumerated().map { (1_000 * $0.offset, .controller(controller, $0.element)) })
        for (index, value) in values.enumerated() {
            let wanted = 40 * log10(Double(value) / 127)
            #expect(abs(sound.level(1_000 * index + 900) - wanted) < 0.05, "\(value): \(sound.level(1_000 * index + 900))")
        }
    }

    @Test func volumeZeroIsSilence() throws {
        let sound = try Oracle.play(step(isPlain: false), frames: 3_000, [(1_000, .controller(7, 0))])
        #expect(sound.gain(900) > 0.1 && sound.level(2_900) < -90)
    }

    // MARK: Place

    /// Both sides as shares of the whole.
    private func sides(_ sound: Oracle, _ age: Int) -> (left: Double, right: Double) {
        let whole = Oracle.height / 32_768 * Oracle.filterGain
        return (sound.left[Oracle.start + age] / whole, sound.right[Oracle.start + age] / whole)
    }

    @Test(arguments: [-700, -500, -250, -10, 0, 120, 400, 500]) func panIsAQuarterSine(pan: Int) throws {
        let (left, right) = sides(try Oracle.play(step([(17, pan)]), frames: 2_000), 1_500)
        let angle = Double(min(max(pan, -500), 500) + 500) / 1_000 * Double.pi / 2
        #expect(abs(left - cos(angle)) < 0.002 && abs(right - sin(angle)) < 0.002, "\(left), \(right)")
    }

    @Test(arguments: [0, 32, 64, 100, 127]) func controller10PansWithin500ToEitherSide(value: UInt8) throws {
        let sound = try Oracle.play(step(), frames: 3_000, [(1_000, .controller(10, value))])
        let (left, right) = sides(sound, 2_900)
        let place = value == 127 ? 127.0 / 128 : 2 * Double(value) / 128 - 1
        let angle = (500 * place + 500) / 1_000 * Double.pi / 2
        #expect(abs(left - cos(angle)) < 0.002 && abs(right - sin(angle)) < 0.002, "\(left), \(right)")
        // Moving on takes a period and no step.
        let steps = (900..<1_200).map { abs(sides(sound, $0 + 1).left - sides(sound, $0).left) }
        #expect(steps.max()! < 1.0 / 64)
    }

    @Test(arguments: [0, 40, 64, 90, 127]) func controller8TakesFromOneSide(value: UInt8) throws {
        let (left, right) = sides(try Oracle.play(step(), frames: 3_000, [(1_000, .controller(8, value))]), 2_900)
        // Concave to both sides, over 96 dB.
        let place = 2 * Double(value) / 128 - 1
        let fall = -40 * log10(max(1 - abs(place), 1.0 / 127))
        let quiet = pow(10, -min(fall, 96) / 20) * Oracle.middle
        let isRight = place > 0
        #expect(abs((isRight ? right : left) - Oracle.middle) < 0.002)
        #expect(abs((isRight ? left : right) - quiet) < 0.01, "\(left), \(right), not \(quiet)")
    }
}
