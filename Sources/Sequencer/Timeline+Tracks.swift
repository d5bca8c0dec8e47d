import MIDI
import RealtimeCore

extension Timeline {
    /// Returns the track of each note-on of `events`, in their order, counted from 1; nil for notes of the song's layers.
    /// `song` is what it was made of; `track` the one that is played, nil means all are.
    public func tracksOfNotes(_ song: Song, track: Int?) -> [Int?] {
        let own = TrackLayout(song, track: track).notes
        var next = 0
        var walk = TempoMap.Walk(tempoMap)
        var time = own.first.map { walk.time(ofTick: $0.tick) }
        var tracks: [Int?] = []
        for timed in events {
            guard case .message(let message) = timed.event, message.beginsNote else { continue }
            // At one time the song's own come first.
            guard next < own.count, time == timed.time, own[next].message == message else {
                tracks.append(nil)
                continue
            }
            tracks.append(own[next].track)
            next += 1
            if next < own.count { time = walk.time(ofTick: own[next].tick) }
        }
        return tracks
    }
}

extension TrackLayout {
    fileprivate var notes: [(tick: Int64, message: MIDIMessage, track: Int)] {
        inOrderOfEffect().compactMap { placed in
            guard case .message(let message) = placed.event, message.beginsNote else { return nil }
            return (placed.tick, message, Int(placed.rank & (1 << 28 - 1)) + 1)
        }
    }
}
