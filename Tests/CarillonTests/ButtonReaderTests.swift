import Carillon
import MIDI
import RealtimeCore
import Testing

@testable import Sessions

/// Presses, holds and double presses, by the times of messages.
@Suite struct ButtonReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Buttons with a gesture each: the name of a request is that of its gesture.
        let buttons: [String]
        /// Milliseconds and values of the controller, or program changes; time passes until 4 s.
        let moves: [(Int, UInt8)]
        /// Milliseconds and gestures that are called.
        let calls: [(Int, String)]
    }

    static let cases = [
        Case(
            testDescription: "press and release", buttons: ["controller-80", "controller-80,release"],
            moves: [(100, 127), (400, 0), (700, 64), (800, 54), (900, 53)],
            calls: [(100, "press"), (400, "release"), (700, "press"), (900, "release")]),
        Case(
            testDescription: "a bounce is ignored, and the state after it counts",
            buttons: ["controller-80", "controller-80,release"],
            moves: [(100, 127), (105, 0), (110, 127), (300, 0), (305, 127), (400, 0), (600, 127), (610, 0)],
            calls: [(100, "press"), (300, "release"), (320, "press"), (400, "release"), (600, "press"), (620, "release")]),
        Case(
            testDescription: "a press waits until it is no hold", buttons: ["controller-80", "controller-80,hold"],
            moves: [(100, 127), (300, 0), (1000, 127), (1700, 0)], calls: [(300, "press"), (1600, "hold")]),
        Case(
            testDescription: "a press waits until it is no double one", buttons: ["controller-80", "controller-80,double"],
            moves: [(100, 127), (200, 0), (400, 127), (500, 0), (600, 127), (700, 0)],
            calls: [(400, "double"), (950, "press")]),
        Case(
            testDescription: "all gestures on one switch",
            buttons: ["controller-80", "controller-80,double", "controller-80,hold"],
            moves: [(0, 127), (100, 0), (1000, 127), (1700, 0), (2000, 127), (2050, 0), (2200, 127), (2300, 0)],
            calls: [(350, "press"), (1600, "hold"), (2200, "double")]),
        Case(
            testDescription: "a switch that toggles", buttons: ["controller-80,toggle"],
            moves: [(100, 127), (1100, 0), (1105, 127), (1110, 0), (2100, 127)],
            calls: [(100, "press"), (1100, "press"), (2100, "press")]),
        Case(
            testDescription: "another channel", buttons: ["controller-80,channel-2"], moves: [(100, 127)], calls: []),
        Case(
            testDescription: "the end of the session", buttons: ["controller-80=quit", "controller-80"],
            moves: [(100, 127), (1900, 0), (2000, 127)], calls: [(100, "press"), (2000, "press"), (4000, "quit")]),
    ]

    @Test(arguments: cases) func gesturesAreToldApart(_ case: Case) throws {
        let requests: [String: ControlCommand] = [
            "press": .next, "release": .previous, "hold": .panic(.all), "double": .stop, "quit": .quit,
        ]
        let buttons = try `case`.buttons.map { text in
            let gesture =
                text.split(separator: "=").count > 1 ? "quit" : text.split(separator: ",").dropFirst().first.map(String.init)
            return try Button(
                String(text.prefix { $0 != "=" }), .request(requests[gesture ?? "press"] ?? .next))
        }
        var reader = ButtonReader(buttons, sampleRate: 48_000), calls: [ButtonReader.Call] = []
        var moves = `case`.moves[...]
        for time in 0...4000 {
            while let move = moves.first, move.0 == time {
                moves.removeFirst()
                calls += reader.take(
                    MIDIMessage(status: 0xB0, data1: 80, data2: move.1), at: SampleTime(Int64(time * 48)))
            }
            // Turns come seldom.
            if time % 100 == 0 { calls += reader.advance(to: SampleTime(Int64(time * 48))) }
        }
        let names = calls.map { call in
            "\(call.time.rawValue / 48) \(requests.first { .request($0.value) == call.button.action }?.key ?? "")"
        }
        #expect(names == `case`.calls.map { "\($0) \($1)" })
    }

    @Test func textsAreReadAsTheyAreWritten() throws {
        for text in [
            "controller-80", "key-C2", "program-3", "controller-64,hold", "key-C-1,channel-10,double",
            "controller-7,channel-16,passes",
            "controller-80,toggle",
        ] {
            #expect(try Button(text, .request(.next)).text == text)
        }
        for text in [
            "", "controller", "controller-120", "key-H9", "key-C2,", "program-3,hold", "key-C2,toggle",
            "controller-80,channel-17", "pad-3",
            "controller-80,toggle,hold",
        ] {
            #expect(throws: Fault.self) { try Button(text, .request(.next)) }
        }
        #expect(throws: Fault.self) { try Button("program-3", .request(.quit)) }
        #expect(throws: Fault.self) { try Button("key-C2", .turn(.volume)) }
    }

    @Test(arguments: [
        ("a momentary switch", [(0, 127), (200, 0), (500, 127)] as [(Int, UInt8)], "controller-80,channel-1"),
        ("a switch that toggles", [(0, 127), (800, 0)], "controller-80,channel-1,toggle"),
        ("one quick press", [(0, 127), (150, 0)], "controller-80,channel-1"),
        ("a switch that bounces", [(0, 127), (4, 0), (8, 127), (200, 0), (500, 127)], "controller-80,channel-1"),
        ("a switch that was on", [(0, 0), (600, 127), (1500, 0)], "controller-80,channel-1,toggle"),
    ])
    func twoPressesTellASwitch(_ name: String, _ moves: [(Int, UInt8)], _ text: String) {
        var learning = ButtonLearning(.request(.next), sampleRate: 48_000), learned: [String] = []
        for (time, value) in moves {
            let message = MIDIMessage(status: 0xB0, data1: 80, data2: value)
            learned += learning.take(message, at: SampleTime(Int64(time * 48))).map { [$0.text] } ?? []
        }
        #expect(learning.settled(at: SampleTime(Int64((moves.last?.0 ?? 0) * 48))) == nil)
        if learned.isEmpty { learned += learning.settled(at: SampleTime(Int64(5000 * 48))).map { [$0.text] } ?? [] }
        #expect(learned == [text])
    }
}
