import MIDI
import RealtimeCore

/// An arrangement from one moment of the clock on: what sounds when, at one speed, until something is changed. Immutable.
struct TrackScore: Sendable {
    let arrangement: Song.Arrangement
    let map: BeatMap
    let turns: [TrackTurns]
    /// The tracks that are heard; the tempo track has no part in mute and solo.
    private let isHeard: [Bool]
    private let tempoTurns: TrackTurns
    let sampleRate: Double
    /// The factor of the tempo.
    var rate: Double = 1
    /// The frame of the clock at which the time `seconds` of the music is played; nothing is played before it.
    var start: SampleTime = .zero
    var seconds: Double = 0
    /// The first part of a beat that has not been played yet.
    var first: Int64 = 0
    var isRunning = false

    init(_ arrangement: Song.Arrangement, sampleRate: Double) {
        self.arrangement = arrangement
        self.sampleRate = sampleRate
        map = BeatMap(arrangement.tempoTrack)
        turns = arrangement.tracks.map { TrackTurns($0) }
        let hasSolo = arrangement.tracks.contains(where: \.isSoloed)
        isHeard = arrangement.tracks.map { !$0.isMuted && (!hasSolo || $0.isSoloed) }
        var tempoTrack = arrangement.tempoTrack
        (tempoTrack.loop, tempoTrack.offset) = (nil, 0)
        tempoTurns = TrackTurns(tempoTrack)
    }

    /// Where all tracks have been played; nil if one is repeated without end. Unit: parts of a beat.
    var end: Int64? {
        var end: Int64 = 0
        for track in turns {
            guard let own = track.end else { return nil }
            end = max(end, own)
        }
        return end
    }

    /// The beat that is played on a frame.
    func beat(at time: SampleTime) -> Double {
        let passed = isRunning ? Double(time - start) / sampleRate * rate : 0
        return map.beat(atSeconds: seconds + passed)
    }

    /// The frame on which a beat is played, also one before its start; to the nearest, halves up.
    func time(ofBeat beat: Double) -> SampleTime {
        let passed = (map.seconds(ofBeat: Song.Arrangement.bounded(beat)) - seconds) / rate * sampleRate
        // What a half is missing by rounding is no frame.
        return SampleTime(start.rawValue + Int64(min(max((passed + 0.5 + 1e-6).rounded(.down), -0x1p61), 0x1p61)))
    }

    func time(ofPart part: Int64) -> SampleTime { max(time(ofBeat: Self.beat(part)), start) }

    static func beat(_ part: Int64) -> Double { Double(part) / Double(Song.Arrangement.partsPerBeat) }

    /// The first part that is played on a frame or later.
    func part(from time: SampleTime) -> Int64 {
        if self.time(ofPart: first) >= time { return first }
        var part = max(Song.Arrangement.part(beat(at: time)), first)
        // A neighbour of it by rounding.
        var step: Int64 = 64
        while part > first, self.time(ofPart: part) >= time { (part, step) = (part - step, step * 2) }
        var low = part, high = part + step
        while self.time(ofPart: high) < time, step < 1 << 58 { (low, high, step) = (high, high + step, step * 2) }
        let place = (low + 1..<high).partitioningIndex { self.time(ofPart: $0) >= time }
        // Nothing is played beyond the last beat.
        return min(max(place, first), Song.Arrangement.part(Song.Arrangement.lastBeat))
    }

    /// Returns where a sounding note ends now, and the track that has it: its own, or another that is heard; nil if none has
    /// it. `taken`: tracks whose note of that key and time is another sounding one.
    func end(of note: SoundingNote, taken: Set<Int>) -> (end: Int64, track: Int)? {
        for place in [note.track] + turns.indices where turns.indices.contains(place) && isHeard[place] && !taken.contains(place)
        {
            if let end = turns[place].note(note.part, note.key, at: note.start) { return (end, place) }
        }
        return nil
    }

    /// Returns where a sounding note of a loop ends now; nil if its track does not have it any more.
    func ownEnd(of note: SoundingNote) -> Int64? {
        isSilent(note.track) ? nil : turns[note.track].note(note.part, note.key, at: note.start)
    }

    /// True for a track that plays nothing.
    func isSilent(_ track: Int) -> Bool {
        !turns.indices.contains(track) || !isHeard[track] || arrangement.tracks[track].events.isEmpty
    }

    /// What is played in a range, in no order yet.
    func items(in range: Range<Int64>) -> [TrackItem] {
        var items: [TrackItem] = []
        for beat in map.changes(in: Self.beat(range.lowerBound - 1)..<Self.beat(range.upperBound + 1)) {
            let part = Song.Arrangement.part(beat)
            if range.contains(part) { items.append(TrackItem(part: part, rank: -1, track: -1, .time(beat))) }
        }
        tempoTurns.forEachEvent(in: range) { event, part, _ in
            if case .cue(let bytes, let kind) = event.kind {
                items.append(TrackItem(part: part, rank: 0, track: -1, .cue(bytes, kind)))
            }
        }
        for (place, track) in turns.enumerated() {
            if arrangement.tracks[place].loop != nil {
                track.forEachPiece(in: range) { piece in
                    guard let turn = piece.turn, turn > 0, range.contains(piece.start) else { return }
                    items.append(TrackItem(part: piece.start, rank: 0, track: place, .turn(turn)))
                }
            }
            var last = (part: Int64.min, rank: 0)
            track.forEachEvent(in: range) { event, part, pieceEnd in
                guard part >= 0, let item = item(event, at: part, pieceEnd, track: place) else { return }
                // A track's own order on one beat stays.
                last = (part, part == last.part ? max(item.rank, last.rank) : item.rank)
                items.append(TrackItem(part: part, rank: last.rank, track: place, item.kind))
            }
        }
        return items
    }

    private func item(
        _ event: Song.Arrangement.Event, at part: Int64, _ pieceEnd: Int64, track: Int
    ) -> (rank: Int, kind: TrackItem.Kind)? {
        switch event.kind {
        case .note(let note):
            if !isHeard[track] { return nil }
            let end = TrackTurns.end(of: note, from: part, pieceEnd)
            return (2, .down(SoundingNote(note, from: part, to: end, track: track)))
        case .message(let message):
            if message.beginsNote, !isHeard[track] { return nil }
            return (message.beginsNote ? 2 : message.endsNote ? 1 : 0, .event(.message(message)))
        case .systemExclusive(let bytes, let port): return (0, .exclusive(bytes, port))
        case .cue(let bytes, let kind): return isHeard[track] ? (0, .cue(bytes, kind)) : nil
        case .tempo, .meter, .silent: return nil
        }
    }

    /// The settings that all tracks have made before a time; `time` is a part of a beat there.
    func settings(before end: Int64) -> [TimedMusicEvent] {
        var items: [TrackItem] = []
        for (place, track) in turns.enumerated() {
            func add(_ range: Range<Int64>) {
                track.forEachEvent(in: range) { event, part, pieceEnd in
                    guard part >= 0, let item = item(event, at: part, pieceEnd, track: place) else { return }
                    items.append(TrackItem(part: part, rank: item.rank, track: place, item.kind))
                }
            }
            // Of a loop the first round and the last two say all.
            let early = max(track.piece(at: end).start - 1, 0), before = max(track.piece(at: early).start, 0)
            let firstEnd = min(track.piece(at: 0).end, end)
            if firstEnd > 0 { add(0..<firstEnd) }
            if max(before, firstEnd) < end { add(max(before, firstEnd)..<end) }
        }
        items.sort()
        var interpreter = SystemExclusive(), events: [TimedMusicEvent] = []
        for item in items {
            for event in item.events(&interpreter) { events.append(TimedMusicEvent(time: SampleTime(item.part), event: event)) }
        }
        return events
    }
}

/// What happens at one time of an arrangement.
struct TrackItem: Comparable {
    enum Kind {
        case time(Double)
        case event(MusicEvent)
        case exclusive([UInt8], UInt8)
        case cue([UInt8], Int)
        case turn(Int)
        case down(SoundingNote)
        case up(SoundingNote)
    }

    let part: Int64
    /// Time, what prepares, note-offs, note-ons.
    let rank: Int
    let track: Int
    let kind: Kind

    init(part: Int64, rank: Int, track: Int, _ kind: Kind) {
        (self.part, self.rank, self.track, self.kind) = (part, rank, track, kind)
    }

    static func < (a: TrackItem, b: TrackItem) -> Bool { (a.part, a.rank, a.track) < (b.part, b.rank, b.track) }

    static func == (a: TrackItem, b: TrackItem) -> Bool { (a.part, a.rank, a.track) == (b.part, b.rank, b.track) }

    func events(_ interpreter: inout SystemExclusive) -> [MusicEvent] {
        switch kind {
        case .event(let event): interpreter.heard(event)
        case .exclusive(let bytes, let port): interpreter.events(from: bytes, port: port)
        case .time, .cue, .turn, .down, .up: []
        }
    }
}

/// A note that has been sent, up to its end.
struct SoundingNote: Hashable, Sendable {
    var part: UInt8
    var key: UInt8
    var velocity: UInt8
    var release: UInt8
    /// Times of the sequence, in parts of a beat.
    var start: Int64
    var end: Int64
    var track: Int
    /// The frame on which it began.
    var began = SampleTime.zero
    var number = 0

    init(_ note: Song.Arrangement.Note, from start: Int64, to end: Int64, track: Int) {
        (part, key, velocity, release) = (note.part, note.key & 127, note.velocity, note.releaseVelocity & 127)
        (self.start, self.end, self.track) = (start, end, track)
    }

    var down: MusicEvent { .message(MIDIMessage(part: Int(part), 0x90, key, max(velocity & 127, 1))) }
    var up: MusicEvent { .message(MIDIMessage(part: Int(part), 0x80, key, release)) }
}
