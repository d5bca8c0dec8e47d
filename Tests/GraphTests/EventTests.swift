import Graph
import MIDI
import RealtimeCore
import CarillonTestKit
import Testing
import UnitAPI

/// Events land on their frame, whatever the slices; none is lost in silence.
@Suite struct EventTests {
    private func stairs<U: AudioUnit & ~Copyable>(_: U.Type) throws -> (rig: OfflineRig, node: NodeID) {
        let rig = OfflineRig()
        let node = try rig.add(U.self)
        try rig.graph.route(part: 0, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        return (rig, node)
    }

    /// What the stairs sound like after notes of velocity 1 at `times`.
    private func wanted(_ times: [Int], frames: Int) -> [Float] {
        (0..<frames).map { frame in Float(times.count { $0 <= frame }) }
    }

    @Test(arguments: [1, 7, 64, 500, 4096]) func eventsTakeEffectOnTheirExactFrame(_ block: Int) throws {
        let (rig, node) = try stairs(StairsUnit.self)
        var random = SeededRandom(seed: 4)
        let times = (0..<300).map { _ in Int(random.next() % 4000) }.sorted()
        for time in times { rig.send(.note(), to: node, at: time) }
        rig.render(4096, block: block)
        #expect(rig.recording[0] == wanted(times, frames: 4096))
        #expect(rig.renderer.counters.lateEvents == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test(arguments: [1, 7, 64, 500]) func aCoarseUnitHearsEventsOnItsGridOfSampleTime(_ block: Int) throws {
        let (rig, node) = try stairs(CoarseStairsUnit.self)
        let times = [0, 1, 63, 64, 65, 200, 511, 900]
        for time in times { rig.send(.note(), to: node, at: time) }
        rig.render(1500, block: block)
        #expect(rig.recording[0] == wanted(times.map { ($0 + 63) / 64 * 64 }, frames: 1500))
    }

    @Test(arguments: [1, 4095, 4096, 4097, 10_000]) func aScoreMayHaveAnyNumberOfEventsAtOneFrame(_ count: Int) throws {
        let (rig, _) = try stairs(StairsUnit.self)
        let events = (0..<count).map { _ in TimedMusicEvent(time: SampleTime(100), event: .note()) }
        rig.renderer.play(Score(events + [TimedMusicEvent(time: SampleTime(101), event: .note(velocity: 2))]))
        rig.render(200, block: 64)
        #expect(rig.recording[0][..<100].allSatisfy { $0 == 0 })
        #expect(rig.recording[0][100] == Float(count))
        #expect(rig.recording[0][101...].allSatisfy { $0 == Float(count + 2) })
        #expect(rig.renderer.counters.lostEvents == 0)
    }

    @Test func commandsAndScoreMergeByTime() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        let scored = [10, 20, 20, 300].map { TimedMusicEvent(time: SampleTime(Int64($0)), event: .note()) }
        rig.renderer.play(Score(scored))
        for time in [5, 20, 299, 301] { rig.send(.note(), to: node, at: time) }
        rig.render(400, block: 33)
        #expect(rig.recording[0] == wanted([5, 10, 20, 20, 20, 299, 300, 301], frames: 400))
    }

    @Test func aScoreBeginsAtItsOrigin() throws {
        let (rig, _) = try stairs(StairsUnit.self)
        rig.render(100)
        rig.renderer.play(Score([TimedMusicEvent(time: SampleTime(7), event: .note())], origin: SampleTime(150)))
        rig.render(100)
        #expect(rig.recording[0] == wanted([157], frames: 200))
    }

    @Test func lateEventsPlayAtOnceAndAreCounted() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        rig.render(100)
        rig.send(.note(), to: node, at: 50)
        rig.send(.note(), to: node, at: 99)
        rig.send(.note(), to: node, at: 100)
        rig.render(50)
        #expect(rig.recording[0] == [Float](repeating: 0, count: 100) + [Float](repeating: 3, count: 50))
        #expect(rig.renderer.counters.lateEvents == 2)
    }

    @Test func eventsForAUnitThatIsNotThereAreCountedAsLost() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        rig.send(.note(), to: NodeID(rawValue: 77), at: 0)
        rig.send(.note(), to: NodeID(rawValue: -1), at: 0)
        rig.set(index: 99, 1, of: node, at: 0)
        rig.render(64)
        #expect(rig.renderer.counters.lostEvents == 2)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
    }

    @Test func aFullQueueSaysSoAndLosesNothingOfWhatItTook() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        var taken = 0
        while rig.renderer.send(RenderCommand(time: .zero, node: node, event: .music(.note()))) { taken += 1 }
        #expect(taken == 4096)
        rig.render(10)
        #expect(rig.recording[0][9] == 4096)
    }
}
