import Testing

@testable import SoundFonts

/// Faults of DLS files that libinstpatch does not survive; each was found by `tools/fuzz`.
@Suite struct DLSCollectionTests {
    /// One instrument, one region, one wave of 300 frames.
    private static let bytes: [UInt8] = {
        let region = list(
            "rgn ",
            chunk("rgnh", [0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 0, 0])
                + chunk("wlnk", [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
        let format: [UInt8] = [1, 0, 1, 0, 0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0]
        let frames = (0..<600).map { UInt8(truncatingIfNeeded: $0 * 37) }
        return chunk(
            "RIFF",
            Array("DLS ".utf8) + chunk("colh", [1, 0, 0, 0])
                + list("lins", list("ins ", chunk("insh", [1] + [UInt8](repeating: 0, count: 11)) + list("lrgn", region)))
                + chunk("ptbl", [8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
                + list("wvpl", list("wave", chunk("fmt ", format) + chunk("data", frames))))
    }()

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
    }

    private static func list(_ form: String, _ body: [UInt8]) -> [UInt8] { chunk("LIST", Array(form.utf8) + body) }

    /// Where the chunk's name stands.
    private func place(of name: String) throws -> Int {
        try #require((0..<Self.bytes.count - 4).first { Self.bytes[$0..<$0 + 4].elementsEqual(name.utf8) })
    }

    /// What becomes of the file when `bytes` stand `offset` bytes behind the beginning of the chunk `name`.
    private func error(_ name: String, _ offset: Int, _ bytes: [UInt8]) throws -> SoundFontError? {
        var damaged = Self.bytes
        let at = try place(of: name) + offset
        damaged.replaceSubrange(at..<at + bytes.count, with: bytes)
        return try TinySoundFont.write(damaged) { path in
            do throws(SoundFontError) {
                _ = try SoundFontFile(path: path)
                return nil
            } catch { return error }
        }
    }

    @Test func aWholeFileIsTaken() throws { #expect(try error("colh", 0, []) == nil) }

    @Test func aRegionNamesAnEntryOfThePoolTable() throws {
        guard case .index(_, "wlnk", _, 0, 1, 0...0)? = try error("wlnk", 16, [1]) else {
            return #expect(Bool(false), "entry 1 of a table of one entry was taken")
        }
    }

    @Test func anEntryOfThePoolTableNamesTheBeginningOfAWave() throws {
        guard case .index(_, "ptbl", _, 0, 2, 0...0)? = try error("ptbl", 16, [2]) else {
            return #expect(Bool(false), "a cue into the middle of a wave was taken")
        }
    }

    @Test func aWaveHasARateThatCanBePlayed() throws {
        guard case .value(_, "fmt ", _, "rate of wave 0", 0x7F00_5622, _)? = try error("fmt ", 15, [0x7F]) else {
            return #expect(Bool(false), "two thousand megahertz were taken")
        }
    }

    @Test(arguments: ["insh", "rgnh", "wlnk", "fmt ", "data"])
    func listsHoldWhatTheyMust(name: String) throws {
        guard case .missingChunk(_, name, _, _)? = try error(name, 0, Array("none".utf8)) else {
            return #expect(Bool(false), "a file without \(name) was taken")
        }
    }
}
