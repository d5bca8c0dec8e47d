/// Song files with the faults and oddities that real ones have: the corpus for tests, mutation and sanitizer runs.
/// Every one of them holds `noteCount` notes that must play, unless it is nil: then it is no song.
struct OddSong: Sendable, CustomStringConvertible {
    var name: String
    var bytes: [UInt8]
    var noteCount: Int?
    /// True if something must be reported; strict reading refuses these and takes the others.
    var isFaulty: Bool

    var description: String { name }

    init(_ name: String, notes: Int?, isFaulty: Bool, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        noteCount = notes
        self.isFaulty = isFaulty
    }
}

enum OddSongs {
    private typealias B = SongBytes
    private static let two = B.note(60) + B.note(64)
    private static let gmOn: [UInt8] = [0x7E, 0x7F, 0x09, 0x01, 0xF7]

    static let all: [OddSong] = timing + structure + events + wrapping + noSongs + DamagedSongs.all

    static func named(_ name: String) -> OddSong {
        guard let song = all.first(where: { $0.name == name }) else { fatalError("no odd song is called \(name)") }
        return song
    }

    private static let timing: [OddSong] = [
        OddSong("division 0", notes: 2, isFaulty: true, B.song(two + B.end, division: 0)),
        OddSong("SMPTE division 25 fps, 40", notes: 2, isFaulty: false, B.song(two + B.end, division: 0xE728)),
        OddSong("SMPTE division 29.97 drop, 80", notes: 2, isFaulty: false, B.song(two + B.end, division: 0xE350)),
        OddSong("SMPTE division of 17 fps", notes: 2, isFaulty: true, B.song(two + B.end, division: 0xEF28)),
        OddSong("SMPTE division of 0 ticks", notes: 2, isFaulty: true, B.song(two + B.end, division: 0xE700)),
        OddSong("format 2", notes: 4, isFaulty: false, B.song(two + B.end, two + B.end, format: 2)),
        OddSong("format 7", notes: 4, isFaulty: true, B.song(two + B.end, two + B.end, format: 7)),
        OddSong("format 0 with two tracks", notes: 4, isFaulty: true, B.song(two + B.end, two + B.end, format: 0)),
        OddSong("tempo of two bytes", notes: 2, isFaulty: true, B.song(B.meta(0x51, [7, 0xA1]) + two + B.end)),
        OddSong("tempo of no bytes", notes: 2, isFaulty: true, B.song(B.meta(0x51, []) + two + B.end)),
        OddSong("tempo zero", notes: 2, isFaulty: true, B.song(B.tempo(0) + two + B.end)),
        OddSong("meter of one byte", notes: 2, isFaulty: true, B.song(B.meta(0x58, [4]) + two + B.end)),
        OddSong(
            "meter over 2 to the 255", notes: 2, isFaulty: true,
            B.song(B.meta(0x58, [4, 255, 24, 8]) + two + B.end)),
        OddSong("key of one byte", notes: 2, isFaulty: true, B.song(B.meta(0x59, [1]) + two + B.end)),
        OddSong(
            "ten days of silence", notes: 2, isFaulty: false,
            B.song(B.note(60) + B.quantity(165_888_000) + B.bytes(0xFF, 1, 0) + B.note(64) + B.end)),
        OddSong(
            "ticks beyond 32 bits", notes: 21, isFaulty: false,
            B.song((0..<21).flatMap { _ in B.note(60, delta: 0x0FFF_FFFF) } + B.end)),
        OddSong("note that never ends", notes: 1, isFaulty: false, B.song(B.bytes(0, 0x90, 60, 100) + B.end)),
        OddSong("note of no length", notes: 1, isFaulty: false, B.song(B.note(60, length: 0) + B.end)),
    ]

    private static let manyTracks: [UInt8] = (0..<3_000).flatMap { B.track(B.note(UInt8($0 % 128)) + B.end) }

    private static let structure: [OddSong] = [
        OddSong("empty track", notes: 0, isFaulty: true, B.song([])),
        OddSong("empty track beside a full one", notes: 2, isFaulty: true, B.song([], two + B.end)),
        OddSong("track of End of Track only", notes: 0, isFaulty: false, B.song(B.end)),
        OddSong("no End of Track", notes: 2, isFaulty: true, B.song(two)),
        OddSong("no End of Track, more tracks", notes: 4, isFaulty: true, B.song(two, two + B.end)),
        OddSong("End of Track with a length", notes: 2, isFaulty: true, B.song(two + B.bytes(0, 0xFF, 0x2F, 2, 0, 0))),
        OddSong("events after End of Track", notes: 2, isFaulty: true, B.song(two + B.end + two + B.end)),
        OddSong(
            "huge track length", notes: 2, isFaulty: true,
            B.header(format: 0, tracks: 1) + B.track(two + B.end, declared: 0xFFFF_FFFF)),
        OddSong(
            "huge track length, more tracks", notes: 4, isFaulty: true,
            B.header(tracks: 2) + B.track(two + B.end, declared: 0x7FFF_FFFF) + B.track(two + B.end)),
        OddSong(
            "track length too long", notes: 2, isFaulty: true,
            B.header(format: 0, tracks: 1) + B.track(two + B.end, declared: two.count + 20)),
        OddSong(
            "track length that reaches into the next", notes: 4, isFaulty: true,
            B.header(tracks: 2) + B.track(two + B.end, declared: two.count + 20) + B.track(two + B.end)),
        OddSong(
            "track length too short", notes: 4, isFaulty: true,
            B.header(tracks: 2) + B.track(two + B.end, declared: 6) + B.track(two + B.end)),
        OddSong(
            "track length without its End of Track", notes: 4, isFaulty: true,
            B.header(tracks: 2) + B.track(two + B.end, declared: two.count) + B.track(two + B.end)),
        OddSong(
            "more tracks declared than there are", notes: 2, isFaulty: true,
            B.header(tracks: 9) + B.track(two + B.end)),
        OddSong(
            "fewer tracks declared than there are", notes: 6, isFaulty: true,
            B.header(tracks: 1) + B.track(two + B.end) + B.track(two + B.end) + B.track(two + B.end)),
        OddSong("zero tracks declared", notes: 2, isFaulty: true, B.header(tracks: 0) + B.track(two + B.end)),
        OddSong(
            "junk after the last track", notes: 2, isFaulty: true,
            B.song(two + B.end) + B.bytes(0, 1, 2, 3, 0xFF, 0xFE, 0x80, 9, 9, 9)),
        OddSong("three zeros after the last track", notes: 2, isFaulty: true, B.song(two + B.end) + B.bytes(0, 0, 0)),
        OddSong(
            "junk between tracks", notes: 4, isFaulty: true,
            B.header(tracks: 2) + B.track(two + B.end) + B.bytes(0, 1, 2) + B.track(two + B.end)),
        OddSong(
            "alien chunks", notes: 4, isFaulty: false,
            B.header(tracks: 2) + B.ascii("XFIH") + B.big(5, 4) + B.bytes(1, 2, 3, 4, 5) + B.track(two + B.end)
                + B.ascii("XFKM") + B.big(0, 4) + B.track(two + B.end) + B.ascii("CASM") + B.big(2, 4) + B.bytes(0, 0)),
        OddSong(
            "alien chunk longer than the file", notes: 2, isFaulty: true,
            B.header(tracks: 1) + B.ascii("XFIH") + B.big(0x7FFF_FFFF, 4) + B.track(two + B.end)),
        OddSong(
            "header of ten bytes", notes: 2, isFaulty: false,
            B.header(format: 0, tracks: 1, length: 10) + B.bytes(1, 2, 3, 4) + B.track(two + B.end)),
        OddSong(
            "header that claims four bytes", notes: 2, isFaulty: true,
            B.header(format: 0, tracks: 1, length: 4) + B.track(two + B.end)),
        OddSong(
            "header that claims the rest of the file", notes: 2, isFaulty: true,
            B.header(format: 0, tracks: 1, length: 6 + 8 + two.count + 4) + B.track(two + B.end)),
        OddSong(
            "cut off inside an event", notes: 2, isFaulty: true,
            Array(B.song(B.note(60) + B.note(64) + B.note(67) + B.end).dropLast(10))),
        OddSong(
            "3000 tracks", notes: 3_000, isFaulty: false,
            B.header(tracks: 3_000) + manyTracks),
    ]

    private static let events: [OddSong] = [
        OddSong(
            "F7 escape of length 0", notes: 2, isFaulty: false, B.song(B.note(60) + B.escape([]) + B.note(64) + B.end)),
        OddSong(
            "F7 escape of system real time", notes: 2, isFaulty: false,
            B.song(B.note(60) + B.escape([0xFA]) + B.note(64) + B.end)),
        OddSong(
            "F7 escape of a note", notes: 1, isFaulty: false,
            B.song(B.escape([0x90, 60, 100]) + B.escape([0x80, 60, 0], delta: 96) + B.end)),
        OddSong(
            "System Exclusive between running status", notes: 2, isFaulty: true,
            B.song(
                B.bytes(0, 0x90, 60, 100) + B.systemExclusive(gmOn, delta: 10) + B.bytes(10, 60, 0, 10, 64, 100, 10, 64, 0)
                    + B.end)),
        OddSong(
            "meta event between running status", notes: 2, isFaulty: true,
            B.song(
                B.bytes(0, 0x90, 60, 100) + B.meta(1, B.ascii("x"), delta: 10) + B.bytes(10, 60, 0, 10, 64, 100, 10, 64, 0)
                    + B.end)),
        OddSong(
            "System Exclusive in packets", notes: 2, isFaulty: false,
            B.song(
                B.systemExclusive(Array(gmOn[0..<2]), delta: 0) + B.escape(Array(gmOn[2..<3]), delta: 10)
                    + B.escape(Array(gmOn[3...]), delta: 10) + two + B.end)),
        OddSong(
            "System Exclusive as an escape", notes: 2, isFaulty: false, B.song(B.escape(B.bytes(0xF0) + gmOn) + two + B.end)),
        OddSong(
            "System Exclusive never closed", notes: 2, isFaulty: true,
            B.song(B.systemExclusive(Array(gmOn.dropLast())) + two + B.end)),
        OddSong("System Exclusive of length 0", notes: 2, isFaulty: true, B.song(B.systemExclusive([]) + two + B.end)),
        OddSong(
            "System Exclusive at the end of the track", notes: 2, isFaulty: false,
            B.song(two + B.systemExclusive(gmOn) + B.end)),
        OddSong(
            "System Exclusive of 70000 bytes", notes: 2, isFaulty: false,
            B.song(B.systemExclusive([UInt8](repeating: 0x33, count: 70_000) + B.bytes(0xF7)) + two + B.end)),
        OddSong(
            "delta time of five bytes", notes: 4, isFaulty: true,
            B.song(B.note(60) + B.bytes(0x81, 0x80, 0x80, 0x80, 0x00, 0x90, 72, 100) + B.end, two + B.end)),
        OddSong(
            "length of five bytes", notes: 3, isFaulty: true,
            B.song(B.note(60) + B.bytes(0, 0xFF, 1, 0x80, 0x80, 0x80, 0x80, 0x01, 65) + B.end, two + B.end)),
        OddSong(
            "padded lengths", notes: 3, isFaulty: false,
            B.song(
                B.bytes(0, 0xFF, 1) + B.quantity(2, padding: 3) + B.ascii("hi") + B.bytes(0x80, 0x80, 0x00, 0x90, 60, 100)
                    + B.bytes(0x80, 0x60, 0x80, 60, 0) + B.bytes(0, 0xF0) + B.quantity(5, padding: 2) + gmOn + two
                    + B.bytes(0, 0xFF, 0x2F, 0x80, 0x00))),
        OddSong(
            "meta event of 200 bytes", notes: 2, isFaulty: false,
            B.song(B.note(60) + B.meta(1, [UInt8](repeating: 0x61, count: 200)) + B.note(64) + B.end)),
        OddSong(
            "meta event of 70000 bytes", notes: 2, isFaulty: false,
            B.song(B.note(60) + B.meta(5, [UInt8](repeating: 0x62, count: 70_000)) + B.note(64) + B.end)),
        OddSong(
            "meta event of 127 and of 128 bytes", notes: 2, isFaulty: false,
            B.song(
                B.note(60) + B.meta(6, [UInt8](repeating: 0x63, count: 127), delta: 3)
                    + B.meta(6, [UInt8](repeating: 0x64, count: 128), delta: 3) + B.note(64) + B.end)),
        OddSong("meta event longer than the track", notes: 2, isFaulty: true, B.song(two + B.bytes(0, 0xFF, 1, 0x7F, 65))),
        OddSong(
            "data where the first status must be", notes: 2, isFaulty: true, B.song(B.bytes(0, 60, 100) + B.end, two + B.end)),
        OddSong("velocity above 127", notes: 1, isFaulty: true, B.song(B.bytes(0, 0x90, 60, 0x85, 96, 0x80, 60, 0) + B.end)),
        OddSong(
            "system real time in the track", notes: 2, isFaulty: true,
            B.song(B.note(60) + B.bytes(0, 0xF8) + B.note(64) + B.end)),
        OddSong(
            "song position in the track", notes: 2, isFaulty: true,
            B.song(B.note(60) + B.bytes(0, 0xF2, 1, 2) + B.note(64) + B.end)),
        OddSong("undefined status F4", notes: 2, isFaulty: true, B.song(B.note(60) + B.bytes(0, 0xF4) + B.note(64) + B.end)),
        OddSong("port 17", notes: 2, isFaulty: true, B.song(B.meta(0x21, [17]) + two + B.end)),
        OddSong("port of no bytes", notes: 2, isFaulty: true, B.song(B.meta(0x21, []) + two + B.end)),
        OddSong(
            "ports 0 and 1", notes: 4, isFaulty: false,
            B.song(B.meta(0x21, [0]) + two + B.end, B.meta(0x21, [1]) + two + B.end)),
        OddSong("unknown meta event", notes: 2, isFaulty: false, B.song(B.meta(0x4B, [1, 2, 3]) + two + B.end)),
        OddSong("meta event of type 80", notes: 2, isFaulty: true, B.song(B.meta(0x80, [1]) + two + B.end)),
        OddSong(
            "karaoke", notes: 1, isFaulty: false,
            B.song(
                B.meta(3, B.ascii("Words")) + B.meta(1, B.ascii("@KMIDI KARAOKE FILE")) + B.meta(1, B.ascii("@LENGL"))
                    + B.meta(1, B.ascii("@TDing Dong")) + B.meta(1, B.ascii("\\Ding "), delta: 96)
                    + B.meta(1, B.ascii("dong"), delta: 96) + B.meta(1, B.ascii("/bell"), delta: 96) + B.end,
                B.note(60) + B.end)),
    ]

    private static let wrapping: [OddSong] = {
        let song = B.song(two + B.end)
        func riff(_ chunks: [UInt8]) -> [UInt8] {
            B.ascii("RIFF") + B.little(chunks.count + 4, 4) + B.ascii("RMID") + chunks
        }
        let data = B.ascii("data") + B.little(song.count, 4) + song
        let info = B.ascii("LIST") + B.little(5, 4) + B.ascii("INFOx") + B.bytes(0)
        return [
            OddSong("RMID", notes: 2, isFaulty: false, riff(data)),
            OddSong("RMID with chunks around", notes: 2, isFaulty: false, riff(info + data + info)),
            OddSong(
                "RMID with a wrong RIFF length", notes: 2, isFaulty: false,
                B.ascii("RIFF") + B.little(3, 4) + B.ascii("RMID") + data),
            OddSong(
                "RMID whose data chunk is longer than the file", notes: 2, isFaulty: true,
                riff(B.ascii("data") + B.little(1 << 30, 4) + song)),
            OddSong("MacBinary in front", notes: 2, isFaulty: true, [UInt8](repeating: 0, count: 128) + song),
        ]
    }()

    private static let noSongs: [OddSong] = [
        OddSong("zero bytes", notes: nil, isFaulty: true, []),
        OddSong("a text file", notes: nil, isFaulty: true, B.ascii("Dear Sir or Madam,\nthis is no song.\n")),
        OddSong("four bytes", notes: nil, isFaulty: true, B.ascii("MThd")),
        OddSong("header whose track is lost", notes: nil, isFaulty: true, B.header(tracks: 1)),
        OddSong(
            "header with an alien chunk only", notes: nil, isFaulty: true,
            B.header(tracks: 1) + B.ascii("XFIH") + B.big(1, 4) + B.bytes(0)),
        OddSong(
            "RIFF WAVE", notes: nil, isFaulty: true,
            B.ascii("RIFF") + B.little(36, 4) + B.ascii("WAVEfmt ") + [UInt8](repeating: 0, count: 32)),
        OddSong("RMID without data", notes: nil, isFaulty: true, B.ascii("RIFF") + B.little(4, 4) + B.ascii("RMID")),
        OddSong(
            "RMID that holds no song", notes: nil, isFaulty: true,
            B.ascii("RIFF") + B.little(16, 4) + B.ascii("RMIDdata") + B.little(4, 4) + B.bytes(1, 2, 3, 4)),
    ]
}
