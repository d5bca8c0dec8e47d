import Carillon
import Testing

@testable import Samplers
@testable import SongRendering

/// Notes of a log are found by whoever knows what was sent.
@Suite struct LoggedNoteSearchTests {
    private func note(_ onset: Int64, _ key: UInt8, _ velocity: UInt8 = 100, channel: UInt8 = 0) -> LoggedNote {
        var note = LoggedNote()
        (note.onset, note.key, note.velocity, note.channel) = (onset, key, velocity, channel)
        return note
    }

    private func message(_ key: UInt8, _ velocity: UInt8 = 100, channel: Int = 0) -> MIDIMessage {
        MIDIMessage(part: channel, 0x90, key, velocity)
    }

    @Test func eachIsFoundOnceAndItsOwnChannelBefore() {
        var search = LoggedNoteSearch([
            note(0, 60), note(10, 62, channel: 3), note(10, 62), note(10, 62), note(10, 64), note(20, 62),
        ])
        #expect(search.take(message(62), at: 10, transpose: 0)?.channel == 0)
        #expect(search.take(message(62), at: 10, transpose: 0)?.channel == 0)
        #expect(search.take(message(62), at: 10, transpose: 0)?.channel == 3)
        #expect(search.take(message(62), at: 10, transpose: 0) == nil)
        // As it was shifted, or as a drum is not.
        #expect(search.take(message(67), at: 10, transpose: -3)?.key == 64)
        #expect(search.take(message(60, 99), at: 0, transpose: 0) == nil)
        #expect(search.take(message(60), at: 1, transpose: 0) == nil)
        #expect(search.take(message(60), at: 0, transpose: 12)?.onset == 0)
        #expect(search.take(message(62), at: 20, transpose: 0)?.onset == 20)
        #expect(search.take(message(62), at: 30, transpose: 0) == nil)
    }

    @Test func theOrderOfTheLogDoesNotMatter() {
        var search = LoggedNoteSearch([note(20, 62), note(0, 60), note(10, 61)])
        for (time, key) in [(Int64(10), UInt8(61)), (0, 60), (20, 62)] {
            #expect(search.take(message(key), at: time, transpose: 0)?.key == key)
        }
        var empty = LoggedNoteSearch([])
        #expect(empty.take(message(60), at: 0, transpose: 0) == nil)
    }
}
