import Carillon
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer

@testable import Sessions

/// A session on a device in simulated time: looked after every ten milliseconds, as a surface would.
final class SessionInTime {
    let session: Session
    let port: SimulatedPort
    /// What it plays out.
    let outlet: SimulatedOutlet
    /// What sounded, note-ons by their time.
    private(set) var onsets: [(time: Int64, key: UInt8)] = []
    /// Other messages that were performed.
    private(set) var messages: [(time: Int64, message: MIDIMessage)] = []
    /// Notes that began and have not ended.
    private(set) var held: [UInt8: Int] = [:]

    init(_ options: LiveOptions = SessionInTime.options, _ songs: [SessionSong] = [], from place: TransportTarget? = nil) throws {
        let port = SimulatedPort()
        self.port = port
        outlet = SimulatedOutlet(now: { port.nanoseconds })
        session = try Session(options, songs: songs, on: port, outlet: outlet)
        session.onPerformance = { [unowned self] performance in for entry in performance.entries { take(entry) } }
        if let place { try session.begin(at: place) }
        try session.start()
    }

    /// A square wave that plays songs alone.
    static var options: LiveOptions {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.ports = 0
        return options
    }

    /// A song of notes on one key, one a beat, each half a beat long.
    static func song(
        _ notes: Int, key: UInt8 = 60, beatFrames: Int = 4_800, channel: UInt8 = 0, name: String = "beats"
    ) -> Song {
        var track = Track(name: name)
        track.events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: UInt32(beatFrames * 1_000_000 / 48_000)))]
        for beat in 0..<notes {
            let tick = Int64(beat) * 480
            track.events += [
                SongEvent(tick: tick, .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: 100))),
                SongEvent(tick: tick + 240, .message(MIDIMessage(status: 0x80 | channel, data1: key, data2: 0))),
            ]
        }
        track.endTick = Int64(notes) * 480
        return Song(tracks: [track])
    }

    static func listed(_ notes: Int, key: UInt8 = 60, beatFrames: Int = 4_800) -> SessionSong {
        SessionSong(name: "song of \(key)", song: song(notes, key: key, beatFrames: beatFrames))
    }

    private func take(_ entry: Journal.Entry) {
        guard case .music(.message(let message)) = entry.event else { return }
        switch message.kind {
        case .noteOn where message.data2 > 0:
            onsets.append((entry.time.rawValue, message.data1))
            held[message.data1, default: 0] += 1
        case .noteOn, .noteOff: held[message.data1] = max(0, (held[message.data1] ?? 0) - 1)
        default: messages.append((entry.time.rawValue, message))
        }
    }

    var transport: SessionSnapshot.Transport? { session.snapshot.transport }

    /// Forgets what has sounded.
    func forget() { (onsets, messages) = ([], []) }

    /// Lets so many seconds pass.
    func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }

    /// Lets time pass until something is so, at most so many seconds; whether it came to be.
    func pass(atMost seconds: Double = 60, until condition: () -> Bool) throws -> Bool {
        for _ in 0..<Int(seconds * 100) where !condition() {
            port.advance(seconds: 0.01)
            try session.maintain()
        }
        return condition()
    }
}

extension Session {
    /// Lets so many seconds pass on a simulated device, looked after every ten milliseconds.
    func pass(_ seconds: Double, on port: SimulatedPort) throws {
        for _ in 0..<Int((seconds * 100).rounded()) {
            port.advance(seconds: 0.01)
            try maintain()
        }
    }
}
