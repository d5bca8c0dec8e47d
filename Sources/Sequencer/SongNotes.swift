import MIDI

/// The notes of a song, each with its length, apart from the other events: so that notes can be moved, changed, taken out and
/// added, and the song put together again. What is not changed keeps its place among the events of its tick.
///
/// A note-on without a note-off lasts up to the end of its track. A value. Any thread.
package struct SongNotes: Sendable {
    /// A note. Unit of times: ticks.
    package struct Note: Hashable, Sendable {
        /// The place of its track in the song.
        package let track: Int
        package var tick: Int64
        /// At least 1.
        package var length: Int64
        /// Port * 16 + channel, 0...255.
        package let part: Int
        /// 0...127.
        package var key: UInt8
        /// 1...127.
        package var velocity: UInt8
        private var releaseVelocity: UInt8 = 64
        /// As the song has it: where it begins and ends, and the places of both among the events of the track.
        private var written: (tick: Int64, end: Int64, on: Int, off: Int?)?

        package var end: Int64 { tick + length }

        package init(track: Int, tick: Int64, length: Int64, part: Int, key: UInt8, velocity: UInt8) {
            (self.track, self.tick, self.length) = (track, tick, length)
            (self.part, self.key, self.velocity) = (part, key, velocity)
        }

        fileprivate init(track: Int, _ message: MIDIMessage, at tick: Int64, place: Int) {
            self.init(
                track: track, tick: tick, length: 0, part: message.part, key: message.data1 & 127, velocity: message.data2 & 127)
            written = (tick, tick, place, nil)
        }

        fileprivate mutating func end(at tick: Int64, by message: MIDIMessage? = nil, place: Int? = nil) {
            if let message, message.kind == .noteOff { releaseVelocity = message.data2 & 127 }
            length = tick - self.tick
            written?.end = tick
            written?.off = place
        }

        fileprivate var events: [Placed] {
            let isOn = written?.tick == tick, isOff = written?.end == end
            let on = MIDIMessage(part: part, 0x90, key, velocity), off = MIDIMessage(part: part, 0x80, key, releaseVelocity)
            let begins = Placed(tick: tick, place: isOn ? written?.on ?? .max : .max, .message(on), port: UInt8(part >> 4))
            // The file leaves it without an end.
            if isOff, written?.off == nil { return [begins] }
            // What was moved ends before the other events of its tick, and begins after them.
            let place = isOff ? written?.off ?? -1 : -1
            return [begins, Placed(tick: end, place: place, .message(off), port: UInt8(part >> 4))]
        }

        package static func == (one: Note, other: Note) -> Bool {
            (one.track, one.tick, one.length, one.part, one.key, one.velocity)
                == (other.track, other.tick, other.length, other.part, other.key, other.velocity)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(tick)
            hasher.combine(key)
        }
    }

    /// An event, and its place among those of its tick.
    fileprivate struct Placed {
        let tick: Int64
        let place: Int
        let kind: SongEvent.Kind
        /// Where it is sent; nil for what is not sent to a port.
        let port: UInt8?

        init(tick: Int64, place: Int, _ kind: SongEvent.Kind, port: UInt8?) {
            (self.tick, self.place, self.kind, self.port) = (tick, place, kind, port)
        }
    }

    /// The notes by their numbers, which they keep; nil for one that is no more.
    package var notes: [Note?] = []
    private var shell: Song
    private var others: [[Placed]] = []

    /// Takes a song apart; nil for one whose tracks are patterns that follow each other.
    package init?(_ song: Song) {
        if song.format == .sequential { return nil }
        shell = song
        for (number, track) in song.tracks.enumerated() {
            var port = track.port & 15, placed: [Placed] = [], open: [Int: [Int]] = [:]
            for (place, event) in track.events.enumerated() {
                guard case .message(var message) = event.kind else {
                    if case .port(let next) = event.kind { port = next & 15 }
                    let isSent = if case .systemExclusive = event.kind { true } else { false }
                    placed.append(Placed(tick: event.tick, place: place, event.kind, port: isSent ? port : nil))
                    continue
                }
                message.port = port
                let key = message.part * 128 + Int(message.data1 & 127)
                if message.beginsNote {
                    open[key, default: []].append(notes.count)
                    notes.append(Note(track: number, message, at: event.tick, place: place))
                } else if message.endsNote, let first = open[key]?.first {
                    open[key]?.removeFirst()
                    notes[first]?.end(at: event.tick, by: message, place: place)
                } else {
                    placed.append(Placed(tick: event.tick, place: place, .message(message), port: port))
                }
            }
            for left in open.values.joined() { notes[left]?.end(at: track.endTick) }
            others.append(placed)
            shell.tracks[number].events = []
        }
    }

    /// The song with its notes as they are now. A track that notes outlast ends with them; none becomes shorter.
    package var song: Song {
        var song = shell, tracks = others
        for note in notes { if let note { tracks[note.track] += note.events } }
        for (number, events) in tracks.enumerated() {
            var port = shell.tracks[number].port & 15, written: [SongEvent] = []
            let sorted = events.enumerated().sorted {
                ($0.element.tick, $0.element.place, $0.offset) < ($1.element.tick, $1.element.place, $1.offset)
            }
            for (_, event) in sorted {
                if case .port(let next) = event.kind { port = next & 15 }
                if let wanted = event.port, wanted != port {
                    port = wanted
                    written.append(SongEvent(tick: event.tick, .port(port)))
                }
                written.append(SongEvent(tick: event.tick, event.kind))
            }
            song.tracks[number].events = written
            song.tracks[number].endTick = max(shell.tracks[number].endTick, written.last?.tick ?? 0)
        }
        return song
    }

    /// Ends the notes of a key before the next note of it begins, where one of both has one of these numbers; of two that begin
    /// together one of these remains.
    package mutating func separate(_ changed: Set<Int>) {
        var voices: [Int: [Int]] = [:]
        func voice(_ note: Note) -> Int { note.part * 128 + Int(note.key) }
        for number in changed { if let note = notes[number] { voices[voice(note)] = [] } }
        for (number, note) in notes.enumerated() { if let note { voices[voice(note)]?.append(number) } }
        for numbers in voices.values {
            var former: Int?
            for number in numbers.sorted(by: { (notes[$0]?.tick ?? 0, $0) < (notes[$1]?.tick ?? 0, $1) }) {
                defer { if notes[number] != nil { former = number } }
                guard let before = former, changed.contains(before) || changed.contains(number),
                    let first = notes[before], let next = notes[number], first.end > next.tick
                else { continue }
                if first.tick == next.tick {
                    notes[changed.contains(number) ? before : number] = nil
                } else {
                    notes[before]?.length = next.tick - first.tick
                }
            }
        }
    }
}
