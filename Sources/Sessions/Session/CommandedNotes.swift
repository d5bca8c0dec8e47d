import MIDI
import RealtimeCore

/// The notes of commands that end by themselves: for a surface that only strikes keys, they end after their time or with the
/// next note on their channel. All held keys, including those that a surface lifts itself, are in the ledger of `LiveFilter`.
/// Pure; control side.
struct CommandedNotes {
    private struct Note {
        let part: Int
        let key: UInt8
        /// When it ends; nil means with the next one.
        let end: SampleTime?
    }

    private var sounding: [Note] = []

    mutating func strike(part: Int, key: UInt8, end: SampleTime?) -> [MusicEvent] {
        forget(part: part, key: key)
        defer { sounding.append(Note(part: part, key: key, end: end)) }
        return take { $0.part == part && $0.end == nil }
    }

    /// A key is pressed or lifted: it does not end by itself.
    mutating func forget(part: Int, key: UInt8) { sounding.removeAll { $0.part == part && $0.key == key } }

    mutating func forgetAll() { sounding = [] }
    mutating func due(_ now: SampleTime) -> [MusicEvent] { take { $0.end.map { $0 <= now } ?? false } }

    private mutating func take(_ isMeant: (Note) -> Bool) -> [MusicEvent] {
        defer { sounding.removeAll(where: isMeant) }
        return sounding.filter(isMeant).map { .lifting($0.key, part: $0.part) }
    }
}

extension MusicEvent {
    static func pressing(_ key: UInt8, _ velocity: UInt8, part: Int) -> MusicEvent {
        .message(MIDIMessage(part: part, 0x90, key, velocity))
    }
    static func lifting(_ key: UInt8, part: Int) -> MusicEvent { .message(MIDIMessage(part: part, 0x80, key, 64)) }
}
