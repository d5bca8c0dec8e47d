import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Synchronization
import Testing

/// What a monitor says of messages.
@Suite struct MIDIMonitorTests {
    private static let second: Int64 = 1_000_000_000

    /// Messages of one cable, one after the other, with their words.
    private static let messages: [([UInt8], String)] = [
        ([0x90, 60, 100], "note on C4 (60) velocity 100 on channel 1"),
        ([0x9F, 61, 0], "note off C#4 (61) on channel 16, as a note on with velocity 0"),
        ([0x81, 0, 64], "note off C-1 (0) velocity 64 on channel 2"),
        ([0xA0, 127, 5], "key pressure G9 (127) 5 on channel 1"),
        ([0xB0, 64, 127], "controller 64 (sustain pedal) 127 on channel 1"),
        ([0xB0, 39, 3], "controller 39 (volume, lower byte) 3 on channel 1"),
        ([0xB0, 20, 1], "controller 20 1 on channel 1"),
        ([0xC2, 4], "program 4 on channel 3"),
        ([0xD0, 9], "channel pressure 9 on channel 1"),
        ([0xE0, 0, 32], "pitch bend -4096 of -8192 to 8191 on channel 1"),
        // Data entry has the name of what its channel chose.
        ([0xB0, 6, 2], "controller 6 (data entry) 2 on channel 1: no parameter is chosen"),
        ([0xB0, 101, 0], "controller 101 (registered parameter) 0 on channel 1"),
        (
            [0xB0, 100, 0],
            "controller 100 (registered parameter, lower byte) 0 on channel 1: registered parameter 0 0, bend range"
        ),
        ([0xB0, 6, 12], "controller 6 (data entry) 12 on channel 1: registered parameter 0 0, bend range"),
        ([0xB1, 6, 12], "controller 6 (data entry) 12 on channel 2: no parameter is chosen"),
        ([0xB0, 99, 1], "controller 99 (non-registered parameter) 1 on channel 1"),
        (
            [0xB0, 98, 0x20],
            "controller 98 (non-registered parameter, lower byte) 32 on channel 1: non-registered parameter 1 32, brightness"
        ),
        ([0xB0, 99, 0x1A], "controller 99 (non-registered parameter) 26 on channel 1"),
        (
            [0xB0, 98, 36],
            "controller 98 (non-registered parameter, lower byte) 36 on channel 1: non-registered parameter 26 36, "
                + "drum level of C2"
        ),
        ([0xF2, 9, 0], "song position 9: sixteenth 2 of quarter 3"), ([0xF3, 4], "song select 4"), ([0xF6], "tune request"),
        ([0xFA], "start"), ([0xFB], "continue"), ([0xFC], "stop"), ([0xFF], "system reset"),
        ([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], "General MIDI on"),
        ([0xF0, 0x7F, 0x7F, 0x04, 0x01, 0x00, 0x40, 0xF7], "master volume: 8192 of 16383"),
        ([0xF0, 0x7E, 0x10, 0x06, 0x01, 0xF7], "identity request"),
        ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7], "GS reset: 0"),
        ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x19, 0x64, 0x30, 0xF7], "GS part level on channel 3: 100"),
        ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x41, 0x12, 0x24, 0x50, 0x39, 0xF7], "GS drum level of C2: 80"),
        ([0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7], "XG reset: 0"),
        ([0xF0, 0x43, 0x10, 0x4C, 0x02, 0x01, 0x00, 0x01, 0x00, 0x20, 0xF7], "XG reverb: 1 0 32"),
        ([0xF0, 0x3E, 0x01, 0xF7], "message of maker 3E"), ([0xF0, 0x00, 0x20, 0x29, 0x01, 0xF7], "message of maker 00 20 29"),
    ]

    @Test func eachMessageHasItsWords() {
        var monitor = MIDIMonitor(at: 0)
        for (bytes, words) in Self.messages {
            let lines = monitor.take(bytes, from: "keys", at: 1)
            #expect(lines.map(\.meaning) == [words] && lines.first?.bytes == bytes, "\(bytes)")
        }
        // Any three bytes have words, and none stops the monitor.
        for status in UInt8.min...UInt8.max {
            for data in [UInt8(0), 64, 127, 200, 255] { _ = monitor.take([status, data, data], from: "keys", at: 2) }
        }
    }

    @Test func bytesAreCutIntoMessagesAndPiecesJoined() {
        var monitor = MIDIMonitor(at: 0)
        let several = monitor.take([0xB0, 101, 0, 0xB0, 100, 0, 0xC0, 5], from: "keys", at: 5)
        #expect(several.map(\.bytes) == [[0xB0, 101, 0], [0xB0, 100, 0], [0xC0, 5]])
        #expect(monitor.take([0xF0, 0x7E, 0x7F], from: "keys", at: 6).isEmpty)
        // Another cable, and a message of real time, may come in between.
        #expect(monitor.take([0x90, 60, 1], from: "pads", at: 7).map(\.port) == ["pads"])
        #expect(monitor.take([0xFA], from: "keys", at: 7).map(\.meaning) == ["start"])
        #expect(monitor.take([0x09, 0x02, 0xF7], from: "keys", at: 8).map(\.meaning) == ["General MIDI off"])
        _ = monitor.take([0xF0, 0x7E], from: "keys", at: 9)
        let broken = monitor.take([0x90, 60, 1], from: "keys", at: 10)
        #expect(broken.map(\.bytes) == [[], [0x90, 60, 1]] && broken[0].meaning.contains("without its end"))
    }

    @Test(arguments: [20.0, 97.3, 120, 400]) func clockAndSensingAreOneLineASecond(_ tempo: Double) throws {
        var monitor = MIDIMonitor(at: 0), lines: [MIDIMonitor.Line] = []
        let pulse = 60e9 / tempo / 24
        #expect(monitor.deadline == nil)
        var moments = (0..<Int(3.2e9 / pulse)).map { (Int64(Double($0) * pulse), UInt8(0xF8)) }
        moments += (0..<10).map { (Int64($0) * 300_000_000, 0xFE) }
        for (moment, byte) in moments.sorted(by: { $0.0 < $1.0 }) {
            lines += monitor.take([byte], from: "box", at: moment)
            if moment < Self.second { #expect(monitor.deadline == Self.second) }
        }
        #expect(lines.map(\.nanoseconds) == [1, 2, 3].map { $0 * Self.second } && lines.allSatisfy { $0.port == "box" })
        for line in lines {
            let sum = try #require(line.sum), measured = try #require(sum.tempo)
            #expect(abs(measured - tempo) < 0.001 && (3...4).contains(sum.sensing) && line.bytes.isEmpty)
            #expect(abs(Double(sum.clock) - 1e9 / pulse) <= 1)
        }
        // The last second has its line at the end; after a silence there is none.
        #expect(monitor.takeSums(at: 3_300_000_000).count == 1)
        #expect(monitor.pass(60 * Self.second).isEmpty && monitor.deadline == nil)
    }

    /// The simulated inlet's events, as a session's filter hears them.
    @Test func aSessionsInletIsHeardThroughItsFilter() throws {
        let monitor = Mutex(MIDIMonitor(at: 0)), lines = Mutex<[MIDIMonitor.Line]>([])
        let keyboards = SimulatedKeyboards { 250_000_000 }
        let setup = MIDIInletSetup(
            filter: { event, _ in
                guard case .message(let message) = event else { return [] }
                let new = monitor.withLock {
                    $0.take([message.status, message.data1, message.data2], from: "piano", at: 250_000_000, by: "zone left")
                }
                lines.withLock { $0 += new }
                return []
            }, time: { _ in nil }, send: { _ in true })
        let (inlet, _) = try keyboards.open(setup)
        keyboards.plug("piano")
        try inlet.start()
        keyboards.play(.noteOn(60), on: "piano")
        inlet.stop()
        let heard = lines.withLock { $0 }
        #expect(heard.map(\.meaning).first == "note on C4 (60) velocity 100 on channel 1" && heard.count == 2)
        #expect(heard.allSatisfy { $0.taker == "zone left" && $0.nanoseconds == 250_000_000 })
    }
}
