/// Song files byte by byte, right or wrong, for tests. Imports nothing, so that other tools can take the file as it is.
enum SongBytes {
    /// A header chunk.
    static func header(format: Int = 1, tracks: Int, division: Int = 96, length: Int = 6) -> [UInt8] {
        ascii("MThd") + big(length, 4) + big(format, 2) + big(tracks, 2) + big(division, 2)
    }

    /// A track chunk whose length is right unless `declared` says otherwise.
    static func track(_ body: [UInt8], declared: Int? = nil) -> [UInt8] {
        ascii("MTrk") + big(declared ?? body.count, 4) + body
    }

    /// A song of one or more tracks, right in everything but what the bodies say.
    static func song(_ bodies: [UInt8]..., format: Int? = nil, division: Int = 96) -> [UInt8] {
        header(format: format ?? (bodies.count == 1 ? 0 : 1), tracks: bodies.count, division: division)
            + bodies.flatMap { track($0) }
    }

    static let end: [UInt8] = [0x00, 0xFF, 0x2F, 0x00]

    /// A note of `length` ticks, `delta` ticks after what came before.
    static func note(_ key: UInt8, delta: Int = 0, length: Int = 96, channel: UInt8 = 0) -> [UInt8] {
        quantity(delta) + [0x90 | channel, key, 100] + quantity(length) + [0x80 | channel, key, 64]
    }

    static func meta(_ type: UInt8, _ payload: [UInt8], delta: Int = 0) -> [UInt8] {
        quantity(delta) + [0xFF, type] + quantity(payload.count) + payload
    }

    static func tempo(_ microseconds: Int, delta: Int = 0) -> [UInt8] { meta(0x51, big(microseconds, 3), delta: delta) }

    /// F0 with its length; `payload` ends with F7 where the message does.
    static func systemExclusive(_ payload: [UInt8], delta: Int = 0) -> [UInt8] {
        quantity(delta) + [0xF0] + quantity(payload.count) + payload
    }

    static func escape(_ payload: [UInt8], delta: Int = 0) -> [UInt8] {
        quantity(delta) + [0xF7] + quantity(payload.count) + payload
    }

    /// A variable-length quantity, led by as many 80s as `padding` says.
    static func quantity(_ value: Int, padding: Int = 0) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return [UInt8](repeating: 0x80, count: padding) + bytes
    }

    /// What an array literal says, for long sums: of literals they are too much for Swift 6.2's type checker.
    static func bytes(_ bytes: UInt8...) -> [UInt8] { bytes }
    static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 255) }
    }
    static func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
}
