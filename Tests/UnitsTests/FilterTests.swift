import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

/// The filter against its own design: the analogue prototype, whose frequencies the bilinear transform bends.
@Suite struct FilterTests {
    /// A response in the analogue: a numerator and a denominator of second order in s, at `w` times the cutoff.
    struct Section {
        var high = 0.0, band = 0.0, low = 0.0
        var damping: Double

        func magnitude(_ w: Double) -> Double {
            let top = (low - high * w * w) * (low - high * w * w) + band * w * band * w
            return (top / ((1 - w * w) * (1 - w * w) + damping * w * damping * w)).squareRoot()
        }
    }

    static let types = ["low-pass", "high-pass", "band-pass", "notch", "peak", "all-pass"]

    /// What the doc comments promise, written a second time.
    static func design(_ type: String, isSteep: Bool, resonance q: Double) -> [Section] {
        let count = isSteep ? 2 : 1
        switch type {
        case "low-pass", "high-pass":
            // Butterworth's poles are at 22.5 and 67.5 degrees; the second takes the whole of the resonance.
            let first = 1 / (2 * cos(Double.pi / 8)), dampings = isSteep ? [1 / first, first / q] : [1 / q]
            return dampings.map { type == "low-pass" ? Section(low: 1, damping: $0) : Section(high: 1, damping: $0) }
        case "band-pass":
            let damping = isSteep ? 1 / (q * (2.0.squareRoot() - 1).squareRoot()) : 1 / q
            return Array(repeating: Section(band: damping, damping: damping), count: count)
        case "notch":
            let damping = isSteep ? 1 / (q * (1 / (2.0.squareRoot() - 1)).squareRoot()) : 1 / q
            return Array(repeating: Section(high: 1, low: 1, damping: damping), count: count)
        case "peak":
            let height = isSteep ? (2 * q).squareRoot() : 2 * q
            return Array(repeating: Section(high: 1, band: height / q, low: 1, damping: 1 / q), count: count)
        default:
            return Array(repeating: Section(high: 1, band: -1 / q, low: 1, damping: 1 / q), count: count)
        }
    }

    static let choices = types.flatMap { type in [false, true].map { (type, $0) } }

    @Test(arguments: choices) func itsResponseIsThatOfItsDesign(_ type: String, _ isSteep: Bool) throws {
        for (cutoff, q) in [(1_000.0, 0.7071068), (80, 6), (7_000, 0.5), (1_000, 20)] {
            let values: [String: Float] = [
                "type": Float(Self.types.firstIndex(of: type)!), "slope": isSteep ? 1 : 0, "cutoff": Float(cutoff),
                "resonance": Float(q),
            ]
            let start = 1_000, count = 65_536
            let impulse = [Float](repeating: 0, count: start) + click(frames: count)
            let heard = try play(Filter.self, left: impulse, right: impulse, block: 1_000, values: values).recording
            #expect(heard[0] == heard[1])
            let spectrum = Spectrum.magnitudes(heard[0][start...].map(Double.init)).map { $0 * Double(count) / 2 }
            let sections = Self.design(type, isSteep: isSteep, resonance: q)
            for n in 0..<200 {
                // 20 Hz to 20 kHz, and the bins nearest to them.
                let bin = Int((20 * pow(1_000, Double(n) / 199) * Double(count) / 48_000).rounded())
                let w = tan(Double.pi * Double(bin) / Double(count)) / tan(Double.pi * cutoff / 48_000)
                let wanted = sections.reduce(1) { $0 * $1.magnitude(w) }, error = decibels(spectrum[bin] / wanted)
                // Samples are rounded: what they sum up to is 80 dB below the impulse.
                if abs(spectrum[bin] - wanted) < 1e-4 { continue }
                #expect(abs(error) < 0.02, "\(type), \(cutoff) Hz, \(q): bin \(bin) is \(error) dB from \(decibels(wanted))")
            }
        }
    }

    @Test(arguments: [
        ("low-pass", 0.0, -3.01, -24.1), ("low-pass", 1, -3.01, -48.2), ("high-pass", 1, -3.01, 0), ("band-pass", 1, 0, -11.9),
    ])
    func aMusicianFindsTheDecibelsHeExpects(_ type: String, _ slope: Double, _ atCutoff: Double, _ twoOctavesUp: Double) throws {
        let values: [String: Float] = ["type": Float(Self.types.firstIndex(of: type)!), "slope": Float(slope), "cutoff": 500]
        func gain(_ frequency: Double) throws -> Double {
            let tone = sine(frequency, amplitude: 0.5, frames: 24_000)
            let heard = try play(Filter.self, left: tone, right: tone, values: values).recording
            return decibels(amplitude(heard[1][12_000...], at: frequency) / 0.5)
        }
        #expect(abs(try gain(500) - atCutoff) < 0.05)
        #expect(abs(try gain(2_000) - twoOctavesUp) < 0.5)
    }

    @Test func aPeakOfOneHalfAndAMixOfNothingAreTheSoundItself() throws {
        let left = noise(frames: 9_600), right = noise(frames: 9_600, seed: 2)
        let dry = try play(Filter.self, left: left, right: right, values: ["mix": 0]).recording
        #expect(firstDifference(dry, [left, right]) == nil)
        for slope in [Float(0), 1] {
            let flat = try play(
                Filter.self, left: left, right: right, values: ["type": 4, "resonance": 0.5, "slope": slope]
            ).recording
            #expect(zip(flat[0], left).allSatisfy { abs($0 - $1) < 1e-6 })
        }
    }

    /// A sine through an all-pass is moved by half a turn at the cutoff; half of both is a notch.
    @Test func halfAnAllPassIsANotch() throws {
        let tone = sine(700, amplitude: 0.5, frames: 48_000)
        let values: [String: Float] = ["type": 5, "slope": 0, "cutoff": 700, "mix": 50]
        let heard = try play(Filter.self, left: tone, right: tone, values: values).recording
        #expect(decibels(amplitude(heard[0][24_000...], at: 700) / 0.5) < -80)
    }

    @Test(arguments: Filter.Parameter.allCases) func nothingClicksWhenItJumps(_ parameter: Filter.Parameter) throws {
        let tone = sine(220, amplitude: 0.25, frames: 48_000)
        func bend(_ changes: [(time: Int, value: Float)]) throws -> Float {
            let rig = OfflineRig()
            let node = try rig.add(Filter.self, startValues: ["cutoff": 400, "resonance": 3, "slope": 0])
            try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for (time, value) in changes { rig.set(parameter, value, of: node, at: time) }
            rig.render(38_400, block: 256)
            return steepestBend(rig.recording[0][14_400...])
        }
        let range = parameter.spec.range
        let values = parameter == .type ? (0...5).map(Float.init) : [range.lowerBound, range.upperBound]
        let calm = try values.map { try bend([(0, $0)]) }.max()!
        for from in values {
            for to in values where from != to {
                let bend = try bend([(0, from), (24_055, to)])
                // The tone bends by 2e-4, three times as loud by 6e-4; a hard step between two types by 0.3 and more.
                #expect(bend < 3 * calm + 0.01, "\(parameter) from \(from) to \(to): \(bend), at rest \(calm)")
            }
        }
    }

    /// Ten sweeps a second over ten octaves with resonance 10: as loud as the resonance allows, and no zipper.
    @Test func aFastSweepStaysBoundedAndSmooth() throws {
        let tone = sine(110, amplitude: 0.25, frames: 96_000)
        let rig = OfflineRig()
        let node = try rig.add(Filter.self, startValues: ["resonance": 10, "slope": 0])
        try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        for n in 0..<20 { rig.set(Filter.Parameter.cutoff, n % 2 == 0 ? 20_000 : 20, of: node, at: n * 4_800) }
        rig.render(96_000, block: 100)
        let heard = rig.recording[0]
        #expect(heard.allSatisfy { abs($0) < 2.5 } && rig.violations.total == 0)
        #expect(steepestBend(heard[4_800...]) < 0.1)
    }

    @Test func itRingsForAsLongAsItIsHeardAndThenSleeps() throws {
        let burst = sine(20, frames: 9_600)
        let values: [String: Float] = ["cutoff": 20, "resonance": 20, "slope": 1]
        let rig = try play(Filter.self, left: burst, right: burst, frames: 48_000 * 4, block: 4_096, values: values)
        #expect(!isAsleep(rig) && level(rig.recording[0].suffix(4_800)) > 1e-4)
        rig.render(48_000 * 11, block: 4_096)
        #expect(isAsleep(rig))
        let last = rig.recording[0].lastIndex { $0 != 0 }!
        #expect(abs(rig.recording[0][last]) < 2e-6)
    }
}
