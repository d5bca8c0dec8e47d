import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// What is played live lands on its frame, and the journal knows which frame that was.
@Suite struct LiveInputTests {
    private func stairs(recordsScore: Bool = false) throws -> OfflineRig {
        let rig = OfflineRig(recordsScore: recordsScore)
        let node = try rig.add(StairsUnit.self)
        try rig.graph.route(part: 0, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        return rig
    }

    private func live(_ rig: OfflineRig, _ time: Int, velocity: UInt8 = 1) {
        #expect(rig.renderer.sendLive(TimedMusicEvent(time: SampleTime(Int64(time)), event: .note(velocity: velocity))))
    }

    private func journal(_ rig: OfflineRig) -> [PerformedEvent] {
        var events: [PerformedEvent] = []
        while let event = rig.renderer.nextPerformed() { events.append(event) }
        return events
    }

    @Test(arguments: [1, 7, 64, 500]) func liveEventsTakeEffectOnTheirExactFrame(_ block: Int) throws {
        let rig = try stairs()
        let times = [3, 3, 64, 65, 400, 801]
        for time in times { live(rig, time) }
        rig.render(1000, block: block)
        #expect(rig.recording[0] == (0..<1000).map { frame in Float(times.count { $0 <= frame }) })
        #expect(rig.renderer.counters.lateEvents == 0)
        #expect(journal(rig).map { Int($0.command.time.rawValue) } == times)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func atOnceMeansTheNextSliceAndIsNotLate() throws {
        let rig = try stairs()
        rig.render(100)
        for time in [SampleTime.immediately, .inTurn] {
            #expect(rig.renderer.sendLive(TimedMusicEvent(time: time, event: .note())))
        }
        rig.render(100)
        #expect(rig.recording[0] == [Float](repeating: 0, count: 100) + [Float](repeating: 2, count: 100))
        #expect(rig.renderer.counters.lateEvents == 0 && rig.renderer.counters.lateLiveEvents == 0)
        let performed = journal(rig)
        #expect(performed.map(\.command.time.rawValue) == [100, 100] && performed.allSatisfy { $0.lateness == 0 })
    }

    @Test func frameZeroIsAFrameLikeAnyOther() throws {
        let rig = try stairs()
        live(rig, 0)
        rig.render(100)
        #expect(rig.recording[0][0] == 1 && rig.renderer.counters.lateLiveEvents == 0)
        live(rig, 0)
        rig.render(100)
        #expect(rig.renderer.counters.lateLiveEvents == 1 && rig.renderer.counters.worstLiveLateness == 100)
    }

    @Test func lateLiveEventsAreCountedWithTheWorst() throws {
        let rig = try stairs()
        rig.render(100)
        for time in [60, 93, 100] { live(rig, time) }
        rig.send(.note(), to: NodeID(rawValue: 0), at: 99)
        rig.render(50)
        #expect(rig.recording[0][100] == 4)
        let counters = rig.renderer.counters
        #expect(counters.lateEvents == 3 && counters.lateLiveEvents == 2 && counters.worstLiveLateness == 40)
    }

    @Test func anEventBehindALaterOneDoesNotWaitForIt() throws {
        let rig = try stairs()
        for (index, time) in [200, 50, 210].enumerated() { live(rig, time, velocity: UInt8(1 << index)) }
        rig.render(300, block: 100)
        #expect(journal(rig).map { Int($0.command.time.rawValue) } == [50, 200, 210])
        #expect(rig.recording[0][49] == 0 && rig.recording[0][50] == 2)
        #expect(rig.recording[0][200] == 3 && rig.recording[0][210] == 7)
        #expect(rig.renderer.counters.lateLiveEvents == 0)
    }

    /// A keyboard vanishes: the notes that were played and are not due yet must end after they have begun.
    @Test func whatComesInTurnOvertakesNothing() throws {
        let rig = try stairs(), off = MusicEvent.message(MIDIMessage(status: 0x80, data1: 60))
        func send(_ event: MusicEvent, _ time: SampleTime) {
            #expect(rig.renderer.sendLive(TimedMusicEvent(time: time, event: event)))
        }
        rig.render(100)
        send(.note(velocity: 1), SampleTime(90))    // late
        send(off, .inTurn)
        rig.render(10)
        send(.note(velocity: 2), SampleTime(150))
        rig.render(10)
        send(off, .inTurn)
        send(.note(velocity: 3), .immediately)
        rig.render(100, block: 7)
        send(off, .inTurn)
        rig.render(10)
        #expect(
            journal(rig).map { "\($0.command.time.rawValue) \($0.command.event.velocity)" } == [
                "100 1", "100 0", "120 3", "150 2", "150 0", "220 0",
            ])
        #expect(rig.renderer.counters.lateLiveEvents == 1)
    }

    @Test func atOneFrameCommandsComeFirstThenLiveThenTheScore() throws {
        let rig = try stairs(recordsScore: true)
        rig.renderer.play(Score([TimedMusicEvent(time: SampleTime(10), event: .note(velocity: 1))]))
        live(rig, 10, velocity: 2)
        let command = RenderCommand(time: SampleTime(10), node: nil, event: .music(.note(velocity: 3)))
        #expect(rig.renderer.send(command))
        rig.render(20)
        let events = journal(rig)
        #expect(events.map(\.source) == [.command, .live, .score])
        #expect(events.allSatisfy { $0.command.time == SampleTime(10) && $0.command.node == nil })
    }

    @Test func theJournalLeavesOutWhatReachedNobody() throws {
        let rig = try stairs()
        rig.send(.note(), to: NodeID(rawValue: 99), at: 5)
        rig.send(.note(), to: NodeID(rawValue: 0), at: 6)
        rig.render(20)
        #expect(journal(rig).count == 1)
    }

    @Test func aFullJournalIsCounted() throws {
        let rig = try stairs()
        for _ in 0..<5 {
            for _ in 0..<4096 { #expect(rig.renderer.sendLive(TimedMusicEvent(time: .immediately, event: .note()))) }
            rig.render(8)
        }
        #expect(rig.renderer.counters.unrecordedEvents == 5 * 4096 - 16_384)
        #expect(journal(rig).count == 16_384)
    }

    @Test func theLiveQueueSaysWhenItIsFull() throws {
        let rig = try stairs()
        for _ in 0..<4096 { live(rig, 0) }
        #expect(!rig.renderer.sendLive(TimedMusicEvent(time: .zero, event: .note())))
        rig.render(10)
        #expect(rig.recording[0][0] == 4096)
    }
}

extension UnitEvent {
    /// The velocity of a note, 0 for its end and for what is none.
    fileprivate var velocity: UInt8 {
        guard case .music(.message(let message)) = self, message.status & 0xF0 == 0x90 else { return 0 }
        return message.data2
    }
}
