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
    var score: Score
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
        gain: Double, silent: Set<Int>
    ) {
        let timeline = laid.timeline
        song = reading.song
        bank = reading.bank
        takesLayers = laid.takesLayers
        (id, name, manner) = (item.id, item.song.name, item.song.manner)
        level = manner.level + gain
        words = SungLines(Lyrics(song), timeline.tempoMap)
        score = Score(timeline.events, silencing: silent)
        transport = Transport(timeline)
    }

    var ports: Set<UInt8> { Set(transport.timeline.summary.parts.map(\.port)) }

    /// Makes segments for the renderer from stretches of the transport; `first` takes effect before the first prologue.
    mutating func segments(_ stretches: [ScoreStretch], first: [MusicEvent] = []) -> [ScoreSegment] {
        let posted = stretches.enumerated().map { place, stretch in
            var stretch = stretch
            if place == 0 { stretch.prologue = first + stretch.prologue }
            return ScoreSegment(score, stretch)
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
