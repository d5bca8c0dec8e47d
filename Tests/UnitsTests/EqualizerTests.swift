import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

@Suite struct EqualizerTests {
    private static let type = Equalizer.Parameter.type.spec

    private static func value(of type: String) throws -> Float { try Self.type.value(type) }

    /// The default bands, but for some of them: values by band and name.
    private static func bands(_ changes: [(band: Int, name: String, value: Float)]) -> [String: [Float]] {
        var values: [String: [Float]] = [:]
        for spec in Equalizer.Parameter.allCases.map(\.spec) {
            let mine = changes.filter { $0.name == spec.name }
            if mine.isEmpty { continue }
            values[spec.name] = (0..<8).map { band in mine.last { $0.band == band }?.value ?? spec.initial(of: band) }
        }
        return values
    }

    @Test func aNewOneLetsSoundThroughBitForBit() throws {
        let left = noise(frames: 9_600), right = noise(frames: 9_600, seed: 2)
        let heard = try play(Equalizer.self, left: left, right: right).recording
        #expect(firstDifference(heard, [left, right]) == nil)
        // Gain 0 is neutral at every frequency and quality; a band that is off at every gain.
        let off = try play(
            Equalizer.self, left: left, right: right,
            values: ["frequency": 3_000, "q": 12], elements: Self.bands([(2, "type", 0), (2, "gain", 20)])
        ).recording
        #expect(firstDifference(off, [left, right]) == nil)
    }

    @Test func theBandsStartWhereTheDeclarationSays() throws {
        var setup = UnitSetup(sampleRate: 48_000)
        setup.elementValues = ["gain": [0, 6]]
        let unit = try UnitInstance.make(Equalizer.self, setup)
        func values(_ parameter: Equalizer.Parameter) -> [Float] {
            (0..<8).map { unit.parameters.ramps[parameter.rawValue * 8 + $0].target }
        }
        #expect(values(.frequency) == [60, 150, 350, 800, 1800, 4000, 8000, 12_000])
        #expect(values(.gain) == [0, 6, 0, 0, 0, 0, 0, 0])
        #expect(values(.type) == [2, 1, 1, 1, 1, 1, 1, 3])
        #expect(unit.parameters.elementCount(of: Equalizer.Parameter.gain.rawValue) == 8)
        #expect(unit.parameters.elementCount(of: Equalizer.Parameter.level.rawValue) == 1)
        for wrong in ["gain": [Float](repeating: 0, count: 9), "level": [0, 0]] {
            setup.elementValues = [wrong.key: wrong.value]
            #expect(throws: UnitError.self) { try UnitInstance.make(Equalizer.self, setup) }
        }
    }

    @Test func aPeakRaisesItsFrequencyAndLeavesTheRest() throws {
        func gain(
            _ frequency: Double, _ elements: [String: [Float]], _ values: [String: Float] = [:]
        ) throws -> Double {
            let tone = sine(frequency, amplitude: 0.1, frames: 48_000)
            let rig = try play(Equalizer.self, left: tone, right: tone, values: values, elements: elements)
            let heard = rig.recording[1][9_600...]
            return decibels(amplitude(heard, at: frequency) / 0.1)
        }
        let peak = Self.bands([(3, "gain", 9), (3, "q", 4)])
        for (frequency, wanted) in [(800.0, 9.0), (100, 0), (6_000, 0)] {
            let measured = try gain(frequency, peak)
            #expect(abs(measured - wanted) < 0.1, "\(frequency) Hz: \(measured) dB")
        }
        // A shelf has half its decibels at its corner; two bands add up; the level comes on top.
        let shelves = Self.bands([(0, "gain", 12), (7, "gain", -12)])
        for (frequency, wanted) in [(60.0, 0.0), (20, 5.9), (1_000, -6), (12_000, -12), (20_000, -17.9)] {
            let measured = try gain(frequency, shelves, ["level": -6])
            #expect(abs(measured - wanted) < 0.4, "\(frequency) Hz: \(measured) dB")
        }
        let cut = Self.bands([(4, "type", try Self.value(of: "low-pass")), (4, "frequency", 1_000)])
        let notch = Self.bands([(4, "type", try Self.value(of: "notch")), (4, "frequency", 1_000)])
        #expect(abs(try gain(1_000, cut) + 3.01) < 0.05)
        #expect(abs(try gain(8_000, cut) + 37.1) < 1)
        #expect(try gain(1_000, notch) < -60)
    }

    @Test(arguments: Equalizer.Parameter.allCases) func nothingClicksWhenItJumps(_ parameter: Equalizer.Parameter) throws {
        let tone = sine(220, amplitude: 0.25, frames: 48_000), range = parameter.spec.range
        let base = Self.bands([(3, "gain", 18), (3, "frequency", 300), (3, "q", 2)])
        func play(_ changes: [(time: Int, value: Float)]) throws -> Float {
            let rig = OfflineRig()
            let node = try rig.graph.add(try UnitInstance.make(Equalizer.self, rig.setup(elementValues: base)))
            try rig.graph.connect(try rig.add(left: tone, right: tone), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for (time, value) in changes { rig.set(parameter, value, element: parameter == .level ? 0 : 3, of: node, at: time) }
            rig.render(38_400, block: 256)
            return steepestBend(rig.recording[0][14_400...])
        }
        let values = parameter == .type ? (0...6).map(Float.init) : [range.lowerBound, range.upperBound]
        let calm = try values.map { try play([(0, $0)]) }.max()!
        for from in values {
            for to in values where from != to {
                let bend = try play([(0, from), (24_055, to)])
                // The tone itself bends by 2e-4, 18 dB louder by 0.0017; a hard step between the two by 0.3 and more.
                #expect(bend < 3 * calm + 0.02, "\(parameter) from \(from) to \(to): \(bend), at rest \(calm)")
            }
        }
    }

    @Test func itRingsForAsLongAsItIsHeardAndThenSleeps() throws {
        // 20 Hz, q 18, 24 dB up: 16 s to -120 dB.
        let values = Self.bands([(1, "gain", 24), (1, "q", 18), (1, "frequency", 20)])
        let burst = sine(20, frames: 9_600)
        let rig = try play(Equalizer.self, left: burst, right: burst, frames: 48_000 * 10, block: 4096, elements: values)
        #expect(!isAsleep(rig) && level(rig.recording[0].suffix(4_800)) > 1e-5)
        rig.render(48_000 * 15, block: 4096)
        #expect(isAsleep(rig))
        let last = rig.recording[0].lastIndex { $0 != 0 }!
        #expect(abs(rig.recording[0][last]) < 2e-6)
    }

    @Test(arguments: [1, 7, 64, 1000]) func blocksDoNotMatterWhileTypesAndFrequenciesMove(block: Int) throws {
        func heard(_ block: Int) throws -> [[Float]] {
            let rig = OfflineRig()
            let node = try rig.add(Equalizer.self, startValues: ["gain": 6])
            try rig.graph.connect(try rig.add(left: noise(frames: 9_000), right: noise(frames: 9_000, seed: 3)), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for n in 0..<40 {
                rig.set(Equalizer.Parameter.type, Float(n % 7), element: n % 8, of: node, at: n * 211)
                rig.set(Equalizer.Parameter.frequency, Float(100 + n * 300), element: n % 5, of: node, at: n * 211 + 7)
            }
            rig.render(12_000, block: block)
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return rig.recording
        }
        #expect(firstDifference(try heard(333), try heard(block)) == nil)
    }

    /// A high-pass holds more than it lets out: whether it may sleep is looked at on the same frames however time is cut.
    @Test func blocksDoNotMatterForFallingAsleep() throws {
        let values = Self.bands([(0, "type", try Self.value(of: "high-pass")), (0, "frequency", 600), (0, "q", 0.1)])
        for frames in stride(from: 1_000, to: 4_000, by: 61) {
            let burst = sine(300, frames: frames)
            func heard(_ block: Int) throws -> [[Float]] {
                try play(Equalizer.self, left: burst, right: burst, frames: 8_192, block: block, elements: values).recording
            }
            #expect(firstDifference(try heard(512), try heard(9)) == nil, "\(frames) frames")
        }
    }
}
