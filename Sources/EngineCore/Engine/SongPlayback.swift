import Graphs
import MIDI
import RealtimeCore
import Sequencer
import SongFiles
import SoundFonts
import UnitAPI

/// A song that an engine plays: `engine.play(song:)` makes one. The engine keeps it, so it plays on without a reference.
///
/// The song is heard through the units that its parts are routed to. A command takes effect on the named frame, or as soon as
/// the renderer can be reached, and the position that is shown is the one that sounds. The next round of a loop is posted two
/// seconds ahead by `Engine.maintain()` and before each pull; so a device never waits for it, and offline the same calls give
/// the same sound. Control side, as the engine.
public final class SongPlayback {
    /// The song in frames of the engine.
    public let timeline: Timeline
    private var transport: Transport
    private let score: Score
    private weak var engine: Engine?
    private let renderer: Renderer
    private let horizon: Int
    /// Segments that the renderer's queue had no room for.
    private var waiting: [ScoreSegment] = []
    private var isReplaced = false

    init(_ timeline: Timeline, on engine: Engine) {
        self.timeline = timeline
        self.engine = engine
        renderer = engine.renderer
        transport = Transport(timeline)
        score = Score(timeline.events)
        horizon = 2 * max(timeline.sampleRate, engine.maximumFrames)
    }

    /// Plays on from its position; at its end from the beginning. - Throws: `songReplaced`.
    public func play(at time: SampleTime? = nil) throws(Fault) { try take(.play, at: time) }

    /// Ends the song's notes and stays there. - Throws: `songReplaced`.
    public func pause(at time: SampleTime? = nil) throws(Fault) { try take(.pause, at: time) }

    /// Ends the song's notes and goes to the beginning. - Throws: `songReplaced`.
    public func stop(at time: SampleTime? = nil) throws(Fault) { try take(.stop, at: time) }

    /// Goes elsewhere: `.bar(5)`, `.seconds(12)`; playing on where it plays. - Throws: `songReplaced`.
    public func seek(to target: TransportTarget, at time: SampleTime? = nil) throws(Fault) { try take(.seek(target), at: time) }

    /// Tempo as a factor of the song's own, brought into 0.1...10; sounding notes go on.
    ///
    /// - Throws: `songReplaced`; `ParameterError` for a number that is not finite.
    public func setTempo(_ factor: Double, at time: SampleTime? = nil) throws(Fault) {
        let spec = EngineSetting.tempo.spec
        if !factor.isFinite { throw Fault(ParameterError.notANumber(parameter: spec.name, text: "\(factor)", valid: spec.valid)) }
        try take(.tempo(factor), at: time)
    }

    /// Plays higher or lower by semitones, brought into -48...48; drums stay. - Throws: `songReplaced`.
    public func transpose(_ semitones: Int, at time: SampleTime? = nil) throws(Fault) {
        try take(.transpose(semitones), at: time)
    }

    /// Plays a range again and again, once it is reached; nil plays on to the end. - Throws: `songReplaced`.
    public func loop(_ range: TransportRange?, at time: SampleTime? = nil) throws(Fault) { try take(.loop(range), at: time) }

    /// Stopped, playing or paused; as soon as a command is given.
    public var state: Transport.State { transport.state }
    /// True if it has come to its end by itself.
    public var hasEnded: Bool { transport.hasEnded }
    /// True if it goes on at the beginning of a range when it comes to its end.
    public var isLooping: Bool { transport.loop != nil }
    /// The factor of the tempo.
    public var tempo: Double { transport.rate.factor }
    /// The position in the next slice: frame, seconds, bar.
    public var position: TransportPosition { transport.position(at: renderer.sampleTime) }
    /// The song's length at its own tempo, in seconds.
    public var length: Double { Double(transport.length) / Double(timeline.sampleRate) }

    /// Posts the coming stretches ahead, and notices the end.
    func advance() {
        var isMore = true
        while isMore, waiting.count < 64 {
            let segments = transport.advance(now: renderer.sampleTime, horizon: horizon)
            post(segments, first: [])
            isMore = !segments.isEmpty
        }
        flush()
    }

    /// Another one is to play from `time` on: this one's notes end, and it plays no more.
    func replace(at time: SampleTime?) {
        let now = renderer.sampleTime
        post(transport.take(.stop, now: now, lookahead: max((time ?? soon) - now, 0)), first: [])
        flush()
        isReplaced = true
    }

    /// Begins; instruments that have played something else are reset.
    package func begin(at time: SampleTime?, isLooping: Bool, isFirst: Bool) {
        if let engine { follow(engine.graph) }
        let now = renderer.sampleTime, lookahead = max((time ?? soon) - now, 0)
        if isLooping { _ = transport.take(.loop(.written), now: now, lookahead: lookahead) }
        let ports = Set(timeline.summary.parts.map(\.port)).sorted()
        post(
            transport.take(.play, now: now, lookahead: lookahead),
            first: isFirst ? [] : ports.map { .reset(.generalMIDIOff, port: $0) })
        advance()
    }

    private var soon: SampleTime { engine?.now ?? renderer.sampleTime }

    private func take(_ command: TransportCommand, at time: SampleTime?) throws(Fault) {
        if isReplaced { throw .songReplaced }
        let now = renderer.sampleTime
        post(transport.take(command, now: now, lookahead: max((time ?? soon) - now, 0)), first: [])
        flush()
    }

    /// A unit that counts what is struck may have come, or gone.
    func follow(_ graph: Graph) { transport.countsStrikes = graph.countsStrikes }

    private func post(_ stretches: [ScoreStretch], first: [MusicEvent]) {
        for (place, stretch) in stretches.enumerated() {
            var stretch = stretch
            if place == 0 { stretch.prologue = first + stretch.prologue }
            waiting.append(ScoreSegment(score, stretch))
        }
    }

    private func flush() {
        let posted = waiting.firstIndex { !renderer.play($0) } ?? waiting.count
        waiting.removeFirst(posted)
    }
}

extension Graph {
    /// True if a unit may count what is struck (`Chase`): one that plays an SFZ file.
    package var countsStrikes: Bool { nodes.contains { SoundFontSelection.playsSFZ($0.instance.setup.properties) } }
}

extension Engine {
    /// Plays a song from its beginning, instead of what `play` played before.
    ///
    /// - Parameters:
    ///   - loop: whether it is played again and again: the range that the song asks for, else all of it.
    ///   - time: when it begins; nil: `now`.
    /// - Throws: `Fault` for a song that cannot be laid out at this rate, `Fault` for a rate that cannot be.
    @discardableResult
    public func play(song: Song, loop: Bool = false, at time: SampleTime? = nil) throws(Fault) -> SongPlayback {
        try graph.checkRate()
        let timeline = try Timeline(song, sampleRate: Int(sampleRate.rounded()))
        let playback = SongPlayback(timeline, on: self), former = self.playback
        former?.replace(at: time)
        playback.begin(at: time, isLooping: loop, isFirst: former == nil)
        self.playback = playback
        return playback
    }

    /// Plays a Standard MIDI File; faults in it are repaired, as `SongReader` does. - Throws: `SongError`; as above.
    @discardableResult
    public func play(song path: String, loop: Bool = false, at time: SampleTime? = nil) throws(Fault) -> SongPlayback {
        let file: SongFile
        do { file = try SongReader.read(path: path) } catch { throw Fault(error) }
        return try play(song: file.song, loop: loop, at: time)
    }
}
