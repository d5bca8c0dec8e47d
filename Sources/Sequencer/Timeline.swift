import MIDI
import RealtimeCore
import Reports

/// A song on the clock of one sample rate: every event at its frame, in the order in which it takes effect.
///
/// Immutable; the render side walks `events` as a flat array of trivial values.
///
/// **Order at one tick.** Inside a track the file's order is kept. Between tracks, messages that prepare (programs,
/// controllers, bends, System Exclusive) come first, then note-offs, then note-ons; among equals the lower track first.
///
/// **Length of a note.** A note whose end falls on the frame of its start ends one frame later, so that an instrument sees it
/// sound. It ends on the frame of its start, after its start, only if an event of the same channel on that very frame has to
/// follow the end (the same key again, a controller).
///
/// **Time.** At every change of tempo or meter after the start there are the tempo and the position in the music
/// (`MusicEvent.time`), for units that follow the song; those of the start are `opening`.
///
/// **Tracks.** Formats 0 and 1 play all tracks together. Format 2 plays its tracks one after the other, each with a tempo and
/// meter of its own. `track` picks one: in formats 0 and 1 that track's messages under the whole song's tempos, in format 2
/// that pattern alone.
public struct Timeline: Sendable {
    /// Sorted by time; at one time in the order of effect.
    public let events: [TimedMusicEvent]
    /// Ticks to frames and back. In format 2 its ticks are those of the patterns laid end to end.
    public let tempoMap: TempoMap
    /// The song's markers (FF 06), sorted by time.
    public let markers: [SongMarker]
    /// The demands of the song, with its layers, on an instrument.
    package let summary: TimelineSummary
    /// Parts with a program of their own that the song's standard has no bank for: they play that program of bank 0.
    public let partsWithoutBank: Set<Int>
    /// The messages of the song that have no effect here.
    package let unfollowed: UnfollowedMusic
    let loopPoints: LoopPoints?

    /// Frames per second.
    public var sampleRate: Int { tempoMap.sampleRate }

    /// Lays a song out in time. Takes O(n log n) in the number of events.
    ///
    /// - Parameters:
    ///   - track: the one track to play, counted from 1; nil plays all.
    ///   - layers: songs over it. They change neither its tempos nor its length.
    ///   - programs: by part, port * 16 + channel, the preset that it plays throughout instead of what the song chooses.
    /// - Throws: `tick` for a track whose ticks go back, or begin before 0.
    public init(
        _ song: Song, sampleRate: Int, track: Int? = nil, layers: [SongLayer.Placement] = [],
        programs: [Int: PresetRequest] = [:]
    ) throws(Fault) {
        guard (1...(1 << 24)).contains(sampleRate) else { throw .sampleRateOutOfRange(sampleRate) }
        if let track, track < 1 || track > song.tracks.count {
            throw .noSuchTrack(number: track, count: song.tracks.count)
        }
        for (index, track) in song.tracks.enumerated() {
            var last: Int64 = 0
            for event in track.events {
                if event.tick < last { throw .tick(event.tick, after: last, track: index + 1) }
                last = event.tick
            }
        }
        let layout = TrackLayout(song, track: track)
        tempoMap = TempoMap(
            division: song.division, tempos: layout.tempos, meters: layout.meters, sampleRate: sampleRate)
        let end = tempoMap.time(ofTick: layout.endTick)
        let map = tempoMap
        let markers = layout.markers.map { marker in
            SongMarker(tick: marker.tick, time: map.time(ofTick: marker.tick), text: marker.text.string)
        }
        var own: [TimedMusicEvent] = []
        var walk = TempoMap.Walk(tempoMap)
        var unfollowed = UnfollowedMusic()
        for placed in layout.inOrderOfEffect(&unfollowed) {
            own.append(TimedMusicEvent(time: walk.time(ofTick: placed.tick), event: placed.event))
        }
        own = Self.merged(tempoMap.timeChanges().filter { $0.time <= end }, own)
        self.markers = markers
        self.unfollowed = unfollowed
        var beat: Int64 = 0
        if case .ticksPerQuarter(let ticks) = song.division {
            beat = end.rawValue - tempoMap.time(ofTick: max(layout.endTick - Int64(ticks), 0)).rawValue
        }
        loopPoints = LoopPoints(
            events: own, markers: markers, length: max(end, own.last?.time ?? .zero).rawValue, beat: beat)
        var ledger = NoteLedger()
        var all = try Self.layered(own, layers, song, map, endTick: layout.endTick)
        var chosen = ChosenPrograms(programs)
        if !programs.isEmpty { all = chosen.replacing(all) }
        partsWithoutBank = chosen.partsWithoutBank
        for event in all { ledger.take(event.event, at: event.time) }
        (events, summary) = ledger.close(end: end)
    }

    /// Merges both lists: a song's tempo and position messages come before the music of the same frame. Both sorted by time.
    private static func merged(_ times: [TimedMusicEvent], _ music: [TimedMusicEvent]) -> [TimedMusicEvent] {
        var result: [TimedMusicEvent] = [], next = 0
        result.reserveCapacity(times.count + music.count)
        for event in music {
            while next < times.count, times[next].time <= event.time {
                result.append(times[next])
                next += 1
            }
            result.append(event)
        }
        return result + times[next...]
    }

    /// The events that units which follow the song's time are sent at its beginning, before its first event.
    public var opening: [MusicEvent] { time(at: 0) }

    func time(at frame: Int64) -> [MusicEvent] { tempoMap.musicalTime(at: SampleTime(frame)) }

    /// The song's own events and those of its layers, in the order of time; at one time the song's own first.
    private static func layered(
        _ own: [TimedMusicEvent], _ layers: [SongLayer.Placement], _ song: Song, _ map: TempoMap, endTick: Int64
    ) throws(Fault) -> [TimedMusicEvent] {
        if layers.isEmpty { return own }
        try SongLayer.checkBars(of: song)
        var all = own
        for layer in layers {
            all += try layer.events(along: map, endTick: endTick)
            if all.count > SongLayer.mostEvents { throw .tooManyEvents }
        }
        // Each comes in its own order.
        return all.enumerated().sorted { a, b in
            a.element.time != b.element.time ? a.element.time < b.element.time : a.offset < b.offset
        }.map(\.element)
    }
}

/// A named place in a song: "Verse 1", "Coda".
public struct SongMarker: Hashable, Sendable {
    /// The position from the start of the song. Unit: ticks.
    public var tick: Int64
    /// The tick's frame.
    public var time: SampleTime
    public var text: String

    public init(tick: Int64, time: SampleTime, text: String) {
        (self.tick, self.time, self.text) = (tick, time, text)
    }
}

/// Songs that cannot be laid out in time.
extension Fault {
    package static func noSuchTrack(number: Int, count: Int) -> Fault {
        Fault(
            "the song has \(count) track\(count == 1 ? "" : "s")", .usage, of: "track \(number)",
            remedy: "give a number from 1 to \(count)")
    }
    package static func sampleRateOutOfRange(_ rate: Int) -> Fault {
        Fault("give a rate between 1 and 16777216 Hz", .usage, of: "sample rate \(rate) Hz")
    }
    package static func tick(_ tick: Int64, after last: Int64, track: Int) -> Fault {
        Fault(
            "an event at tick \(tick) follows tick \(last)", .usage, of: "track \(track)",
            remedy: "put the events in the order of their ticks, from 0 on")
    }
}
