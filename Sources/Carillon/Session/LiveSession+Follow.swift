import MIDI
import RealtimeCore
import RemoteIO
import Sequencer

/// A session whose songs follow somebody else's MIDI clock.
extension LiveSession {
    /// Hands over a message of the master's clock, with the moment at which it came: CLOCK_MONOTONIC nanoseconds, or those of a
    /// port in simulated time. It is obeyed with the next `maintain`; does nothing where `LiveOptions.follows` is nil. For
    /// those who have the clock from elsewhere than the system's MIDI ports. Session's thread.
    public func receive(clock message: ClockMessage, at nanoseconds: Int64) {
        following?.receive([StampedClockMessage(message, at: nanoseconds)])
    }

    /// Tells whether the master has a say in a command, and then does what is left of it: `pause` and `stop` let the songs
    /// stand whatever the master does, `play` lets them play with it again; the tempo is the master's.
    ///
    /// - Throws: `followsClock` for a tempo.
    func isFollowed(_ command: ControlCommand) throws(LiveError) -> Bool {
        guard let following, playlist != nil else { return false }
        switch command.verb {
        case .tempo: throw .followsClock(following.name)
        case .play: self.following?.hold(false)
        case .toggle where following.isHeld: self.following?.hold(false)
        case .toggle, .pause:
            self.following?.hold(true)
            try post(.pause)
        case .stop:
            self.following?.hold(true)
            try post(.stop)
        default: return false
        }
        return true
    }

    /// Takes what the master has sent, and lets the song do what that asks for.
    func followMaster() throws(LiveError) {
        guard following != nil, let playlist else { return }
        if let sequencer { following?.receive(sequencer.takeClock()) }
        let soon = soon, playing = playlist.playing(at: soon), position = playing.transport.position(at: soon)
        let latency = graph.latency
        let scene = SessionFollowing.Scene(
            time: soon, song: playing.id, name: playing.name, map: playing.transport.timeline.tempoMap,
            frame: position.frame, length: playing.transport.length, factor: playing.transport.rate.factor,
            isRunning: position.isRunning,
            moment: port.status.time.map { time in
                (time.nanoseconds(at: soon + latency), time.nanoseconds(at: soon + (latency + options.sampleRate)))
            },
            sampleRate: options.sampleRate)
        let actions = following?.actions(scene) ?? []
        notices += following?.takeMisfits() ?? []
        for action in actions {
            let request: SongRequest =
                switch action {
                case .play: .play
                case .pause: .pause
                case .seek(let seconds): .seek(.seconds(seconds))
                case .factor(let factor): .tempo(factor / playing.manner.tempo)
                }
            try post(request)
        }
    }

    /// The state of following a master; nil where the songs follow nobody.
    var followingSnapshot: SessionSnapshot.Following? {
        guard let following else { return nil }
        // What is heard now, where nobody knows the moment, is a buffer behind what is rendered.
        let buffer = port.grant?.bufferFrames ?? 0
        let moment = outputs.outlet?.nanoseconds ?? port.status.time?.nanoseconds(at: now + -buffer)
        let state = moment.map { following.lock.state(at: $0) } ?? .waiting
        return SessionSnapshot.Following(
            name: following.name, port: sequencer?.master, state: .init(rawValue: state.rawValue) ?? .waiting,
            tempo: following.lock.tempo, isPlaying: following.lock.isPlaying, isHeld: following.isHeld)
    }
}

extension Playlist {
    /// The song that plays at a time, as things are posted.
    func playing(at time: SampleTime) -> Playing {
        if let following, time >= following.time { return following.song }
        return current
    }
}
