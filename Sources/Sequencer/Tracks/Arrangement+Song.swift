import MIDI

extension Song.Arrangement {
    /// Makes an arrangement of a song. Tempos and meters go to the tempo track, and with them all of a first track that sends no
    /// music, as songs of several tracks have it; note-ons get the length up to the next note-off of their key, and those
    /// without one up to the track's end. On one beat a track's programs and controllers come before the ends of its notes.
    /// Patterns (format 2) follow each other.
    public init(_ song: Song) {
        self.init()
        var start = 0.0
        let perBeat: Double
        switch song.division {
        case .ticksPerQuarter(let ticks): perBeat = Double(max(ticks, 1))
        case .smpte(let rate, let ticks):
            let frames = rate.framesPerSecond
            perBeat = Double(frames.numerator) / Double(frames.denominator) * Double(max(ticks, 1))
            tempoTrack.add(Event(0, .tempo(60)))
        }
        let keepsTempo = if case .smpte = song.division { true } else { false }
        for (index, track) in song.tracks.enumerated() {
            var own = Track(name: track.name), reading = TrackReading(perBeat: perBeat, start: start, keepsTempo: keepsTempo)
            if song.format == .sequential, !keepsTempo, index > 0 { reading.tempos.append(Event(start, .tempo(120))) }
            reading.read(track)
            for event in reading.tempos { tempoTrack.add(event) }
            if index == 0, song.format == .simultaneous, song.tracks.count > 1, !reading.sendsMusic {
                for event in reading.events { tempoTrack.add(event) }
                tempoTrack.name = track.name
                tempoTrack.leastLength = Double(track.endTick) / perBeat
            } else {
                own.events = reading.events
                own.leastLength = start + Double(track.endTick) / perBeat
                tracks.append(own)
            }
            if song.format == .sequential { start += Double(track.endTick) / perBeat }
        }
    }

    /// Returns a song of these tracks, each once, without mute, solo, loop and offset; the tempo track first. Cues are left
    /// out, and beats before 0 are beat 0.
    ///
    /// - Parameter ticksPerQuarter: 1...32767 (brought to the bound).
    public func song(ticksPerQuarter: Int = 480) -> Song {
        let ticks = min(max(ticksPerQuarter, 1), 32_767)
        let all = [tempoTrack] + tracks
        return Song(
            format: .simultaneous, division: .ticksPerQuarter(ticks),
            tracks: all.map { track in
                var writing = TrackWriting(ticks: Double(ticks))
                return writing.write(track)
            })
    }
}

private struct TrackReading {
    let perBeat: Double
    let start: Double
    let keepsTempo: Bool
    var events: [Song.Arrangement.Event] = [], tempos: [Song.Arrangement.Event] = []
    var sendsMusic = false
    /// By part and key, the places of notes that still sound, first in first out.
    private var open: [Int: [Int]] = [:]

    init(perBeat: Double, start: Double, keepsTempo: Bool) {
        (self.perBeat, self.start, self.keepsTempo) = (perBeat, start, keepsTempo)
    }

    mutating func read(_ track: Track) {
        var port = track.port & 15
        for event in track.events {
            let beat = start + Double(max(event.tick, 0)) / perBeat
            switch event.kind {
            case .message(var message):
                message.port = port
                sendsMusic = true
                take(message, at: beat)
            case .tempo(let microseconds):
                if !keepsTempo, microseconds > 0 {
                    tempos.append(Song.Arrangement.Event(beat, .tempo(60_000_000 / Double(microseconds))))
                }
            case .timeSignature(let meter): tempos.append(Song.Arrangement.Event(beat, .meter(meter)))
            case .systemExclusive(let bytes):
                sendsMusic = true
                events.append(Song.Arrangement.Event(beat, .systemExclusive(bytes, port: port)))
            case .port(let number): port = number & 15
            case .text(let text) where text.kind == .trackName && text.string == track.name: break
            case .key, .text, .escape, .meta: events.append(Song.Arrangement.Event(beat, .silent(event.kind)))
            }
        }
        let end = start + Double(track.endTick) / perBeat
        for places in open.values { for place in places { close(place, at: end, velocity: 64) } }
    }

    private mutating func take(_ message: MIDIMessage, at beat: Double) {
        let slot = message.part & 255 * 128 + Int(message.data1 & 127)
        if message.beginsNote {
            open[slot, default: []].append(events.count)
            let note = Song.Arrangement.Note(
                message.data1, length: 0, velocity: message.data2, part: UInt8(truncatingIfNeeded: message.part))
            events.append(Song.Arrangement.Event(beat, .note(note)))
        } else if message.endsNote {
            guard let first = open[slot]?.first else { return }
            open[slot]?.removeFirst()
            close(first, at: beat, velocity: message.kind == .noteOff ? message.data2 : 64)
        } else if message.kind != nil {
            events.append(Song.Arrangement.Event(beat, .message(message)))
        }
    }

    private mutating func close(_ place: Int, at beat: Double, velocity: UInt8) {
        guard case .note(var note) = events[place].kind else { return }
        (note.length, note.releaseVelocity) = (max(beat - events[place].beat, 0), velocity & 127)
        events[place].kind = .note(note)
    }
}

private struct TrackWriting {
    let ticks: Double
    private var port: UInt8 = 0
    private var events: [(tick: Int64, rank: Int, kind: SongEvent.Kind, port: UInt8?)] = []

    init(ticks: Double) { self.ticks = ticks }

    mutating func write(_ track: Song.Arrangement.Track) -> Track {
        for event in track.events { take(event) }
        let sorted = events.enumerated().sorted { a, b in
            (a.element.tick, a.element.rank, a.offset) < (b.element.tick, b.element.rank, b.offset)
        }
        var written: [SongEvent] = []
        if !track.name.isEmpty { written.append(SongEvent(tick: 0, .text(SongText(.trackName, track.name)))) }
        for (_, event) in sorted {
            if let wanted = event.port, wanted != port {
                port = wanted
                written.append(SongEvent(tick: event.tick, .port(wanted)))
            }
            written.append(SongEvent(tick: event.tick, event.kind))
        }
        return Track(name: track.name, events: written, endTick: tick(track.length))
    }

    private func tick(_ beat: Double) -> Int64 { Int64((max(beat, 0) * ticks).rounded()) }

    private mutating func take(_ event: Song.Arrangement.Event) {
        let at = tick(event.beat)
        switch event.kind {
        case .note(let note):
            let part = Int(note.part), end = max(tick(event.end), at + 1)
            events.append((at, 2, .message(MIDIMessage(part: part, 0x90, note.key, note.velocity)), note.part >> 4))
            events.append((end, 0, .message(MIDIMessage(part: part, 0x80, note.key, note.releaseVelocity)), note.part >> 4))
        case .message(let message): events.append((at, 1, .message(message), message.port & 15))
        case .systemExclusive(let bytes, let port): events.append((at, 1, .systemExclusive(bytes), port & 15))
        case .tempo(let tempo):
            let microseconds = (60_000_000 / max(tempo, 1e-3)).rounded()
            events.append((at, 1, .tempo(microsecondsPerQuarter: UInt32(min(max(microseconds, 1), 16_777_215))), nil))
        case .meter(let meter): events.append((at, 1, .timeSignature(meter), nil))
        case .silent(let kind): events.append((at, 1, kind, nil))
        case .cue: break
        }
    }
}
