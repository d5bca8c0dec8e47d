import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
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

    @Test func aCommandInTheFutureHoldsUpNoOther() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        rig.render(100)
        rig.send(.note(velocity: 100), to: node, at: 480_000)
        for time in [SampleTime.immediately, SampleTime(250), SampleTime(180)] {
            #expect(rig.renderer.send(RenderCommand(time: time, node: node, event: .music(.note()))))
        }
        rig.render(200, block: 64)
        #expect(rig.recording[0] == wanted([100, 180, 250], frames: 300))
        #expect(rig.renderer.counters.lateEvents == 0)
    }

    @Test(arguments: [1, 64, 1000]) func commandsAreAcceptedInAnyOrderOfTime(_ block: Int) throws {
        let (rig, node) = try stairs(StairsUnit.self)
        var random = SeededRandom(seed: 9)
        var times: [Int] = []
        for _ in 0..<8 {
            let more = (0..<400).map { _ in Int.random(in: rig.recording[0].count..<8000, using: &random) }
            times += more
            for time in more { rig.send(.note(), to: node, at: time) }
            rig.render(1000, block: block)
        }
        #expect(rig.recording[0] == wanted(times, frames: 8000))
        #expect(rig.renderer.counters.lateEvents == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    /// Parameters at one frame: the last one sent decides, however many others were sent between them for other frames.
    @Test func atOneFrameTheOrderOfSendingCounts() throws {
        let rig = OfflineRig(), ones = [Float](repeating: 1, count: 600)
        let source = try rig.add(left: ones, right: ones), unit = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: unit)
        try rig.graph.setOutput(unit)
        try rig.publish()
        var random = SeededRandom(seed: 3)
        var last: [Int: Float] = [:]
        for value in 1...2000 {
            let time = Int.random(in: 0..<500, using: &random)
            rig.set(CountingUnit.Parameter.step, Float(value), of: unit, at: time)
            last[time] = Float(value)
        }
        rig.render(600, block: 111)
        var level: Float = 0
        for frame in 0..<600 {
            level = last[frame] ?? level
            #expect(rig.recording[0][frame] == 1 + level)
        }
    }

    @Test func moreThanCanWaitIsToldAndNothingIsLost() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        for _ in 0..<4 {
            for _ in 0..<4096 { rig.send(.note(), to: node, at: 1000) }
            rig.render(10)
        }
        #expect(rig.renderer.counters.crowdedSlices == 0)
        for time in 1..<4000 { rig.send(.note(), to: node, at: 900 + time) }
        rig.render(10)
        #expect(rig.renderer.counters.crowdedSlices == 1)
        rig.render(4950, block: 50)
        #expect(rig.recording[0][999] == 0 && rig.recording[0][1000] == 16_384 + 100)
        #expect(rig.recording[0][1001] == 16_384 + 101 && rig.recording[0][4999] == 16_384 + 3999)
        let counters = rig.renderer.counters
        #expect(counters.lateEvents == 99 && counters.lostEvents == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func notesThatNobodyHearsAreCounted() throws {
        let rig = OfflineRig()
        let stairs = try rig.add(StairsUnit.self), deaf = try rig.add(CountingUnit.self)
        try rig.graph.connect(stairs, to: deaf)
        try rig.graph.route(part: 0, to: stairs)
        try rig.graph.route(part: 0, to: deaf)
        try rig.graph.route(part: 3, to: deaf)
        try rig.graph.setOutput(deaf)
        try rig.publish()
        func message(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> MusicEvent {
            .message(MIDIMessage(status: status, data1: data1, data2: data2))
        }
        // Heard by one of two; then what is no note, or the end of one, on a part without a route.
        for music in [.note(), message(0x85, 60, 0), message(0x95, 60, 0), message(0xB5, 7, 0), .reset(.gs, port: 7)] {
            #expect(rig.renderer.send(RenderCommand(time: SampleTime(2), node: nil, event: .music(music))))
        }
        rig.render(10)
        #expect(rig.renderer.counters.unheardEvents == 0)
        // No route; a route to a unit that has no use for notes; such a unit itself; live; in a score.
        for music in [message(0x95, 60, 90), message(0x93, 60, 90)] {
            #expect(rig.renderer.send(RenderCommand(time: .immediately, node: nil, event: .music(music))))
        }
        rig.send(.note(), to: deaf, at: 12)
        #expect(rig.renderer.sendLive(TimedMusicEvent(time: .immediately, event: message(0x9F, 1, 1))))
        rig.renderer.play(Score([TimedMusicEvent(time: SampleTime(15), event: message(0x93, 1, 1))]))
        rig.render(10)
        #expect(rig.renderer.counters.unheardEvents == 5)
        #expect(rig.renderer.counters.lostEvents == 0)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func everyCountIsInTheList() {
        var counters = RenderCounters()
        #expect(counters.all.count == Mirror(reflecting: counters).children.count)
        #expect(Set(counters.all.map(\.name)).count == counters.all.count)
        counters.unheardEvents = 7
        #expect(counters.all.filter { $0.value != 0 }.map(\.name) == ["unheard-events"])
    }

    @Test func eventsForAUnitThatIsNotThereAreCountedAsLost() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        rig.send(.note(), to: NodeID(rawValue: 77), at: 0)
        rig.send(.note(), to: NodeID(rawValue: -1), at: 0)
        rig.set(index: 99, 1, of: node, at: 0)
        rig.render(64)
        #expect(rig.renderer.counters.lostEvents == 3, "two units and a parameter")
        #expect(rig.renderer.counters.unheardEvents == 0)
        #expect(rig.recording[0].allSatisfy { $0 == 0 })
    }

    @Test func aFullQueueSaysSoAndLosesNothingOfWhatItTook() throws {
        let (rig, node) = try stairs(StairsUnit.self)
        var taken = 0
        while rig.renderer.send(RenderCommand(time: .immediately, node: node, event: .music(.note()))) { taken += 1 }
        #expect(taken == 4096)
        rig.render(10)
        #expect(rig.recording[0][9] == 4096)
    }
}
