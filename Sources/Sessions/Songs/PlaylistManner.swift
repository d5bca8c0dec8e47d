import Reports
import Sequencer
import SongRendering

extension SessionSnapshot {
    /// What a list repeats: nothing, the song that plays, or all songs.
    public enum Repetition: String, Sendable, Hashable, CaseIterable, FieldWord {
        case off, one, all

        /// The one after it, round the end.
        public var next: Repetition { self == .off ? .all : self == .all ? .one : .off }
    }
}

/// A passage of a song between two presses, A and B.
struct SongPassageLoop {
    let song: Playlist.Item.ID
    /// Ticks; B is nil until it is set.
    var start: Int64
    var end: Int64?
}

/// The tempo, the transposition and the repetition that were asked for, in addition to those of the songs.
struct PlaylistManner {
    var tempo = 1.0
    var transpose = 0
    var repetition = SessionSnapshot.Repetition.off
    var passage: SongPassageLoop?
    var isShuffled = false
    /// Songs that were asked to play after the current one; some may have played.
    var queued: [Playlist.Item.ID] = []
    /// True if a song that ends is followed by none, since the entries of a set list choose what plays.
    var entriesDecide = false

    func tempo(of manner: SongManner) -> TransportCommand { .tempo(tempo * manner.tempo) }

    func transposition(of manner: SongManner) -> TransportCommand {
        .transpose(min(max(transpose, -48), 48) + manner.transpose)
    }

    /// Returns the command for the repeated range of a song, and its number of rounds.
    func loop(of song: PlayingSong, isAlone: Bool) -> TransportCommand {
        if let passage, passage.song == song.id, let end = passage.end { return .loop(.ticks(passage.start, to: end)) }
        if repetition == .one || repetition == .all && isAlone { return .loop(.written) }
        let manner = song.manner
        return manner.countsLoops ? .rounds(.written, count: manner.loops, fade: manner.fade) : .loop(nil)
    }
}
