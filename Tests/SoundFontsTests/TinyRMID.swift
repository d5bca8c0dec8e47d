import Glibc

/// Builds song files (RMID) with SoundFonts in them.
struct TinyRMID {
    var song = TinyRMID.song([(0, 0)])
    /// What lies behind the song; nil: nothing.
    var bank: [UInt8]?
    /// What the chunk `DBNK` says; nil: there is none.
    var offset: [UInt8]?
    /// Whether the bank lies behind the file's RIFF chunk instead of in it.
    var isOutside = false
    /// Whether lengths that are odd are made even.
    var isPadded = true

    var bytes: [UInt8] {
        let information = Array("INFO".utf8) + chunk("INAM", Array("Tiny\0\0".utf8)) + (offset.map { chunk("DBNK", $0) } ?? [])
        let inside = Array("RMID".utf8) + chunk("data", song) + chunk("LIST", information)
        return chunk("RIFF", inside + (isOutside ? [] : bank ?? [])) + (isOutside ? bank ?? [] : [])
    }

    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let length = (0..<4).map { UInt8(body.count >> (8 * $0) & 255) }
        return Array(name.utf8) + length + body + (body.count % 2 == 1 && isPadded ? [0] : [])
    }

    /// A song that chooses these sounds one after the other, each with so many notes of half a second.
    static func song(_ sounds: [(bank: UInt8, program: UInt8)], channel: UInt8 = 0, key: UInt8 = 69, repeats: Int = 1) -> [UInt8]
    {
        var track: [UInt8] = []
        for sound in sounds {
            track += [0, 0xB0 | channel, 0, sound.bank, 0, 0xC0 | channel, sound.program]
            for _ in 0..<repeats { track += [0, 0x90 | channel, key, 100, 0x83, 0x60, 0x80 | channel, key, 0] }
        }
        track += [0, 0xFF, 0x2F, 0]
        var song = Array("MThd".utf8)
        song += [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
        song += Array("MTrk".utf8)
        song += (0..<4).map { (byte: Int) -> UInt8 in UInt8(track.count >> (24 - 8 * byte) & 255) }
        return song + track
    }

    /// Writes the file under a name of its own and gives the path to `body`.
    @discardableResult func write<R>(_ body: (String) throws -> R) throws -> R { try TinySoundFont.write(bytes, body) }
}
