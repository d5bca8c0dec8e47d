import Reports

extension GraphReport {
    /// Returns a drawing for a terminal of `width` columns, 30...: units from the sources to the output, and under each where
    /// its sound goes. Units that are connected alike, as strips are, share a row.
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
        var lines = TextColumns.lines(heading, columns: width, indent: 2)
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
        if let measurement { lines += [""] + TextColumns.lines(measurement, columns: width, indent: 2) }
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
            lines = TextColumns.lines(name, columns: width - (number.isEmpty ? 0 : number.count + 2), indent: 6)
            if !number.isEmpty { lines[0] = TextColumns.padded(lines[0], to: width - number.count) + number }
            if facts.isEmpty { return lines }
            first = ""
        }
        let room = width - (number.isEmpty || first.isEmpty ? 0 : number.count + 2)
        let indent = first.isEmpty ? min(left, 6) : left
        var below = TextColumns.lines(facts, columns: room, first: TextColumns.padded(first, to: indent), indent: indent)
        if !number.isEmpty && !first.isEmpty { below[0] = TextColumns.padded(below[0], to: width - number.count) + number }
        return lines + below
    }
}
