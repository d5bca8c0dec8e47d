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
        let packets = (0..<1_000_000).flatMap { _ in B.bytes(0, 0xF7, 1, 1) }
        let bytes = B.song(B.bytes(0, 0xF0, 1, 0x7D) + packets + B.bytes(0, 0xF7, 1, 0xF7) + B.note(60) + B.end)
        try expect(bytes, notes: 1, within: 10)
    }

    @Test func manyTracksThatAllClaimTheWholeFile() throws {
        let bytes =
            B.header(tracks: 20_000)
            + (0..<20_000).flatMap { _ in B.track(B.note(60) + B.end, declared: 0x7FFF_FFFF) }
        try expect(bytes, notes: 20_000, within: 10)
    }

    @Test func aHundredThousandDamagedEvents() throws {
        let notes = (0..<8).flatMap { B.note(UInt8(60 + $0), delta: 3, length: 5) }
        let damages: [[UInt8]] = [
            [0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F], [0x80, 0x80, 0x80, 0x80, 0x80], [0, 0xF9, 0x91], [0, 0xFF, 1, 70],
        ]
        let body = (0..<100_000).flatMap { damages[$0 % 4] + notes }
        let file = try SongReader.read(bytes: B.song(body + B.end), name: "damaged")
        #expect(file.repairCount >= 100_000)
        try expect(B.song(body + B.end), notes: 800_000, within: 60)
    }

    @Test func aMegabyteThatClaimsToBeATrack() throws {
        for length in [0, 1_000_000] {
            var state: UInt32 = 1
            let noise = (0..<1_000_000).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
            let bytes = B.header(format: 0, tracks: 1) + B.track(noise, declared: length)
            let start = seconds()
            #expect(try SongReader.read(bytes: bytes, name: "noise").repairCount > 0)
            #expect(seconds() - start < 30)
        }
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
