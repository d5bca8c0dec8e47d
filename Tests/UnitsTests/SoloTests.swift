import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI
import Units

/// Solo in graphs: who is silent, and who is heard with what of the effects.
@Suite struct SoloTests {
    typealias Strip = ChannelStrip.Parameter
    typealias Mixer = MultichannelMixer.Parameter

    /// Tones through strips into a mixer, with a reverb, and a chorus that sends to it: a song's graph in small.
    private struct Mix {
        let rig: OfflineRig
        var strips: [NodeID] = []
        let mixer: NodeID
        static let frames = 24_000

        init(
            _ tones: [Double] = [330, 550, 770], threads: Int = 1, settings: [Int: [String: Float]] = [:],
            inputs: [String: [Float]] = [:]
        ) throws {
            rig = OfflineRig(maximumFrames: 512, threads: threads)
            let mixer = try rig.graph.add(
                UnitInstance.make(MultichannelMixer.self, rig.setup(inputs: tones.count + 2, elementValues: inputs)),
                name: "mixer")
            let reverb = try rig.add(Reverb.self), chorus = try rig.add(Chorus.self)
            for (n, tone) in tones.enumerated() {
                let x = sine(tone, amplitude: 0.2, frames: Self.frames)
                let source = try rig.add(left: x, right: x, name: "tone-\(n)")
                let start = ["chorus-send": Float(0.5)].merging(settings[n] ?? [:]) { $1 }
                let strip = try rig.add(ChannelStrip.self, name: "strip-\(n + 1)", startValues: start)
                try rig.graph.connect(source, to: strip)
                try rig.graph.connect(strip, to: mixer, input: n)
                try rig.graph.connect(strip, output: 1, to: reverb)
                try rig.graph.connect(strip, output: 2, to: chorus)
                strips.append(strip)
            }
            try rig.graph.connect(chorus, output: 1, to: reverb)
            try rig.graph.connect(reverb, to: mixer, input: tones.count)
            try rig.graph.connect(chorus, to: mixer, input: tones.count + 1)
            try rig.graph.setOutput(mixer)
            self.mixer = mixer
        }

        func heard(block: Int = 512, frames: Int = Mix.frames) throws -> [Float] {
            try rig.publish()
            rig.render(frames, block: block)
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return rig.recording[0]
        }
    }

    private static func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

    @Test func soloedChannelsAddUpToTheMixWithTheirEffects() throws {
        let mix = try Mix().heard()
        var rest = mix
        for n in 0..<3 {
            let alone = try Mix(settings: [n: ["solo": 1]]).heard()
            #expect(Self.peak(alone) > 0.1)
            for i in rest.indices { rest[i] -= alone[i] }
        }
        #expect(Self.peak(mix) > 0.3 && Self.peak(rest) < 2e-6)
    }

    @Test func aMixersSoloAndAStripsAreTheSameToTheBit() throws {
        let strip = try Mix(settings: [1: ["solo": 1]]).heard()
        #expect(try Mix(inputs: ["solo": [0, 1, 0, 0, 0]]).heard() == strip)
        let muted = try Mix(settings: [0: ["mute": 1], 2: ["mute": 1]]).heard()
        #expect(muted == strip)
    }

    @Test func aSoloedReturnIsHeardAloneWithAllThatIsSentToIt() throws {
        let heard = try Mix(inputs: ["solo": [0, 0, 0, 1, 0]]).heard()
        let wet = try Mix(inputs: ["enable": [0, 0, 0, 1, 0]]).heard()
        #expect(Self.peak(wet.dropFirst(4_800)) > 0.01)
        let worst = heard.indices.max { abs(heard[$0] - wet[$0]) < abs(heard[$1] - wet[$1]) } ?? 0
        #expect(abs(heard[worst] - wet[worst]) < 1e-6, "\(worst): \(heard[worst]) \(wet[worst])")
    }

    @Test(arguments: [(1, 1), (7, 1), (64, 1), (512, 3)]) func soloTakesEffectOnItsFrameWhateverTheBlocks(
        _ way: (block: Int, threads: Int)
    )
        throws
    {
        func heard(_ block: Int, threads: Int) throws -> [Float] {
            let mix = try Mix(threads: threads)
            for (n, time) in [1_001, 1_003, 1_100, 2_048, 3_000, 3_001].enumerated() {
                mix.rig.set(Strip.solo, n % 2 == 0 ? 1 : 0, of: mix.strips[n % 3], at: time)
                mix.rig.set(Strip.gain, Float(-n), of: mix.strips[n % 3], at: time)
            }
            return try mix.heard(block: block, frames: 6_000)
        }
        #expect(try heard(way.block, threads: way.threads) == heard(4_000, threads: 1))
    }

    @Test func aStripOfAGroupIsHeardThroughTheMixerBehindIt() throws {
        /// Drums of two strips in a mixer of their own, beside a piano.
        func heard(_ soloed: String?) throws -> [Double] {
            let rig = OfflineRig(), tones = ["kick": 300.0, "snare": 500, "piano": 900]
            let drums = try rig.add(MultichannelMixer.self, name: "drums", inputs: 2)
            let mixer = try rig.add(MultichannelMixer.self, name: "mixer", inputs: 2)
            let group = try rig.add(ChannelStrip.self, name: "group", startValues: ["solo": soloed == "group" ? 1 : 0])
            for (name, place) in [("kick", 0), ("snare", 1), ("piano", 1)] {
                let x = sine(tones[name] ?? 0, amplitude: 0.2, frames: 24_000)
                let strip = try rig.add(ChannelStrip.self, name: name, startValues: ["solo": name == soloed ? 1 : 0])
                try rig.graph.connect(rig.add(left: x, right: x, name: "tone-\(name)"), to: strip)
                try rig.graph.connect(strip, to: name == "piano" ? mixer : drums, input: place)
            }
            try rig.graph.connect(drums, to: group)
            try rig.graph.connect(group, to: mixer, input: 0)
            try rig.graph.setOutput(mixer)
            try rig.publish()
            rig.render(24_000)
            return ["kick", "snare", "piano"].map { amplitude(rig.recording[0], at: tones[$0] ?? 0) }
        }
        func expect(_ soloed: String?, _ levels: [Double]) throws {
            let found = try heard(soloed)
            #expect(zip(found, levels).allSatisfy { abs($0 - $1) < 1e-4 }, "\(soloed ?? "nobody"): \(found)")
        }
        try expect(nil, [0.2, 0.2, 0.2])
        try expect("kick", [0.2, 0, 0])
        try expect("group", [0.2, 0.2, 0])
        try expect("piano", [0, 0, 0.2])
    }

    /// A lead and a bass in a group, and an aux bus of echoes that hears one before its fader and one behind.
    @Test func soloedStripsOfAGroupAddUpWithTheirAuxSends() throws {
        func heard(_ soloed: Int?) throws -> [Float] {
            let rig = OfflineRig()
            let group = try rig.add(MultichannelMixer.self, name: "group", inputs: 2)
            let aux = try rig.add(MultichannelMixer.self, name: "aux", inputs: 2)
            let mixer = try rig.add(MultichannelMixer.self, name: "mixer", inputs: 2)
            let delay = try rig.add(Delay.self, startValues: ["mix": 100])
            for (n, tone) in [300.0, 700].enumerated() {
                let x = sine(tone, amplitude: 0.2, frames: 48_000)
                let source = try rig.add(left: x, right: x, name: "tone-\(n)")
                let strip = try rig.add(ChannelStrip.self, name: "strip-\(n)", startValues: ["solo": soloed == n ? 1 : 0])
                try rig.graph.connect(source, to: strip)
                try rig.graph.connect(strip, to: group, input: n)
                try rig.graph.connect(n == 0 ? source : strip, to: aux, input: n)
            }
            try rig.graph.connect(group, to: rig.add(Compressor.self, startValues: ["threshold": 0]))
            try rig.graph.connect(rig.graph.nodes.last?.id ?? group, to: mixer)
            try rig.graph.connect(aux, to: delay)
            try rig.graph.connect(delay, to: mixer, input: 1)
            try rig.graph.setOutput(mixer)
            try rig.publish()
            rig.render(48_000)
            return rig.recording[0]
        }
        let mix = try heard(nil), alone = try [heard(0), heard(1)]
        #expect(Self.peak(mix.indices.map { mix[$0] - alone[0][$0] - alone[1][$0] }) < 1e-5)
        for (n, tone) in [700.0, 300].enumerated() {
            let rest = amplitude(alone[n].dropFirst(24_000), at: tone)
            #expect(rest < 1e-3, "\(tone) Hz: \(rest)")
        }
    }

    @Test func stripsWithoutAMixerAreAGroupWhereTheyMeet() throws {
        let rig = OfflineRig(), limiter = try rig.add(Limiter.self)
        for (n, tone) in [300.0, 700].enumerated() {
            let x = sine(tone, amplitude: 0.2, frames: 24_000)
            let strip = try rig.add(ChannelStrip.self, name: "strip-\(n)", startValues: ["solo": Float(n)])
            try rig.graph.connect(rig.add(left: x, right: x, name: "tone-\(n)"), to: strip)
            try rig.graph.connect(strip, to: limiter)
        }
        try rig.graph.setOutput(limiter)
        try rig.publish()
        rig.render(24_000)
        #expect(amplitude(rig.recording[0], at: 300) < 1e-6 && amplitude(rig.recording[0], at: 700) > 0.19)
    }

    @Test func whatSteersIsNoChannelAndAnotherMixIsNoneOfItsBusiness() throws {
        let rig = OfflineRig(channels: 4), x = sine(300, amplitude: 0.2, frames: 24_000),
            y = sine(700, amplitude: 0.2, frames: 24_000)
        let kick = try rig.add(left: x, right: x, name: "kick"), bass = try rig.add(left: y, right: y, name: "bass")
        let compressor = try rig.add(Compressor.self, startValues: ["threshold": 0])
        let mixer = try rig.add(MultichannelMixer.self, name: "mixer", inputs: 2)
        let cue = try rig.add(MultichannelMixer.self, name: "cue", inputs: 2)
        try rig.graph.connect(bass, to: compressor)
        try rig.graph.connect(kick, to: compressor, input: 1)
        for (n, unit) in [kick, compressor].enumerated() {
            try rig.graph.connect(unit, to: mixer, input: n)
            try rig.graph.connect(unit, to: cue, input: n)
        }
        try rig.graph.setOutput(cue)
        rig.set(Mixer.solo, 1, element: 1, of: mixer, at: 0)
        try rig.graph.connect(mixer, to: rig.add(PeakMeter.self, name: "meter"))
        try rig.publish()
        rig.render(24_000)
        // The cue has both; the main mix the bass alone.
        #expect(amplitude(rig.recording[0], at: 300) > 0.19 && amplitude(rig.recording[0], at: 700) > 0.1)
        rig.set(Mixer.solo, 1, element: 1, of: cue, at: 24_000)
        rig.render(24_000)
        #expect(amplitude(rig.recording[0].dropFirst(26_000), at: 300) < 1e-3)
    }

    @Test func aSoloOutlivesEditsOfTheGraph() throws {
        let mix = try Mix(settings: [0: ["solo": 1]]), rig = mix.rig
        try rig.publish()
        rig.render(4_800)
        let x = sine(1_100, amplitude: 0.2, frames: 48_000)
        let late = try rig.add(ChannelStrip.self, name: "late")
        try rig.graph.connect(rig.add(left: x, right: x, name: "tone-late"), to: late)
        try rig.graph.connect(late, to: mix.mixer, input: 1)
        try rig.publish()
        rig.render(9_600)
        #expect(amplitude(rig.recording[0][5_300..<14_400], at: 1_100) < 1e-4, "what comes while another is soloed is silent")
        try rig.graph.remove(mix.strips[0])
        try rig.publish()
        rig.render(9_600)
        let heard = rig.recording[0][19_200..<24_000]
        #expect(amplitude(heard, at: 1_100) > 0.15 && amplitude(heard, at: 550) > 0.15, "whoever was soloed has gone")
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    /// What comes while another is soloed has faded in when the solo goes: nothing waits for that.
    @Test(arguments: [64, 1_000]) func fadesPassBehindAClosedGate(_ block: Int) throws {
        let rig = OfflineRig(), mixer = try rig.add(MultichannelMixer.self, name: "mixer", inputs: 2)
        let silent = try rig.add(ChannelStrip.self, name: "silent", startValues: ["solo": 1])
        try rig.graph.connect(silent, to: mixer)
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.render(1_000, block: block)
        let x = sine(500, amplitude: 0.2, frames: 24_000), strip = try rig.add(ChannelStrip.self, name: "late")
        try rig.graph.connect(rig.add(left: x, right: x, name: "tone"), to: strip)
        try rig.graph.connect(strip, to: mixer, input: 1)
        try rig.publish()
        rig.set(Strip.solo, 0, of: silent, at: 10_000)
        rig.render(11_000, block: block)
        #expect(rig.recording[0][..<10_000].allSatisfy { $0 == 0 })
        #expect(Array(rig.recording[0][10_240..<12_000]) == Array(x[10_240..<12_000]))
    }
}
