import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct DistortionTests {
    static let curves = ["soft", "hard", "fold", "tube"]

    /// The curves as their comments have them, written a second time.
    static func bent(_ curve: String, _ x: Double) -> Double {
        func soft(_ x: Double) -> Double {
            let v = min(max(x * 8 / 15, -1), 1)
            return (15 * v - 10 * pow(v, 3) + 3 * pow(v, 5)) / 8
        }
        return switch curve {
        case "soft": soft(x)
        case "hard": min(max(x, -1), 1)
        case "fold": sin(Double.pi / 2 * x)
        default: x >= 0 ? soft(x) : soft(2 * x) / 2
        }
    }

    /// With the tone control as far open as it goes, and nothing taken off behind the curve.
    static func values(_ curve: String, drive: Float) -> [String: Float] {
        ["curve": Float(curves.firstIndex(of: curve)!), "drive": drive, "output": 0, "tone": 20_000]
    }

    /// How much of every bin is in the last 65 536 frames of a tone that fits into them, `bin` times.
    static func spectrum(_ curve: String, drive: Float, bin: Int, amplitude: Double) throws -> [Double] {
        let count = 65_536, tone = sine(Double(bin) * 48_000 / Double(count), amplitude: amplitude, frames: count + 24_000)
        let rig = try play(Distortion.self, left: tone, right: tone, values: values(curve, drive: drive))
        #expect(rig.recording[0] == rig.recording[1] && rig.violations.total == 0)
        return Spectrum.magnitudes(rig.recording[0].suffix(count).map(Double.init))
    }

    @Test(arguments: curves) func theHarmonicsAreThoseOfTheCurve(_ curve: String) throws {
        for (drive, amplitude) in [(Float(0), 0.9), (12, 0.5), (24, 0.3)] {
            // 199.951 Hz; what the curve makes of one of its periods, by the sum over 8192 points.
            let heard = try Self.spectrum(curve, drive: drive, bin: 273, amplitude: amplitude)
            let gain = pow(10, Double(drive) / 20) * amplitude, points = 8_192
            let wave = (0..<points).map { Self.bent(curve, gain * sin(2 * Double.pi * Double($0) / Double(points))) }
            let wanted = Spectrum.magnitudes(wave)
            for n in 1...20 {
                let error = abs(heard[273 * n] - wanted[n])
                #expect(
                    error < 0.004 * wanted[n] + 1e-5, "\(curve), \(drive) dB, harmonic \(n): \(heard[273 * n]), not \(wanted[n])")
            }
            #expect(heard[0] < 2e-5, "\(curve): a mean of \(heard[0])")
        }
    }

    @Test(arguments: curves) func nothingButHarmonicsComesOut(_ curve: String) throws {
        for drive in [Float(12), 24, 36] where curve != "fold" || drive < 36 {
            // 5003.9 Hz at full scale: four harmonics are below half the rate, each alias falls beside them.
            let bin = 6_832, heard = try Self.spectrum(curve, drive: drive, bin: bin, amplitude: 1)
            let tone = heard[bin]
            let alias = heard.indices.filter { $0 % bin != 0 && $0 > 20 }.max { heard[$0] < heard[$1] }!
            let level = decibels(heard[alias] / tone)
            #expect(level < -80, "\(curve), \(drive) dB: \(level) dB at \(Double(alias) * 48_000 / 65_536) Hz")
        }
    }

    @Test func aSoftSoundIsOnlyLouderAndLater() throws {
        // Ten times a thousandth of full scale, where no curve bends yet.
        let sound = sine(1_000, amplitude: 0.001, frames: 24_000)
        for (curve, slope) in [("soft", 1.0), ("hard", 1), ("fold", Double.pi / 2), ("tube", 1)] {
            let rig = try play(Distortion.self, left: sound, right: sound, values: Self.values(curve, drive: 20))
            let gain = amplitude(rig.recording[0][12_000...], at: 1_000) / 0.001
            #expect(abs(decibels(gain / (10 * slope))) < 0.05, "\(curve): \(gain)")
            #expect(rig.graph.nodes[0].instance.latency == 89)
        }
    }

    /// Both ways are equally late: half of each is as loud as both together, at every frequency.
    @Test(arguments: [100.0, 1_000, 5_000, 12_000]) func theDryWayIsAsLateAsTheOther(_ frequency: Double) throws {
        let sound = sine(frequency, amplitude: 0.02, frames: 24_000)
        func gain(_ mix: Float) throws -> Double {
            let values = Self.values("hard", drive: 0).merging(["mix": mix]) { $1 }
            let heard = try play(Distortion.self, left: sound, right: sound, values: values).recording[0]
            return amplitude(heard[12_000...], at: frequency) / 0.02
        }
        #expect(abs(try gain(0) - 1) < 1e-4)
        // The low-pass of the tone control turns the phase by a little, and more and more upwards.
        #expect(try gain(50) > (frequency < 2_000 ? 0.995 : 0.9) * (gain(0) + gain(100)) / 2)
        let late = try play(Distortion.self, left: sound, right: sound, values: ["mix": 0]).recording[0]
        #expect(Array(late[89...]) == Array(sound.dropLast(89)))
    }

    @Test func theToneControlTakesTheHarmonicsAway() throws {
        let sound = sine(1_000, amplitude: 0.5, frames: 48_000)
        func harmonic(_ tone: Float) throws -> Double {
            let values = Self.values("hard", drive: 24).merging(["tone": tone]) { $1 }
            let heard = try play(Distortion.self, left: sound, right: sound, values: values).recording[0]
            return amplitude(heard[24_000...], at: 5_000)
        }
        #expect(abs(decibels(try harmonic(1_000) / harmonic(20_000)) + 28.2) < 0.5)
    }

    @Test func nothingClicksWhenTheCurveIsAnother() throws {
        let tone = sine(110, amplitude: 0.25, frames: 38_400)
        func bend(_ changes: [(time: Int, value: Float)]) throws -> Float {
            let rig = OfflineRig()
            let node = try rig.add(Distortion.self, startValues: ["drive": 6, "tone": 20_000, "output": 0])
            try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for (time, value) in changes { rig.set(Distortion.Parameter.curve, value, of: node, at: time) }
            rig.render(38_400, block: 256)
            return steepestBend(rig.recording[0][14_400...])
        }
        let calm = try (0...3).map { try bend([(0, Float($0))]) }.max()!
        for from in 0...3 {
            for to in 0...3 where from != to {
                let bend = try bend([(0, Float(from)), (24_109, Float(to))])
                #expect(bend < 2 * calm + 0.001, "\(from) to \(to): \(bend), at rest \(calm)")
            }
        }
    }

    @Test func itSleepsWithinASecond() throws {
        let rig = try play(Distortion.self, left: noise(frames: 500), right: noise(frames: 500), frames: 48_000)
        #expect(isAsleep(rig))
    }
}
