import MIDI
import RealtimeCore
import Reports
import Sequencer

extension AskedLoop.Layer {
    /// The layer as a song of one track, whose ticks are shorter than frames.
    var song: Song {
        var track = Song.Arrangement.Track(events)
        track.leastLength = beats
        return Song.Arrangement(tracks: [track]).song(ticksPerQuarter: 30_720)
    }

    /// The layer with its notes changed as those of a song in a tempo. What is moved past the end comes at the beginning.
    ///
    /// - Throws: what `change` throws.
    func edited(
        tempo: Double, sampleRate: Int, _ change: (inout SongEdits) throws(Fault) -> Void
    ) throws(Fault) -> AskedLoop.Layer {
        let song = song
        let map = TempoMap(
            division: song.division, tempos: [(0, UInt32((60_000_000 / tempo).rounded()))], sampleRate: sampleRate)
        var edits = try SongEdits(song, map, after: number)
        try change(&edits)
        var layer = self
        layer.events = []
        for track in Song.Arrangement(edits.song).tracks {
            layer.add(
                track.events.map { event in
                    let beat = event.beat.truncatingRemainder(dividingBy: beats)
                    guard case .note(var note) = event.kind else { return Song.Arrangement.Event(beat, event.kind) }
                    note.length = min(note.length, beats - beat)
                    return Song.Arrangement.Event(beat, .note(note))
                })
        }
        return layer
    }
}
