import Graphs
import MIDI
import RealtimeCore
import Reports
import Sequencer

/// Music that an engine plays through its renderer's score: one at a time.
protocol ScorePlayback: AnyObject {
    /// Posts the coming stretches ahead.
    func advance()
    /// Another one is to play from `time` on.
    func replace(at time: SampleTime?)
    /// The graph has changed.
    func follow(_ graph: Graph)
}

extension ScorePlayback { func follow(_ graph: Graph) {} }

extension SongPlayback: ScorePlayback {}

extension SongPlayback {
    /// Tracks that an engine plays, and that change while they sound.
    ///
    /// They are heard through the units that their parts are routed to. Each command and each edit takes effect on its frame, or
    /// as soon as the renderer can be reached; those for a time before the last one's take effect with that. An edit strikes
    /// nothing anew, and no key stays down: a note that the new version does not have goes up, one that ends elsewhere ends
    /// there. What comes is posted two seconds ahead by `Engine.maintain()` and before each pull. The engine keeps the tracks, and
    /// plays one song or one set of tracks at a time. Control side, as the engine.
    public final class Tracks: ScorePlayback {
        private var player: TrackPlayer
        private weak var engine: Engine?
        private let renderer: Renderer
        private let horizon: Int
        private var outbox = StretchOutbox()
        private var isReplaced = false

        /// Prepares an arrangement, which stands at beat 0, instead of what the engine played before.
        ///
        /// - Throws: `Fault` for an engine of a rate that cannot be.
        public init(_ arrangement: Song.Arrangement, on engine: Engine) throws(Fault) {
            try engine.graph.checkRate()
            engine.playback?.replace(at: nil)
            // What ends the music before must not be replaced by what begins.
            let first = engine.playback == nil ? SampleTime.zero : engine.now + 1
            player = TrackPlayer(arrangement, sampleRate: Int(engine.sampleRate.rounded()), from: first)
            self.engine = engine
            renderer = engine.renderer
            horizon = 2 * max(Int(engine.sampleRate), engine.maximumFrames)
            engine.playback = self
        }

        /// The tracks, with all edits that were made.
        public var arrangement: Song.Arrangement { player.arrangement }

        /// Plays on from its beat. - Throws: `songReplaced`.
        public func play(at time: SampleTime? = nil) throws(Fault) { try take(time) { $0.play(at: $1, now: $2) } }

        /// Plays on from its beat when a moment of CLOCK_MONOTONIC is heard on the device.
        ///
        /// - Throws: `songReplaced`; `noHostTime` where no device plays.
        public func play(atHostTime nanoseconds: Int64) throws(Fault) { try play(at: time(atHostTime: nanoseconds)) }

        /// Ends all notes and stays there. - Throws: `songReplaced`.
        public func stop(at time: SampleTime? = nil) throws(Fault) { try take(time) { $0.stop(at: $1, now: $2) } }

        /// Goes to a beat, playing on if it plays: notes end, and instruments get the settings of that place.
        ///
        /// - Throws: `songReplaced`.
        public func seek(toBeat beat: Double, at time: SampleTime? = nil) throws(Fault) {
            try take(time) { $0.seek(to: beat, at: $1, now: $2) }
        }

        /// The tempo as a factor of the tempo track's, brought into 0.001...1000; sounding notes go on. - Throws: `songReplaced`.
        public func setTempo(_ factor: Double, at time: SampleTime? = nil) throws(Fault) {
            try take(time) { $0.setRate(factor, at: $1, now: $2) }
        }

        /// Changes the tracks in one go. On an error nothing has changed.
        ///
        /// - Throws: what `change` throws, and `songReplaced`.
        @discardableResult
        public func edit<Result>(
            at time: SampleTime? = nil, _ change: (inout Song.Arrangement) throws(Fault) -> Result
        ) throws(Fault) -> Result {
            var next = player.arrangement
            let result = try change(&next)
            try take(time) { $0.edit(next, at: $1, now: $2) }
            return result
        }

        /// True if it plays in the next slice.
        public var isPlaying: Bool { !isReplaced && player.isPlaying(at: renderer.sampleTime) }
        /// True if it plays, and all tracks have come to their end.
        public var hasEnded: Bool { player.hasEnded(at: renderer.sampleTime) }
        /// The factor of the tempo, with all commands that were given.
        public var tempo: Double { player.rate }
        /// The beat in the next slice.
        public var beat: Double { player.beat(at: renderer.sampleTime) }

        /// The beat that is played on a frame, if nothing is changed until then.
        public func beat(at time: SampleTime) -> Double { player.beat(at: time) }
        /// The frame on which a beat is played, if nothing is changed until then; nil while it does not play.
        public func time(ofBeat beat: Double) -> SampleTime? { player.time(ofBeat: beat) }

        /// The beat that is heard at a moment of CLOCK_MONOTONIC. - Throws: `noHostTime` where no device plays.
        public func beat(atHostTime nanoseconds: Int64) throws(Fault) -> Double { beat(at: try time(atHostTime: nanoseconds)) }

        /// The moment of CLOCK_MONOTONIC at which a beat is heard; nil while it does not play.
        ///
        /// - Throws: `noHostTime` where no device plays.
        public func hostTime(ofBeat beat: Double) throws(Fault) -> Int64? {
            guard let clock = engine?.output?.port?.status.time else { throw .noHostTime }
            return time(ofBeat: beat).map { clock.nanoseconds(at: $0) }
        }

        private func time(atHostTime nanoseconds: Int64) throws(Fault) -> SampleTime {
            guard let clock = engine?.output?.port?.status.time else { throw .noHostTime }
            return clock.sampleTime(atNanoseconds: nanoseconds)
        }

        /// Returns cues and turns of loops that have been rendered since the last call, in the order of time; the newest
        /// 4096.
        public func takeReports() -> [Song.Arrangement.Report] { player.takeReports(before: renderer.sampleTime) }

        func advance() {
            outbox.post(isReplaced ? [] : player.advance(now: renderer.sampleTime, horizon: horizon), to: renderer)
        }

        func replace(at time: SampleTime?) {
            let now = renderer.sampleTime
            outbox.post(player.stop(at: max(time ?? soon, now), now: now), to: renderer)
            isReplaced = true
        }

        private var soon: SampleTime { engine?.now ?? renderer.sampleTime }

        private func take(
            _ time: SampleTime?, _ command: (inout TrackPlayer, SampleTime, SampleTime) -> [TrackPlayer.Stretch]
        ) throws(Fault) {
            if isReplaced { throw .songReplaced }
            outbox.post(command(&player, time ?? soon, renderer.sampleTime), to: renderer)
            advance()
        }
    }
}
