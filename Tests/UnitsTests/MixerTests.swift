import CarillonTestKit
import DSP
import Graphs
import MIDI
import Testing
import UnitAPI
import Units

@Suite struct MixerTests {
    static let sound = noise(amplitude: 0.5, frames: 4_800), other = noise(amplitude: 0.5, frames: 4_800, seed: 2)

    @Test func anUntouchedStripChangesNoSample() throws {
        let heard = try play(ChannelStrip.self, left: Self.sound, right: Self.other).recording
        #expect(heard == [Self.sound, Self.other])
    }

    @Test func gainIsInDecibels() throws {
        let x = sine(1_000, amplitude: 0.5, frames: 4_800)
        let heard = try play(ChannelStrip.self, left: x, right: x, values: ["gain": -6]).recording
        #expect(abs(decibels(amplitude(heard[0], at: 1_000) / 0.5) + 6) < 0.001)
        let silent = try play(ChannelStrip.self, left: x, right: x, values: ["gain": -120]).recording
        #expect(silent[0].allSatisfy { $0 == 0 })
    }

    @Test func panLowersTheFarSideOnly() throws {
        let right = try play(ChannelStrip.self, left: Self.sound, right: Self.other, values: ["pan": 50]).recording
        #expect(right[1] == Self.other)
        #expect(abs(level(right[0]) / level(Self.sound) - 0.5) < 1e-6)
        let left = try play(ChannelStrip.self, left: Self.sound, right: Self.other, values: ["pan": -100]).recording
        #expect(left[0] == Self.sound && left[1].allSatisfy { $0 == 0 })
    }

    @Test func muteAndCutFadeOutWithinFiveMilliseconds() throws {
        do {
            let rig = OfflineRig()
            let strip = try rig.add(ChannelStrip.self)
            let x = sine(100, amplitude: 0.5, frames: 4_800)
            try rig.graph.connect(try rig.add(left: x, right: x), to: strip)
            try rig.graph.setOutput(strip)
            try rig.publish()
            rig.set(ChannelStrip.Parameter.mute, 1, of: strip, at: 1_000)
            rig.render(4_800, block: 128)
            let heard = rig.recording[0]
            #expect(Array(heard[..<1_000]) == Array(x[..<1_000]))
            #expect(heard[1_240...].allSatisfy { $0 == 0 })
            #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 0.015 })
        }
    }

    @Test func aValueThatIsNoNumberIsTheDefault() {
        let volume = MultichannelMixer.Parameter.volume.spec
        #expect(volume.clamped(.nan) == 0 && volume.clamped(-.infinity) == -120 && volume.clamped(99) == 40)
    }

    @Test func controllersMoveTheSends() throws {
        let rig = OfflineRig()
        let strip = try rig.add(ChannelStrip.self)
        try rig.graph.connect(try rig.add(left: Self.sound, right: Self.other), to: strip)
        try rig.graph.setOutput(strip, bus: 1)
        try rig.publish()
        rig.send(.message(MIDIMessage(status: 0xB0, data1: 91, data2: 127)), to: strip, at: 1_000)
        rig.send(.message(MIDIMessage(status: 0xB0, data1: 91, data2: 0)), to: strip, at: 3_000)
        rig.render(4_800)
        #expect(abs(level(rig.recording[0][..<1_000]) / level(Self.sound[..<1_000]) - 40.0 / 127) < 1e-6)
        #expect(Array(rig.recording[0][1_960..<3_000]) == Array(Self.sound[1_960..<3_000]))
        #expect(rig.recording[0][3_960...].allSatisfy { $0 == 0 })
    }

    @Test func aSendAtZeroIsMarkedSilent() throws {
        let rig = try play(ChannelStrip.self, left: Self.sound, right: Self.other, values: ["chorus-send": 0])
        let rest = OfflineRig()
        let strip = try rest.add(ChannelStrip.self)
        let chorus = try rest.add(Chorus.self)
        try rest.graph.connect(try rest.add(left: Self.sound, right: Self.other), to: strip)
        try rest.graph.connect(strip, output: 2, to: chorus)
        try rest.graph.setOutput(chorus)
        try rest.publish()
        rest.render(4_800)
        #expect(rig.recording[0] == Self.sound)
        #expect(rest.graph.nodes[1].instance.memory.pointee.isAsleep)
        #expect(rest.recording[0].allSatisfy { $0 == 0 })
    }

    @Test func sixteenStemsAddUpToTheMixBitForBit() throws {
        let rig = OfflineRig()
        let mixer = try rig.add(MultichannelMixer.self, inputs: 16)
        var expected = [Float](repeating: 0, count: 4_800)
        for n in 0..<16 {
            let x = noise(amplitude: 0.2, frames: 4_800, seed: UInt64(n + 1))
            let strip = try rig.add(ChannelStrip.self, name: "strip-\(n)")
            try rig.graph.connect(try rig.add(left: x, right: x, name: "stem-\(n)"), to: strip)
            try rig.graph.connect(strip, to: mixer, input: n)
            for i in 0..<4_800 { expected[i] += x[i] }
        }
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.render(4_800, block: 100)
        #expect(rig.recording == [expected, expected])
    }

    @Test func eachInputHasItsOwnGainPanAndSwitch() throws {
        let rig = OfflineRig()
        let mixer = try rig.add(MultichannelMixer.self, inputs: 3, startValues: ["volume": -6])
        let tones = [500.0, 1_000, 2_000]
        for (n, tone) in tones.enumerated() {
            let x = sine(tone, amplitude: 0.25, frames: 9_600)
            try rig.graph.connect(try rig.add(left: x, right: x, name: "tone-\(n)"), to: mixer, input: n)
        }
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.set(MultichannelMixer.Parameter.gain, -12, element: 0, of: mixer, at: 0)
        rig.set(MultichannelMixer.Parameter.pan, 100, element: 1, of: mixer, at: 0)
        rig.set(MultichannelMixer.Parameter.enable, 0, element: 2, of: mixer, at: 0)
        rig.render(9_600)
        let left = rig.recording[0][4_800...], right = rig.recording[1][4_800...]
        #expect(abs(decibels(amplitude(left, at: 500) / 0.25) + 18) < 0.01)
        #expect(amplitude(left, at: 1_000) < 1e-5)
        #expect(abs(decibels(amplitude(right, at: 1_000) / 0.25) + 6) < 0.01)
        #expect(amplitude(left, at: 2_000) < 1e-5 && amplitude(right, at: 2_000) < 1e-5)
    }
}
