import Graphs
import MIDI
import RealtimeCore
import Sequencer
import SongRendering
import SoundFonts

/// A song of a list that is laid out in time: the one that plays, or one that is made ready.
struct PlayingSong {
    let id: Int
    let name: String
    /// The song alone, without what lies over it.
    var song: Song
    private(set) var score: Score
    let deck: SongDeck
    /// The parts that are played outside the session.
    private let silent: Set<Int>
    /// True while it fades out beside the song that follows it: tempo and place are those of the other.
    private var isLeaving = false
    let words: SungLines
    let manner: SongManner
    /// The level beside the others, in decibels: the manner's, and what its loudness asks for.
    var level: Double
    var transport: Transport
    let bank: SongBank?
    /// True if anything can lie over the song.
    let takesLayers: Bool
    /// The segment that was posted for the song's own end.
    var ending: ScoreSegment?

    init(
        _ item: Playlist.Item, _ reading: SessionSong.Reading, _ laid: (timeline: Timeline, takesLayers: Bool),
        gain: Double, silent: Set<Int>, on deck: SongDeck = .first
    ) {
        let timeline = laid.timeline
        song = reading.song
        bank = reading.bank
        takesLayers = laid.takesLayers
        (id, name, manner) = (item.id, item.song.name, item.song.manner)
        level = manner.level + gain
        words = SungLines(Lyrics(song), timeline.tempoMap)
        (self.deck, self.silent) = (deck, silent)
        score = Self.score(timeline, deck, silent)
        transport = Transport(timeline)
    }

    var ports: Set<UInt8> { Set(transport.timeline.summary.parts.map(\.port)) }

    /// Plays another version of it from the next segment on.
    mutating func lay(_ timeline: Timeline) { score = Self.score(timeline, deck, silent) }

    private static func score(_ timeline: Timeline, _ deck: SongDeck, _ silent: Set<Int>) -> Score {
        if deck == .first { return Score(timeline.events, silencing: silent) }
        return Score(timeline.events.map { TimedMusicEvent(time: $0.time, event: deck.event($0.event)) }, silencing: silent)
    }

    /// Another song takes over, and it fades out beside that: tempo and place are no longer its own. Returns the segments to post.
    mutating func leave(now: SampleTime, soon: SampleTime) -> [ScoreSegment] {
        isLeaving = true
        let events = score.source.map { timed -> TimedMusicEvent in
            // The end of a note that never was; so the places of all others stay.
            let end = deck.event(.message(MIDIMessage(part: 0, 0x80, 0, 64)))
            return timed.event.isTime ? TimedMusicEvent(time: timed.time, event: end) : timed
        }
        let before = transport.advance(now: now, horizon: soon - now)
        let after = transport.exchange(transport.timeline, now: now, lookahead: soon - now)
        score = Score(events, silencing: silent)
        return segments(before + after)
    }

    /// Makes segments for the renderer from stretches of the transport; `first` takes effect before the first prologue.
    mutating func segments(_ stretches: [ScoreStretch], first: [MusicEvent] = []) -> [ScoreSegment] {
        let posted = stretches.enumerated().map { place, stretch in
            var stretch = stretch
            if place == 0 { stretch.prologue = first + stretch.prologue }
            stretch.prologue = stretch.prologue.filter { !isLeaving || !$0.isTime }.map(deck.event)
            return ScoreSegment(score, stretch, lane: deck.lane)
        }
        if let last = posted.last { ending = stretches.last?.events.isEmpty == true ? last : nil }
        return posted
    }

    /// Ticks of a quarter note.
    var ticksPerQuarter: Int64 {
        if case .ticksPerQuarter(let ticks) = song.division { Int64(min(max(ticks, 1), 32_767)) } else { 1 }
    }
}

extension PlayingSong {
    /// A song that is posted to follow the one that plays.
    struct Following {
        let song: PlayingSong
        let time: SampleTime
        /// True if the list begins anew with this song.
        let isNewRound: Bool
    }
}
