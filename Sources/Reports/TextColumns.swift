/// Text in columns of a terminal: how wide it is, cut, padded, and broken into lines.
package enum TextColumns {
    /// Columns that `text` takes on a terminal.
    package static func count(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + count($1) } }

    /// Returns the beginning of `text` that fits in `limit` columns, and the number of columns it takes.
    package static func fitting(_ text: String, columns limit: Int) -> (text: String, columns: Int) {
        var fitting = "", used = 0
        for character in text {
            let width = count(character)
            if used + width > limit { break }
            fitting.append(character)
            used += width
        }
        return (fitting, used)
    }

    /// `text` with blanks after it; a longer one stays as it is.
    package static func padded(_ text: String, to columns: Int) -> String { text + blanks(columns - count(text)) }

    /// `text` with blanks before it; a longer one stays as it is.
    package static func rightAligned(_ text: String, to columns: Int) -> String { blanks(columns - count(text)) + text }

    /// `text` without the blanks at its end.
    package static func trimmed(_ text: String) -> String { String(text.dropLast(text.reversed().prefix { $0 == " " }.count)) }

    /// The words of `text` after `first`, in lines of at most `columns` if no word is longer. Lines after the first are
    /// indented. Blanks at the beginning and between words stay, except where a line ends.
    package static func lines(_ text: some StringProtocol, columns: Int, first: String = "", indent: Int = 0) -> [String] {
        let lead = text.prefix { $0 == " " }
        var lines: [String] = [], line = first.isEmpty ? String(lead) : first, isFresh = true
        for word in text.dropFirst(lead.count).split(separator: " ", omittingEmptySubsequences: false) {
            if !isFresh, count(line) + 1 + count(word) > columns {
                lines.append(trimmed(line))
                line = blanks(indent)
                isFresh = true
            }
            if isFresh && word.isEmpty { continue }
            line += (isFresh ? "" : " ") + word
            isFresh = false
        }
        return lines + [trimmed(line)]
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }

    /// East Asian characters and pictures take two. Of characters about which terminals differ the greater width is
    /// taken: a line may end early and must never wrap.
    private static func count(_ character: Character) -> Int {
        character.unicodeScalars.contains { isWide($0.value) } ? 2 : 1
    }

    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2300...0x23FF, 0x2600...0x27BF, 0x2B00...0x2BFF, 0x2E80...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE0F...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_0000...0x10_FFFF:
            true
        default: false
        }
    }
}
