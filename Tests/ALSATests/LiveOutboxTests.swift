import Graphs
import MIDI
import RealtimeCore
import Synchronization
import Testing

@testable import ALSA

@Suite struct LiveOutboxTests {
    /// A renderer with room for so many events.
    private final class Room: Sendable {
        let state: Mutex<(room: Int, events: [TimedMusicEvent])>
        init(_ room: Int) { state = Mutex((room, [])) }
        func push(_ command: RenderCommand) -> Bool {
            guard case .music(let music) = command.event else { return false }
            return state.withLock { state in
                if state.events.count >= state.room { return false }
                state.events.append(TimedMusicEvent(time: command.time, event: music))
                return true
            }
        }
        var events: [TimedMusicEvent] { state.withLock { $0.events } }
        func grow(_ more: Int) { state.withLock { $0.room += more } }
    }

    private func on(_ key: Int) -> MusicEvent {
        .message(MIDIMessage(status: 0x90, data1: UInt8(key % 128), data2: 90))
    }
    private func off(_ key: Int) -> MusicEvent { .message(MIDIMessage(status: 0x80, data1: UInt8(key % 128))) }

    @Test func timesNeverGoBack() {
        let room = Room(10)
        var outbox = LiveOutbox { room.push($0) }
        for time in [5, 9, 7, 8, 12] { outbox.send(on(1), at: SampleTime(Int64(time))) }
        #expect(room.events.map(\.time.rawValue) == [5, 9, 9, 9, 12])
    }

    /// The renderer lets nothing that comes in turn overtake what was sent before and is not due yet.
    @Test func whatIsAtOnceStaysSo() {
        let room = Room(10)
        var outbox = LiveOutbox { room.push($0) }
        outbox.send(on(1), at: SampleTime(7))
        outbox.send(off(1), at: .inTurn)
        outbox.send(on(1), at: SampleTime(3))
        #expect(room.events.map(\.time) == [SampleTime(7), .inTurn, SampleTime(7)])
        #expect(room.events.map(\.event) == [on(1), off(1), on(1)])
    }

    @Test func whatIsRefusedIsTriedAgainInOrder() {
        let room = Room(2)
        var outbox = LiveOutbox { room.push($0) }
        for key in 0..<5 { outbox.send(on(key), at: .inTurn) }
        #expect(outbox.isWaiting && outbox.sent == 2 && outbox.refused == 1)
        room.grow(1)
        outbox.retry()
        room.grow(10)
        outbox.retry()
        #expect(!outbox.isWaiting)
        #expect(room.events.map(\.event) == (0..<5).map { on($0) })
    }

    @Test func noEndingIsLostHoweverLongTheQueueIsFull() {
        let room = Room(0)
        var outbox = LiveOutbox { room.push($0) }
        for key in 0..<3_000 {
            outbox.send(on(key), at: .inTurn)
            outbox.send(off(key), at: .inTurn)
        }
        room.grow(.max)
        outbox.retry()
        let ends = room.events.filter { $0.event.isEnding }.count
        #expect(ends == 3_000)
        #expect(outbox.dropped == 3_000 - (room.events.count - ends) && outbox.dropped > 0)
    }
}

extension MusicEvent {
    fileprivate var isEnding: Bool { if case .message(let message) = self { message.kind == .noteOff } else { false } }
}
