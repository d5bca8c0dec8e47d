/// Songs of which a byte or a length was damaged, and that players of the trade still play: `OddSong`s whose notes are
/// all there but those that the damage itself hit.
enum DamagedSongs {
    private typealias B = SongBytes

    /// Sixteen notes behind a title, a tempo and a program, as sequencers write them: 96 ticks to a quarter.
    static let title = B.meta(3, B.ascii("Old Piano"))
    static let notes: [UInt8] = (0..<16).flatMap { B.note(UInt8(60 + $0), delta: 4) }
    static let music = B.tempo(500_000) + B.bytes(0, 0xC0, 5) + notes + B.end
    static let sound = B.song(title + music)
    /// The track `music`, but for the last note-off's velocity.
    static let loud: [UInt8] = Array(music.dropLast(5)) + B.bytes(0xC0) + B.end
    /// Notes of one status, with a rest whose delta time looks like another and its key; so do those behind it.
    static let rests: [UInt8] = {
        var rests: [UInt8] = [0, 0x90, 59, 100, 4, 59, 0, 0x81]
        for note in UInt8(60)..<71 { rests += [0x90, 0x30, note, 100, 0x81, 0x40, note, 0] }
        return rests
    }()

    static let all: [OddSong] = [
        OddSong(
            "track length of 0", notes: 16, isFaulty: true,
            B.header(format: 0, tracks: 1) + B.track(title + music, declared: 0)),
        OddSong(
            "track length of 0, more tracks", notes: 32, isFaulty: true,
            B.header(tracks: 2) + B.track(title + music, declared: 0) + B.track(music)),
        OddSong(
            "track length of 0 and a damaged first event", notes: 16, isFaulty: true,
            B.header(format: 0, tracks: 1) + B.track(B.bytes(0, 0x7F) + title.dropFirst(2) + music, declared: 0)),
        OddSong(
            "track length that ends between two notes", notes: 32, isFaulty: true,
            B.header(tracks: 2) + B.track(title + music, declared: title.count + 7 + 3 + 8) + B.track(music)),
        damaged("text without its status", at: 1, to: 0x7F),
        damaged("text that is a clock", at: 1, to: 0xFE),
        damaged("text longer than the track", at: 3, to: 0xFF),
        damaged("text that swallows events", at: 3, to: 30),
        damaged("text shorter than it is", at: 3, to: 4),
        damaged("delta time that swallows a status", at: 0, to: 0x81),
        OddSong(
            "nothing behind a broken delta time", notes: 3, isFaulty: true,
            B.song(B.note(60) + B.bytes(0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80), B.note(64) + B.note(67) + B.end)),
        // A note-on of the middle and the delta time before it.
        damaged("delta time that swallows a note-on", at: title.count + 10 + 9 * 8, to: 0xFF),
        damaged("note-on that is a data byte", at: title.count + 10 + 9 * 8 + 1, to: 0x10, notes: 15),
        OddSong(
            "delta time of days", notes: 16, isFaulty: false,
            B.song(title + B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + music.dropFirst())),
        OddSong(
            "delta time of days in one of two tracks", notes: 32, isFaulty: false,
            B.song(title + music, B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + music.dropFirst())),
        OddSong(
            "delta time of days before End of Track", notes: 16, isFaulty: false,
            B.song(title + music.dropLast(4) + B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + B.end.dropFirst())),
        OddSong(
            "delta time of days in an SMPTE division", notes: 16, isFaulty: false,
            B.song(title + B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + music.dropFirst(), division: 0xE728)),
        OddSong(
            "delta time of days, a velocity above 127", notes: 16, isFaulty: true,
            B.song(title + B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + loud.dropFirst())),
        OddSong(
            "delta time of days in one of two tracks, a velocity above 127", notes: 32, isFaulty: true,
            B.song(title + music, B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + loud.dropFirst())),
        OddSong("long rest in running status", notes: 12, isFaulty: false, B.song(rests + B.end)),
        OddSong("long rest in running status, no End of Track", notes: 12, isFaulty: true, B.song(rests)),
        OddSong(
            "long rest in running status, a velocity above 127", notes: 12, isFaulty: true,
            B.song(B.bytes(0, 0x90, 59, 0x85, 4, 59, 0) + rests.dropFirst(7) + B.end)),
        OddSong(
            "long rest in running status, a length too great", notes: 12, isFaulty: true,
            B.header(format: 0, tracks: 1) + B.track(rests + B.end, declared: 5_000)),
        OddSong(
            "two hours of silence that end on a quarter", notes: 16, isFaulty: false,
            B.song(title + B.quantity(2 * 3600 * 192) + music.dropFirst())),
        OddSong(
            "two pauses of days", notes: 17, isFaulty: false,
            B.song(B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + B.note(60).dropFirst() + B.bytes(0xFF, 0xFF, 0xFF, 0x7F) + music.dropFirst())
        ),
        OddSong("SMPTE offset", notes: 16, isFaulty: false, B.song(B.meta(0x54, [0x61, 59, 59, 29, 99]) + music)),
        OddSong("SMPTE offset of hour 24", notes: 16, isFaulty: true, B.song(B.meta(0x54, [24, 0, 0, 0, 0]) + music)),
        OddSong(
            "SMPTE offset of frame 25 of 25", notes: 16, isFaulty: true,
            B.song(B.meta(0x54, [0x20, 0, 0, 25, 0]) + music)),
        OddSong("SMPTE offset of four bytes", notes: 16, isFaulty: true, B.song(B.meta(0x54, [0, 0, 0, 0]) + music)),
        OddSong("End of Track of no end", notes: 16, isFaulty: true, B.song(title + music.dropLast() + B.bytes(0x7F))),
        OddSong(
            "System Exclusive never closed, a text behind it", notes: 16, isFaulty: true,
            B.song(B.systemExclusive([0x7E, 0x7F, 9, 1]) + B.meta(1, B.ascii("later"), delta: 20) + music)),
        OddSong("header that announces no tracks", notes: 0, isFaulty: false, B.header(tracks: 0)),
        OddSong("header that announces no tracks, and junk", notes: nil, isFaulty: true, B.header(tracks: 0) + B.bytes(1, 2, 3)),
    ]

    /// The song with one byte of its track replaced.
    private static func damaged(_ name: String, at offset: Int, to byte: UInt8, notes: Int = 16) -> OddSong {
        var bytes = sound
        bytes[B.header(tracks: 1).count + 8 + offset] = byte
        return OddSong(name, notes: notes, isFaulty: true, bytes)
    }
}
