import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI
import Units

/// Pan laws, mono inputs, solo and meters of the mixer; the rest is in `MixerTests`.
@Suite struct MultichannelMixerTests {
    typealias Mixer = MultichannelMixer

    /// A mixer that adds up tones, one for each input; stereo ones, or mono ones.
    private static func mix(
        _ tones: [Double], values: [String: Float] = [:], elements: [String: [Float]] = [:], isMono: Bool = false,
        frames: Int = 9_600, block: Int = 512, amplitude: Double = 0.25,
        _ change: (OfflineRig, NodeID) -> Void = { _, _ in }
    ) throws -> (rig: OfflineRig, mixer: UnitInstance) {
        let rig = OfflineRig()
        let unit = try UnitInstance.make(
            Mixer.self, rig.setup(inputs: tones.count, startValues: values, elementValues: elements))
        let mixer = try rig.graph.add(unit)
        for (n, tone) in tones.enumerated() {
            let x = sine(tone, amplitude: amplitude, frames: frames)
            let source = try rig.add(channels: isMono ? [x] : [x, x], name: "tone-\(n)")
            try rig.graph.connect(source, to: mixer, input: n)
        }
        try rig.graph.setOutput(mixer)
        try rig.publish()
        change(rig, mixer)
        rig.render(frames, block: block)
        return (rig, unit)
    }

    @Test(arguments: [(0, 0.0), (1, -3.0103), (2, -4.5154), (3, -6.0206)])
    func aMonoInputIsLoweredInTheMiddleAsItsLawSays(_ law: (index: Int, middle: Double)) throws {
        let pans: [Float] = [-100, 0, 100], tones = [500.0, 1_000, 2_000]
        let (rig, _) = try Self.mix(
            tones, elements: ["pan": pans, "pan-law": pans.map { _ in Float(law.index) }], isMono: true)
        for (side, heard) in rig.recording.enumerated() {
            #expect(abs(decibels(amplitude(heard, at: 1_000) / 0.25) - law.middle) < 0.001)
            let near = side == 0 ? 500.0 : 2_000, far = side == 0 ? 2_000.0 : 500
            #expect(abs(decibels(amplitude(heard, at: near) / 0.25)) < 0.001)
            #expect(amplitude(heard, at: far) < 1e-6)
        }
        #expect(rig.graph.connections.allSatisfy { $0.conversion == .monoToAll })
    }

    @Test func equalPowerKeepsTheSumOfSquaresAndLinearTheSum() {
        for pan in stride(from: Float(-100), through: 100, by: 2.5) {
            let power = PanGains(pan: pan, law: 1), linear = PanGains(pan: pan, law: 3), between = PanGains(pan: pan, law: 2)
            #expect(abs(power.left * power.left + power.right * power.right - 1) < 1e-6)
            #expect(abs(linear.left + linear.right - 1) < 1e-6)
            #expect(abs(between.left * between.left - power.left * linear.left) < 1e-6)
            #expect(PanGains(pan: pan, law: 0).left == BalanceLaw.left(pan))
        }
    }

    @Test func aLawThatChangesPassesThroughThoseBetween() throws {
        let (rig, _) = try Self.mix([100], values: ["pan": 0]) { rig, mixer in
            rig.set(Mixer.Parameter.panLaw, 3, of: mixer, at: 2_400)
        }
        let heard = rig.recording[0], steepest = zip(heard, heard.dropFirst()).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(steepest < 0.0045)
        #expect(abs(decibels(amplitude(heard[4_800...], at: 100) / 0.25) + 6.02) < 0.01)
    }

    @Test func soloSilencesTheOthersAndTwoThatChangePlacesLetNothingElseThrough() throws {
        let tones = [500.0, 1_000, 2_000]
        let (rig, _) = try Self.mix(tones, frames: 14_400) { rig, mixer in
            rig.set(Mixer.Parameter.solo, 1, element: 0, of: mixer, at: 0)
            rig.set(Mixer.Parameter.solo, 0, element: 0, of: mixer, at: 7_200)
            rig.set(Mixer.Parameter.solo, 1, element: 1, of: mixer, at: 7_200)
        }
        let heard = rig.recording[0]
        #expect(Array(heard[240..<7_200]) == Array(sine(500, amplitude: 0.25, frames: 7_200)[240...]))
        #expect(Array(heard[7_440...]) == Array(sine(1_000, amplitude: 0.25, frames: 14_400)[7_440...]))
        // While they change places, two tones of 0.25 that fade into each other and nothing of the third.
        let first = sine(500, amplitude: 0.25, frames: 14_400), second = sine(1_000, amplitude: 0.25, frames: 14_400)
        for i in 7_200..<7_440 {
            let part = Float(i - 7_200) / 240
            #expect(abs(heard[i] - first[i] * (1 - part) - second[i] * part) < 1e-5)
        }
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func noSoloMeansThatEverythingIsHeard() throws {
        let (rig, _) = try Self.mix([500, 1_000]) { rig, mixer in
            rig.set(Mixer.Parameter.solo, 1, element: 0, of: mixer, at: 0)
            rig.set(Mixer.Parameter.solo, 0, element: 0, of: mixer, at: 4_000)
        }
        #expect(abs(amplitude(rig.recording[0][4_800...], at: 1_000) - 0.25) < 1e-4)
    }

    @Test(arguments: [64, 1_000]) func metersShowTheSumAndEachInput(_ block: Int) throws {
        let (rig, mixer) = try Self.mix(
            [480, 960], values: ["metering": 2, "volume": -6], elements: ["gain": [0, -12], "pan": [0, 100]],
            frames: 96_000, block: block)
        let after = ["peak-left[0]": -12.04, "average-left[0]": -15.05, "peak-right[1]": -24.04, "average-right[1]": -27.05]
        for (name, level) in after { #expect(abs(Double(try #require(mixer.readout(name))) - level) < 0.1, "\(name)") }
        #expect(mixer.readout("peak-left[1]") == -120)
        #expect(abs(Double(try #require(mixer.readout("average-left"))) + 21.05) < 0.1)
        #expect(mixer.readout("peak-left[2]") == nil)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func metersBeforeTheGainSeeWhatIsSwitchedOff() throws {
        let (_, mixer) = try Self.mix([480], values: ["metering": 1, "enable": 0], frames: 48_000)
        #expect(abs(try #require(mixer.readout("peak-left[0]")) + 12.04) < 0.1)
        #expect(mixer.readout("peak-left") == -120)
    }

    @Test func metersAreTheSameWhateverTheBlockSizeAndChangeNoSample() throws {
        let fall: (OfflineRig, NodeID) -> Void = { rig, mixer in
            rig.set(Mixer.Parameter.enable, 0, element: 0, of: mixer, at: 5_000)
        }
        let (plain, silent) = try Self.mix([480, 960], block: 512, fall)
        #expect(silent.descriptor.readouts.count == 12 && silent.descriptor.readouts.allSatisfy { silent.readout($0) == -120 })
        var shown: Set<[Float?]> = []
        for block in [7, 64, 1_000] {
            let (rig, mixer) = try Self.mix([480, 960], values: ["metering": 2], block: block, fall)
            #expect(rig.recording == plain.recording)
            shown.insert(mixer.descriptor.readouts.map { mixer.readout($0) })
        }
        #expect(shown.count == 1)
    }

    @Test func metersFallToTheirFloorInSilenceThenTheMixerSleeps() throws {
        let rig = OfflineRig()
        let mixer = try rig.add(Mixer.self, startValues: ["metering": 2])
        let x = sine(480, amplitude: 0.25, frames: 4_800)
        try rig.graph.connect(try rig.add(left: x, right: x), to: mixer)
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.render(4_800 + 81_600)
        let unit = rig.graph.nodes[0].instance
        #expect(abs(try #require(unit.readout("peak-left")) + 32.04) < 0.2 && !isAsleep(rig))
        rig.render(12 * 48_000)
        #expect(unit.descriptor.readouts.allSatisfy { unit.readout($0) == -120 })
        #expect(isAsleep(rig))
    }

    @Test func metersThatAreSwitchedOffShowNothing() throws {
        let (_, mixer) = try Self.mix([480], values: ["metering": 2]) { rig, mixer in
            rig.set(Mixer.Parameter.metering, 0, of: mixer, at: 9_000)
        }
        #expect(mixer.descriptor.readouts.allSatisfy { mixer.readout($0) == -120 })
    }
}
