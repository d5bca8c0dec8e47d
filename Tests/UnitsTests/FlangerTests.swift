import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct FlangerTests {
    /// How loud a tone comes out of a flanger whose notches stand still, in decibels.
    private func gain(_ frequency: Double, _ values: [String: Float]) throws -> Double {
        let tone = sine(frequency, amplitude: 0.25, frames: 24_000)
        let still: [String: Float] = ["depth": 0, "feedback": 0, "mix": 50]
        let heard = try play(Flanger.self, left: tone, right: tone, values: still.merging(values) { $1 }).recording
        return decibels(max(amplitude(heard[0][9_600...], at: frequency), 1e-9) / 0.25)
    }

    @Test(arguments: [0.002, 0.0010203, 0.0073] as [Float]) func theNotchesAreWhereTheDelaySays(manual: Float) throws {
        for k in 0..<4 {
            let notch = (Double(k) + 0.5) / Double(manual), peak = Double(k + 1) / Double(manual)
            #expect(try gain(notch, ["manual": manual]) < -50, "notch \(k)")
            #expect(abs(try gain(peak, ["manual": manual])) < 0.01, "peak \(k)")
        }
    }

    @Test(arguments: [-90, -50, 30, 90] as [Float]) func feedbackMakesThePeaksRingAsDesigned(feedback: Float) throws {
        for frequency in [130, 250, 500, 777, 1_000, 2_250, 5_100] as [Double] {
            for mix in [50, 100] as [Float] {
                // (1 - m) + m z / (1 - f z), z the delay of 2 ms.
                let angle = 2 * Double.pi * frequency * 0.002, f = Double(feedback) / 100, m = Double(mix) / 100
                let re = 1 - f * cos(angle), im = f * sin(angle), size = re * re + im * im
                let x = 1 - m + m * (cos(angle) * re - sin(angle) * im) / size
                let y = 0 - m * (cos(angle) * im + sin(angle) * re) / size
                let wanted = decibels((x * x + y * y).squareRoot())
                let measured = try gain(frequency, ["manual": 0.002, "feedback": feedback, "mix": mix])
                #expect(abs(measured - wanted) < 0.1, "\(frequency) Hz, mix \(mix): \(measured) dB, not \(wanted)")
            }
        }
    }

    @Test func theDelaySwingsByTheSampleTimeAlsoWhileItSleeps() throws {
        // One click in the first second, then silence for two, then others: all where the sine of the sample time says.
        var sound = [Float](repeating: 0, count: 192_000)
        let clicks = [1_000, 130_000, 142_000, 154_321, 166_000, 178_000]
        for at in clicks { sound[at] = 1 }
        let values: [String: Float] = [
            "manual": 0.005, "depth": 50, "rate": 0.7, "feedback": 0, "stereo-phase": 120, "mix": 100,
        ]
        let heard = try play(Flanger.self, left: sound, right: sound, values: values).recording
        for (channel, ahead) in [(0, 0.0), (1, 120.0 / 360)] {
            for at in clicks {
                let range = at..<(at + 400)
                let peak = try #require(range.max { abs(heard[channel][$0]) < abs(heard[channel][$1]) })
                let wanted = 240 * (1 + 0.5 * sin(2 * .pi * (0.7 * Double(peak) / 48_000 + ahead)))
                #expect(abs(Double(peak - at) - wanted) < 0.6, "\(peak - at) frames after \(at), not \(wanted)")
            }
        }
    }

    @Test func theDelayIsNeverLessThanThreeFrames() throws {
        let heard = try play(
            Flanger.self, left: click(frames: 96_000), right: click(frames: 96_000), rate: 8_000,
            values: ["manual": 0.0001, "depth": 100, "feedback": 0, "mix": 100]
        ).recording
        #expect(heard[0].firstIndex { $0 != 0 } == 3 && heard[0][3] == 1)
    }

    @Test func theLongestSoundEndsWithinTheTailAndNotBeforeItCannotBeHeard() throws {
        let values: [String: Float] = ["manual": 0.01, "depth": 0, "feedback": 90, "mix": 100]
        let hum = sine(100, frames: 48_000)
        let rig = try play(Flanger.self, left: hum, right: hum, values: values)
        #expect(level(rig.recording[0].suffix(4_800)) > 6)
        rig.render(Int(Flanger.descriptor.tail * 48_000), block: 1024)
        let sleeps = isAsleep(rig)
        #expect(sleeps)
        let last = try #require(rig.recording[0].lastIndex { $0 != 0 })
        #expect(last > 48_000 * 2 && rig.recording[0][max(last - 480, 0)...].allSatisfy { abs($0) < 2e-6 })
        // At the longest delay of all, 20 ms, twice as long: still within.
        let swing = ["manual": 0.01, "depth": 100, "rate": 0.01, "feedback": 90, "mix": 100] as [String: Float]
        let long = try play(Flanger.self, left: hum, right: hum, frames: 48_000 * 5, values: swing)
        let sleepsToo = isAsleep(long)
        #expect(sleepsToo)
    }

    @Test(arguments: [1, 7, 17, 64, 128, 1024, 4096]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 3_000) + [Float](repeating: 0, count: 9_000) + noise(frames: 2_000)
        let values: [String: Float] = ["rate": 10, "depth": 100, "manual": 0.0005, "feedback": -80]
        let reference = try play(Flanger.self, left: sound, right: sound, block: 333, values: values).recording
        let other = try play(Flanger.self, left: sound, right: sound, block: block, values: values).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
