import MIDI
import RealtimeCore
import Synchronization
import Testing

@testable import ALSA

/// On a real kernel, but without the MIDI thread: what happens between two rounds is for the test to say.
@Suite(.enabled(if: RealKernel.isPresent, "no ALSA sequencer here; tools/alsa-vm has one"), .serialized)
struct MIDIClientSessionTests {
    private final class Log: Sendable {
        let events = Mutex<[MusicEvent]>([])
    }

    private let log = Log()

    private func session(_ name: String, _ rules: [ConnectionRule]) throws -> MIDIClientSession {
        try MIDIClientSession(
            MIDIClientSetup(name: name, ports: 1, rules: rules), board: MIDIBoard(), time: { SampleTime($0) },
            send: { [log] command in
                if case .music(let music) = command.event { log.events.withLock { $0.append(music) } }
                return true
            })
    }

    /// Works until nothing more has arrived.
    private func settle(_ session: MIDIClientSession) {
        repeat { #expect(session.work([])) } while session.isBehind
    }

    private var messages: [MIDIMessage] {
        log.events.withLock { $0.compactMap { if case .message(let message) = $0 { message } else { nil } } }
    }

    @Test func aProgramThatSendsOneNoteOnAndEndsBeforeItIsSeenLeavesNothingHanging() throws {
        let session = try session("Unseen", [])
        let other = try VirtualKeyboard("Other hand")
        let port = try #require(other.find("Unseen in 1"))
        settle(session)
        do {
            let passing = try VirtualKeyboard("Passing by")
            #expect(passing.play(.noteOn, 60, 90, to: port) == nil)
        }
        settle(session)
        #expect(
            messages == [
                MIDIMessage(status: 0x90, data1: 60, data2: 90), MIDIMessage(status: 0x80, data1: 60, data2: 64),
            ])
        // Nor does it hold the key for ever, so that another source could not let it go.
        #expect(other.play(.noteOn, 60, 90, to: port) == nil)
        #expect(other.play(.noteOff, 60, 10, to: port) == nil)
        settle(session)
        #expect(messages.last == MIDIMessage(status: 0x80, data1: 60, data2: 10) && messages.count == 4)
    }

    @Test func aKeyboardThatComesBackWhileAnnouncementsAreLostIsConnectedAgain() throws {
        let session = try session("Overrun", [.name("Returning")])
        let flood = try VirtualKeyboard("Flooding")
        let port = try #require(flood.find("Overrun in 1"))
        var keyboard: VirtualKeyboard? = try VirtualKeyboard("Returning")
        let address = try #require(keyboard?.address)
        settle(session)
        #expect(keyboard?.play(.noteOn, 60, 90) == nil)
        settle(session)
        #expect(messages == [MIDIMessage(status: 0x90, data1: 60, data2: 90)])
        // The kernel refuses what it has no room for, and from then on announcements are lost as well.
        var refused = 0
        for _ in 0..<5_000 where flood.play(.pitchBend, 0, 64, to: port) != nil { refused += 1 }
        #expect(refused > 0)
        keyboard = nil
        keyboard = try VirtualKeyboard("Returning")
        #expect(keyboard?.address == address)
        settle(session)
        #expect(messages.contains(MIDIMessage(status: 0x80, data1: 60, data2: 64)))
        #expect(keyboard?.play(.noteOn, 72, 90) == nil)
        settle(session)
        #expect(messages.last == MIDIMessage(status: 0x90, data1: 72, data2: 90))
    }
}
