import Graphs
import RealtimeCore

/// The silence between two songs: its list plays, though no song does.
extension Playlist {
    /// The song that begins by itself after the current silence; nil while a song plays or is paused.
    var awaited: PlayingSong.Following? { current.transport.hasEnded ? following : nil }

    /// Carries out a request in the silence between two songs: it applies to the next one. Nil if it needs no special
    /// treatment.
    func performInSilence(_ request: SongRequest, now: SampleTime, soon: SampleTime) -> [ScoreSegment]? {
        if awaited == nil { return nil }
        switch request {
        case .previous, .song: return nil
        case .tempo, .transpose, .repetition:
            hasChanged = true
            return nil
        case .setPassage, .clearPassage: return nil
        case .play, .next, .nextAt, .seek, .pause, .togglePlay, .stop: break
        }
        guard let next = nextSong(at: soon) else { return nil }
        switch request {
        case .play, .next, .nextAt: return change(to: next, now, soon, plays: true)
        case .seek: return change(to: next, now, soon, plays: true) + perform(request, now: now, soon: soon)
        default: break
        }
        let (now, soon) = clock?() ?? (now, soon)
        adoptFollowing(at: soon)
        // It may have begun while it was read.
        if following == nil { return perform(request, now: now, soon: soon) }
        let posted = cancelFollowing()
        adopt(prepared(next, now: now, lookahead: soon - now), at: soon)
        return posted
    }
}
