import CarillonTestKit
import Glibc
import Testing
import UnitAPI
import Units

@Suite struct GraphicEqualizerTests {
    static let centres = [31.5, 63, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]

    /// The cookbook's peak as the biquad it is, by its bandwidth; what it does at a frequency, in decibels.
    static func peak(_ centre: Double, gain: Double, at hertz: Double, rate: Double) -> Double {
        let w = 2 * Double.pi * centre / rate, a = pow(10, gain / 40)
        let alpha = sin(w) * sinh(log(2.0) / 2 * 1.3 * w / sin(w))
        func power(_ b0: Double, _ b2: Double) -> Double {
            let x = 2 * Double.pi * hertz / rate
            let re = b0 - 2 * cos(w) * cos(x) + b2 * cos(2 * x), im = 2 * cos(w) * sin(x) - b2 * sin(2 * x)
            return re * re + im * im
        }
        return 10 * log10(power(1 + alpha * a, 1 - alpha * a) / power(1 + alpha / a, 1 - alpha / a))
    }

    static func response(_ gains: [Double], at hertz: Double, rate: Double) -> Double {
        zip(centres, gains).reduce(0) { $0 + peak($1.0, gain: $1.1, at: hertz, rate: rate) }
    }

    /// The peaks' gains for ten sliders, another way than the unit's: one peak after the other, until all is as wanted.
    static func design(_ sliders: [Double], rate: Double) -> [Double] {
        var gains = sliders
        for _ in 0..<400 {
            for (i, centre) in centres.enumerated() {
                gains[i] += 0.7 * (sliders[i] - response(gains, at: centre, rate: rate))
            }
        }
        return gains
    }

    static let settings: [[Double]] = [
        Array(repeating: 12, count: 10), Array(repeating: -6, count: 10), [8, 6, 3, 0, -2, -3, 0, 3, 6, 8],
        [0, 0, 0, 0, 12, 0, 0, 0, 0, 0], [-12, 12, -12, 12, -12, 12, -12, 12, -12, 12], [0, 3, -9, 12, 11, -4, 7, -12, 2, -1],
    ]

    static func spectrum(_ sliders: [Double], rate: Double) throws -> [Double] {
        let count = 65_536
        let click = [Float](repeating: 0, count: 1_000) + click(frames: count)
        let rig = try play(
            GraphicEqualizer.self, left: click, right: click, block: 1_000, rate: rate,
            elements: ["gain": sliders.map { Float($0) }])
        #expect(rig.recording[0] == rig.recording[1] && rig.violations.total == 0)
        return Spectrum.magnitudes(rig.recording[0][1_000...].map(Double.init)).map { decibels($0 * Double(count) / 2) }
    }

    @Test(arguments: settings.indices) func allBandsTogetherAreTheirDesign(_ index: Int) throws {
        let sliders = Self.settings[index]
        for rate in [48_000.0, 44_100, 96_000] {
            let gains = Self.design(sliders, rate: rate), heard = try Self.spectrum(sliders, rate: rate)
            for n in 0..<200 {
                let bin = Int((20 * pow(1_000, Double(n) / 199) * 65_536 / rate).rounded())
                let wanted = Self.response(gains, at: Double(bin) * rate / 65_536, rate: rate)
                #expect(abs(heard[bin] - wanted) < 0.1, "\(rate), bin \(bin): \(heard[bin]), not \(wanted) dB")
            }
        }
    }

    @Test(arguments: settings.indices) func theSoundGoesWhereTheSlidersStand(_ index: Int) throws {
        let sliders = Self.settings[index]
        for (centre, slider) in zip(Self.centres, sliders) {
            let frames = 96_000, tone = sine(centre, amplitude: 0.1, frames: frames)
            let heard = try play(
                GraphicEqualizer.self, left: tone, right: tone, block: 4_096, elements: ["gain": sliders.map { Float($0) }])
            let measured = decibels(amplitude(heard.recording[0][48_000...], at: centre) / 0.1)
            #expect(abs(measured - slider) < 0.1, "\(centre) Hz: \(measured), not \(slider) dB")
        }
    }

    /// All sliders up: between them the response is no comb.
    @Test func aRowOfEqualSlidersIsNearlyFlat() throws {
        let heard = try Self.spectrum(Array(repeating: 6, count: 10), rate: 48_000)
        let bins = (43..<21_845).map { heard[$0] }
        #expect(bins.max()! < 7 && bins.min()! > 5, "\(bins.min()!) to \(bins.max()!) dB")
    }

    @Test func aNewOneLetsSoundThroughBitForBit() throws {
        let left = noise(frames: 9_600), right = noise(frames: 9_600, seed: 2)
        let heard = try play(GraphicEqualizer.self, left: left, right: right).recording
        #expect(firstDifference(heard, [left, right]) == nil)
        let softer = try play(GraphicEqualizer.self, left: left, right: right, values: ["level": -6]).recording
        #expect(abs(decibels(level(softer[0]) / level(left)) + 6) < 1e-3)
    }

    @Test(arguments: 0..<10) func nothingClicksWhenASliderJumps(_ band: Int) throws {
        let tone = sine(220, amplitude: 0.25, frames: 38_400)
        func bend(_ changes: [(time: Int, value: Float)]) throws -> Float {
            let rig = OfflineRig()
            let node = try rig.add(GraphicEqualizer.self)
            try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for (time, value) in changes {
                rig.set(GraphicEqualizer.Parameter.gain, value, element: band, of: node, at: time)
            }
            rig.render(38_400, block: 256)
            return steepestBend(rig.recording[0][14_400...])
        }
        let calm = max(try bend([(0, -12)]), try bend([(0, 12)]))
        // The tone bends by 2e-4; a hard step would be one of a tenth and more.
        #expect(try bend([(0, -12), (24_055, 12)]) < 3 * calm)
    }

    @Test func itSleepsWhenNothingRingsAnyMore() throws {
        let burst = noise(frames: 4_800)
        let rig = try play(
            GraphicEqualizer.self, left: burst, right: burst, frames: 48_000 * 5,
            elements: ["gain": [12, -12, 12, -12, 12, -12, 12, -12, 12, -12]])
        #expect(isAsleep(rig))
    }
}
