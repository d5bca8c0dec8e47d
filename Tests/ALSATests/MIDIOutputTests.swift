import CRealtime
import Glibc
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Synchronization
import Testing

@testable import ALSA

/// On a real kernel: what plays out reaches the port that was named, whenever that comes, and the beat is on its time.
@Suite(.enabled(if: RealKernel.isPresent, "no ALSA sequencer here; tools/alsa-vm has one"), .serialized)
struct MIDIOutputTests {
    /// A client whose keyboards play out to the first output, an octave higher on channel 3, and inside too.
    private func client(_ name: String, _ rules: [ConnectionRule]) throws -> MIDIClient {
        let client = try MIDIClient(
            MIDIClientSetup(name: name, ports: rules.isEmpty ? 0 : 1, rules: rules),
            filter: { event, _ in
                guard case .message(var message) = event else {
                    return [RenderCommand(time: .inTurn, node: nil, event: .music(event))]
                }
                message.port = MIDIOutput.firstPort
                message.status = message.status & 0xF0 | 2
                if [.noteOn, .noteOff].contains(message.kind) { message.data1 += 12 }
                return [event, .message(message)].map { RenderCommand(time: .inTurn, node: nil, event: .music($0)) }
            },
            time: { SampleTime($0) }, send: { _ in true })
        try client.start()
        return client
    }

    private func wait(_ client: MIDIClient, until condition: (MIDIClient) -> Bool) -> Bool {
        let end = rt_monotonic_nanoseconds() + 5_000_000_000
        while rt_monotonic_nanoseconds() < end {
            if condition(client) { return true }
            usleep(500)
        }
        return condition(client)
    }

    @Test func aDestinationThatComesGetsTheNotesOfAZoneAndTheirEnds() throws {
        let client = try client("Carillon out", [.name("Stage keys")])
        var output = MIDIOutput("Late synth")
        output.greeting = [MIDIMessage(status: 0xC2, data1: 17)]
        client.open([output], clock: [])
        var keyboard: VirtualKeyboard? = try VirtualKeyboard("Stage keys")
        #expect(wait(client) { $0.sources.contains { $0.name.contains("Stage keys") && $0.isConnected } })
        let wanted = MIDIDestination("Late synth", getsBeat: false, port: nil, state: "\(OutputState.absent)")
        #expect(wait(client) { $0.destinations == [wanted] }, "\(client.destinations)")
        let synth = try VirtualSynthesizer("Late synth")
        #expect(wait(client) { $0.destinations.first?.port?.contains("Late synth") == true }, "\(client.destinations)")
        #expect(synth.wait { $0.messages == [MIDIMessage(status: 0xC2, data1: 17)] })
        #expect(keyboard?.play(.noteOn, 60, 90) == nil && keyboard?.play(.noteOn, 64, 91) == nil)
        #expect(keyboard?.play(.noteOff, 64, 5) == nil)
        #expect(synth.wait { $0.messages.count == 4 })
        #expect(
            synth.messages.dropFirst() == [
                MIDIMessage(status: 0x92, data1: 72, data2: 90), MIDIMessage(status: 0x92, data1: 76, data2: 91),
                MIDIMessage(status: 0x82, data1: 76, data2: 5),
            ])
        // The keyboard vanishes: what it holds ends outside.
        keyboard = nil
        #expect(synth.wait { $0.messages.count == 5 })
        #expect(synth.messages.last == MIDIMessage(status: 0x82, data1: 72, data2: 64))
        client.stop()
        #expect(client.counters.outputFaults == 0)
    }

    @Test func stoppingEndsWhatIsHeldOutside() throws {
        let client = try client("Carillon stops", [.name("Held keys")])
        client.open([MIDIOutput("Held synth")], clock: [])
        let keyboard = try VirtualKeyboard("Held keys"), synth = try VirtualSynthesizer("Held synth")
        #expect(wait(client) { $0.sources.contains { $0.name.contains("Held keys") && $0.isConnected } })
        #expect(wait(client) { $0.takeNotices().contains { if case .output(_, .connected) = $0 { true } else { false } } })
        #expect(keyboard.play(.noteOn, 60, 90) == nil)
        #expect(synth.wait { $0.messages.count == 1 })
        client.send([MIDIMessage(status: 0x90, data1: 1, data2: 1, port: MIDIOutput.firstPort)])
        client.stop()
        #expect(synth.wait { $0.messages.count == 3 })
        #expect(
            Set(synth.messages.suffix(2)) == [
                MIDIMessage(status: 0x82, data1: 72, data2: 64), MIDIMessage(status: 0x90, data1: 1, data2: 1),
            ])
    }

    @Test func aDestinationThatReturnsIsConnectedAgainAndSilenced() throws {
        let client = try client("Carillon returns", [])
        client.open([MIDIOutput("Unplugged synth")], clock: [])
        var synth: VirtualSynthesizer? = try VirtualSynthesizer("Unplugged synth")
        #expect(wait(client) { $0.takeNotices().contains { if case .output(_, .connected) = $0 { true } else { false } } })
        client.send([MIDIMessage(status: 0x95, data1: 60, data2: 90, port: MIDIOutput.firstPort)])
        #expect(synth?.wait { $0.messages.count == 1 } == true)
        synth = nil
        #expect(wait(client) { $0.takeNotices().contains { if case .output(_, .absent) = $0 { true } else { false } } })
        let again = try VirtualSynthesizer("Unplugged synth")
        #expect(again.wait { $0.messages.count == 2 })
        #expect(again.messages == [MIDIMessage(status: 0xB5, data1: 64), MIDIMessage(status: 0xB5, data1: 123)])
        client.stop()
    }

    @Test func aLoopOverAnOutputIsBroken() throws {
        let client = try client("Carillon loops", [.name("Midi Through")])
        client.open([MIDIOutput("Midi Through")], clock: [])
        // The way in goes, since what goes out would come in there.
        #expect(wait(client) { $0.takeNotices().contains { if case .output(_, .connected) = $0 { true } else { false } } })
        #expect(wait(client) { $0.sources.contains { $0.name.contains("Midi Through") && $0.reason == .loop } })
        client.stop()
    }

    @Test func theBeatIsOnItsTimeWithinAMillisecond() throws {
        let client = try client("Carillon beats", [])
        client.open([], clock: ["Beat box"])
        let box = try VirtualSynthesizer("Beat box")
        #expect(wait(client) { $0.clockConnections == 1 })
        let begin = rt_monotonic_nanoseconds() + 200_000_000, step: Int64 = 20_833_333
        // Handed over in pieces, as a session does.
        var moments: [Int64] = []
        for piece in Int64(0)..<8 {
            let pulses = (piece * 24..<piece * 24 + 24).map { begin + $0 * step }
            client.schedule(pulses.map { StampedClockMessage(.pulse, at: $0) }, withdrawing: nil)
            moments += pulses
            #expect(box.wait { _ in rt_monotonic_nanoseconds() > pulses[12] - 200_000_000 })
        }
        #expect(box.wait(6) { $0.beats.count == moments.count })
        var errors = zip(box.beats, moments).map { abs($0.nanoseconds - $1) }
        errors.sort()
        print(
            "beats off by microseconds, of \(errors.count): \([0, 50, 95, 99].map { errors[$0 * (errors.count - 1) / 100] / 1000 })"
        )
        #expect(errors[errors.count * 95 / 100] < 1_000_000)
        client.stop()
        #expect(client.counters.outputFaults == 0)
    }

    @Test func notesOfSongsAreOnTheirTimeAndCanBeTakenBack() throws {
        let client = try client("Carillon sends", [])
        client.open([MIDIOutput("Bell tower")], clock: [])
        let tower = try VirtualSynthesizer("Bell tower")
        #expect(wait(client) { $0.destinations.first?.port != nil })
        func note(_ kind: UInt8, _ key: UInt8, at moment: Int64) -> StampedMIDIMessage {
            StampedMIDIMessage(MIDIMessage(status: kind, data1: key, data2: 90, port: MIDIOutput.firstPort), at: moment)
        }
        let begin = rt_monotonic_nanoseconds() + 300_000_000
        let moments = (0..<20).map { begin + Int64($0) * 20_000_000 }
        client.schedule(moments.enumerated().map { note(0x90, UInt8($0), at: $1) }, withdrawing: nil)
        // From the sixteenth on another key.
        client.schedule([note(0x90, 100, at: moments[15])], withdrawing: moments[15])
        #expect(tower.wait { $0.notes.count == 16 })
        #expect(!tower.wait(0.5) { $0.notes.count > 16 })
        #expect(tower.notes.map(\.message.data1) == (0..<15).map { UInt8($0) } + [100])
        let errors = zip(tower.notes, moments).map { abs($0.nanoseconds - $1) }.sorted()
        print("notes off by microseconds: median \(errors[8] / 1000), worst \(errors[15] / 1000)")
        #expect(errors[14] < 1_000_000)
        client.stop()
        #expect(client.counters.outputFaults == 0)
    }

    @Test func whatIsWithdrawnIsNotSent() throws {
        let client = try client("Carillon withdraws", [])
        client.open([], clock: ["Other box"])
        let box = try VirtualSynthesizer("Other box")
        #expect(wait(client) { $0.clockConnections == 1 })
        let begin = rt_monotonic_nanoseconds() + 300_000_000
        client.schedule(
            (0..<20).map { StampedClockMessage(.pulse, at: begin + $0 * 20_000_000) }, withdrawing: nil)
        client.schedule(
            [StampedClockMessage(.stop, at: begin + 110_000_000), StampedClockMessage(.position(7), at: begin + 110_000_000)],
            withdrawing: begin + 100_000_000)
        #expect(box.wait { $0.beats.count == 7 })
        #expect(!box.wait(0.6) { $0.beats.count > 7 })
        #expect(box.beats.map(\.message) == Array(repeating: .pulse, count: 5) + [.stop, .position(7)])
        // The clock ends, and begins again.
        client.open([], clock: [])
        client.open([], clock: ["Other box"])
        #expect(wait(client) { $0.clockConnections == 2 })
        client.schedule([StampedClockMessage(.start, at: 0)], withdrawing: 0)
        #expect(box.wait { $0.beats.last?.message == .start })
        client.stop()
    }

    @Test func theBeatOfAMasterIsHeardWithItsMoments() throws {
        let follower = try MIDIClient(
            MIDIClientSetup(name: "Carillon follows", ports: 0, rules: [], master: "Carillon leads clock"),
            time: { SampleTime($0) }, send: { _ in true })
        try follower.start()
        #expect(follower.master == nil)
        let master = try client("Carillon leads", [])
        // Its port is there, and connects to nobody.
        master.open([], clock: ["Nobody of this name"])
        #expect(wait(follower) { $0.master?.contains("Carillon leads clock") == true })
        let begin = rt_monotonic_nanoseconds() + 300_000_000
        let sent =
            [StampedClockMessage(.position(8), at: begin - 2_000_000), StampedClockMessage(.continue, at: begin - 1_000_000)]
            + (0..<24).map { StampedClockMessage(.pulse, at: begin + $0 * 20_000_000) }
        master.schedule(sent, withdrawing: nil)
        var heard: [StampedClockMessage] = []
        #expect(
            wait(follower) { client in
                heard += client.takeClock()
                return heard.count >= sent.count
            })
        #expect(heard.map(\.message) == sent.map(\.message))
        var errors = zip(heard, sent).map { abs($0.nanoseconds - $1.nanoseconds) }
        errors.sort()
        #expect(errors[errors.count / 2] < 2_000_000)
        // A master that goes is waited for.
        master.stop()
        #expect(wait(follower) { $0.master == nil })
        follower.stop()
    }
}
