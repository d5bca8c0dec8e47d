/// Keeps some lines of a terminal up to date, below the lines that were printed before. Only lines that have changed are
/// written. The cursor rests below the last line.
struct ScreenPainter {
    private let hasColour: Bool
    private var drawn: [ScreenLine] = []
    private var columns = 0
    private var isWhole = false

    init(hasColour: Bool) { self.hasColour = hasColour }

    /// Returns what to write so that `lines` are shown, on a terminal with `columns` columns; empty if nothing has changed.
    mutating func update(_ lines: [ScreenLine], columns: Int) -> String {
        defer { (drawn, self.columns, isWhole) = (lines, columns, false) }
        if isWhole { return "\u{1B}[H\u{1B}[2J" + lines.map { "\(encoded($0))\r\n" }.joined() }
        if drawn.isEmpty || columns != self.columns || lines.count < drawn.count {
            return erased(columns: columns) + lines.map { "\(encoded($0))\u{1B}[K\r\n" }.joined()
        }
        var text = "", row = drawn.count
        for (index, line) in lines.enumerated() where index >= drawn.count || line != drawn[index] {
            // New lines are at the cursor, old ones above it.
            text += Self.moved(from: row, to: index)
            text += index < drawn.count ? changed(line, from: drawn[index]) : encoded(line) + "\u{1B}[K"
            text += "\r\n"
            row = index + 1
        }
        return text + Self.moved(from: row, to: lines.count)
    }

    mutating func erase(columns: Int) -> String {
        defer { drawn = [] }
        return erased(columns: columns)
    }

    /// Leaves the lines there for good, because the cursor is elsewhere now: the next `update` draws below them.
    mutating func forget() { drawn = [] }

    /// The window's size has changed, and the places of lines are not known.
    mutating func repaint() { isWhole = true }

    private func encoded(_ line: ScreenLine) -> String { line.encoded(hasColour: hasColour) }

    /// Terminals that have become narrower break the lines that were there.
    private func erased(columns: Int) -> String {
        let rows = drawn.reduce(0) { $0 + max(($1.columns + max(columns, 1) - 1) / max(columns, 1), 1) }
        return drawn.isEmpty ? "" : Self.moved(from: rows, to: 0) + "\u{1B}[J"
    }

    /// Pieces at the beginning that are the same are left unchanged, if their width is beyond doubt.
    private func changed(_ line: ScreenLine, from old: ScreenLine) -> String {
        var same = 0, skipped = 0
        for (new, old) in zip(line.spans, old.spans) {
            guard new == old, new.text.utf8.allSatisfy({ $0 < 0x80 }) else { break }
            same += 1
            skipped += new.text.utf8.count
        }
        let rest = line.spans[same...].reduce(into: ScreenLine()) { $0.add($1.text, $1.style) }
        let shrinks = line.columns < old.columns ? "\u{1B}[K" : ""
        return (skipped > 0 ? "\u{1B}[\(skipped)C" : "") + encoded(rest) + shrinks
    }

    private static func moved(from row: Int, to target: Int) -> String {
        switch target - row {
        case 0: ""
        case let rows where rows < 0: "\u{1B}[\(-rows)A\r"
        case let rows: "\u{1B}[\(rows)B\r"
        }
    }
}
