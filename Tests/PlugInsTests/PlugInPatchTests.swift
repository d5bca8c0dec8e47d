import Carillon
import Foundation
import Graphs
import MIDI
import Patches
import RealtimeCore
import Testing
import UnitAPI

@testable import PlugIns

/// Plug-ins in patches, as people write them.
@Suite struct PlugInPatchTests {
    /// Two instruments and eight effects of Debian.
    private static let ten = """
        version: 1
        units:
          tines: {unit: lv2:mda-epiano, role: instrument, parts: 1, properties: {preset: Tremolo}}
          bells: {unit: lv2:mda-dx10, role: instrument, parts: 2, properties: {in-child: true}}
          drive: {unit: lv2:mda-overdrive, drive: 0.2}
          wheel: {unit: lv2:mda-leslie}
          bands: {unit: lv2:fomp-parametric1}
          filter: {unit: lv2:swh-plugins-svf}
          echo: {unit: lv2:mda-delay, feedback: 0.2}
          room: {unit: lv2:fomp-reverb}
          glue: {unit: lv2:swh-plugins-sc4}
          top: {unit: lv2:mda-limiter, role: master}
          mixer: {unit: multichannel-mixer, inputs: 2}
        connections:
          - tines -> drive -> wheel -> mixer[0]
          - bells -> filter -> bands -> mixer[1]
          - mixer -> echo -> room -> glue -> top
        outputs: top
        """

    private func patch(_ text: String) throws -> PatchFile {
        // lilv must not be asked before the test's own plug-ins are there.
        _ = try TestPlugIns.entry("lv2:mda-delay")
        let file = FileManager.default.temporaryDirectory.appending(path: "carillon-plug-ins-\(UUID().uuidString).yaml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { Foundation.remove(file.path) }
        return try PatchFile(path: file.path)
    }

    private func loudest(_ sound: [Float]) -> Float { sound.reduce(0) { max($0, abs($1)) } }

    @Test func tenPlugInsOfDebianPlayInAPatch() throws {
        let file = try patch(Self.ten)
        let engine = try Engine(patch: file.patch, maximumFrames: 512)
        try engine.start(on: .offline)
        for (part, key) in [(UInt8(0), UInt8(50)), (1, 74)] {
            try engine.send(.message(MIDIMessage(status: 0x90 | part, data1: key, data2: 100)), at: SampleTime(100))
            try engine.send(.message(MIDIMessage(status: 0x80 | part, data1: key, data2: 0)), at: SampleTime(30_000))
        }
        let sound = try engine.render(frames: 48_000)
        #expect((0.01...1.5).contains(loudest(sound[0])), "\(loudest(sound[0]))")
        #expect(sound.allSatisfy { $0.allSatisfy { $0.isFinite } })
        for unit in engine.snapshot.units where unit.component.hasPrefix("lv2:") {
            #expect(unit.faults == 0, "\(unit.name)")
            #expect(unit.readouts["lost-frames"] == 0 && unit.readouts["crashes"] == 0, "\(unit.name): \(unit.readouts)")
        }
        #expect(engine.snapshot.units.count { $0.component.hasPrefix("lv2:") } == 10)
    }

    @Test func aCrashInsideAPatchLeavesTheOthersPlaying() throws {
        let text = """
            version: 1
            units:
              bells: {unit: lv2:mda-dx10, role: instrument, parts: 1}
              bad: {unit: lv2:test-trouble, deed: crash, properties: {in-child: true}}
              mixer: {unit: multichannel-mixer, inputs: 2}
            connections:
              - bells -> mixer[0]
              - bells -> bad -> mixer[1]
            outputs: mixer
            """
        let file = try patch(text)
        let engine = try Engine(patch: file.patch, maximumFrames: 256)
        try engine.start(on: .offline)
        try engine.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), at: SampleTime(100))
        let sound = try engine.render(frames: 24_000)
        #expect(loudest(sound[0]) > 0.01, "the bells are heard by their own way")
        let bad = try #require(engine.snapshot.units.first { $0.name == "bad" })
        #expect((bad.readouts["crashes"] ?? 0) >= 1 && (bad.readouts["lost-frames"] ?? 0) > 0)
    }

    @Test func aPlugInThatIsNotInstalledIsNamedWithItsLine() throws {
        #expect {
            try patch("version: 1\nunits:\n  echo: {unit: lv2:mda-dely}\noutputs: echo\n")
        } throws: { error in
            let text = "\(error)"
            return text.contains(":3:") && text.contains("lv2:mda-dely is installed; did you mean lv2:mda-delay?")
        }
    }

    @Test func aPatchWithPlugInsIsWrittenAndReadAgain() throws {
        let read = try patch(Self.ten).patch
        let text = try PatchFile.text(of: read, units: UnitCatalog.entries)
        let again = try PatchFile(text: text, units: UnitCatalog.entries).patch
        #expect(again == read)
        #expect(text.contains("lv2:mda-leslie") && text.contains("in-child: true"))
        // A preset is said as that of any unit, or below the properties.
        let short = try patch(Self.ten.replacing("properties: {preset: Tremolo}", with: "preset: Tremolo")).patch
        #expect(short == read)
    }
}
