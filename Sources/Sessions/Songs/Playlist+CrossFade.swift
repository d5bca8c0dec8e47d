import Graphs
import RealtimeCore
import Reports
import Sequencer

/// How the songs of a list cross over.
struct SongCrossFade {
    /// Seconds; 0: songs follow each other.
    var seconds = 0.0
    /// The second deck; nil before it was needed.
    var second: SongDeck?
    /// The song that fades out, and when it is silent.
    var leaving: PlayingSong?
    var end = SampleTime.zero
    /// True once the song that fades out got its own segments, and once its end was posted.
    var hasLeft = false, isEndPosted = false
    /// Called when the songs go on on another deck.
    var didMove: (SongDeck) -> Void = { _ in }

    /// A song fades out from now on, and the songs go on on another deck.
    mutating func leave(_ song: PlayingSong, for deck: SongDeck) {
        leaving = song
        didMove(deck)
    }
}

/// Two songs at once: the next one begins on the other deck, while the one before fades out on its own.
extension Playlist {
    /// The deck on which a song begins that is asked for now.
    var deckAhead: SongDeck {
        guard crossFade.seconds > 0, crossFade.leaving == nil, current.transport.state == .playing,
            let second = crossFade.second
        else { return current.deck }
        return current.deck == .first ? second : .first
    }

    /// Begins the next song so long before the end of this one as they cross over. A pause before it, or a fade that the song
    /// itself asks for, is respected.
    func crossOver(_ now: SampleTime, _ soon: SampleTime) -> [ScoreSegment] {
        let deck = deckAhead, frames = Int(crossFade.seconds * Double(sampleRate))
        guard deck != current.deck, following == nil, !manner.entriesDecide, current.manner.fade == nil,
            let end = current.transport.endTime, end - now - frames < Self.foresight * sampleRate,
            let place = placesAhead.first, items[place].song.manner.pause == 0,
            let next = nextSong(at: max(end + -frames, soon), on: deck)
        else { return [] }
        let (now, soon) = clock?() ?? (now, soon), time = max(end + -frames, soon)
        if time >= end { return [] }
        return begin(next, now: now, at: time, crossing: Double(end - time) / Double(sampleRate))
    }

    /// The faders of both decks, from a time on.
    func cross(to song: PlayingSong, at time: SampleTime, over seconds: Double) {
        let frames = max(Int(seconds * Double(sampleRate)), 1)
        crossFade.end = time + frames
        levels.cross(
            SongCrossing(
                from: (current.deck.number, current.level), to: (song.deck.number, song.level), at: time, frames: frames,
                sampleRate: sampleRate))
    }

    /// Plays the song that fades out, up to its end.
    func followLeaving(_ now: SampleTime, _ soon: SampleTime) -> [ScoreSegment] {
        levels.stepCrossing(soon: soon)
        guard var song = crossFade.leaving else { return [] }
        var posted: [ScoreSegment] = []
        if !crossFade.hasLeft {
            crossFade.hasLeft = true
            posted = song.leave(now: now, soon: soon)
        }
        posted += song.segments(song.transport.advance(now: now, horizon: 2 * sampleRate))
        if !crossFade.isEndPosted, crossFade.end - soon < sampleRate / 4 {
            crossFade.isEndPosted = true
            posted += song.segments(song.transport.take(.stop, now: now, lookahead: max(crossFade.end, soon) - now))
        }
        let isOver = crossFade.isEndPosted && now >= crossFade.end
        (crossFade.leaving, crossFade.hasLeft, crossFade.isEndPosted) =
            isOver ? (nil, false, false) : (song, crossFade.hasLeft, crossFade.isEndPosted)
        return posted
    }

    /// Ends the song that fades out.
    func endLeaving(_ now: SampleTime, _ soon: SampleTime) -> [ScoreSegment] {
        if crossFade.leaving == nil || crossFade.isEndPosted { return [] }
        crossFade.end = soon
        return followLeaving(now, soon)
    }
}
