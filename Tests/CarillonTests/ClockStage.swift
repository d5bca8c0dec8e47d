import Carillon
import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import Sessions

/// A session in simulated time, and a master whose clock it hears, trembling.
final class ClockStage {
    let time: SessionInTime
    private var random: SeededRandom
    /// Milliseconds by which a pulse comes early or late at most.
    var jitter: Double
    var tempo: Double
    /// Whether the master sends pulses at all.
    var isSending = true
    /// When the next pulse is due, and the place it stands for; nil: the master stands still.
    private var due = 0.0
    private var pulse: Int?
    /// When each pulse of the music was due, last told; in nanoseconds.
    private(set) var truth: [Int: Double] = [:]
    private var mail: [(time: Double, message: ClockMessage)] = []
    /// Factors at which the song played, whenever they changed.
    private(set) var factors: [Double] = []

    init(
        tempo: Double, jitter: Double = 3, seed: UInt64 = 1, songs: [SessionSong], _ options: LiveOptions = SessionInTime.options
    ) throws {
        var options = options
        options.connections.master = "Drum machine"
        options.hasEffects = false
        time = try SessionInTime(options, songs)
        (self.tempo, self.jitter, random) = (tempo, jitter, SeededRandom(seed: seed))
        due = Double(time.port.nanoseconds) + 3e6
    }

    func order(_ message: ClockMessage) {
        mail.append((Double(time.port.nanoseconds), message))
        switch message {
        case .start: pulse = 0
        case .position(let place): waiting = Int(place) * 6
        case .continue: pulse = waiting
        case .stop: (waiting, pulse) = (pulse ?? waiting, nil)
        case .pulse: break
        }
    }
    private var waiting = 0

    func pass(_ seconds: Double) throws {
        for _ in 0..<Int((seconds * 100).rounded()) {
            time.port.advance(seconds: 0.01)
            let now = Double(time.port.nanoseconds)
            while due <= now - jitter * 1e6 {
                if isSending { mail.append((due + Double(random.sample()) * jitter * 1e6, .pulse)) }
                if let place = pulse {
                    truth[place] = due
                    pulse = place + 1
                }
                due += 60e9 / 24 / tempo
            }
            for (time, message) in mail.sorted(by: { $0.time < $1.time }) {
                self.time.session.receive(clock: message, at: Int64(time))
            }
            mail = []
            try time.session.maintain()
            let factor = time.transport?.rate ?? 0
            if factor != factors.last { factors.append(factor) }
        }
    }

    /// Milliseconds by which each beat of the song was heard behind the pulse that it belongs to, from a beat on.
    func distances(beats: Range<Int>, first: Int = 0) throws -> [Double] {
        let status = try #require(time.port.status.time)
        return try beats.map { beat in
            let frame = SampleTime(time.onsets[beat - first].time) + time.session.graph.latency
            return (Double(status.nanoseconds(at: frame)) - (try #require(truth[beat * 24]))) / 1e6
        }
    }

    /// Milliseconds from a note that was heard to the nearest beat of the master, whichever it is.
    func distanceFromBeat(_ onset: Int64) throws -> Double {
        let status = try #require(time.port.status.time)
        let heard = Double(status.nanoseconds(at: SampleTime(onset) + time.session.graph.latency))
        return truth.filter { $0.key % 24 == 0 }.map { abs($0.value - heard) / 1e6 }.min() ?? .infinity
    }

    var following: SessionSnapshot.Following? { time.session.snapshot.following }
}
