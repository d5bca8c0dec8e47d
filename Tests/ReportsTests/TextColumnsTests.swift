import Reports
import Testing

/// Text that fits columns.
@Suite struct TextColumnsTests {
    @Test(arguments: [("", 0), ("abc", 3), ("Größe", 5), ("音量", 4), ("e\u{301}", 1)])
    func aTextHasItsWidth(_ text: String, _ columns: Int) {
        #expect(TextColumns.count(text) == columns)
        #expect(TextColumns.padded(text, to: 6).hasPrefix(text) && TextColumns.count(TextColumns.padded(text, to: 6)) == 6)
        #expect(TextColumns.rightAligned(text, to: 6) == String(repeating: " ", count: 6 - columns) + text)
        #expect(TextColumns.fitting(text, columns: 3).columns <= 3)
    }

    @Test func aLongTextStaysWholeIfItIsPadded() { #expect(TextColumns.padded("volume", to: 3) == "volume") }

    @Test(arguments: 4...40) func linesHaveAllWordsAndNoneIsTooWide(_ columns: Int) {
        let text = "  a reverb  that 音量 is as-long-as-nothing-else and dry"
        let lines = TextColumns.lines(text, columns: columns, indent: 2)
        #expect(lines.joined(separator: " ").split(separator: " ") == text.split(separator: " "))
        #expect(lines[0].hasPrefix("  a") && lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
        for line in lines { #expect(TextColumns.count(line) <= columns || line.split(separator: " ").count == 1, "\(line)") }
        #expect(lines.allSatisfy { $0.last != " " })
    }

    @Test func blanksStayWhereNoLineEnds() {
        #expect(TextColumns.lines("inputs: a   outputs: b", columns: 40) == ["inputs: a   outputs: b"])
        #expect(TextColumns.lines("one two", columns: 5, first: "x ", indent: 2) == ["x one", "  two"])
        #expect(TextColumns.lines("", columns: 9) == [""])
    }
}
