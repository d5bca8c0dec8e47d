/// Song files byte by byte, 480 ticks to a quarter of half a second.
enum SongBytes {
    static let ticksPerSecond = 960

    /// A note of half a second, and the song's end with it.
    static let oneNote = song([note(60, ticks: 480) + end])
    /// Two tracks, an octave apart.
    static let twoTracks = song([note(60, ticks: 480) + end, note(72, ticks: 480) + end])
    /// Twenty bars of two seconds, a note at the beginning of each fourth, and a marker called Chorus on the seventeenth.
    static let twentyBars = song([
        (0..<5).flatMap { (four: Int) -> [UInt8] in
            let marker: [UInt8] = four == 4 ? [0x00, 0xFF, 0x06, 6] + Array("Chorus".utf8) : []
            return marker + note(60, ticks: 480) + quantity(7200) + [0xB0, 7, 100]
        } + end
    ])
    /// Eight bars in two thirds of a second.
    static let fastBars = song([meta(0x51, big(20_000, 3)) + note(60, ticks: 480 * 32) + end])
    /// A note that is never released, in a song of half a second.
    static let unendedNote = song([[0x00, 0x90, 60, 100] + quantity(480) + endEvent])
    /// Nothing for ten days.
    static let tenDays = song([
        (0..<4).flatMap { _ in quantity(10 * 86_400 / 4 * ticksPerSecond) + [0xB0, 7, 100] } + end
    ])
    /// Its track has no End of Track.
    static let damaged = song([note(60, ticks: 480)])
    /// Its title would clear a terminal.
    static let escapingTitle = song([[0x00, 0xFF, 0x03, 8] + Array("\u{1B}[2Jboo\n".utf8) + note(60, ticks: 480) + end])

    /// Two bars of 3/4 with everything that a file can say beside its notes; the first track has no name.
    static let told = song([
        meta(0x51, big(600_000, 3)) + meta(0x58, [3, 2, 24, 8]) + meta(0x59, [0xFD, 0])
            + meta(2, Array("(c) nobody".utf8)) + quantity(1440) + meta(0x51, big(1_200_000, 3)).dropFirst()
            + meta(6, Array("Verse".utf8)) + end,
        meta(3, Array("Piano".utf8)) + meta(5, Array("Ding ".utf8)) + note(60, ticks: 480)
            + meta(5, Array("dong\r".utf8)) + note(62, ticks: 960) + meta(5, Array("bell".utf8))
            + note(64, ticks: 1440) + end,
    ])

    private static func meta(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x00, 0xFF, type] + quantity(payload.count) + payload
    }

    static func song(_ tracks: [[UInt8]]) -> [UInt8] {
        Array("MThd".utf8) + big(6, 4) + big(tracks.count > 1 ? 1 : 0, 2) + big(tracks.count, 2) + big(480, 2)
            + tracks.flatMap { Array("MTrk".utf8) + big($0.count, 4) + $0 }
    }

    /// - Parameter channel: from 0.
    static func note(_ key: UInt8, velocity: UInt8 = 100, ticks: Int, channel: UInt8 = 0) -> [UInt8] {
        [0x00, 0x90 | channel, key, velocity] + quantity(ticks) + [0x80 | channel, key, 64]
    }

    /// A note on each quarter, and silence behind its middle.
    static func beats(_ count: Int, key: (Int) -> UInt8) -> [UInt8] {
        song([(0..<count).flatMap { quantity($0 == 0 ? 0 : 240) + note(key($0), ticks: 240).dropFirst() } + end])
    }

    static let end: [UInt8] = [0x00] + endEvent
    private static let endEvent: [UInt8] = [0xFF, 0x2F, 0x00]

    private static func quantity(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 255) }
    }
}
