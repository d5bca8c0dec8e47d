import MIDI
import RealtimeCore

/// The state of the instruments at one frame, as far as a change has to know it.
struct TrackState: Sendable {
    var sounding: [SoundingNote] = []
    /// Ends of notes that would fall on the frame of their beginning, one frame later.
    var delayed: [SoundingNote] = []
    var interpreter = SystemExclusive()
    /// Sustain and sostenuto that are down: part * 128 + controller.
    var pedals: Set<Int> = []
    var notes = 0
    /// Keys that a message put down, and no note with a length: part * 128 + key.
    var keys: Set<Int> = []
    /// What each track holds, of a player whose tracks are loops of their own; nil: all tracks are one music.
    var ledger: SourceLedger?

    /// What of an event of a track instruments receive.
    mutating func heard(_ event: MusicEvent, from track: Int) -> [MusicEvent] {
        if ledger == nil { return [event] }
        var events: [MusicEvent] = []
        ledger?.take(event, from: SourceLedger.Source(rawValue: track)) { events.append($0) }
        return events
    }

    /// Ends what these tracks hold. Returns the events for that.
    mutating func release(_ isMeant: (Int) -> Bool) -> [MusicEvent] {
        var events: [MusicEvent] = []
        for source in ledger?.holders ?? [] where isMeant(source.rawValue) { events += ledger?.release(source) ?? [] }
        return events
    }

    mutating func observe(_ message: MIDIMessage) {
        let key = message.part & 255 * 128 + Int(message.data1 & 127)
        if message.beginsNote { keys.insert(key) }
        if message.endsNote { keys.remove(key) }
        if message.silencesPart { keys = keys.filter { $0 / 128 != message.part & 255 } }
        guard message.kind == .controlChange else { return }
        let first = message.part & 255 * 128
        switch message.data1 {
        case 64, 66:
            if message.data2 >= 64 {
                pedals.insert(first + Int(message.data1))
            } else {
                pedals.remove(first + Int(message.data1))
            }
        case 121: pedals.subtract([first + 64, first + 66])
        default: break
        }
    }
}

extension TrackScore {
    /// Plays the frames from `from` up to `to` on: events with their frames, and reports; `state` becomes that of `to`.
    func play(_ state: inout TrackState, from: SampleTime, to: SampleTime) -> ([TimedMusicEvent], [Song.Arrangement.Report]) {
        guard isRunning, to > from else { return ([], []) }
        let range = part(from: from)..<part(from: to)
        var items = items(in: range.lowerBound..<max(range.lowerBound, range.upperBound))
        for place in items.indices {
            guard case .down(var note) = items[place].kind else { continue }
            state.notes += 1
            note.number = state.notes
            items[place] = TrackItem(part: items[place].part, rank: items[place].rank, track: items[place].track, .down(note))
            if note.end < range.upperBound { items.append(TrackItem(part: note.end, rank: 1, track: note.track, .up(note))) }
        }
        for note in state.sounding
        where note.end < range.upperBound && !state.delayed.contains(where: { $0.number == note.number }) {
            items.append(TrackItem(part: note.end, rank: 1, track: note.track, .up(note)))
        }
        let order = items.indices.sorted { items[$0] != items[$1] ? items[$0] < items[$1] : $0 < $1 }
        var stretch = TrackStretch(state)
        for place in order {
            let item = items[place], time = max(time(ofPart: item.part), from)
            stretch.flush(before: time + 1)
            switch item.kind {
            case .time(let beat):
                if state.ledger != nil { continue }
                let passed = map.seconds(ofBeat: beat) / rate * sampleRate
                for event in map.musicalTime(atBeat: beat, rate: rate, passed: passed) {
                    stretch.send(event, from: item.track, at: time)
                }
            case .event, .exclusive:
                for event in item.events(&stretch.state.interpreter) { stretch.send(event, from: item.track, at: time) }
            case .cue(let bytes, let kind): stretch.report(item, .cue(bytes, kind: kind), at: time)
            case .turn(let turn): stretch.report(item, .turn(turn), at: time)
            case .down(let note): stretch.begin(note, at: time)
            case .up(let note): stretch.end(note, at: time)
            }
        }
        stretch.flush(before: to)
        state = stretch.state
        return (stretch.events, stretch.reports)
    }
}

/// A stretch of a sequence while it is laid out.
private struct TrackStretch {
    var state: TrackState
    private(set) var events: [TimedMusicEvent] = []
    private(set) var reports: [Song.Arrangement.Report] = []

    init(_ state: TrackState) { self.state = state }

    mutating func report(_ item: TrackItem, _ kind: Song.Arrangement.Report.Kind, at time: SampleTime) {
        reports.append(
            Song.Arrangement.Report(
                track: item.track < 0 ? nil : item.track, beat: TrackScore.beat(item.part), time: time, kind: kind))
    }

    /// Sends what belongs to no note; what was to end on this frame after its beginning ends before it.
    mutating func send(_ event: MusicEvent, from track: Int, at time: SampleTime) {
        if case .message(let message) = event {
            flush { Int($0.part) == message.part & 255 }
            state.observe(message)
        }
        add(event, from: track, at: time)
    }

    private mutating func add(_ event: MusicEvent, from track: Int, at time: SampleTime) {
        for event in state.heard(event, from: track) { events.append(TimedMusicEvent(time: time, event: event)) }
    }

    mutating func begin(_ note: SoundingNote, at time: SampleTime) {
        flush { $0.part == note.part && $0.key == note.key }
        var note = note
        note.began = time
        state.sounding.append(note)
        add(note.down, from: note.track, at: time)
    }

    mutating func end(_ note: SoundingNote, at time: SampleTime) {
        guard let place = state.sounding.firstIndex(where: { $0.number == note.number }) else { return }
        if time <= state.sounding[place].began {
            state.delayed.append(state.sounding[place])
        } else {
            let note = state.sounding.remove(at: place)
            add(note.up, from: note.track, at: time)
        }
    }

    /// Sends the ends that come before a frame.
    mutating func flush(before time: SampleTime) { flush(after: 1) { $0.began + 1 < time } }

    private mutating func flush(after frames: Int = 0, _ isMeant: (SoundingNote) -> Bool) {
        if state.delayed.isEmpty { return }
        for note in state.delayed where isMeant(note) {
            let time = max(note.began + frames, events.last?.time ?? .zero)
            add(note.up, from: note.track, at: time)
            state.sounding.removeAll { $0.number == note.number }
        }
        state.delayed.removeAll(where: isMeant)
    }
}
