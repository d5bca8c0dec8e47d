import CarillonTestKit
import Graphs
import MIDI
import RTProbe
import RealtimeCore
import Synchronization
import Testing
import UnitAPI

@testable import PlugIns

/// Plug-ins at work in a graph: what goes in, what comes out, and when.
@Suite struct PlugInUnitTests {
    private let ramp: [Float] = (0..<4096).map { Float($0 % 101) / 101 - 0.5 }

    private func index(_ name: String, of unit: UnitInstance) throws -> Int {
        try #require(unit.parameters.specs.firstIndex { $0.name == name })
    }

    @Test func anInverterInverts() throws {
        let (rig, _, _) = try TestPlugIns.rig("lv2:swh-plugins-inv", left: ramp, right: ramp.map { $0 / 2 })
        rig.render(2048, block: 300)
        #expect(rig.recording[0] == ramp.prefix(2048).map { -$0 })
        #expect(rig.recording[1] == ramp.prefix(2048).map { -$0 / 2 }, "the second channel has an instance of its own")
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func aStartValueIsHeardFromTheFirstFrame() throws {
        let (rig, _, _) = try TestPlugIns.rig("lv2:test-trouble", left: ramp, right: ramp, startValues: ["gain": 0.5])
        rig.render(512, block: 512)
        #expect(rig.recording[0] == ramp.prefix(512).map { $0 * 0.5 })
    }

    /// A glide is told in steps of 64 frames of sample time, whatever the slices.
    @Test(arguments: [1, 33, 64, 1000]) func aGlideIsToldOnAGridOfSampleTime(_ block: Int) throws {
        let ones = [Float](repeating: 1, count: 4096)
        let (rig, unit, node) = try TestPlugIns.rig("lv2:test-trouble", left: ones, right: ones)
        rig.set(index: try index("gain", of: unit), 2, of: node, at: 100)
        rig.render(3000, block: block)
        let out = rig.recording[0]
        #expect(out[127] == 1 && out[128] > 1 && out[2999] == 2)
        for frame in 1..<3000 where out[frame] != out[frame - 1] {
            #expect(frame % 64 == 0, "a step at frame \(frame)")
        }
        // 20 ms are 960 frames; at frame 128, 28 of them have gone.
        #expect(abs(out[128] - (1 + 28.0 / 960)) < 1e-5)
    }

    @Test func aNoteOfAnInstrumentBeginsAtItsFrameAndEnds() throws {
        let (rig, _, node) = try TestPlugIns.rig("lv2:mda-dx10")
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: node, at: 1001)
        rig.send(.message(MIDIMessage(status: 0x80, data1: 60, data2: 0)), to: node, at: 20_000)
        rig.render(48_000, block: 256)
        let out = rig.recording[0]
        let first = try #require(out.firstIndex { $0 != 0 })
        #expect((1001...1003).contains(first), "begins at \(first)")
        let loud = out[2000..<12_000].reduce(0) { max($0, abs($1)) }
        #expect(loud > 0.01 && loud < 2)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func aResetEndsNotesThatThePlugInItselfWouldKeep() throws {
        let (rig, unit, node) = try TestPlugIns.rig("lv2:mda-dx10")
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: node, at: 0)
        rig.render(4800)
        #expect(rig.recording[0].contains { abs($0) > 0.01 })
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(4800), node: node, event: .reset)))
        rig.forget()
        rig.render(4800)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
        // The set that was used is made anew on the control side, and a second reset finds it.
        unit.companion?.attend()
        rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: node, at: 9600)
        rig.render(4800)
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(14_400), node: node, event: .reset)))
        rig.forget()
        rig.render(4800)
        #expect(rig.recording[0].allSatisfy { $0 == 0 } && unit.readout("lost-frames") == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func whatCannotBeMadeAgainIsToldAndTriedAgain() throws {
        let plugIn = try TestPlugIns.description("lv2:test-trouble"), refusals = Mutex(0), time = Mutex<Int64>(0)
        let companion = try PlugInCompanion(count: 1, clock: { time.withLock { $0 } }) { () throws(PlugInError) in
            let isRefused = refusals.withLock { left in
                defer { left = max(left - 1, 0) }
                return left > 0
            }
            if isRefused { throw .notMade(name: "lv2:test-trouble", library: "/proc/nowhere.so") }
            return [try HostedPlugIn(plugIn, rate: 48_000, frames: 64, state: nil, start: [:])]
        }
        func attend(at now: Int64) {
            time.withLock { $0 = now }
            companion.attend()
        }
        let first = companion.slots.pointee.take()
        companion.slots.pointee.giveBack(first)
        refusals.withLock { $0 = 2 }
        attend(at: 1000)
        let complaint = try #require(companion.complaint)
        #expect(complaint.contains("could not be made again") && complaint.contains("/proc/nowhere.so"))
        attend(at: 1099)
        #expect(refusals.withLock { $0 } == 1, "not before a tenth of a second has gone by")
        attend(at: 1100)
        #expect(refusals.withLock { $0 } == 0 && companion.complaint != nil)
        attend(at: 1299)
        #expect(companion.complaint != nil, "twice as long behind the second failure")
        attend(at: 1300)
        #expect(companion.complaint == nil)
        #expect(Set([companion.slots.pointee.take(), companion.slots.pointee.take()]) == [0, 1])
    }

    @Test func aPresetIsWhereParametersStart() throws {
        let (rig, unit, _) = try TestPlugIns.rig(
            "lv2:test-trouble", left: ramp, right: ramp, properties: ["preset": .text("Quiet")])
        rig.render(512)
        #expect(rig.recording[0] == ramp.prefix(512).map { $0 * 0.25 })
        let gain = try index("gain", of: unit)
        #expect(unit.parameters.specs[gain].initial == 0.25, "its default is the preset's")
        let (other, _, _) = try TestPlugIns.rig(
            "lv2:test-trouble", left: ramp, right: ramp, startValues: ["gain": 2], properties: ["preset": .text("Quiet")])
        other.render(512)
        #expect(other.recording[0] == ramp.prefix(512).map { $0 * 2 }, "what is set goes before the preset")
    }

    @Test func aPresetThatIsNotThereIsRefusedWithThoseThatAre() throws {
        #expect {
            try TestPlugIns.rig("lv2:test-trouble", properties: ["preset": .text("Loud")])
        } throws: { "\($0)".contains("choose from Quiet") }
    }

    @Test func presetsOfDebianMoveTheirParameters() throws {
        let presets = try TestPlugIns.description("lv2:mda-dx10").presets
        #expect(presets.count > 20)
        let entry = try TestPlugIns.entry("lv2:mda-dx10")
        var starts: Set<[Float]> = []
        for preset in presets.prefix(5) {
            let unit = try entry.make(UnitSetup(sampleRate: 48_000, properties: ["preset": .text(preset.title)]))
            starts.insert(unit.parameters.specs.map(\.initial))
        }
        #expect(starts.count == 5)
    }

    @Test func whatThePlugInsWorkerAnswersIsHeard() throws {
        let ones = [Float](repeating: 1, count: 4096)
        let (rig, unit, _) = try TestPlugIns.rig("lv2:test-worker", left: ones, right: ones)
        rig.render(512)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
        unit.companion?.attend()
        rig.render(512)
        // The answer is handed in at the end of a run: the one after hears it.
        rig.forget()
        rig.render(512)
        #expect(rig.recording[0].allSatisfy { $0 == 0.25 })
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func allocationsInsideARunAreCountedAsTheProbeCountsThem() throws {
        let (rig, unit, node) = try TestPlugIns.rig("lv2:test-trouble", left: ramp, right: ramp)
        rig.render(512)
        #expect(unit.readout("allocations") == 0 && rig.violations.total == 0)
        rig.set(index: try index("deed", of: unit), 1, of: node, at: 512)
        rig.render(512, block: 128)
        #expect(unit.readout("allocations") == 8, "four calls, each takes memory and gives it back")
        if rt_probe_counts() { #expect(rig.violations.total == 8, "\(rig.violations)") }
    }

    @Test func samplesThatAreNoNumbersAreMutedAndCounted() throws {
        let (rig, unit, _) = try TestPlugIns.rig("lv2:test-trouble", left: ramp, right: ramp, startValues: ["deed": 2])
        rig.render(512, block: 256)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
        #expect(unit.faults == 2)
    }

    @Test func aPlugInIsAtRestAfterSilenceAndWakes() throws {
        let burst = [Float](repeating: 0.5, count: 100)
        let (rig, unit, _) = try TestPlugIns.rig(
            "lv2:test-trouble", left: burst, right: burst, properties: ["rest": .number(0.05)])
        rig.render(1024, block: 128)
        #expect(!unit.isAtRest)
        rig.render(4800, block: 128)
        #expect(unit.isAtRest)
    }
}
