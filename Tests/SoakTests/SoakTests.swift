import Carillon
import CarillonTestKit
import Glibc
import Graphs
import MIDI
import RealtimeCore
import Sequencer
import Testing
import Units

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Days in minutes: hours of simulated time, over the places where a counter of 31 or 32 bits would wrap.
///
/// `CARILLON_SOAK_HOURS` of it each (tools/soak), or a minute.
@Suite(.serialized) struct SoakTests {
    private static let wanted = getenv("CARILLON_SOAK_HOURS").flatMap { Double(String(cString: $0)) }
    private static let hours = wanted ?? 0.02
    private static let seed = getenv("CARILLON_SOAK_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    private static var frames: Int { Int(hours * 3_600) * SimulatedSession.sampleRate }

    /// One second before a counter wraps; at the beginning; and 10 000 years after it, at 192 kHz.
    static let starts: [Int64] = [0, 1 << 31, 1 << 32, 1 << 56].map { max($0 - 8_000, 0) }

    /// A song of beats, so long that no beat falls on a round number of frames.
    private func beats(_ count: Int, microseconds: UInt32) -> SessionSong {
        var track = Track(name: "beats")
        track.events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: microseconds))]
        for beat in 0..<count {
            let tick = Int64(beat) * 480, key = UInt8(40 + beat)
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: 0x90, data1: key, data2: 100))))
            track.events.append(SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80, data1: key, data2: 0))))
        }
        track.endTick = Int64(count) * 480
        return SessionSong(name: "\(count) beats", song: Song(tracks: [track]))
    }

    /// An hour of it takes a minute or two, in a debug build ten.
    private static let limit = TimeLimitTrait.Duration.minutes(max(5, Int(hours * 40)))

    /// A round of the loop takes the same number of frames every time, and within it every beat falls on the same frame.
    @Test(.timeLimit(limit), arguments: starts) func aLoopDoesNotDrift(_ start: Int64) throws {
        let session = try SimulatedSession([beats(7, microseconds: 333_333)], start: SampleTime(start))
        var rounds: [UInt8: (last: Int64, distance: Int64)] = [:], heard = 0, uneven = 0
        session.hears = { event in
            guard case .music(.message(let message)) = event.event, message.kind == .noteOn else { return }
            let time = event.time.rawValue
            heard += 1
            if let round = rounds[message.data1] {
                if round.distance != 0 && time - round.last != round.distance { uneven += 1 }
                rounds[message.data1] = (time, time - round.last)
            } else {
                rounds[message.data1] = (time, 0)
            }
        }
        try session.perform(.play)
        try session.perform(.repeats(.all))
        try session.pass(Self.frames)
        #expect(Set(rounds.values.map(\.distance)).count == 1, "every beat comes after the same time")
        #expect(uneven == 0, "\(uneven) of \(heard)")
        #expect(heard >= Self.frames / 2_667 - 7)
        #expect(session.now == SampleTime(start) + Self.frames)
        try expectNothingLost(session)
    }

    /// Somebody plays over songs, seeks, changes tempo, key and list, and the graph, at random.
    @Test(.timeLimit(limit), arguments: starts) func hoursOfPlayingLeaveNothingBehind(_ start: Int64) throws {
        var random = SeededRandom(seed: Self.seed)
        let songs = [beats(31, microseconds: 500_000), beats(5, microseconds: 77_777), beats(64, microseconds: 250_001)]
        let session = try SimulatedSession(songs, start: SampleTime(start))
        try session.perform(.repeats(.all))
        try session.perform(.play)
        var meter: NodeID?, sizes: [ProcessSize] = []
        let parts = max(Self.frames / (2 * SimulatedSession.sampleRate), 20)
        for part in 0..<parts {
            try session.perform(Self.command(using: &random))
            for _ in 0..<Int.random(in: 0...8, using: &random) { play(session, using: &random) }
            if Int.random(in: 0...29, using: &random) == 0 { meter = try change(session, meter) }
            try session.pass(2 * SimulatedSession.sampleRate) { Int.random(in: 1...512, using: &random) }
            if part % max(parts / 10, 1) == 0 { sizes.append(ProcessSize()) }
        }
        try expectNothingLost(session)
        // The first tenth is where everything has grown to its size. Beside other tests the process is not its own.
        let settled = sizes[1], end = ProcessSize()
        print("\(parts * 2) s from frame \(start): memory \(sizes.map(\.memory)) KB, \(end.descriptors) descriptors")
        if Self.wanted != nil {
            // Threads of the runtime that have nothing to do end by themselves.
            #expect(end.descriptors == settled.descriptors && end.threads <= settled.threads)
            #expect(end.memory - settled.memory < 8_192)
        }

        try session.perform(.stop)
        for channel in 0..<16 {
            _ = session.engine.renderer.sendLive(
                TimedMusicEvent(time: .immediately, event: .message(MIDIMessage(status: 0xB0 | UInt8(channel), data1: 120))))
        }
        try session.pass(4 * SimulatedSession.sampleRate)
        #expect(try session.pass(SimulatedSession.sampleRate) == 0, "silence at the end")
        #expect(session.graph.isAtRest)
    }

    private func expectNothingLost(_ session: SimulatedSession) throws {
        let counters = session.engine.renderer.counters
        #expect(counters.lateEvents == 0 && counters.lostEvents == 0 && counters.faults == 0, "\(counters)")
        #expect(counters.unrecordedEvents == 0)
    }

    private static func command(using random: inout SeededRandom) -> ControlCommand {
        switch Int.random(in: 0...11, using: &random) {
        case 0: .seek(.seconds(Double.random(in: 0...20, using: &random)))
        case 1: .seek(.byBars(Int.random(in: -3...3, using: &random)))
        case 2: .tempo(Double.random(in: 0.1...10, using: &random))
        case 3: .transpose(Int.random(in: -12...12, using: &random))
        case 4: .next
        case 5: .previous
        case 6: .togglePlay
        case 7: .stop
        default: .play
        }
    }

    /// A chord for a second, a bend, a pedal.
    private func play(_ session: SimulatedSession, using random: inout SeededRandom) {
        let status = UInt8.random(in: 0...3, using: &random), key = UInt8.random(in: 36...84, using: &random)
        let messages: [(UInt8, UInt8, UInt8)] = [
            (0x90, key, 90), (0xE0, key, 70), (0xB0, 64, 127), (0x80, key, 0), (0xB0, 64, 0), (0xE0, 0, 64),
        ]
        for message in messages {
            let event = MusicEvent.message(
                MIDIMessage(status: message.0 | status, data1: message.1, data2: message.2))
            #expect(session.engine.renderer.sendLive(TimedMusicEvent(time: .immediately, event: event)))
        }
    }

    /// A meter more behind the limiter, or that one less.
    private func change(_ session: SimulatedSession, _ meter: NodeID?) throws -> NodeID? {
        let limiter = session.graph.limiter
        return try session.engine.edit { (graph) throws(Fault) in
            if let meter {
                try graph.remove(meter)
                return nil
            }
            let meter = try graph.add(PeakMeter.self, name: "another")
            try graph.connect(limiter, to: meter)
            return meter
        }
    }
}
