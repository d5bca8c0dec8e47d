import Reports

/// The lines for the terminal, each with its rank for when not all have room.
struct Screen {
    /// Columns in front of a line's text.
    static let label = 10

    let columns: Int
    let style: ScreenStyle
    private var blocks: [(rank: Int, lines: [ScreenLine])] = []

    init(columns: Int, style: ScreenStyle) {
        self.columns = max(columns, 1)
        self.style = style
    }

    /// Returns the lines to show, in at most `rows` rows: the blocks of the highest rank are dropped first. What is left of one
    /// ends with the number of its lines that have no room.
    func lines(rows: Int = .max) -> [ScreenLine] {
        var kept = blocks.map { (rank: $0.rank, lines: $0.lines, missing: 0) }
        while kept.reduce(0, { $0 + $1.lines.count }) > rows, let last = kept.map(\.rank).max() {
            let index = kept.lastIndex { $0.rank == last } ?? kept.endIndex - 1
            if kept[index].lines.count > 1 {
                kept[index].lines.removeLast()
                kept[index].missing += 1
            } else {
                kept.remove(at: index)
            }
        }
        return kept.flatMap { block in
            var lines = block.lines
            if block.missing > 0 {
                let sign = "  +\(block.missing) \(block.missing == 1 ? "line" : "lines")"
                var end = lines[lines.count - 1].prefix(columns: max(columns - sign.count, 0))
                end.add(sign, .dim)
                lines[lines.count - 1] = end
            }
            return lines.map { $0.prefix(columns: columns) }
        }
    }

    var room: Int { max(columns - Self.label, 1) }

    mutating func add(_ label: String, _ line: ScreenLine, rank: Int) {
        var whole = ScreenLine(Self.padded(label, to: Self.label), .dim)
        whole.add(line)
        blocks.append((rank, [whole]))
    }

    mutating func add(_ label: String, lines: [ScreenLine], rank: Int) {
        blocks.append(
            (
                rank,
                lines.enumerated().map { number, line in
                    var whole = ScreenLine(Self.padded(number == 0 ? label : "", to: Self.label), .dim)
                    whole.add(line)
                    return whole
                }
            ))
    }

    /// Lines over the whole width, without a label.
    mutating func add(whole lines: [ScreenLine], rank: Int) { if !lines.isEmpty { blocks.append((rank, lines)) } }

    mutating func add(_ label: String, sentence: String, _ style: ScreenLine.Style = .plain, rank: Int) {
        let words = self.style.shown(sentence).split(separator: " ").map { ScreenLine(String($0), style) }
        add(label, items: words, limit: 4, gap: 1, rank: rank)
    }

    /// With `gap` columns between, as many on a line as have room, on `limit` lines; then the number of those left out.
    mutating func add(_ label: String, items: [ScreenLine], limit: Int = 3, gap columnsBetween: Int = 2, rank: Int) {
        var lines: [ScreenLine] = [ScreenLine()], used = 0
        for (index, item) in items.enumerated() {
            let gap = lines[lines.count - 1].columns == 0 ? 0 : columnsBetween
            let isLast = index == items.count - 1
            // On the last line there must be room left for the number of missing items.
            let reserve = lines.count == limit && !isLast ? "  +\(items.count - index - 1)".count : 0
            if gap > 0, lines[lines.count - 1].columns + gap + item.columns + reserve > room {
                if lines.count == limit { break }
                lines.append(ScreenLine())
            } else {
                lines[lines.count - 1].add(String(repeating: " ", count: gap))
            }
            lines[lines.count - 1].add(item)
            used += 1
        }
        if used < items.count {
            let missing = "  +\(items.count - used)"
            lines[lines.count - 1] = lines[lines.count - 1].prefix(columns: max(room - missing.count, 0))
            lines[lines.count - 1].add(missing, .dim)
        }
        add(label, lines: lines, rank: rank)
    }

    /// A bar of `columns` columns: full up to `value`, half full up to `further`; both 0...1.
    func bar(_ value: Double, further: Double = 0, columns: Int) -> String {
        let end = Self.cells(value, of: columns), second = max(Self.cells(further, of: columns), end)
        return String(repeating: style.full, count: end) + String(repeating: style.between, count: second - end)
            + String(repeating: " ", count: columns - second)
    }

    static func cells(_ value: Double, of columns: Int) -> Int {
        value.isFinite ? Int((min(max(value, 0), 1) * Double(columns)).rounded()) : 0
    }

    /// `text` followed by blanks, or cut.
    static func padded(_ text: String, to columns: Int) -> String {
        TextColumns.padded(TextColumns.fitting(text, columns: columns).text, to: columns)
    }
}
