import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI
import Units

/// What a unit makes of a song's tempo and place.
@Suite struct SongPlaceTests {
    private static func note(_ key: UInt8, _ velocity: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: 0x90, data1: key, data2: velocity))
    }

    private func rig<U: AudioUnit & ~Copyable>(
        _ unit: U.Type, _ values: [String: Float], threads: Int = 1
    ) throws -> (OfflineRig, NodeID, MusicRecording) {
        let rig = OfflineRig(maximumFrames: threads > 1 ? 128 : 512, channels: 1, threads: threads, pull: 2048)
        let node = try rig.add(unit, startValues: values)
        let (recorder, recording) = try rig.listen(to: node)
        try rig.graph.setOutput(recorder)
        try rig.publish()
        return (rig, node, recording)
    }

    private func say(_ time: MusicalTime, at frame: Int, _ rig: OfflineRig) {
        #expect(rig.renderer.send(RenderCommand(time: SampleTime(Int64(frame)), node: nil, event: .music(.time(time)))))
    }

    @Test(arguments: [1, 3]) func anArpeggioWaitsForTheSongsSixteenth(threads: Int) throws {
        let (rig, node, recording) = try rig(Arpeggiator.self, ["start": 1, "tempo": 77], threads: threads)
        say(.tempo(60), at: 1_000, rig)
        // A quarter of the way through a beat of 48 000 frames: the beat began at -11 000.
        say(.place(26_880 / 4), at: 1_000, rig)
        rig.send(Self.note(60, 100), to: node, at: 2_000)
        rig.render(48_000, block: 2_048)
        #expect(recording.begun.map(\.time) == [13_000, 25_000, 37_000])
        // Twice as fast, and said in the middle of a step: the next sixteenths of the new tempo.
        say(.tempo(120), at: 49_096, rig)
        say(.place(5 * 26_880 / 4 + 26_880 / 8), at: 49_096, rig)
        rig.render(18_000, block: 2_048)
        #expect(recording.begun.map(\.time).dropFirst(3) == [49_000, 52_096, 58_096, 64_096])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    /// What is said again in the middle of a pattern moves its steps, and not the pattern.
    @Test func aPatternGoesOnThroughChangesOfTempo() throws {
        let (rig, node, recording) = try rig(Arpeggiator.self, ["start": 1])
        say(.tempo(60), at: 0, rig)
        say(.place(0), at: 0, rig)
        for key in [60, 62, 64, 65] as [UInt8] { rig.send(Self.note(key, 100), to: node, at: 10) }
        // A ritardando: another tempo some three steps further on, each time in the middle of one.
        var place = 0.0
        for turn in 1...4 {
            place += 36_500 * Double(61 - turn) / 60 / 48_000 * 26_880
            say(.tempo(60 - Float(turn)), at: turn * 36_500, rig)
            say(.place(Int32(place.rounded())), at: turn * 36_500, rig)
        }
        rig.render(160_000)
        let keys = recording.begun.map(\.key)
        #expect(keys.count > 10 && keys == (0..<keys.count).map { [60, 62, 64, 65][$0 % 4] }, "\(keys)")
    }

    /// A bypassed unit counts nothing, and lies on the song's sixteenths when it plays again.
    @Test func whoWasBypassedKnowsThePlaceAgain() throws {
        let (rig, node, recording) = try rig(Arpeggiator.self, ["start": 1])
        try rig.graph.bypass(node)
        try rig.publish()
        rig.render(1_000)
        say(.tempo(60), at: 2_000, rig)
        say(.place(0), at: 2_000, rig)
        rig.render(30_000)
        try rig.graph.bypass(node, false)
        try rig.publish()
        rig.render(1_000)
        let start = 32_000
        rig.send(Self.note(60, 100), to: node, at: start + 100)
        rig.render(30_000)
        let steps = recording.begun.map(\.time).filter { $0 > start }
        #expect(!steps.isEmpty && steps.allSatisfy { ($0 - 2_000) % 12_000 == 0 }, "\(steps)")
    }

    @Test func aSongThatStandsStillLeavesThemAlone() throws {
        let (rig, node, recording) = try rig(Arpeggiator.self, ["start": 1])
        say(.tempo(60), at: 0, rig)
        say(.place(3_000), at: 0, rig)
        say(.stopped, at: 500, rig)
        rig.send(Self.note(60, 100), to: node, at: 600)
        rig.render(30_000)
        // Sample time's own beat, at the tempo that the song had.
        #expect(recording.begun.map(\.time) == [12_000, 24_000])
    }

    @Test func aNoteEchoAndADelayTakeTheSongsTempo() throws {
        let (rig, node, recording) = try rig(NoteEcho.self, ["sync": 1, "division": 8, "repeats": 1])
        say(.tempo(150), at: 0, rig)
        rig.send(Self.note(60, 100), to: node, at: 100)
        rig.send(Self.note(60, 0), to: node, at: 200)
        rig.render(40_000)
        #expect(recording.begun.map(\.time) == [100, 100 + 19_200])

        let echo = OfflineRig()
        let delay = try echo.add(
            Delay.self, startValues: ["sync": 1, "division": 8, "mix": 100, "low-cut": 10, "high-cut": 20_000])
        var click = [Float](repeating: 0, count: 48_000)
        click[5_000] = 1
        try echo.graph.connect(try echo.add(left: click, right: click), to: delay)
        try echo.graph.setOutput(delay)
        try echo.publish()
        say(.tempo(150), at: 0, echo)
        echo.render(30_000)
        #expect(echo.recording[0].firstIndex { abs($0) > 0.1 } == 5_000 + 19_200)
    }

    /// No unit but those that follow is told; an instrument that is sent it plays on.
    @Test func othersHearNothingOfIt() throws {
        let (rig, _, recording) = try rig(Transposer.self, [:])
        say(.tempo(150), at: 0, rig)
        say(.place(0), at: 0, rig)
        rig.render(512)
        #expect(recording.events.isEmpty && rig.renderer.counters.unheardEvents == 0 && rig.renderer.counters.lostEvents == 0)
    }

    /// A tempo that a unit cannot have is the nearest that it can.
    @Test func tempiBeyondItsRangeAreTheLastOfIt() throws {
        let (rig, _, _) = try rig(DrumMachineOfNotes.self, [:])
        say(.tempo(1_000), at: 0, rig)
        rig.render(64)
        #expect(rig.graph.nodes[0].instance.parameters.target(0) == 400)
        say(.tempo(1), at: 64, rig)
        rig.render(64)
        #expect(rig.graph.nodes[0].instance.parameters.target(0) == 20)
    }

    private struct DrumMachineOfNotes: AudioUnit, ~Copyable {
        static let descriptor = UnitDescriptor(
            component: ComponentDescription(type: .midiProcessor, subtype: "dmon", manufacturer: .carillon), name: "follower",
            summary: "Follows.", outputs: [.music()], acceptsMusic: true, properties: [EffectLink.heldProperty])

        enum Parameter: Int, UnitParameter {
            case tempo
            var spec: ParameterSpec { .tempo(help: "Quarter notes a minute.") }
        }

        init(_ setup: UnitSetup) throws(UnitError) { try setup.checkHeldParameters(of: Self.self) }
        @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
        @_noLocks mutating func reset() {}
    }
}
