import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Reports
import Sequencer

/// The songs of a session that follows an external MIDI clock.
final class FollowingPart: SessionPart {
    private let core: SessionCore
    private let songs: SongsPart?
    private let inlet: (any MIDIInlet)?
    private let outputs: OutputsPart
    private var machine: SessionFollowing
    /// The master's name, as it was requested.
    var name: String { machine.name }

    static let fields: [PartField<FollowingPart>] = [
        PartField(\.following, "following", "The master whose clock the songs follow.") { $0.following }
    ]

    init(_ core: SessionCore, _ name: String, _ songs: SongsPart?, _ outputs: OutputsPart, inlet: (any MIDIInlet)?) {
        (self.core, self.songs, self.outputs, self.inlet) = (core, songs, outputs, inlet)
        machine = SessionFollowing(name)
        songs?.master = { [unowned self] (request) throws(Fault) in try takes(request) }
    }

    /// Takes messages of the master's clock, see `Session.receive(clock:at:)`.
    func receive(_ messages: [StampedClockMessage]) { machine.receive(messages) }

    /// Handles a request that concerns the master; true if nothing is left to do. `pause` and `stop` pause the songs without
    /// regard to the master, `play` makes them follow it again; the tempo is the master's.
    ///
    /// - Throws: `followsClock` for a tempo.
    private func takes(_ request: SongRequest) throws(Fault) -> Bool {
        switch request {
        case .tempo: throw .followsClock(machine.name)
        case .play: machine.hold(false)
        case .togglePlay where machine.isHeld: machine.hold(false)
        case .togglePlay, .pause:
            machine.hold(true)
            try songs?.post(.pause)
        case .stop:
            machine.hold(true)
            try songs?.post(.stop)
        default: return false
        }
        return true
    }

    /// Takes the clock messages that the master has sent, and carries out what the song has to do for them.
    func turn() throws(Fault) {
        guard let songs else { return }
        let soon = core.soon, rate = core.options.sampleRate, latency = core.graph.latency
        if let inlet { machine.receive(inlet.takeClock()) }
        let playing = songs.playlist.playing(at: soon), position = playing.transport.position(at: soon)
        let scene = SessionFollowing.Scene(
            time: soon, song: playing.id, name: playing.name, map: playing.transport.timeline.tempoMap,
            frame: position.frame, length: playing.transport.length, factor: playing.transport.rate.factor,
            isRunning: position.isRunning,
            moment: core.port.status.time.map { time in
                (time.nanoseconds(at: soon + latency), time.nanoseconds(at: soon + (latency + rate)))
            },
            sampleRate: rate)
        let actions = machine.actions(scene)
        core.tell(machine.takeMisfits())
        try again { () throws(Fault) in
            for action in actions {
                let request: SongRequest =
                    switch action {
                    case .play: .play
                    case .pause: .pause
                    case .seek(let seconds): .seek(.seconds(seconds))
                    case .factor(let factor): .tempo(factor / playing.manner.tempo)
                    }
                try songs.post(request)
            }
        }
    }

    private var following: SessionSnapshot.Following {
        // Without a clock of the output, the sound is heard one buffer after it was rendered.
        let buffer = core.port.grant?.bufferFrames ?? 0
        let moment = outputs.outlet?.nanoseconds ?? core.port.status.time?.nanoseconds(at: core.now + -buffer)
        let state = moment.map { machine.lock.state(at: $0) } ?? .waiting
        return SessionSnapshot.Following(
            name: machine.name, port: inlet?.master, state: .init(rawValue: state.rawValue) ?? .waiting,
            tempo: machine.lock.tempo, isPlaying: machine.lock.isPlaying, isHeld: machine.isHeld)
    }
}

extension SnapshotKeys {
    /// The master that the songs follow; nil if they follow none.
    public var following: SnapshotKey<SessionSnapshot.Following?> { SnapshotKey(nil) }
}

extension SessionSnapshot {
    /// The master whose MIDI clock the songs follow.
    public struct Following: Sendable, Hashable {
        /// The state of the master's clock: it does not send, is not known well enough yet, is known well, or has stopped
        /// sending without notice.
        public enum State: String, Sendable { case waiting, locking, locked, lost }

        /// The master's name, as it was requested.
        public var name: String
        /// The port that is connected; nil while none is.
        public var port: String?
        public var state = State.waiting
        /// Quarter notes a minute, as the master was heard last; nil before the first.
        public var tempo: Double?
        /// True while the master plays: it was started, and not stopped.
        public var isPlaying = false
        /// True while the songs are paused by a command, without regard to the master.
        public var isHeld = false
    }
}

extension SessionSnapshot.Following: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The master's name, as it was given."),
        Field("port", \.port, "The port that is connected."),
        Field("state", \.state, "How well the master's clock is known."),
        Field("tempo", \.tempo, "The master's last tempo in quarter notes per minute."),
        Field("isPlaying", \.isPlaying, "Whether the master plays."),
        Field("isHeld", \.isHeld, "Whether the songs are paused by a request, regardless of the master."),
    ]
}

extension SessionSnapshot.Following.State: FieldWord {}

extension Session {
    /// Hands over a message of the master's clock, with the moment at which it came: CLOCK_MONOTONIC nanoseconds, or those of a
    /// port in simulated time. It takes effect with the next `maintain`; does nothing if `LiveOptions.Connections.master` is nil. For
    /// programs that get the clock from elsewhere than the system's MIDI ports. Session's thread.
    public func receive(clock message: ClockMessage, at nanoseconds: Int64) {
        self[FollowingPart.self]?.receive([StampedClockMessage(message, at: nanoseconds)])
    }
}

extension Playlist {
    func playing(at time: SampleTime) -> PlayingSong {
        if let following, time >= following.time { return following.song }
        return current
    }
}
