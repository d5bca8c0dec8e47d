import Carillon
import RealtimeCore
import RemoteIO
import Reports
import Testing

@testable import Sessions

/// A part that is no session's own: its request and its fact need nothing else than the part.
@Suite struct SessionPartTests {
    /// Counts its turns, and what was done to it.
    private final class Counter: LonePart {
        private(set) var turns = 0
        private(set) var calls: [String] = []

        static let verbs = [
            Verb("count from", [.whole("NUMBER", 0...100)], help: "Counts from there.", "count from 5") {
                (counter: Counter, values) in counter.turns = values.whole(0)
            },
            Verb("count", help: "Tells the count.", "count") { (counter: Counter, _) in counter.turns },
        ]
        static let fields = [PartField<Counter>("turns", \.turns, as: .counter("turns"), "Turns that were had.")]

        init(_ core: SessionCore) {}

        func start() { calls.append("start") }
        func turn() { turns += 1 }
        func leave() { calls.append("leave") }
        func release(at stop: SampleTime) { calls.append("release") }
        func silence() { calls.append("silence") }
        func makeWhole() { calls.append("makeWhole") }
        func stop() { calls.append("stop") }
        func finish() { calls.append("finish") }
    }

    private func session() throws -> (session: Session, counter: Counter, port: SimulatedPort) {
        let port = SimulatedPort()
        let made = try StandardParts(SessionInTime.options, songs: [], on: port, outlet: nil, start: .zero)
        let counter = Counter(made.core)
        return (Session(made.core, made.parts + [counter]), counter, port)
    }

    @Test func itIsAskedAndTells() throws {
        let (session, counter, _) = try session()
        try session.start()
        try session.perform(Counter.verbs[0](41))
        try session.maintain()
        #expect(counter.turns == 42)
        #expect(try session.perform(Counter.verbs[1]()) == .told(.whole(42)))
        let vocabulary = SessionVocabulary(Counter.self)
        let told = vocabulary.status(session.snapshot)
        guard case .object(let members) = told else {
            Issue.record("\(told) is no object")
            return
        }
        #expect(members.last == .init(name: "turns", value: .whole(42)))
        let measured = vocabulary.measured(session.snapshot).first { $0.metric.name == "turns" }
        #expect(measured?.samples == [Metric.Sample(42)] && measured?.metric.help == "Turns that were had.")
        try session.finish()
    }

    @Test func itsNumbersAreCheckedBeforeItIsAsked() throws {
        let (session, counter, _) = try session()
        #expect(throws: Fault.self) { try session.perform(Counter.verbs[0](101)) }
        #expect(counter.turns == 0)
    }

    @Test func aSessionWithoutItSaysSo() throws {
        let session = try Session(SessionInTime.options, on: SimulatedPort())
        #expect(throws: Fault.self) { try session.perform(Counter.verbs[1]()) }
        #expect(session[Counter.self] == nil)
    }

    @Test func nothingOfASessionOutlivesIt() throws {
        weak var engine: Engine?, core: SessionCore?, part: SongsPart?
        do {
            var options = SessionInTime.options
            (options.ports, options.connections.master) = (1, "drum machine")
            let port = SimulatedPort()
            let session = try Session(
                options, songs: [SessionInTime.listed(4)], on: port, midi: SimulatedKeyboards(now: { port.nanoseconds }))
            (engine, core, part) = (session.engine, session.core, session[SongsPart.self])
            try session.start()
            try session.maintain()
            try session.finish()
            #expect(engine != nil && core != nil && part != nil)
        }
        #expect(engine == nil && core == nil && part == nil)
    }

    @Test func itEndsInOrder() throws {
        let (session, counter, _) = try session()
        try session.start()
        try session.finish()
        #expect(counter.calls == ["start", "leave", "release", "silence", "makeWhole", "stop", "finish"])
    }
}
