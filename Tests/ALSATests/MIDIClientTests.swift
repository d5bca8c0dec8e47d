import CRealtime
import Glibc
import MIDI
import RealtimeCore
import Testing

@testable import ALSA

/// On a real kernel: what programs play reaches us, with the time at which they played it.
@Suite(.enabled(if: RealKernel.isPresent, "no ALSA sequencer here; tools/alsa-vm has one"), .serialized)
struct MIDIClientTests {
    @Test func aProgramThatComesIsConnectedAndPlays() throws {
        let input = try LiveInput([.name("Keyboard under test")])
        let keyboard = try VirtualKeyboard("Keyboard under test")
        let appeared = rt_monotonic_nanoseconds()
        #expect(input.wait { input.source("Keyboard under test")?.isConnected == true })
        #expect(rt_monotonic_nanoseconds() - appeared < 1_000_000_000)
        #expect(keyboard.play(.noteOn, 60, 90) == nil)
        #expect(keyboard.play(.pitchBend, 0, 100) == nil)
        #expect(input.wait { input.messages.count == 2 })
        #expect(input.messages.first == MIDIMessage(status: 0x90, data1: 60, data2: 90))
        #expect(input.messages.last == MIDIMessage(status: 0xE0, data1: 0, data2: 100))
        #expect(input.wait { input.source("Keyboard under test")?.heldNotes.map(\.key) == [60] })
        input.client.stop()
        #expect(
            input.messages.suffix(2) == [
                MIDIMessage(status: 0x80, data1: 60, data2: 64), MIDIMessage(status: 0xE0, data1: 0, data2: 64),
            ])
    }

    @Test func stampsAreTheTimeAtWhichItWasPlayed() throws {
        let input = try LiveInput([.name("Stamped")])
        let keyboard = try VirtualKeyboard("Stamped")
        #expect(input.wait { input.source("Stamped")?.isConnected == true })
        var sent: [(before: Int64, after: Int64)] = []
        for key in 0..<100 {
            let before = rt_monotonic_nanoseconds()
            #expect(keyboard.play(.noteOn, UInt8(key), 90) == nil)
            sent.append((before, rt_monotonic_nanoseconds()))
            usleep(7_000)
        }
        #expect(input.wait { input.messages.count == 100 })
        let stamps = input.arrivals.map(\.event.time.rawValue)
        #expect(stamps == stamps.sorted())
        var errors: [Int64] = []
        for (stamp, bounds) in zip(stamps, sent) {
            errors.append(stamp < bounds.before ? stamp - bounds.before : max(stamp - bounds.after, 0))
        }
        errors.sort()
        let shown = [0, 1, 2, 5, 50, 94, 97, 98, 99].map { errors[$0] / 1000 }
        print("stamp errors in microseconds, of 100: \(shown), \(input.client.counters.longestDelivery / 1000) to deliver")
        // The queue's own clock steps by as much as its tick is late.
        #expect(errors[5] > -1_000_000 && errors[94] < 1_000_000)
        input.client.stop()
    }

    @Test func aProgramThatGoesReleasesItsOwnNotesOnly() throws {
        let input = try LiveInput([.name("Left hand"), .name("Right hand")])
        let right = try VirtualKeyboard("Right hand")
        do {
            let left = try VirtualKeyboard("Left hand")
            #expect(input.wait { input.source("Left")?.isConnected == true && input.source("Right")?.isConnected == true })
            for key in [48, 52, 55] as [UInt8] { #expect(left.play(.noteOn, key, 90) == nil) }
            for key in [55, 72] as [UInt8] { #expect(right.play(.noteOn, key, 90) == nil) }
            #expect(input.wait { input.messages.count == 5 })
        }
        #expect(input.wait { input.messages.count == 7 })
        #expect(input.messages.suffix(2).map(\.data1) == [48, 52])
        #expect(input.wait { input.source("Left") == nil })
        #expect(right.play(.noteOff, 55, 64) == nil)
        #expect(input.wait { input.messages.count == 9 })
        #expect(input.messages.suffix(2).map(\.data1) == [55, 55])
        input.client.stop()
    }

    @Test func longSystemExclusiveArrivesWhole() throws {
        let input = try LiveInput([.name("Dumper")])
        let keyboard = try VirtualKeyboard("Dumper")
        #expect(input.wait { input.source("Dumper")?.isConnected == true })
        #expect(keyboard.send([0xF0, 0x7E, 0x7F]) == nil)
        #expect(keyboard.send([0x09, 0x01, 0xF7]) == nil)
        #expect(input.wait { input.arrivals.first?.event.event == .reset(.generalMIDI, port: 0) })
        #expect(input.wait { input.client.counters.systemExclusive == 1 })
        #expect(keyboard.send([0xF0] + [UInt8](repeating: 1, count: 3_000) + [0xF7]) == nil)
        #expect(input.wait { input.client.counters.systemExclusive == 2 })
        input.client.stop()
    }

    @Test func aConnectionTakenAwayReleasesAndIsNotForcedBack() throws {
        let input = try LiveInput([.name("Rerouted")])
        let keyboard = try VirtualKeyboard("Rerouted")
        #expect(input.wait { input.source("Rerouted")?.isConnected == true })
        #expect(keyboard.play(.noteOn, 60, 90) == nil)
        #expect(input.wait { input.messages.count == 1 })
        let port = try #require(keyboard.find("Carillon test in 1"))
        #expect(keyboard.disconnect(keyboard.address, port) == nil)
        #expect(input.wait { input.messages.count == 2 && input.messages.last?.kind == .noteOff })
        #expect(input.wait { input.source("Rerouted")?.reason == .disconnected })
        #expect(keyboard.connect(keyboard.address, port) == nil)
        #expect(input.wait { input.source("Rerouted")?.isConnected == true })
        input.client.stop()
    }

    @Test func aLoopOverMidiThroughIsSeenInTheConnections() throws {
        let input = try LiveInput([.name("Midi Through*")], isThru: true, name: "Looping")
        let hand = try VirtualKeyboard("Hand")
        let through = try #require(hand.find("Midi Through Port-0"))
        #expect(input.wait { input.source("Midi Through")?.isConnected == true })
        let output = try #require(hand.find("Looping out"))
        #expect(hand.connect(output, through) == nil)
        #expect(input.wait { input.source("Midi Through")?.reason == .loop && input.source("Midi Through")?.inputs == [] })
        #expect(hand.disconnect(output, through) == nil)
        #expect(input.wait { input.source("Midi Through")?.isConnected == true })
        input.client.stop()
    }

    @Test func panicSilencesEverything() throws {
        let input = try LiveInput([.name("Panicking")])
        let keyboard = try VirtualKeyboard("Panicking")
        #expect(input.wait { input.source("Panicking")?.isConnected == true })
        #expect(keyboard.play(.noteOn, 60, 90) == nil)
        #expect(input.wait { input.source("Panicking")?.heldNotes.count == 1 })
        let identity = try #require(input.source("Panicking")?.identity)
        input.client.panic(source: identity)
        #expect(input.wait { input.messages.last == MIDIMessage(status: 0x80, data1: 60, data2: 64) })
        input.client.panicAll()
        #expect(input.wait { input.messages.count == 2 + 16 * 3 })
        input.client.stop()
    }

    @Test func thruSendsOnWhatComesInAndEndsWhatItHeld() throws {
        let input = try LiveInput([.name("Hand of thru")], isThru: true, name: "Passing")
        let listener = try LiveInput([.name("Passing out")], name: "Listening")
        #expect(input.wait { listener.source("Passing out")?.isConnected == true })
        do {
            let keyboard = try VirtualKeyboard("Hand of thru")
            #expect(input.wait { input.source("Hand of thru")?.isConnected == true && input.client.counters.listeners == 1 })
            #expect(keyboard.play(.noteOn, 60, 90) == nil)
            #expect(keyboard.send([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]) == nil)
            #expect(input.wait { listener.arrivals.count == 2 })
        }
        #expect(input.wait { listener.messages.last?.kind == .noteOff })
        #expect(listener.arrivals.map(\.event.event).contains(.reset(.generalMIDI, port: 0)))
        input.client.stop()
        listener.client.stop()
    }

    /// Two programs that pass on to each other what they hear: nothing in the connections shows that they do.
    @Test func aLoopThroughAnotherProgramIsFoundByItsTraffic() throws {
        let input = try LiveInput([.name("Finger"), .name("Echo out")], isThru: true, name: "Looping")
        let echo = try LiveInput([.name("Looping out")], isThru: true, name: "Echo")
        let keyboard = try VirtualKeyboard("Finger")
        #expect(input.wait { input.source("Finger")?.isConnected == true && input.source("Echo out")?.isConnected == true })
        #expect(input.wait { echo.source("Looping out")?.isConnected == true })
        // Each learns of the other's connection to its own output a moment after that: only then it sends on.
        #expect(input.wait { input.client.counters.listeners == 1 && echo.client.counters.listeners == 1 })
        #expect(keyboard.play(.noteOn, 60, 90) == nil)
        let began = rt_monotonic_nanoseconds()
        #expect(input.wait { input.client.counters.loops + echo.client.counters.loops > 0 })
        print("loop broken after \((rt_monotonic_nanoseconds() - began) / 1_000_000) ms, \(input.messages.count) rounds")
        #expect(keyboard.play(.noteOff, 60, 64) == nil)
        #expect(input.wait { input.source("Finger")?.heldNotes.isEmpty == true })
        #expect(input.source("Finger")?.isConnected == true)
        let notices = input.client.takeNotices() + echo.client.takeNotices()
        #expect(notices.contains { $0.description.contains("came back") })
        input.client.stop()
        echo.client.stop()
    }

    @Test func aFloodIsSurvivedAndLeavesNothingHeldThatIsNot() throws {
        let input = try LiveInput([.name("Flood")])
        let keyboard = try VirtualKeyboard("Flood")
        #expect(input.wait { input.source("Flood")?.isConnected == true })
        var refused = 0
        for count in 0..<20_000 {
            if keyboard.play(count % 2 == 0 ? .noteOn : .noteOff, UInt8(count / 2 % 128), 90) != nil { refused += 1 }
        }
        #expect(input.wait { input.client.counters.received > 100 })
        for key in 0..<128 { _ = keyboard.play(.noteOff, UInt8(key), 64) }
        #expect(input.wait { input.source("Flood")?.heldNotes.isEmpty == true })
        let counters = input.client.counters
        print("flood: \(counters.received) received, \(counters.overruns) overruns, \(refused) refused to the sender")
        #expect(input.source("Flood")?.isConnected == true)
        // The kernel refuses the sender as long as there is no room. And when the reader comes to an overrun, the kernel
        // throws away what has come in since (snd_seq_fifo_clear): an event may be lost so, but not without an overrun.
        var isSeen = false
        while !isSeen {
            let overruns = input.client.counters.overruns
            #expect(input.wait { keyboard.play(.pitchBend, 1, 99) == nil })
            isSeen = input.wait(1) { input.messages.last == MIDIMessage(status: 0xE0, data1: 1, data2: 99) }
            try #require(isSeen || input.client.counters.overruns > overruns)
        }
        input.client.stop()
    }

    @Test func virtualMIDIPortsAreKnownByTheirPlace() throws {
        let directory = try MIDIDirectory(rules: [.name("VirMIDI*-0")])
        let first = try #require(directory.entries.first { $0.port.portName.hasPrefix("VirMIDI") })
        #expect(first.port.identity.path == "platform-snd_virmidi.0")
        #expect(first.port.identity.client == "Virtual Raw MIDI 0")
        #expect(first.port.kind == .hardware)
        for entry in directory.entries {
            print("\(entry.port.address) \(entry.port.name) [\(entry.port.identity)]: \(entry.reason)")
        }
        // Its identity is a rule that finds it again, and it alone.
        let again = try MIDIDirectory(rules: [try ConnectionRule(first.port.identity.description)])
        #expect(again.entries.filter { if case .wanted = $0.reason { true } else { false } }.map(\.port) == [first.port])
    }
}
