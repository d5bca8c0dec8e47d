import Carillon
import Testing

@testable import Sessions

/// Words with chords: plain, and as ChordPro.
@Suite struct ChordSheetTests {
    /// The sections with their lines: chords and words after a stroke, comments after a number sign.
    private func shown(_ text: String) throws -> [String] {
        try ChordSheet(text).sections.flatMap { section in
            ["<\(section.name)>"]
                + section.lines.map { line in
                    line.isComment ? "# \(line.words)" : line.chords.isEmpty ? line.words : "\(line.chords)|\(line.words)"
                }
        }
    }

    @Test(arguments: [
        ("one\ntwo\n\n\nthree\n", ["<>", "one", "two", "<>", "three"]),
        ("[C]One [G7/B]line [in brackets]", ["<>", "C   G7/B|One line [in brackets]"]),
        // A chord that has no room within a word goes on; between words the words do.
        ("[C#m7]A [Dm]b[Em]cd", ["<>", "C#m7 Dm Em|A    bcd"]), ("[Am] [F]", ["<>", "Am F|"]),
        ("[Chorus]\nla\n\n[A]\nlo\n[Verse 1]", ["<Chorus>", "la", "<>", "A|", "lo", "<Verse 1>"]),
        (
            "{title: T}\n# no line\n{sov}\na\n\nb\n{eov}\n{start_of_chorus: Refrain}\nc\n{end_of_chorus}\n{c: twice}\n{define: x}",
            ["<verse>", "a", "", "b", "<Refrain>", "c", "<>", "# twice"]
        ),
        (
            "{soc}\n[F]la\n{eoc}\n{start_of_verse: label=\"Verse 2\"}\nb\n{eov}\n{chorus}\n{capo: 2}",
            ["<chorus>", "F|la", "<Verse 2>", "b", "<chorus>", "F|la", "<>", "# capo 2"]
        ),
        ("{sot}\n#-[3]-|\n{eot}", ["<tab>", "#-[3]-|"]), ("", []), ("{", ["<>", "{"]),
    ]) func aTextIsShownInItsSections(_ text: String, _ sections: [String]) throws {
        #expect(try shown(text) == sections)
        #expect(try shown(text.replacing("\n", with: "\r\n")) == sections)
    }

    @Test func whatIsTooLongIsRefused() throws {
        #expect(try ChordSheet("{t: Song}\na").title == "Song")
        for text in [String(repeating: "x\n", count: 1001), String(repeating: "x", count: 65_537)] {
            #expect(throws: Fault.longText) { try ChordSheet(text) }
        }
        #expect(try ChordSheet(String(repeating: "x", count: 60_000)).sections[0].lines[0].words.count == 400)
    }

    /// Parts by name, the second of a name with the second section; of stanzas by their order.
    @Test(arguments: [
        (
            "[Verse]\na\n\n[Chorus]\nb\n\n[Verse]\nc", ["verse", "chorus", "verse", "chorus", "coda"], ["a", "b", "c", "b", "-"],
            ["coda"]
        ),
        ("a\n\nb", ["verse", "chorus", "coda"], ["a", "b", "-"], ["coda"]), ("a\n\nb", [], ["1 a", "2 b"], []),
        ("{soc}\na\n{eoc}", [], ["chorus a"], []), ("", ["verse"], ["-"], []),
    ]) func partsHaveTheirLines(_ text: String, _ parts: [String], _ lines: [String], _ missing: [String]) throws {
        let sheet = EntrySheet(try ChordSheet(text), parts: parts.map { SetList.Part(name: $0) })
        let shown = sheet.parts.map { part in
            (parts.isEmpty ? "\(part.part.name) " : "") + (part.lines.first?.words ?? "-")
        }
        #expect(shown == lines && sheet.missing == missing)
    }
}
