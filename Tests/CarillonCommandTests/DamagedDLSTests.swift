import TestFolders
import Testing

/// DLS files with something wrong in every one of their instruments: told once, not once for each.
///
/// A reader that libfluidsynth brings along wrote 37 000 lines about one.
@Suite struct DamagedDLSTests {
    private static let count = 300

    /// Three hundred instruments: all keys upside down, waves that are not there, articulations cut short.
    private static func files() -> [(name: String, bytes: [UInt8])] {
        var font = TinyDLS()
        font.instruments = (0..<count).map { ($0 / 128, $0 % 128) }
        var keys = font
        keys.keys = (127, 0)
        let whole = font.bytes
        return [
            ("keys.dls", keys.bytes), ("waves.dls", exchanged(whole, "wlnk") { $0[8] = 0xFF }),
            ("regions.dls", exchanged(whole, "rgnh") { $0[0] = 0xFF }), ("names.dls", exchanged(whole, "INAM") { $0[0] = 0x7F }),
            ("half.dls", Array(whole.prefix(whole.count / 2))),
        ]
    }

    /// Behind every chunk's name something is another; the longest that is touched has twelve bytes.
    private static func exchanged(_ bytes: [UInt8], _ name: String, _ change: (inout ArraySlice<UInt8>) -> Void) -> [UInt8] {
        var bytes = bytes
        let name = Array(name.utf8)
        for at in 0..<bytes.count - 20 where bytes[at] == name[0] && Array(bytes[at..<at + 4]) == name {
            var body = ArraySlice(Array(bytes[at + 4..<at + 20]))
            change(&body)
            bytes.replaceSubrange(at + 4..<at + 20, with: body)
        }
        return bytes
    }

    @Test func whatIsWrongInEveryInstrumentIsToldInAFewLines() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        for file in Self.files() {
            folder.add(file.name, file.bytes)
            let shown = Program.run(["soundfont", file.name], in: folder)
            #expect(
                [0, 65].contains(shown.exitCode) && shown.errorLines.count < 20, "\(file.name): \(shown.errors.prefix(2_000))")
            for instrument in ["sampler", "fluidsynth"] {
                let run = Program.run(
                    ["render", "one.mid", "--instrument", instrument, "--soundfont", file.name, "--tail", "exact", "--force"],
                    in: folder)
                #expect(
                    [0, 65, 66].contains(run.exitCode) && run.errorLines.count < 20,
                    "\(file.name), \(instrument): exit code \(run.exitCode), \(run.errors.prefix(2_000))")
            }
        }
    }
}
