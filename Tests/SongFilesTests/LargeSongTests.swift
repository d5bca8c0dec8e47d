import Glibc
import Sequencer
import SongFiles
import Testing

/// Songs as large as they come: nothing in the way from bytes to frames is quadratic.
struct LargeSongTests {
    private typealias B = SongBytes

    @Test func aHundredThousandEventsInOneTrack() throws {
        let bytes = B.song((0..<50_000).flatMap { B.note(UInt8($0 % 128), delta: 3, length: 5) } + B.end)
        try expect(bytes, notes: 50_000, within: 10)
    }

    @Test func aHundredThousandTemposInOneTrackAndNotesInAnother() throws {
        let tempos = (0..<100_000).flatMap { B.tempo(400_000 + $0, delta: 7) } + B.end
        let notes = (0..<50_000).flatMap { B.note(UInt8($0 % 128), delta: 3, length: 11) } + B.end
        try expect(B.song(notes, tempos), notes: 50_000, within: 10)
    }

    @Test func aHundredThousandLongTexts() throws {
        let text = B.meta(5, [UInt8](repeating: 0x61, count: 130))
        try expect(B.song((0..<100_000).flatMap { _ in text } + B.note(60) + B.end), notes: 1, within: 10)
    }

    @Test func sixtyThousandTracks() throws {
        let track = B.track(B.note(60) + B.end)
        let bytes = B.header(tracks: 60_000) + (0..<60_000).flatMap { _ in track }
        try expect(bytes, notes: 60_000, within: 10)
    }

    @Test func aMillionPacketsOfSystemExclusive() throws {
        let bytes = B.song([0, 0xF0, 1, 0x7D] + (0..<1_000_000).flatMap { _ in [0, 0xF7, 1, 1] as [UInt8] }
            + [0, 0xF7, 1, 0xF7] + B.note(60) + B.end)
        try expect(bytes, notes: 1, within: 10)
    }

    @Test func manyTracksThatAllClaimTheWholeFile() throws {
        let bytes = B.header(tracks: 20_000)
            + (0..<20_000).flatMap { _ in B.track(B.note(60) + B.end, declared: 0x7FFF_FFFF) }
        try expect(bytes, notes: 20_000, within: 10)
    }

    /// The bound is on this thread's processor time and for a debug build; quadratic work would take minutes.
    private func expect(_ bytes: [UInt8], notes: Int, within bound: Double) throws {
        let start = seconds()
        let song = try SongReader.read(bytes: bytes, name: "large").song
        let read = seconds()
        let timeline = try Timeline(song, sampleRate: 48_000)
        #expect(timeline.summary.noteCount == notes)
        #expect(seconds() - start < bound, "reading \(read - start) s, timeline \(seconds() - read) s")
    }

    private func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
