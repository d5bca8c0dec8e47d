import Carillon
import Foundation
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Testing
import Units

@testable import Sessions

/// A set list whose patches have controllers, scenes and outputs of their own. In simulated time.
@Suite struct SetListControlTests {
    private static func file(_ decay: String, _ more: String) -> String {
        """
        # \(decay)
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1}
          reverb: {role: send, decay: \(decay)}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
        connections:
          - lead -> mixer
          - lead -> reverb -> mixer[1]
        outputs: mixer
        \(more)

        """
    }

    private static let first = file(
        "1 s",
        """
        zones:
          here: {unit: lead}
          there: {output: Synth, transpose: 12}
        controllers:
          hall: {control: 21, parameter: reverb.decay}
        scenes:
          verse: {key: C0, values: {reverb.decay: 3 s}}
        """)
    private static let second = file(
        "2 s",
        """
        zones:
          far: {output: Volca}
          near: {unit: lead, output: Synth}
        scenes:
          verse: {morph: 1 s, values: {reverb.decay: 4 s}}
          end: {}
        """)

    private func session(_ paths: [String?] = [nil, nil]) throws -> SessionInTime {
        var options = SessionInTime.options
        options.ports = 1
        options.patches = try zip([Self.first, Self.second], paths).enumerated().map { place, item in
            ListedPatch("patch \(place + 1)", try PatchFile(text: item.0, units: UnitCatalog.entries).patch, path: item.1)
        }
        return try SessionInTime(options)
    }

    private func control(_ number: UInt8, _ value: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: 0xB0, data1: number, data2: value))
    }

    @Test func eachPatchHasItsOwnControllersAndScenes() throws {
        let time = try session(), session = time.session
        #expect(session.snapshot.scenes == ["verse"])
        try session.perform(.learn("lead.gain"))
        try session.receive(control(30, 5))
        try session.perform(.scene(.next))
        try time.pass(0.1)
        #expect(session.snapshot.scene == "verse" && session.engine.controllers.map(\.name) == ["hall", "lead.gain"])
        try session.perform(.patch(.next))
        try time.pass(0.2)
        #expect(session.snapshot.scenes == ["verse", "end"] && session.snapshot.scene == nil)
        #expect(session.engine.controllers.isEmpty)
        // What the knob of the first patch moved is nobody's here.
        try session.receive(control(21, 127))
        try time.pass(0.05)
        #expect(try session.engine.value("reverb.decay") == 2)
        try session.perform(.patch(.previous))
        try time.pass(0.2)
        #expect(session.engine.controllers.map(\.name) == ["hall", "lead.gain"])
        #expect(try session.engine.value("reverb.decay") == 3)
        try session.receive(control(21, 0))
        try session.receive(control(30, 127))
        try time.pass(0.05)
        #expect(try session.engine.value("reverb.decay") == Reverb.Parameter.decay.spec.range.lowerBound)
        #expect(try session.engine.value("lead.gain") == SquareWave.Parameter.gain.spec.range.upperBound)
        #expect(
            session.learnableParameters.contains("reverb.decay")
                && !session.learnableParameters.contains { $0.contains("former") })
    }

    @Test func outputsKeepTheirNumbersAndWhatTheyHoldEndsThere() throws {
        let time = try session(), session = time.session
        try session.receive(.message(MIDIMessage(status: 0x90, data1: 60, data2: 90)))
        try time.pass(0.05)
        try session.perform(.patch(.next))
        try time.pass(0.2)
        #expect(session[OutputsPart.self]!.names == ["Synth", "Volca"])
        try session.receive(.message(MIDIMessage(status: 0x90, data1: 64, data2: 90)))
        for key in [60, 64] as [UInt8] { try session.receive(.message(MIDIMessage(status: 0x80, data1: key, data2: 0))) }
        try time.pass(0.05)
        let sent = time.outlet.sent.map(\.message).compactMap { message in
            message.output.map { ($0, message.status, message.data1) }
        }
        #expect(
            sent.filter { $0.1 & 0xE0 == 0x80 }.map { "\($0.0) \($0.1 >> 4) \($0.2)" } == [
                "0 9 72", "1 9 64", "0 9 64", "0 8 72", "1 8 64", "0 8 64",
            ])
    }

    /// A preset stays a preset and a way of writing what it is, as with one patch.
    @Test func presetsAndWaysOfWritingStayWhereItIsSaved() throws {
        let folder = try Self.folder()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let text = """
            version: 1
            units:
              organ: {unit: polysynth, preset: organ, role: instrument}   # the first
              drive: {unit: distortion, preset: warm}
              mixer: {unit: multichannel-mixer, role: master, volume: -1.50 dB}
            connections: [organ -> drive -> mixer]
            outputs: mixer

            """
        var options = SessionInTime.options
        options.ports = 1
        options.patches = try ["one.yaml", "two.yaml"].map { name in
            let path = folder.path + "/" + name
            try PatchFile.write(text, to: path)
            return ListedPatch(name, try PatchFile(path: path, units: UnitCatalog.entries).patch, path: path)
        }
        let time = try SessionInTime(options), session = time.session, path = folder.path + "/one.yaml"
        try time.pass(0.1)
        #expect(try session.perform(.savePatch(path: nil)) == .saved(path: path))
        #expect(try PatchFile.source(path: path) == text)
        try session.perform(.preset(unit: "drive", name: "fuzz"))
        try session.perform(.set("organ.gain=-20 dB"))
        try time.pass(0.1)
        let changed = text.replacing("instrument}", with: "instrument, gain: -20 dB}").replacing("warm", with: "fuzz")
        #expect(try session.perform(.savePatch(path: nil)) == .saved(path: path))
        #expect(try PatchFile.source(path: path) == changed)
        // There and back again.
        for place: PatchPlace in [.next, .previous] {
            try session.perform(.patch(place))
            try time.pass(0.2)
        }
        #expect(try session.perform(.savePatch(path: nil)) == .saved(path: path))
        #expect(try PatchFile.source(path: path) == changed && PatchFile.source(path: folder.path + "/two.yaml") == text)
        try session.finish()
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-list-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func theOneThatSoundsIsSaved() throws {
        let folder = try Self.folder()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let paths = ["one.yaml", "two.yaml"].map { folder.path + "/" + $0 }
        try PatchFile.write(Self.first, to: paths[0])
        try PatchFile.write(Self.second, to: paths[1])
        let time = try session(paths), session = time.session
        try session.perform(.set("reverb.decay=5 s"))
        try time.pass(0.1)
        try session.perform(.patch(.next))
        try time.pass(0.2)
        try session.perform(.set("reverb.decay=6 s"))
        try time.pass(0.1)
        #expect(try session.perform(.savePatch(path: nil)) == .saved(path: paths[1]))
        #expect(try PatchFile.source(path: paths[0]) == Self.first)
        #expect(try PatchFile.source(path: paths[1]) == Self.second.replacing("decay: 2 s}", with: "decay: 6 s}"))
        try session.perform(.patch(.previous))
        try time.pass(0.2)
        #expect(try session.perform(.savePatch(path: nil)) == .saved(path: paths[0]))
        #expect(try PatchFile.source(path: paths[0]) == Self.first.replacing("decay: 1 s}", with: "decay: 5 s}"))
        // Once more, after another turn of the other patch.
        try session.perform(.patch(.next))
        try time.pass(0.2)
        try session.perform(.set("reverb.decay=2.5 s"))
        try time.pass(0.1)
        #expect(try session.perform(.savePatch(path: nil)) == .saved(path: paths[1]))
        #expect(try PatchFile.source(path: paths[1]) == Self.second.replacing("decay: 2 s}", with: "decay: 2.5 s}"))
    }
}
