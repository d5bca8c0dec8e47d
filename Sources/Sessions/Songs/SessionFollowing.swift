import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Sequencer

/// The part of a session that follows an external MIDI clock: it decides what the songs have to do so that their pulses are
/// heard with the master's. Pure: the session gives it the time and carries out its actions. Control side, one thread.
///
/// A song follows by its tempo: the master's over its own, and a little more or less until it has reached the master's
/// position. It is sent to another place only if it is more than half a quarter note away. After a seek from elsewhere, or when
/// the next song begins, it keeps the master's beat from there on, though not its bars.
struct SessionFollowing {
    /// The song's state when a command can take effect, and the master's position then.
    struct Scene {
        /// When that is, in frames.
        var time: SampleTime
        var song: Int
        var name: String
        var map: TempoMap
        /// The song's current frame, its last frame, and its factor.
        var frame: Int64
        var length: Int64
        var factor: Double
        var isRunning: Bool
        /// When `time` is heard, and the pulses a second later are, in nanoseconds; nil means unknown.
        var moment: (heard: Int64, secondLater: Int64)?
        var sampleRate: Int
    }

    enum Action: Equatable {
        case play
        case pause
        /// Goes to a place, in seconds at the song's own tempo.
        case seek(Double)
        /// Sets the factor of the song's own tempo, which replaces any other tempo that was requested.
        case factor(Double)
    }

    /// The name of the port, as it was requested.
    let name: String
    private(set) var lock = ClockLock()
    /// True while the songs are paused by a command.
    private(set) var isHeld = false
    /// Sentences about songs that cannot follow, not yet taken out.
    private(set) var misfits: [String] = []
    /// Messages that came and were not taken yet.
    private var waiting: [StampedClockMessage] = []

    /// The master's position at the song's beginning, in pulses: whole quarter notes.
    private var anchor = 0.0
    private var jumps = 0
    /// True if the song is to come in, and the place where: nil at the master's place of that time.
    private var comesIn = false
    private var entry: Double?
    /// The last known state of the song, to detect jumps that others caused.
    private var last: Scene?
    private var wasMoved = false
    private var isCatchingUp = false
    /// When the tempo was last set, for which tempo of which song.
    private var newest: (time: SampleTime, own: Int, song: Int)?
    private var reportedMisfits: Set<Int> = []

    /// Messages that wait at most.
    private static let room = 2_048
    /// Half a quarter note: a song that is farther away is sent there.
    private static let farPulses = 12.0
    /// Seconds in which a distance is made good, and by how much faster or slower at most.
    private static let catchUp = 0.5, mostCorrection = 0.1
    /// Seconds of distance at which that begins, and at which it is enough.
    private static let begins = 0.000_4, ends = 0.000_1
    /// The smallest change of tempo that is sent, and the shortest time between two of them, in seconds.
    private static let news = 0.000_2, pace = 0.1

    init(_ name: String) { self.name = name }

    mutating func receive(_ messages: [StampedClockMessage]) {
        waiting += messages
        if waiting.count > Self.room { waiting.removeFirst(waiting.count - Self.room) }
    }

    /// Pauses the songs, or makes them play with the master again.
    mutating func hold(_ isHeld: Bool) {
        (self.isHeld, comesIn, entry) = (isHeld, !isHeld, nil)
    }

    mutating func takeMisfits() -> [String] {
        defer { misfits = [] }
        return misfits
    }

    mutating func actions(_ scene: Scene) -> [Action] {
        for message in waiting { lock.take(message.message, at: message.nanoseconds) }
        waiting = []
        let actions = answer(scene)
        // A seek from here must not count as a move by another party.
        last = actions.contains { if case .seek = $0 { true } else { false } } ? nil : scene
        return actions
    }

    private mutating func answer(_ scene: Scene) -> [Action] {
        noticeMove(scene)
        if scene.map.time(ofPulse: 0) == nil, reportedMisfits.insert(scene.song).inserted {
            misfits.append("\(scene.name) counts film frames and cannot follow a clock; it plays at its own tempo")
        }
        if lock.jumps != jumps {
            (jumps, anchor, wasMoved) = (lock.jumps, 0, false)
            (comesIn, entry) = (true, Double(lock.beginning))
        }
        if !lock.isPlaying || isHeld {
            let pause: [Action] = scene.isRunning ? [.pause] : []
            return pause + tempo(scene, distance: 0)
        }
        if !scene.isRunning {
            guard comesIn, lock.isRunning else { return tempo(scene, distance: 0) }
            return comeIn(scene) + tempo(scene, distance: 0)
        }
        guard lock.isRunning else { return [] }
        if comesIn, let entry, abs(distance(scene, at: scene.frame) ?? 0) > Self.farPulses {
            comesIn = false
            return [seek(scene, to: entry)]
        }
        comesIn = false
        return keepUp(scene)
    }

    /// Notices that another party has sent the song elsewhere, or that another song plays: its position jumped.
    private mutating func noticeMove(_ scene: Scene) {
        guard let last else { return }
        let passed = last.isRunning ? Double(scene.time - last.time) * last.factor : 0
        let moved = Double(scene.frame - last.frame) - passed
        let beat = scene.map.microsecondsPerQuarter(atTick: scene.map.tick(at: SampleTime(scene.frame))) ?? 500_000
        let isFar = abs(moved) > Double(beat) * 1e-6 / 2 * Double(scene.sampleRate)
        if scene.song != last.song || isFar { wasMoved = true }
    }

    /// Pulses by which the master is ahead of the song.
    private func distance(_ scene: Scene, at frame: Int64) -> Double? {
        guard let moment = scene.moment, let place = scene.map.pulses(at: SampleTime(frame)) else { return nil }
        return lock.pulses(at: moment.heard) - anchor - place
    }

    /// Keeps the master's beat from the song's place on, without regard to its bars.
    private mutating func settle(_ scene: Scene) {
        wasMoved = false
        guard let distance = distance(scene, at: scene.frame) else { return }
        let quarter = Double(ClockMessage.pulsesPerQuarter)
        anchor += (distance / quarter).rounded() * quarter
    }

    private mutating func comeIn(_ scene: Scene) -> [Action] {
        if wasMoved {
            settle(scene)
            return [.play]
        }
        // Nothing is left out after the master's first pulse: the song makes up for its delay.
        let here = scene.moment.map { lock.pulses(at: $0.heard) - anchor }
        let place = entry.map { entry in here.map { abs($0 - entry) < Self.farPulses } ?? true ? entry : here ?? entry } ?? here
        guard let place, let frame = scene.map.time(ofPulses: place) else { return [.play] }
        // Past the song's end there is only silence.
        if frame.rawValue >= scene.length { return [] }
        return [seek(scene, to: place), .play]
    }

    private func seek(_ scene: Scene, to place: Double) -> Action {
        let frame = scene.map.time(ofPulses: place) ?? .zero
        return .seek(Double(frame.rawValue) / Double(scene.sampleRate))
    }

    private mutating func keepUp(_ scene: Scene) -> [Action] {
        if wasMoved { settle(scene) }
        guard lock.tempo != nil, let distance = distance(scene, at: scene.frame) else { return tempo(scene, distance: 0) }
        if abs(distance) > Self.farPulses {
            let place = distance + (scene.map.pulses(at: SampleTime(scene.frame)) ?? 0)
            if let frame = scene.map.time(ofPulses: place), frame.rawValue < scene.length { return [seek(scene, to: place)] }
        }
        return tempo(scene, distance: distance)
    }

    /// The factor at which the song keeps up with a master that is `distance` pulses ahead, if it has changed.
    private mutating func tempo(_ scene: Scene, distance: Double) -> [Action] {
        let tick = scene.map.tick(at: SampleTime(scene.frame))
        guard let tempo = lock.tempo, let own = scene.map.microsecondsPerQuarter(atTick: tick) else { return [] }
        // The device's seconds are not quite those of the clock.
        let second = scene.moment.map { Double($0.secondLater - $0.heard) / 1e9 } ?? 1
        let steady = tempo * second * Double(own) / 60e6
        let late = distance * 60 / tempo / Double(ClockMessage.pulsesPerQuarter)
        isCatchingUp = abs(late) > (isCatchingUp ? Self.ends : Self.begins)
        let correction = isCatchingUp ? min(max(late / Self.catchUp, -Self.mostCorrection), Self.mostCorrection) : 0
        let factor = steady * (1 + correction)
        let isOther = newest.map { $0.own != own || $0.song != scene.song } ?? true
        let isDue = newest.map { scene.time - $0.time >= Int(Self.pace * Double(scene.sampleRate)) } ?? true
        guard isOther || isDue, abs(factor / scene.factor - 1) > Self.news else { return [] }
        newest = (scene.time, own, scene.song)
        return [.factor(factor)]
    }
}
