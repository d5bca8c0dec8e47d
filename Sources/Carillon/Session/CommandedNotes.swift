import MIDI
import RealtimeCore

/// The notes that commands have begun. Those of a surface that knows of a key only that it was struck end after their time, or
/// with the next one of their channel; those of one that knows when it goes up end then. Pure; control side.
struct CommandedNotes {
    private struct Note {
        let part: Int
        let key: UInt8
        /// When it ends; nil: with the next one, or when its key is lifted.
        let end: SampleTime?
        /// True if the note's key stays down until it is lifted.
        var isPressed = false
        /// Its end, which the next one brings about too.
        var release: MusicEvent { .message(MIDIMessage(part: part, 0x80, key, 64)) }
    }

    private var sounding: [Note] = []

    /// Begins a note; what is to be played, ends of others first.
    mutating func strike(part: Int, key: UInt8, velocity: UInt8, end: SampleTime?) -> [MusicEvent] {
        let released = take { $0.part == part && ($0.end == nil && !$0.isPressed || $0.key == key) }
        sounding.append(Note(part: part, key: key, end: end))
        return released + [.message(MIDIMessage(part: part, 0x90, key, velocity))]
    }

    /// A key goes down; what is to be played, the end of one that sounds on it first.
    mutating func press(part: Int, key: UInt8, velocity: UInt8) -> [MusicEvent] {
        let released = lift(part: part, key: key)
        sounding.append(Note(part: part, key: key, end: nil, isPressed: true))
        return released + [.message(MIDIMessage(part: part, 0x90, key, velocity))]
    }

    /// A key goes up.
    mutating func lift(part: Int, key: UInt8) -> [MusicEvent] { take { $0.part == part && $0.key == key } }

    /// The ends that are due.
    mutating func due(_ now: SampleTime) -> [MusicEvent] { take { $0.end.map { $0 <= now } ?? false } }

    /// The ends of all.
    mutating func releaseAll() -> [MusicEvent] { take { _ in true } }

    private mutating func take(_ isMeant: (Note) -> Bool) -> [MusicEvent] {
        defer { sounding.removeAll(where: isMeant) }
        return sounding.filter(isMeant).map(\.release)
    }
}
