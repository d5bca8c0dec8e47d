import Sequencer

/// One delta time that must be damaged: alone it lasts hours, and everything else in the song minutes. Searched in tracks
/// whose events do not read strictly by the standard; the others keep their pauses.
///
/// Three signs show that a pause was written and not damaged: it is not the only long one; or the music around it is not
/// short against it; or it is, or ends on, a whole number of quarter notes (of seconds in an SMPTE division), which a damaged
/// byte hits once in hundreds of times.
struct DamagedPause {
    /// No shorter pause is touched: a keyboard that is recorded and played again hours later makes a pause that happened.
    /// From twelve hours on a song is refused for its length anyway. Unit: seconds.
    static let shortest: Int64 = 43_200
    /// The song is shorter than this without it. Unit: seconds.
    static let longestRest: Int64 = 3_600
    /// The pause is at least this many times as long as everything else.
    static let share: Int64 = 16

    let track: Int
    let byteOffset: Int
    /// The delta time in the file. Unit: ticks.
    let ticks: Int64
    /// The delta time that is taken instead. Unit: ticks.
    let taken: Int64
    private let start: Int64

    /// nil if there is none. `pauses`: of each track; none of a track that keeps them.
    init?(in song: Song, pauses: [LongestPauses]) {
        guard let track = pauses.indices.max(by: { pauses[$0].ticks < pauses[$1].ticks }) else { return nil }
        let pause = pauses[track]
        let others = song.tracks.indices.filter { $0 != track }
        let own = song.tracks[track].endTick - pause.ticks
        let otherEnd = others.map { song.tracks[$0].endTick }.max() ?? 0
        let next = max(pause.next, others.map { pauses[$0].ticks }.max() ?? 0)
        // Everything is below 2^50 ticks: four million events of 2^28 at most.
        guard pause.ticks / Self.share >= max(own, otherEnd, next, 1) else { return nil }
        let grid: Int64
        switch song.division {
        case .ticksPerQuarter(let ticks): grid = Int64(ticks)
        case .smpte(let rate, let ticksPerFrame):
            let film = rate.framesPerSecond
            grid = Int64((film.numerator + film.denominator - 1) / film.denominator * ticksPerFrame)
        }
        if pause.ticks % grid == 0 || (pause.start + pause.ticks) % grid == 0 { return nil }
        let map = Self.seconds(of: song, track: track)
        let end = map.time(ofTick: max(own + pause.ticks, otherEnd)).rawValue
        let length = map.time(ofTick: pause.start + pause.ticks).rawValue - map.time(ofTick: pause.start).rawValue
        guard length >= Self.shortest, end - length < Self.longestRest else { return nil }
        (self.track, byteOffset, ticks, start) = (track, pause.byteOffset, pause.ticks, pause.start)
        // Tracks mostly end together; if that does not help, a pause like the track's others, at most four quarters.
        let usual = min(pause.next, grid * 4)
        let missing = otherEnd - own
        taken = (0...max(pause.next, grid * 4)).contains(missing) && otherEnd > 0 ? missing : usual
    }

    func shortened(_ song: Song) -> Song {
        var song = song
        let excess = ticks - taken
        let after = start + ticks
        song.tracks[track].endTick -= excess
        for index in song.tracks[track].events.indices where song.tracks[track].events[index].tick >= after {
            song.tracks[track].events[index].tick -= excess
        }
        return song
    }

    /// One frame is a second.
    private static func seconds(of song: Song, track: Int) -> TempoMap {
        // Patterns of format 2 have tempos of their own.
        let tracks = song.format == .sequential ? [song.tracks[track]] : song.tracks
        var tempos: [(tick: Int64, microsecondsPerQuarter: UInt32)] = []
        for track in tracks {
            for event in track.events {
                if case .tempo(let microseconds) = event.kind { tempos.append((event.tick, microseconds)) }
            }
        }
        tempos.sort { $0.tick < $1.tick }
        return TempoMap(division: song.division, tempos: tempos, sampleRate: 1)
    }
}
