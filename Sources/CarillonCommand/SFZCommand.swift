import ArgumentParser
import Carillon

/// `carillon sfz`: the opcodes of SFZ, from the table by which they are read.
struct SFZCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sfz", abstract: "List the opcodes of SFZ: what each does, or why it is not followed.",
        discussion: """
            carillon soundfont FILE.sfz lists what of a file is not followed.

            Examples:
              carillon sfz
              carillon sfz --markdown
            """)

    @Flag(help: "Print Markdown, as in the documentation's reference.")
    var markdown = false

    func run() throws { try StandardOutput.print(markdown ? Self.markdown : Self.lines.joined(separator: "\n")) }

    private static var lines: [String] {
        let width = SFZOpcode.table.reduce(0) { max($0, $1.name.count) }
        return SFZOpcode.table.map { row in
            let name = row.name + String(repeating: " ", count: width - row.name.count)
            let version = row.version.rawValue + String(repeating: " ", count: 5 - row.version.rawValue.count)
            return "\(name)  \(version)  \(row.reason.map { "not followed: \($0)" } ?? row.meaning)"
        }
    }

    /// The table as a page of the reference.
    static var markdown: String {
        let rows = SFZOpcode.table.map { row in
            "| `\(row.name)` | \(row.version.rawValue) | \(row.reason.map { "not followed: \($0)" } ?? row.meaning) |"
        }
        return """
            # SFZ

            The opcodes of SFZ that Carillon's sampler knows: what each does, or why it is not followed. `N` is a number.

            `carillon soundfont FILE.sfz` lists what of a file is not followed; so do the remarks of `render`, `play` and `live`
            (<doc:Remarks>). Other spellings of a name are understood: `loopmode`, `cutoff_cc1`, `ampeg_releasecc72`, `gain`.

            - Headers: `<control>`, `<global>`, `<master>`, `<group>`, `<region>`, `<curve>`, `<effect>`
              (<doc:EffectsOfSFZFiles>); `#include` and `#define`; `//` and `/* */`. File names are found in other letters of
              upper and lower case, with a remark.
            - Controllers from 128 on are the bend wheel, the pressure of the channel and of the key, the velocity, that of the
              release, the key, whether another is down, chance from 0 to 1 and from -1 to 1, every other note (128 to 137), and
              the distance from the key before, with its sign and without (140, 141).
            - Controllers 7, 10 and 11 are volume, pan and expression, unless a file uses them. A controller that no message has
              moved has the value of `set_ccN`, or 0.
            - Chance and turns come from counters: a song sounds alike each time, for any block and any number of threads.
            - A voice has up to 64 modulations by controllers, eight oscillators and six envelopes beside that of the level.

            Made by `carillon sfz --markdown`; a test compares.

            | opcode | from | |
            |---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }
}
