import AudioFiles
import Carillon
import CarillonTestKit
import Foundation
import Graphs
import MIDI
import Patches
import RealtimeCore
import Testing
import UnitAPI
import Units

@testable import Sessions

/// Controllers that move parameters, learned or from the patch; and scenes. In simulated time.
@Suite struct PlayerControlTests {
    private static let file = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1}
          bass: {unit: square-wave, role: instrument, parts: 2}
          reverb: {role: send, decay: 2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
        connections:
          - lead -> mixer
          - bass -> mixer[1]
          - lead -> reverb -> mixer[2]
        outputs: mixer
        zones:
          left: {keys: C-1-B3, unit: bass}
          right: {keys: C4-G9, unit: lead}
        controllers:
          hall: {control: 21, parameter: reverb.decay, from: 1 s, to: 4 s, curve: linear}
          loud: {control: 7, channels: 2, parameter: "mixer.gain[1]", pick-up: on, passes: on}
          bend: {control: bend, parameter: mixer.volume, from: -20 dB, to: 0 dB}
        scenes:
          verse: {morph: 1 s, program: 3, controller: 80, values: {reverb.decay: 1 s}, zones: [left]}
          chorus: {key: C0, controller: 80, values: {reverb.decay: 3 s, mixer.volume: -6 dB}, zones: [left, right]}
        """

    private static func folder() -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-controls-\(UUID().uuidString)")
        #expect(throws: Never.self) { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        return folder.path
    }

    private static func remove(_ folder: String) {
        #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) }
    }

    private func session(_ file: String = file) throws -> SessionInTime {
        var options = SessionInTime.options
        options.patch = try PatchFile(text: file, units: UnitCatalog.entries).patch
        return try SessionInTime(options)
    }

    private func control(_ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> MusicEvent {
        .message(MIDIMessage(status: 0xB0 | channel, data1: number, data2: value))
    }

    @Test func aControllerReachesItsParameterOnItsFrame() throws {
        let time = try session()
        var performed: [Journal.Entry] = []
        try time.pass(0.1)
        time.session.onPerformance = { performed += $0.entries }
        let frame = time.session.sampleTime + 777
        try time.session.receive(control(21, 127), at: frame)
        try time.session.receive(control(21, 0, channel: 5), at: frame + 1)
        try time.pass(0.1)
        #expect(performed.map(\.time) == [frame, frame + 1])
        #expect(performed.map(\.unit) == ["reverb", "reverb"])
        #expect(try time.session.engine.value("reverb.decay") == 1)
        try time.session.receive(control(21, 127))
        try time.pass(0.1)
        #expect(try time.session.engine.value("reverb.decay") == 4)
        // No instrument has heard of it.
        #expect(!performed.contains { if case .music = $0.event { true } else { false } })
    }

    @Test func aPitchWheelHasFourteenBits() throws {
        let time = try session()
        for (value, decibels) in [(0, -20), (16_383, 0), (8_192, -10)] as [(Int, Float)] {
            let message = MIDIMessage(status: 0xE0, data1: UInt8(value & 127), data2: UInt8(value >> 7))
            try time.session.receive(.message(message))
            try time.pass(0.05)
            #expect(abs(try time.session.engine.value("mixer.volume") - decibels) < 0.002)
        }
    }

    @Test func whatPicksUpWaitsUntilItIsThere() throws {
        let time = try session()
        try time.session.perform(.set("mixer.gain[1]=-12 dB"))
        try time.pass(0.05)
        let knob = try #require(
            ControllerKnob(
                ControllerMap("x", .controller(7), moves: ParameterAddress("mixer.gain[1]")!), input: nil,
                in: time.session.engine.graph))
        let there = try #require(
            (0...127).min { abs(knob.value(of: Float($0) / 127) + 12) < abs(knob.value(of: Float($1) / 127) + 12) })
        func turn(_ value: Int) throws -> Float {
            try time.session.receive(control(7, UInt8(value), channel: 1))
            try time.pass(0.02)
            return try time.session.engine.value("mixer.gain[1]")
        }
        #expect(try turn(2) == -12)
        #expect(try turn(there / 2) == -12)
        // It comes past it in one step.
        let passed = try turn(there + 10)
        #expect(passed > -12)
        #expect(try turn(there - 10) < -12)
        // Somebody else moves it: out of hand.
        try time.session.perform(.set("mixer.gain[1]=0 dB"))
        try time.pass(0.05)
        #expect(try turn(there - 11) == 0)
    }

    @Test func aSceneMorphsAndChoosesZones() throws {
        let time = try session()
        #expect(time.session.snapshot.scenes == ["verse", "chorus"] && time.session.snapshot.scene == nil)
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 72, data2: 90)))
        try time.pass(0.1)
        #expect(time.held[72] == 1)
        var performed: [Journal.Entry] = []
        let record = time.session.onPerformance
        time.session.onPerformance = {
            performed += $0.entries; record($0)
        }
        let frame = time.session.sampleTime + 555
        try time.session.receive(.message(MIDIMessage(status: 0xC0, data1: 3, data2: 0)), at: frame)
        try time.pass(0.1)
        #expect(performed.map(\.time) == [frame] && performed.map(\.unit) == ["reverb"])
        guard case .ramp(let index, 0, 1, 48_000, let curve)? = performed.first?.event else {
            return #expect(Bool(false), "\(performed)")
        }
        #expect(Int(index) == Reverb.Parameter.decay.rawValue)
        #expect(curve == (Reverb.Parameter.decay.spec.curve == .logarithmic ? .exponential : .linear))
        #expect(time.session.snapshot.scene == "verse")
        // The right zone is heard no more, but the key that is held there ends there.
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 74, data2: 90)))
        try time.session.receive(.message(MIDIMessage(status: 0x80, data1: 72, data2: 0)))
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 40, data2: 90)))
        try time.pass(0.1)
        #expect(time.held.filter { $0.value > 0 }.keys.sorted() == [40])
        // A key calls, and plays nothing.
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 12, data2: 90)))
        try time.session.receive(.message(MIDIMessage(status: 0x80, data1: 12, data2: 0)))
        try time.pass(0.1)
        #expect(time.session.snapshot.scene == "chorus" && time.held[12] == nil)
        #expect(try time.session.engine.value("mixer.volume") == -6)
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 74, data2: 90)))
        try time.pass(0.1)
        #expect(time.held[74] == 1)
    }

    @Test func aSceneThatAKeyboardCallsHoldsForThePageToo() throws {
        let time = try session()
        try time.session.perform(.pressKey(channel: 1, key: 72, velocity: 90))
        try time.session.receive(.message(MIDIMessage(status: 0xC0, data1: 3, data2: 0)))
        try time.pass(0.1)
        #expect(time.session.snapshot.scene == "verse" && time.held[72] == 1)
        for key in [74, 40] { try time.session.perform(.pressKey(channel: 1, key: key, velocity: 90)) }
        try time.session.perform(.liftKey(channel: 1, key: 72))
        try time.pass(0.1)
        #expect(time.held.filter { $0.value > 0 }.keys.sorted() == [40], "the right zone is heard no more")
    }

    @Test func scenesOfOneSwitchTakeTurns() throws {
        let time = try session()
        var called: [String?] = []
        for value in [127, 127, 0, 100, 0, 64, 3, 63] as [UInt8] {
            try time.session.receive(control(80, value))
            called.append(time.session.snapshot.scene)
        }
        #expect(called == ["verse", "verse", "verse", "chorus", "chorus", "verse", "verse", "verse"])
    }

    @Test func scenesAreCalledByCommand() throws {
        let time = try session()
        try time.session.perform(.scene(.next))
        #expect(time.session.snapshot.scene == "verse")
        try time.session.perform(.scene(.previous))
        #expect(time.session.snapshot.scene == "chorus")
        try time.session.perform(.scene(.named("verse")))
        #expect(time.session.snapshot.scene == "verse")
        try time.pass(1.5)
        #expect(try time.session.engine.value("reverb.decay") == 1)
        #expect(throws: Fault.self) { try time.session.perform(.scene(.named("bridge"))) }
        let without = try SessionInTime()
        #expect(throws: Fault.self) { try without.session.perform(.scene(.next)) }
    }

    @Test func aControllerIsLearned() throws {
        let time = try session()
        try time.session.perform(.learn("reverb.mix"))
        #expect(time.session.snapshot.learning == "reverb.mix")
        // Notes and banks are not what is meant.
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 60, data2: 90)))
        try time.session.receive(control(0, 3))
        #expect(time.session.snapshot.learning == "reverb.mix")
        try time.session.receive(control(21, 64, channel: 2))
        try time.pass(0.05)
        #expect(time.session.snapshot.learning == nil)
        #expect(time.session.takeNotices() == ["controller 21 on channel 3 moves reverb.mix, and reverb.decay no more"])
        #expect(time.session.engine.controllers.map(\.name) == ["loud", "bend", "reverb.mix"])
        let range = Reverb.Parameter.mix.spec.range
        try time.session.receive(control(21, 127, channel: 2))
        try time.pass(0.05)
        #expect(try time.session.engine.value("reverb.mix") == range.upperBound)
        try time.session.perform(.forget("reverb.mix"))
        try time.session.receive(control(21, 0, channel: 2))
        try time.pass(0.05)
        #expect(try time.session.engine.value("reverb.mix") == range.upperBound)
        #expect(throws: Fault.self) { try time.session.perform(.forget("reverb.mix")) }
        #expect(throws: Fault.self) { try time.session.perform(.learn("reverb.dacay")) }
        try time.session.perform(.learn("reverb.mix"))
        try time.session.perform(.learn(nil))
        #expect(time.session.snapshot.learning == nil)
    }

    /// Three zones, two keyboards, knobs, wheels, scenes by key, program and switch, at random frames.
    @Test(arguments: [11, 13, 15] as [UInt64]) func aPlayedSessionReplaysBitForBitAndLeavesNoNote(_ seed: UInt64) throws {
        let folder = Self.folder()
        defer { Self.remove(folder) }
        var options = SessionInTime.options
        options.patch = try PatchFile(
            text: Self.file.replacing("left: {", with: "pedal: {keyboard: Second, unit: bass, transpose: -12}\n  left: {"),
            units: UnitCatalog.entries
        ).patch
        options.capturePath = folder + "/played.wav"
        let time = try SessionInTime(options), session = time.session
        var random = SeededRandom(seed: seed), down: Set<MIDIMessage> = []
        for _ in 0..<400 {
            let port = UInt8.random(in: 0...1, using: &random), key = UInt8.random(in: 30...90, using: &random)
            let value = UInt8.random(in: 0...127, using: &random)
            var messages: [MIDIMessage] = []
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: messages = [MIDIMessage(status: 0x90, data1: key, data2: max(value, 1), port: port)]
            case 3:
                messages = down.sorted { ($0.port, $0.data1) < ($1.port, $1.data1) }.prefix(2).map {
                    MIDIMessage(status: 0x80, data1: $0.data1, data2: 0, port: $0.port)
                }
            case 4: messages = [MIDIMessage(status: 0xB0, data1: [21, 7, 80][Int(value % 3)], data2: value, port: port)]
            case 5: messages = [MIDIMessage(status: 0xE0, data1: value, data2: key, port: port)]
            case 6: messages = [MIDIMessage(status: 0xC0, data1: 3, data2: 0, port: port)]
            default: messages = [0x90, 0x80].map { MIDIMessage(status: $0, data1: 12, data2: 90, port: port) }
            }
            for message in messages {
                if message.beginsNote { down.insert(MIDIMessage(status: 0x90, data1: message.data1, data2: 0, port: port)) }
                if message.endsNote {
                    down.remove(MIDIMessage(status: 0x90, data1: message.data1, data2: 0, port: message.port))
                }
                let frame = session.sampleTime + Int.random(in: 0...2_000, using: &random)
                try session.receive(.message(message), at: message.endsNote ? session.sampleTime + 2_001 : frame)
            }
            try time.pass(0.02)
        }
        for message in down.sorted(by: { ($0.port, $0.data1) < ($1.port, $1.data1) }) {
            try session.receive(.message(MIDIMessage(status: 0x80, data1: message.data1, data2: 0, port: message.port)))
        }
        try time.pass(0.2)
        // A key that was struck twice is ended once, as keyboards do it.
        try time.pass(1)
        #expect(session.snapshot.notes.isEmpty && session.core.meters.voices == 0 && session[KeysPart.self]!.filter.isEmpty)
        try session.finish()
        let heard = try AudioFileReader(path: folder + "/played.wav").readAll()
        let renderer = try JournalRenderer(Journal(path: folder + "/played.wav.journal"))
        var replayed = [[Float]](repeating: [], count: 2)
        try renderer.render { (samples, frames) in
            for c in 0..<2 { replayed[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
        }
        #expect(heard[0].contains { abs($0) > 0.05 })
        #expect(heard.map { $0.map(\.bitPattern) } == replayed.map { $0.map(\.bitPattern) })
    }

    @Test func aControllerListensToItsKeyboardAlone() throws {
        let named = Self.file.replacing("hall: {", with: "hall: {keyboard: Second, ")
        let time = try session(named)
        #expect(time.session[KeysPart.self]!.inputs.keyboards == ["any", "Second"])
        try time.session.receive(control(21, 0))
        try time.pass(0.05)
        #expect(try time.session.engine.value("reverb.decay") == 2)
        try time.session.receive(.message(MIDIMessage(status: 0xB0, data1: 21, data2: 0, port: 1)))
        try time.pass(0.05)
        #expect(try time.session.engine.value("reverb.decay") == 1)
        // What is learned on it is its, and another keyboard asks for a new start.
        try time.session.perform(.learn("reverb.mix"))
        try time.session.receive(.message(MIDIMessage(status: 0xB0, data1: 40, data2: 0, port: 1)))
        try time.pass(0.05)
        #expect(time.session.engine.controllers.last?.keyboard == "Second")
        let third = try PatchFile(text: named.replacing("Second", with: "Third"), units: UnitCatalog.entries).patch
        #expect { try time.session.apply(third) } throws: {
            "\($0)".contains("the keyboard Third was not connected at the start")
        }
        #expect(time.session.engine.controllers.last?.keyboard == "Second")
    }

    @Test func aPatchWithoutZonesMayStillTellKeyboardsApart() throws {
        let file = Self.file.split(separator: "\n").filter { !$0.contains("left:") && !$0.contains("right:") }
            .filter { !$0.hasPrefix("zones:") }.joined(separator: "\n")
            .replacing(", zones: [left]", with: "").replacing(", zones: [left, right]", with: "")
            .replacing("hall: {", with: "hall: {keyboard: Second, ")
        let time = try session(file)
        // The second keyboard plays the same parts as the first one.
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 60, data2: 90, port: 1)))
        try time.pass(0.05)
        #expect(time.held[60] == 1 && time.session.snapshot.voices == 1)
    }

    @Test func whatWasLearnedStaysWhenTheFileChangesElsewhere() throws {
        let time = try session()
        try time.session.perform(.learn("lead.gain"))
        try time.session.receive(control(30, 1))
        try time.session.perform(.scene(.named("verse")))
        try time.pass(0.1)
        let other = Self.file.replacing("size", with: "size").replacing("morph: 1 s", with: "morph: 3 s")
        try time.session.apply(PatchFile(text: other, units: UnitCatalog.entries).patch)
        #expect(time.session.engine.controllers.map(\.name).last == "lead.gain")
        #expect(time.session.engine.scenes[0].morph == 3 && time.session.snapshot.scene == "verse")
    }

    @Test func aControllerSolosAStrip() throws {
        var options = SessionInTime.options
        options.instrument = .soundFont([SoundFontLocator.embeddedName])
        options.ports = 1
        let time = try SessionInTime(options)
        try time.session.perform(.learn("strip-3.solo"))
        try time.session.receive(control(22, 127))
        try time.pass(0.05)
        try time.session.receive(control(22, 127))
        try time.pass(0.05)
        #expect(time.session.core.mix.soloed == [3])
        try time.session.receive(control(22, 0))
        try time.pass(0.05)
        #expect(time.session.core.mix.soloed.isEmpty)
    }

    @Test func whatIsPlayedIsSavedIntoTheFile() throws {
        let folder = Self.folder()
        defer { Self.remove(folder) }
        let path = folder + "/split.yaml"
        let source = "# mine\n" + Self.file.replacing("decay: 2 s}", with: "decay: 2 s}  # the hall") + "\n"
        try PatchFile.write(source, to: path)
        var options = SessionInTime.options
        options.patch = try PatchFile.playable(path: path)
        options.patchPath = path
        let time = try SessionInTime(options)
        try time.session.perform(.savePatch(path: nil))
        #expect(try PatchFile.source(path: path) == source)
        try time.session.perform(.set("reverb.decay=3 s"))
        try time.session.perform(.learn("lead.gain"))
        try time.session.receive(control(30, 1))
        try time.pass(0.1)
        #expect(try time.session.perform(.savePatch(path: nil)) == .saved(path: path))
        let text = try PatchFile.source(path: path)
        #expect(text.hasPrefix("# mine\n") && text.contains("decay: 3 s}  # the hall"), "\(text)")
        let saved = try PatchFile(path: path)
        #expect(saved.patch.controllers.map(\.name) == ["hall", "loud", "bend", "lead.gain"])
        #expect(saved.patch.scenes == time.session.engine.scenes && saved.patch.zones == time.session.engine.zones)
        #expect(saved.patch == time.session[StagePart.self]!.played(saved.patch))
        // Again and again; what somebody writes into the file meanwhile stays.
        try time.session.perform(.set("reverb.decay=4 s"))
        try time.pass(0.1)
        try PatchFile.write(PatchFile.source(path: path).replacing("inputs: 3}", with: "inputs: 3, volume: -3 dB}"), to: path)
        try time.session.perform(.savePatch(path: nil))
        #expect(try PatchFile(path: path).patch[unit: "reverb"]?.values["decay"] == [4])
        try time.session.perform(.set("reverb.decay=2 s"))
        try time.pass(0.1)
        try time.session.perform(.savePatch(path: nil))
        #expect(try PatchFile(path: path).patch[unit: "reverb"]?.values["decay"] == [2])
        #expect(try PatchFile(path: path).patch[unit: "mixer"]?.values["volume"] == [-3])
        #expect(throws: Fault.self) { try time.session.perform(.savePatch(path: folder + "/no/such.yaml")) }
    }

    @Test func whateverFileItGoesToHasWhatIsHeard() throws {
        let folder = Self.folder()
        defer { Self.remove(folder) }
        let path = folder + "/mine.yaml", other = folder + "/other.yaml"
        try PatchFile.write(Self.file, to: path)
        var options = SessionInTime.options
        options.patch = try PatchFile.playable(path: path)
        options.patchPath = path
        let time = try SessionInTime(options)
        func decay(_ file: String) throws -> [Float]? { try PatchFile(path: file).patch[unit: "reverb"]?.values["decay"] }
        for (value, first, second) in [(7, nil, other), (9, other, folder + "/./mine.yaml"), (2, String?.none, other)] {
            try time.session.perform(.set("reverb.decay=\(value) s"))
            try time.pass(0.1)
            try time.session.perform(.savePatch(path: first))
            try time.session.perform(.savePatch(path: second))
            #expect(try decay(first ?? path) == [Float(value)] && decay(second) == [Float(value)])
        }
    }

    @Test func aSessionWithoutAPatchBecomesOne() throws {
        let folder = Self.folder()
        defer { Self.remove(folder) }
        let path = folder + "/mine.yaml"
        var options = SessionInTime.options
        options.instrument = .soundFont([SoundFontLocator.embeddedName])
        options.ports = 1
        let time = try SessionInTime(options)
        try time.session.perform(.program(channel: 2, bank: 0, program: 48))
        try time.session.perform(.set("reverb.decay=3 s"))
        try time.session.perform(.metronome(true, tempo: nil))
        try time.pass(0.2)
        try time.session.perform(.savePatch(path: path))
        let saved = try PatchFile(path: path).patch
        #expect(saved[unit: "reverb"]?.values["decay"] == [3])
        #expect(saved.units.allSatisfy { $0.role != .meter && $0.component != "metronome" })
        #expect(saved.zones.map(\.name) == ["channel-2", "others"])
        #expect(saved.zones.first?.program == 48)
        var again = SessionInTime.options
        again.ports = 1
        again.patch = try PatchFile.playable(path: path)
        let next = try SessionInTime(again)
        try next.pass(0.2)
        #expect(next.session[SoundsPart.self]!.request(part: 1).program == 48)
        #expect(next.session.snapshot.channels.first { $0.number == 2 }?.sound?.program == 48)
    }
}
