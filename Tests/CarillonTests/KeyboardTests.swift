import Carillon
import Graphs
import MIDI
import RemoteIO
import Testing

@testable import Sessions

/// Keyboards that are plugged in, played and pulled out, without a kernel.
@Suite struct KeyboardTests {
    private struct Stage {
        let session: Session
        let port: SimulatedPort
        let keyboards: SimulatedKeyboards

        init(_ change: (inout LiveOptions) -> Void = { _ in }) throws {
            var options = LiveOptions()
            options.instrument = .squareWave
            change(&options)
            let port = SimulatedPort(), keyboards = SimulatedKeyboards(now: { port.nanoseconds })
            (self.port, self.keyboards) = (port, keyboards)
            session = try Session(options, on: port, midi: keyboards)
            keyboards.plug("Keystation")
            try session.start()
        }

        func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }
    }

    @Test func aKeyIsHeardAndShown() throws {
        let stage = try Stage(), session = stage.session
        try stage.pass(0.1)
        stage.keyboards.play(.noteOn(60), on: "Keystation")
        try stage.pass(0.3)
        let snapshot = session.snapshot
        #expect(snapshot.notes == [.init(channel: 1, key: 60)] && snapshot.levels.allSatisfy { $0.average > -40 })
        #expect(snapshot.hasSequencer && snapshot.sources.map(\.name) == ["Keystation"] && snapshot.sources[0].heldNotes == 1)
        #expect(session.takeNotices().contains("Keystation: connected"))
        // Where keyboards play nobody else plays as one.
        #expect(throws: Fault.self) { try session.receive(.noteOn(62)) }
        try session.finish()
        #expect(session.snapshot.notes.isEmpty)
    }

    @Test func oneThatIsPulledOutHoldsNothing() throws {
        let stage = try Stage(), session = stage.session
        stage.keyboards.plug("Second")
        for (key, name) in [(60, "Keystation"), (64, "Keystation"), (67, "Second")] as [(UInt8, String)] {
            stage.keyboards.play(.noteOn(key), on: name)
        }
        try stage.pass(0.2)
        #expect(session.snapshot.notes.map(\.key) == [60, 64, 67])
        stage.keyboards.unplug("Keystation")
        try stage.pass(0.2)
        #expect(session.snapshot.notes.map(\.key) == [67])
        try session.perform(.panic(.source("Second")))
        try stage.pass(0.2)
        #expect(session.snapshot.notes.isEmpty)
        #expect(throws: Fault.self) { try session.perform(.panic(.source("Keystation"))) }
        try session.finish()
    }

    @Test func aKeyTakesTheSameTimeWhenEverItIsStruck() throws {
        let stage = try Stage { $0.device.period = 256 }, session = stage.session
        var late: Set<Int64> = [], struck: Int64 = 0
        session.onPerformance = { performance in
            for entry in performance.entries {
                guard case .music(.message(let message)) = entry.event, message.beginsNote else { continue }
                late.insert(entry.time.rawValue - struck)
            }
        }
        try stage.pass(0.1)
        for round in 0..<20 {
            try stage.pass(0.1)
            stage.port.advance(seconds: 0.0013 * Double(round))
            struck = stage.port.nanoseconds * 48_000 / 1_000_000_000
            stage.keyboards.play(.noteOn(60), on: "Keystation")
            try stage.pass(0.1)
            stage.keyboards.play(.noteOff(60), on: "Keystation")
        }
        // One frame of rounding.
        #expect(late.count <= 2 && (late.max() ?? 0) - (late.min() ?? 0) <= 1, "\(late)")
        try session.finish()
    }

    @Test func songsFollowAMasterThatIsPluggedIn() throws {
        var options = SessionInTime.options
        options.connections.master = "drum machine"
        let port = SimulatedPort(), keyboards = SimulatedKeyboards(now: { port.nanoseconds })
        let session = try Session(options, songs: [SessionInTime.listed(16)], on: port, midi: keyboards)
        try session.start()
        keyboards.say(.start)
        for _ in 0..<96 {
            port.advance(seconds: 60.0 / 100 / 24)
            keyboards.say(.pulse)
            try session.maintain()
        }
        let following = try #require(session.snapshot.following)
        #expect(following.port == "drum machine" && following.isPlaying)
        #expect(following.tempo.map { abs($0 - 100) < 0.5 } == true, "\(following)")
        try session.finish()
    }
}
