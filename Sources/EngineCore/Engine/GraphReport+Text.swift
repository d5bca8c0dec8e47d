import Graph

extension GraphReport {
    /// A drawing for a terminal of `width` columns, 30...: units from the sources to the output, and under each where its
    /// sound goes. Units that are connected alike, as strips are, share a row.
    ///
    /// ```
    /// strip-1 ... strip-16   channel-strip, tail 0 s            12.3 %
    ///   |-> mixer            main, stereo
    ///   |~> reverb           reverb-send, stereo
    /// ```
    public func text(width: Int = 80) -> String {
        let width = max(width, 30)
        let groups = GraphGroups(self)
        let share = units.contains { $0.share != nil }
        // The names and arrows take no more than half of the width.
        let names = groups.rows.map(\.title.count) + groups.rows.flatMap { $0.ways.map { $0.target.count + 6 } }
        let left = min((names.max() ?? 0) + 3, width / 2)
        var lines = Self.wrapped(heading, first: "", indent: 2, width: width)
        for row in groups.rows {
            lines.append("")
            let percent = share ? Self.percent(row.share) : ""
            lines += Self.columns(row.title, row.facts.joined(separator: ", "), percent, left: left, width: width)
            for way in row.ways {
                lines += Self.columns(
                    "  |\(way.carriesMusic ? ":" : way.isSend ? "~" : "-")> \(way.target)", way.facts, "", left: left,
                    width: width)
            }
        }
        if let measurement { lines += [""] + Self.wrapped(measurement, first: "", indent: 2, width: width) }
        return lines.joined(separator: "\n")
    }

    /// A name on the left, words in the middle and a number at the right margin; text without room goes on below.
    private static func columns(
        _ name: String, _ facts: String, _ number: String, left: Int, width: Int
    ) -> [String] {
        var lines: [String] = []
        var first = name
        let isNarrow = width < 60 && left + facts.count + number.count + 2 > width
        if !facts.isEmpty && (name.count >= left || isNarrow) || name.count + number.count + 1 > width {
            lines = wrapped(name, first: "", indent: 6, width: width - (number.isEmpty ? 0 : number.count + 2))
            if !number.isEmpty { lines[0] = padded(lines[0], width - number.count) + number }
            if facts.isEmpty { return lines }
            first = ""
        }
        let room = width - (number.isEmpty || first.isEmpty ? 0 : number.count + 2)
        let indent = first.isEmpty ? min(left, 6) : left
        var below = wrapped(facts, first: padded(first, indent), indent: indent, width: room)
        if !number.isEmpty && !first.isEmpty { below[0] = padded(below[0], width - number.count) + number }
        return lines + below
    }

    /// Wraps `text` after `first`, in lines of at most `width` if no word is longer; later lines are indented.
    private static func wrapped(_ text: String, first: String, indent: Int, width: Int) -> [String] {
        var lines: [String] = [], line = first, isFresh = true
        for word in text.split(separator: " ") {
            if !isFresh && line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isFresh = true
            }
            // A name keeps the blanks that it begins with.
            if isFresh && lines.isEmpty && first.isEmpty { line += String(text.prefix { $0 == " " }) }
            line += (isFresh ? "" : " ") + word
            isFresh = false
        }
        return (lines + [line]).map(trimmed)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}
