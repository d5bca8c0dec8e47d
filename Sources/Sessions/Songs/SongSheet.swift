import MIDI
import RealtimeCore
import Sequencer

/// A song as a surface draws it: bars, markers, words and notes, all in seconds at the song's own tempo, as
/// `SessionSnapshot.Transport.seconds` counts.
package struct SongSheet: Sendable {
    /// A note.
    package struct Note: Sendable, Hashable {
        /// When it begins, and how long its key is held.
        package var start: Double
        package var length: Double
        /// The channel, counted from 1 over all ports.
        package var channel: Int
        /// MIDI key, 60 is middle C.
        package var key: Int
        /// 1...127.
        package var velocity: Int
    }

    /// A text that belongs to a time: a marker, or a line that is sung.
    package struct Mark: Sendable, Hashable {
        package var at: Double
        package var text: String
    }

    /// The name of the song in the list.
    package let name: String
    /// Seconds.
    package let length: Double
    /// When each bar begins; of a song with more than `mostBars` the first ones.
    package let bars: [Double]
    package let markers: [Mark]
    /// The lines that are sung.
    package let words: [Mark]
    /// Changes of notes that `edit undo` and `edit redo` can take.
    package let canUndo: Int, canRedo: Int
    /// All notes, in the order of their beginnings.
    private let notes: [Note]
    /// The length of the longest note, in seconds.
    private let longest: Double

    /// Bars, markers and lines at most, and notes of one answer.
    package static let mostBars = 4000, mostMarks = 500, mostNotes = 8000

    init(_ song: PlayingSong, edits: SongEdits? = nil) {
        let timeline = song.transport.timeline, rate = Double(timeline.sampleRate)
        func seconds(_ frame: Int64) -> Double { Double(frame) / rate }
        name = song.name
        (canUndo, canRedo) = (edits?.canUndo ?? 0, edits?.canRedo ?? 0)
        length = seconds(song.transport.length)
        markers = timeline.markers.prefix(Self.mostMarks).map { Mark(at: seconds($0.time.rawValue), text: Self.shown($0.text)) }
        words = song.words.beginnings.prefix(Self.mostMarks).map { Mark(at: seconds($0.frame), text: Self.shown($0.text)) }
        var bars: [Double] = []
        while bars.count < Self.mostBars, let tick = timeline.tempoMap.tick(ofBar: Int64(bars.count) + 1) {
            let start = seconds(timeline.tempoMap.time(ofTick: tick).rawValue)
            if start >= length { break }
            bars.append(start)
        }
        self.bars = bars
        notes = Self.notes(timeline.events, end: song.transport.length, seconds)
        longest = notes.map(\.length).max() ?? 0
    }

    /// The notes that sound between two times, by their beginnings, and whether these are all.
    package func notes(from start: Double, to end: Double) -> (notes: [Note], isWhole: Bool) {
        // A note that begins earlier cannot reach so far.
        let first = notes.partitioningIndex { $0.start >= start - longest }
        var found: [Note] = []
        for note in notes[first...] {
            if note.start > end { break }
            if note.start + note.length < start { continue }
            if found.count == Self.mostNotes { return (found, false) }
            found.append(note)
        }
        return (found, true)
    }

    /// Notes of one key that have not ended, the oldest first.
    private struct OpenNotes {
        var places: [Int] = []
        private var head = 0

        mutating func takeFirst() -> Int? {
            guard head < places.count else { return nil }
            defer { head += 1 }
            return places[head]
        }
    }

    /// A text in the length that a surface shows: a marker could be a megabyte long.
    static func shown(_ text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(400))) }

    /// Beginnings and ends brought together; a key that is struck again ends the note before.
    private static func notes(_ events: [TimedMusicEvent], end: Int64, _ seconds: (Int64) -> Double) -> [Note] {
        var notes: [Note] = [], open: [Int: OpenNotes] = [:]
        for event in events {
            guard case .message(let message) = event.event, message.port < 16 else { continue }
            let key = message.part * 128 + Int(message.data1)
            switch message.kind {
            case .noteOn where message.data2 > 0:
                open[key, default: OpenNotes()].places.append(notes.count)
                notes.append(
                    Note(
                        start: seconds(event.time.rawValue), length: -1, channel: message.part + 1, key: Int(message.data1),
                        velocity: Int(message.data2)))
            case .noteOn, .noteOff:
                guard let place = open[key]?.takeFirst() else { continue }
                notes[place].length = seconds(event.time.rawValue) - notes[place].start
            default: break
            }
        }
        for place in notes.indices where notes[place].length < 0 { notes[place].length = seconds(end) - notes[place].start }
        return notes
    }
}
