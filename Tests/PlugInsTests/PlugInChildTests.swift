import CarillonTestKit
import Foundation
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

@testable import PlugIns

/// Plug-ins in a process of their own: the same sound later, and a crash that takes nothing with it.
@Suite(.serialized) struct PlugInChildTests {
    private let ramp: [Float] = (0..<200_000).map { Float($0 % 101) / 101 - 0.5 }

    private func inChild(
        _ name: String, left: [Float] = [], _ startValues: [String: Float] = [:], latency: Int = 256
    ) throws -> (rig: OfflineRig, unit: UnitInstance, node: NodeID) {
        try TestPlugIns.rig(
            name, left: left, right: left.map { $0 / 2 }, startValues: startValues,
            properties: ["in-child": .flag(true), "child-latency": .integer(latency)])
    }

    /// Offline, as the engine does it: the companion is asked before every slice.
    private func play(_ rig: OfflineRig, _ unit: UnitInstance, _ frames: Int, block: Int = 256) {
        var left = frames
        while left > 0 {
            unit.companion?.attend()
            rig.render(min(block, left), block: block)
            left -= block
        }
    }

    @Test(arguments: [64, 200, 256]) func itSoundsAsInThisProcessButLater(_ block: Int) throws {
        let (rig, unit, _) = try inChild("lv2:swh-plugins-inv", left: ramp)
        #expect(unit.latency == 256)
        play(rig, unit, 8000, block: block)
        #expect(rig.recording[0].prefix(256).allSatisfy { $0 == 0 })
        #expect(Array(rig.recording[0][256...]) == ramp.prefix(rig.recording[0].count - 256).map { -$0 })
        #expect(Array(rig.recording[1][256...]) == ramp.prefix(rig.recording[0].count - 256).map { -$0 / 2 })
        #expect(unit.readout("lost-frames") == 0 && unit.readout("crashes") == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func anInstrumentHearsItsNotesOnTheirFramesThere() throws {
        func note(_ rig: OfflineRig, _ node: NodeID) {
            rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: node, at: 1001)
            rig.send(.message(MIDIMessage(status: 0x80, data1: 60, data2: 0)), to: node, at: 9000)
        }
        let (here, _, first) = try TestPlugIns.rig("lv2:mda-dx10")
        note(here, first)
        here.render(12_032, block: 256)
        let (there, unit, second) = try inChild("lv2:mda-dx10")
        note(there, second)
        play(there, unit, 12_288)
        #expect(here.recording[0].contains { abs($0) > 0.01 })
        #expect(Array(there.recording[0][256..<12_288]) == Array(here.recording[0][..<12_032]))
    }

    @Test func parametersGlideThereAsHere() throws {
        let (here, unit, first) = try TestPlugIns.rig("lv2:test-trouble", left: ramp, right: ramp)
        let gain = try #require(unit.parameters.specs.firstIndex { $0.name == "gain" })
        here.set(index: gain, 2, of: first, at: 1000)
        here.render(4096, block: 256)
        let (there, other, second) = try inChild("lv2:test-trouble", left: ramp)
        there.set(index: gain, 2, of: second, at: 1000)
        play(there, other, 4352)
        #expect(Array(there.recording[0][256...]) == here.recording[0])
    }

    @Test func aResetThereIsSilenceAndThenANewInstance() throws {
        let (rig, unit, node) = try inChild("lv2:mda-dx10")
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: node, at: 0)
        play(rig, unit, 5120)
        #expect(rig.recording[0].contains { abs($0) > 0.01 })
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(5120), node: node, event: .reset)))
        rig.forget()
        play(rig, unit, 5120)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: node, at: 10_240)
        play(rig, unit, 5120)
        #expect(rig.recording[0].contains { abs($0) > 0.01 })
        #expect(unit.readout("lost-frames") == 0)
    }

    @Test(.timeLimit(.minutes(2)), arguments: [3, 4])
    func oneThatCrashesOrHangsTakesNothingWithItAndComesBack(_ deed: Int) throws {
        let (rig, unit, node) = try inChild("lv2:test-trouble", left: ramp)
        let index = try #require(unit.parameters.specs.firstIndex { $0.name == "deed" })
        play(rig, unit, 2048)
        #expect(unit.readout("crashes") == 0)
        rig.set(index: index, Float(deed), of: node, at: 2048)
        rig.set(index: index, 0, of: node, at: 2304)
        rig.render(512, block: 256)
        let keeper = try #require(unit.companion as? PlugInKeeper)
        while keeper.crashes == 0 { keeper.look() }
        // Nobody is there, and the sound of the others would go on.
        rig.render(1024, block: 256)
        #expect((unit.readout("lost-frames") ?? 0) >= 1024 && unit.readout("crashes") == 1)
        while !keeper.isReady { keeper.look() }
        // It is back: what is heard is what is sent.
        let begin = rig.recording[0].count
        play(rig, unit, 1024)
        #expect(Array(rig.recording[0][(begin + 256)...]) == Array(ramp[begin..<(begin + 768)]))
        #expect(unit.readout("crashes") == 1)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test(.timeLimit(.minutes(2))) func offlineTheMusicWaitsForAProcessThatComesBack() throws {
        let (rig, unit, _) = try inChild("lv2:swh-plugins-inv", left: ramp)
        let keeper = try #require(unit.companion as? PlugInKeeper)
        for _ in 0..<3 {
            play(rig, unit, 2048)
            keeper.attend()
            #expect(keeper.complaint == nil)
            kill(keeper.process, SIGKILL)
        }
        play(rig, unit, 2048)
        let frames = rig.recording[0].count
        let wrong = (256..<frames).first { rig.recording[0][$0] != -ramp[$0 - 256] }
        #expect(wrong == nil, "frame \(wrong ?? 0) of \(frames)")
        #expect(unit.readout("lost-frames") == 0 && unit.readout("crashes") == 3)
    }

    @Test(.timeLimit(.minutes(2))) func aProcessThatIsGoneIsToldUntilAnotherPlays() throws {
        let (rig, unit, _) = try inChild("lv2:swh-plugins-inv", left: ramp)
        let keeper = try #require(unit.companion as? PlugInKeeper)
        play(rig, unit, 512)
        kill(keeper.process, SIGKILL)
        while keeper.crashes == 0 { keeper.look() }
        #expect(keeper.complaint?.contains("its process has ended") == true)
        while !keeper.isReady { keeper.look() }
        #expect(keeper.complaint == nil)
    }

    @Test func aProcessEndsWithItsUnit() throws {
        func process() throws -> Int32 {
            let (rig, unit, _) = try inChild("lv2:swh-plugins-inv", left: ramp)
            play(rig, unit, 512)
            let number = try #require(unit.companion as? PlugInKeeper).process
            #expect(FileManager.default.fileExists(atPath: "/proc/\(number)/exe"))
            return number
        }
        let number = try process()
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(number)"))
    }

    @Test func aPropertyOfTheWrongKindIsRefused() throws {
        #expect(throws: UnitError.self) {
            try TestPlugIns.rig("lv2:swh-plugins-inv", properties: ["in-child": .integer(3)])
        }
        for word in ["on", "off", "yes", "no"] {
            let unit = try TestPlugIns.rig("lv2:swh-plugins-inv", properties: ["in-child": .text(word)]).unit
            #expect((unit.companion is PlugInKeeper) == (word == "on" || word == "yes"), "in-child: \(word)")
        }
        #expect {
            try TestPlugIns.rig("lv2:swh-plugins-inv", properties: ["in-child": .text("maybe")])
        } throws: { "\($0)".contains("on or off is wanted") }
        #expect(throws: UnitError.self) {
            try TestPlugIns.rig("lv2:swh-plugins-inv", properties: ["in-child": .flag(true), "child-latency": .integer(3)])
        }
    }
}
