import CarillonTestKit
import Graphs
import Testing
import UnitAPI
import Units

/// Steps are where they belong, to the frame; patterns are read, or refused in words.
@Suite struct DrumMachineTests {
    private static func rig(
        _ values: [String: Float] = [:], pattern: String? = nil, sampleRate: Double = 48_000
    ) throws -> (rig: OfflineRig, node: NodeID) {
        let rig = OfflineRig(sampleRate: sampleRate)
        var setup = rig.setup(startValues: values)
        if let pattern {
            setup.properties["steps"] = .text(pattern)
            setup.startValues["pattern"] = 0
        }
        let node = try rig.graph.add(try UnitInstance.make(DrumMachine.self, setup))
        try rig.graph.setOutput(node)
        try rig.publish()
        return (rig, node)
    }

    /// The frames behind silence on which something sounds; claves of a tenth of their length leave silence behind.
    private static func onsets(_ sound: [Float]) -> [Int] {
        sound.indices.filter { frame in
            sound[frame] != 0 && sound[max(frame - 60, 0)..<frame].allSatisfy { $0 == 0 }
        }
    }

    @Test(arguments: [1, 7, 512]) func stepsAreOnTheirFrames(_ block: Int) throws {
        let (rig, _) = try Self.rig(["tempo": 60, "decay": 20], pattern: "clave: x..x ..x. ..x. x...")
        rig.render(96_000 * 4, block: block)
        // A step at 60 a minute is 12 000 frames.
        let bar = [0, 3, 6, 10, 12].map { $0 * 12_000 }
        #expect(Self.onsets(rig.recording[0]) == bar + bar.map { $0 + 192_000 })
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    /// 77 a minute at 44.1 kHz are 8 590.9 frames a step: each is on the frame that follows its moment, in the tenth bar too.
    @Test func fractionsOfAFrameDoNotAddUp() throws {
        let (rig, _) = try Self.rig(["tempo": 77, "decay": 20], pattern: "clave: xxxxxxxxxxxxxxxx", sampleRate: 44_100)
        rig.render(8_592 * 160, block: 4_096)
        let wanted = (0..<160).map { Int((Double($0) * 44_100 * 15 / 77).rounded(.up)) }
        #expect(Self.onsets(rig.recording[0]).prefix(160).elementsEqual(wanted))
    }

    @Test func swingDelaysEverySecondStep() throws {
        let (rig, _) = try Self.rig(["tempo": 60, "swing": 75, "decay": 20], pattern: "clave: xxxx xxxx xxxx xxxx")
        rig.render(48_000 * 2)
        #expect(Self.onsets(rig.recording[0]) == [0, 18_000, 24_000, 42_000, 48_000, 66_000, 72_000, 90_000])
    }

    @Test func eachStartIsTheFirstStepOnItsFrame() throws {
        let (rig, node) = try Self.rig(["tempo": 60, "decay": 20, "running": 0], pattern: "clave: x..x .... .... ....")
        for (time, value) in [(1_001, 1), (40_000, 0), (50_007, 1)] as [(Int, Float)] {
            rig.set(DrumMachine.Parameter.running, value, of: node, at: time)
        }
        rig.render(100_000)
        #expect(Self.onsets(rig.recording[0]) == [1_001, 37_001, 50_007, 86_007])
        #expect(rig.graph.nodes[0].instance.readout("step") == 5 && rig.graph.nodes[0].instance.readout("bar") == 1)
        rig.set(DrumMachine.Parameter.running, 0, of: node, at: 100_100)
        rig.render(20_000)
        #expect(rig.graph.nodes[0].instance.isAtRest)
    }

    @Test func anotherTempoHoldsFromThereOn() throws {
        let (rig, node) = try Self.rig(["tempo": 60, "decay": 20], pattern: "clave: xxxx xxxx xxxx xxxx")
        rig.set(DrumMachine.Parameter.tempo, 120, of: node, at: 30_000)
        rig.render(60_000)
        // Half of the third step is over at 30 000; the other half takes half as long.
        #expect(Self.onsets(rig.recording[0]) == [0, 12_000, 24_000, 33_000, 39_000, 45_000, 51_000, 57_000])
    }

    @Test func anotherPatternHoldsFromTheNextStepOn() throws {
        let (rig, node) = try Self.rig(["tempo": 60, "decay": 20], pattern: "clave: xxxx .... .... ....")
        rig.set(DrumMachine.Parameter.pattern, 1, of: node, at: 30_000)
        rig.render(60_000)
        let plain = try Self.rig(["tempo": 60, "decay": 20, "pattern": 1]).rig
        plain.render(60_000)
        // The fourth clave is not struck; the rock's third step rings on in the one alone.
        #expect(rig.recording[0][30_000..<36_000].allSatisfy { $0 == 0 })
        #expect(rig.recording[0][48_000...] == plain.recording[0][48_000...] && rig.recording[0][48_000] != 0)
    }

    @Test func accentsAreLouderByTheirDecibels() throws {
        for text in ["clave: x.X. .... .... ....", "clave: x.x. .... .... ....\naccent: ..x. .... .... ...."] {
            let (rig, _) = try Self.rig(["tempo": 60, "accent": 9, "decay": 20], pattern: text)
            rig.render(48_000)
            let sound = rig.recording[0]
            let soft = level(sound[0..<2_000]), hard = level(sound[24_000..<26_000])
            #expect(abs(decibels(hard / soft) - 9) < 0.1, "\(decibels(hard / soft))")
        }
    }

    @Test func itPlaysTheDrumsOfTheDrumSynth() throws {
        let (rig, _) = try Self.rig(["tempo": 60, "gain": 0, "width": 0, "accent": 0], pattern: "clap: x... .... .... ....")
        rig.render(20_000)
        var performance = DrumStrokes.performance()
        performance.on(39, at: 0, channel: 0)
        // The drum-synth plays a part, with volume and pan; on the left of full volume it is the same.
        #expect(try performance.render(20_000).left == rig.recording[0])
    }

    @Test func everyPatternOfItsOwnSounds() throws {
        guard case .choice(let names) = DrumMachine.Parameter.pattern.spec.unit else {
            Issue.record("pattern is no choice")
            return
        }
        var sounds: Set<[Float]> = []
        for number in names.indices.dropFirst() {
            let (rig, _) = try Self.rig(["pattern": Float(number), "tempo": 300])
            rig.render(38_400)
            let peak = rig.recording[0].reduce(0) { max($0, abs($1)) }
            #expect(peak > 0.1 && peak < 1, "\(names[number]): \(peak)")
            sounds.insert(rig.recording[0])
        }
        #expect(sounds.count == names.count - 1)
        // Its own pattern needs steps.
        #expect(throws: UnitError.self) { _ = try Self.rig(["pattern": 0]) }
    }

    @Test(arguments: [
        ("kik: x...x...x...x...", "there is no drum kik; did you mean kick?"), ("kick: x..", "kick has 3 steps; 16 are wanted"),
        ("kick: x...y...x...x...", "kick: “y” is no step; write x, X for a harder stroke, or . for none"),
        ("kick", "“kick” has no steps; write it as kick: x...x...x...x..."),
    ])
    func aPatternThatIsNoneIsRefusedInWords(_ text: String, _ reason: String) throws {
        do {
            _ = try Self.rig(pattern: text)
            Issue.record("\(text) was taken")
        } catch let error as UnitError {
            guard case .invalidProperty("drum-machine", "steps", let found) = error else { throw error }
            #expect(found.hasPrefix(reason), "\(found)")
        }
    }

    @Test(arguments: [1, 33, 4_096]) func blocksDoNotMatterWhileEverythingMoves(_ block: Int) throws {
        func sound(_ block: Int) throws -> [[Float]] {
            let (rig, node) = try Self.rig(["tempo": 180])
            for n in 0..<12 {
                rig.set(DrumMachine.Parameter.tempo, Float(60 + n * 97 % 240), of: node, at: n * 1_777)
                rig.set(DrumMachine.Parameter.pattern, Float(n % 9), of: node, at: n * 1_999 + 5)
                rig.set(DrumMachine.Parameter.swing, Float(50 + n * 7 % 25), of: node, at: n * 1_501 + 9)
                rig.set(DrumMachine.Parameter.running, n % 5 == 4 ? 0 : 1, of: node, at: n * 2_003)
            }
            rig.render(30_000, block: block)
            return rig.recording
        }
        #expect(firstDifference(try sound(512), try sound(block)) == nil)
    }
}
