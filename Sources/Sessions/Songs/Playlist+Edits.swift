import Graphs
import RealtimeCore
import Sequencer

/// Changes of the notes of the song that plays. Its turn comes again with them; the file stays as it is.
extension Playlist {
    /// What was changed of the current song so far.
    /// - Throws: `usage` for a song of patterns that follow each other.
    func edits() throws(Fault) -> SongEdits {
        if let currentEdits { return currentEdits }
        return try SongEdits(current.song, current.transport.timeline.tempoMap)
    }

    /// The same; nil before the first change.
    var currentEdits: SongEdits? { order.place(of: current.id).flatMap { items[$0].edits } }

    /// Changes notes of the current song while it plays. Notes that sound go on, unless one of them is changed: then all end.
    /// Returns the segments to post, in this order; if it throws, nothing has changed.
    func edit(
        now: SampleTime, soon: SampleTime, _ change: (inout SongEdits) throws(Fault) -> Void
    ) throws(Fault) -> [ScoreSegment] {
        adoptFollowing(at: soon)
        let before = try edits()
        var changed = before
        try change(&changed)
        let song = changed.song, timeline = try timeline(layers.placements, over: song, called: "")
        // Laying a large song out takes time.
        let (now, soon) = clock?() ?? (now, soon)
        if let place = order.place(of: current.id) { order.items[place].edits = changed }
        current.song = song
        edition += 1
        let frame = current.transport.position(at: soon).frame
        return exchange(timeline, now: now, soon: soon, releases: changed.changesSounding(at: frame, since: before))
    }
}

extension Playlist.Item {
    /// The song now, with what was changed of it.
    func read() throws(Fault) -> SessionSong.Reading {
        var reading = try song.read()
        if let edits { reading.song = edits.song }
        return reading
    }
}
