import Sequencer

/// A request to the list of songs.
package enum SongRequest: Sendable, Hashable {
    case play, pause, togglePlay, stop, next, previous
    /// A song of the list, by its number for good; nil: it plays if the one before does.
    case song(Playlist.Item.ID, plays: Bool? = nil)
    case seek(SongPosition)
    case tempo(Double)
    case transpose(Int)
    case repetition(SessionSnapshot.Repetition)
    /// The next song, from the next beat, bar or marker on.
    case nextAt(TransportBoundary)
    /// The place of now is A, the one after it B, between which the song loops.
    case setPassage
    case clearPassage
}

/// A place in a song to go to.
public enum SongPosition: Sendable, Hashable {
    /// So many seconds after the beginning, at the song's own tempo.
    case seconds(Double)
    /// So many seconds from here; negative goes back.
    case bySeconds(Double)
    /// The beginning of a bar; the first is 1.
    case bar(Int)
    /// So many bars from here; 0 is the beginning of this one.
    case byBars(Int)
    /// So many markers from here; negative goes back.
    case byMarkers(Int)
}

extension SongPosition {
    /// The place that a transport goes to.
    package var target: TransportTarget {
        switch self {
        case .seconds(let seconds): .seconds(seconds)
        case .bySeconds(let seconds): .bySeconds(seconds)
        case .bar(let bar): .bar(bar)
        case .byBars(let bars): .byBars(bars)
        case .byMarkers(let markers): .byMarkers(markers)
        }
    }
}
