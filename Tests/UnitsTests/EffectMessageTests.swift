import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

/// What songs say of reverb and chorus by System Exclusive is what is heard.
@Suite struct EffectMessageTests {
    /// What comes out of an effect that hears messages, at their frames, and a sound.
    private func play<U: AudioUnit & ~Copyable>(
        _ unit: U.Type, _ sound: [Float], frames: Int, rate: Double = 48_000, block: Int = 512, values: [String: Float] = [:],
        properties: [String: PropertyValue] = [:], parts: [Int] = [], output: Int = 0,
        _ messages: [(frame: Int, bytes: [UInt8])], port: UInt8 = 0
    ) throws -> OfflineRig {
        let rig = OfflineRig(sampleRate: rate)
        let node = try rig.graph.add(
            try UnitInstance.make(unit, rig.setup(startValues: values, properties: properties)))
        for part in parts { try rig.graph.route(part: part, to: node) }
        try rig.graph.connect(try rig.add(left: sound, right: sound), to: node)
        if output == 0 {
            try rig.graph.setOutput(node)
        } else {
            let through = try rig.add(Reverb.self, name: "through", startValues: ["mix": 0])
            try rig.graph.connect(node, output: output, to: through)
            try rig.graph.setOutput(through)
        }
        try rig.publish()
        var interpreter = SystemExclusive()
        for message in messages {
            let events = interpreter.events(from: message.bytes, port: port)
            #expect(!events.isEmpty)
            for event in events {
                #expect(
                    rig.renderer.send(
                        RenderCommand(time: SampleTime(Int64(message.frame)), node: nil, event: .music(event))))
            }
        }
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig
    }

    private static func gm2(_ slot: UInt8, _ number: UInt8, _ value: UInt8) -> [UInt8] {
        [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, slot, number, value, 0xF7]
    }
    private static func gs(_ low: UInt8, _ values: UInt8...) -> [UInt8] {
        [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x01, low] + values + [0, 0xF7]
    }
    private static func xg(_ low: UInt8, _ values: UInt8...) -> [UInt8] {
        [0xF0, 0x43, 0x10, 0x4C, 0x02, 0x01, low] + values + [0xF7]
    }
    private static let gmReset: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]

    private static let halls: [(bytes: [UInt8], seconds: Double)] = [
        (gm2(1, 0, 0), 1.1), (gm2(1, 0, 1), 1.28), (gm2(1, 0, 2), 1.49), (gm2(1, 0, 4), 1.82), (gm2(1, 0, 8), 1.28),
        (gm2(1, 1, 84), 3.0), (gs(0x30, 0), 1.1), (gs(0x30, 5), 1.28), (gs(0x34, 104), 4.95), (gs(0x30, 3, 3, 0, 64, 32), 0.67),
        (xg(0x00, 1, 0), 2.1), (xg(0x00, 4, 0), 2.8), (xg(0x02, 9), 1.2),
    ]

    @Test(arguments: halls.indices) func soundDiesAwayInTheTimeThatTheMessageSays(_ index: Int) throws {
        let (bytes, seconds) = Self.halls[index]
        let start = 6_000, sound = [Float](repeating: 0, count: start) + [1]
        let frames = start + Int((seconds * 0.75 + 0.3) * 48_000)
        let rig = try play(
            Reverb.self, sound, frames: frames, values: ["decay": 2.5, "damping": 0, "low-cut": 10], [(1_000, bytes)])
        for channel in rig.recording {
            let measured = ReverbTests.reverberationTime(ReverbTests.band(Array(channel[start...]), 1000, q: 0.5))
            #expect(abs(measured / seconds - 1) < 0.06, "\(measured) s instead of \(seconds) s")
        }
    }

    /// The three voices of a side swing a third of a turn apart: around a tone stand lines at every third multiple of the
    /// rate alone, as high as Bessel functions of 2 pi times frequency and depth say.
    @Test func theChorusSwingsAsOftenAndAsFarAsItsTypeSays() throws {
        let tone = 150.0, rate = 9 * 0.122, tones = sine(tone, amplitude: 0.5, frames: 120_000, rate: 8_000)
        for bytes in [Self.gm2(2, 0, 1), Self.gs(0x38, 1)] {
            let rig = try play(
                Chorus.self, tones, frames: tones.count, rate: 8_000, values: ["level": 0, "rate": 0.4], [(100, bytes)])
            // Feedback belongs to the type and would add lines of its own: without it, the same again.
            let fed = rig.graph.nodes[0].instance.parameters.target(Chorus.Parameter.feedback.rawValue)
            #expect(abs(fed - 3.815) < 1e-3)
            let plain = try play(
                Chorus.self, tones, frames: tones.count, rate: 8_000, values: ["level": 0, "rate": 0.4],
                properties: ["held": .text("feedback")], [(100, bytes)])
            let heard = plain.recording[0][8_000...]
            func line(_ multiple: Double) -> Double {
                amplitude(heard, at: tone + multiple * rate, rate: 8_000) / (0.5 * 3.0.squareRoot())
            }
            #expect(abs(line(0) - 0.2409) < 0.01 && abs(line(3) - 0.2993) < 0.01 && abs(line(-3) - 0.2993) < 0.01)
            #expect(line(1) < 0.01 && line(2) < 0.01 && line(4) < 0.01)
        }
    }

    @Test func feedbackSendsTheVoicesRoundAgain() throws {
        let start = 9_600, sound = [Float](repeating: 0, count: start) + [1]
        for (byte, share) in [(64, 0.48832), (112, 0.85456)] as [(UInt8, Double)] {
            let rig = try play(
                Chorus.self, sound, frames: start + 6_000, values: ["level": 0, "depth": 0, "delay": 0.01],
                [(100, Self.gm2(2, 3, byte))])
            for channel in rig.recording {
                for round in 0..<4 {
                    let expected = 3.0.squareRoot() * (0..<round).reduce(1.0) { product, _ in product * share }
                    #expect(abs(Double(channel[start + 480 + round * 544]) - expected) < 1e-3)
                }
            }
        }
    }

    @Test func whatIsFedBackFallsAsleepOnlyWhenItHasDiedAway() throws {
        let sound = noise(frames: 4_800)
        let rig = try play(
            Chorus.self, sound, frames: 8 * 48_000, values: ["level": 0, "depth": 0, "delay": 0.05, "feedback": 80], [])
        #expect(isAsleep(rig))
        // From -6 dB to -120 dB takes 61 rounds of 2464 frames at a fifth less each.
        let last = try #require(rig.recording[0].lastIndex { $0 != 0 })
        #expect(last > 130_000 && last < 190_000, "\(last)")
    }

    @Test func theChorusGoesToTheReverbAsMuchAsTheMessageSays() throws {
        let sound = noise(amplitude: 0.5, frames: 24_000)
        let main = try play(Chorus.self, sound, frames: 24_000, [(100, Self.gm2(2, 4, 100))]).recording[0]
        let sent = try play(Chorus.self, sound, frames: 24_000, output: 1, [(100, Self.gm2(2, 4, 100))]).recording[0]
        #expect(sent[0..<100].allSatisfy { $0 == 0 })
        for i in 2_000..<24_000 { #expect(abs(sent[i] - main[i] * 0.787) < 1e-5) }
        let none = try play(Chorus.self, sound, frames: 24_000, output: 1, []).recording[0]
        #expect(none.allSatisfy { $0 == 0 })
    }

    @Test func levelsAreFactorsOnWhatWasSetAndMoveWithoutAStep() throws {
        let sound = sine(500, amplitude: 0.5, frames: 48_000), values: [String: Float] = ["level": -6, "depth": 0]
        for (bytes, ratio) in [
            (Self.gs(0x3A, 32), 0.5), (Self.xg(0x2C, 127), 127.0 / 64), (Self.gs(0x3A, 0), 0), (Self.xg(0x20, 0, 0), 0),
        ] {
            let heard = try play(Chorus.self, sound, frames: 48_000, values: values, [(24_000, bytes)]).recording[0]
            let before = level(heard[10_000..<20_000]), after = level(heard[30_000..<40_000])
            #expect(abs(after / before - ratio) < 4e-3, "\(after / before) instead of \(ratio)")
            #expect(steepestBend(heard[23_000..<26_000]) < 1.1 * max(1, Float(ratio)) * steepestBend(heard[10_000..<20_000]))
        }
    }

    @Test func aResetPutsBackWhatWasSet() throws {
        let resets: [[UInt8]] = [
            Self.gmReset, [0xF0, 0x7E, 0x7F, 0x09, 0x03, 0xF7], [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7],
            [0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7],
        ]
        for reset in resets {
            let rig = try play(
                Reverb.self, [], frames: 4_800, values: ["decay": 2.5, "level": -9],
                [(100, Self.gs(0x30, 0)), (200, Self.gs(0x33, 32)), (3_000, reset)])
            #expect(rig.graph.nodes[0].instance.parameters.target(Reverb.Parameter.decay.rawValue) == 2.5)
            #expect(rig.graph.nodes[0].instance.parameters.target(Reverb.Parameter.level.rawValue) == -9)
        }
    }

    @Test func whatIsSetWhileItSoundsIsWhatMessagesStartFromThen() throws {
        let rig = OfflineRig()
        let node = try rig.add(Reverb.self, startValues: ["level": -12])
        try rig.graph.setOutput(node)
        try rig.publish()
        let parameters = rig.graph.nodes[0].instance.parameters
        func say(_ event: MusicEvent) {
            _ = rig.renderer.send(RenderCommand(time: .immediately, node: nil, event: .music(event)))
            rig.render(64)
        }
        say(.effect(0.5, of: .reverbLevel, port: 0))
        #expect(abs(parameters.target(Reverb.Parameter.level.rawValue) + 18.02) < 0.01)
        rig.set(Reverb.Parameter.level, -20, of: node, at: 64)
        rig.render(64)
        #expect(parameters.target(Reverb.Parameter.level.rawValue) == -20)
        say(.effect(0.5, of: .reverbLevel, port: 0))
        #expect(abs(parameters.target(Reverb.Parameter.level.rawValue) + 26.02) < 0.01)
        say(.effect(EffectParameter.asSet, of: .reverbLevel, port: 0))
        #expect(parameters.target(Reverb.Parameter.level.rawValue) == -20)
    }

    @Test func aHeldParameterStays() throws {
        let rig = try play(
            Reverb.self, [], frames: 512, values: ["decay": 2.5, "level": -9], properties: ["held": .text("decay")],
            [(10, Self.gm2(1, 0, 0)), (10, Self.gs(0x33, 0))])
        #expect(rig.graph.nodes[0].instance.parameters.target(Reverb.Parameter.decay.rawValue) == 2.5)
        #expect(rig.graph.nodes[0].instance.parameters.target(Reverb.Parameter.level.rawValue) == -120)
        for wrong in [PropertyValue.text("decay size"), .integer(3)] {
            #expect(throws: UnitError.self) {
                try UnitInstance.make(Reverb.self, OfflineRig().setup(properties: ["held": wrong]))
            }
        }
    }

    @Test func anEffectThatIsRoutedHearsItsOwnPortsAlone() throws {
        let cases: [([Int], UInt8, Float)] = [([], 3, 1.1052), ([5], 0, 1.1052), ([5], 3, 2.5), ([48], 3, 1.1052)]
        for (parts, port, decay) in cases {
            let rig = try play(
                Reverb.self, [], frames: 512, values: ["decay": 2.5], parts: parts, [(10, Self.gm2(1, 0, 0))], port: port)
            #expect(abs(rig.graph.nodes[0].instance.parameters.target(Reverb.Parameter.decay.rawValue) - decay) < 1e-3)
        }
    }

    @Test(arguments: [1, 17, 64, 333]) func blockSizesDoNotMatter(block: Int) throws {
        let sound = noise(frames: 6_000) + [Float](repeating: 0, count: 12_000) + noise(frames: 4_000)
        let messages = [
            (500, Self.gm2(2, 0, 5)), (3_001, Self.gs(0x3F, 64)), (5_000, Self.xg(0x21, 8)), (9_000, Self.gmReset),
            (19_000, Self.gm2(2, 3, 90)),
        ]
        let reference = try play(Chorus.self, sound, frames: sound.count, block: 1000, messages).recording
        let other = try play(Chorus.self, sound, frames: sound.count, block: block, messages).recording
        #expect(firstDifference(reference, other) == nil)
    }
}
