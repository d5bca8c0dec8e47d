import UnitAPI

extension GraphReport {
    /// The graph as a drawing in SVG: columns from the sources to the output, a box for each unit with its share of the render
    /// time as a bar, a line for each way, dashed for sends. Each line shows its connections when the pointer rests on it.
    public var svg: String {
        let drawing = GraphDrawing(self, size: size)
        let width = max(drawing.width, 2 * GraphDrawing.margin + heading.count * 9)
        let height = drawing.height + (drawing.backward.isEmpty ? 0 : 24)
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="sans-serif">
            """,
            "<title>\(XMLText.escaped(heading))</title>", Self.style,
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
            "<text class=\"name\" x=\"\(GraphDrawing.margin)\" y=\"32\">\(XMLText.escaped(heading))</text>",
        ]
        lines += drawing.lines.map { path($0) }
        lines += drawing.frames.keys.compactMap { slot in if case .passage(_, _) = slot { slot } else { nil } }
            .sorted { "\($0)" < "\($1)" }.map { passage($0, drawing) }
        lines += drawing.backward.map { back($0, drawing) }
        for index in units.indices {
            if let frame = drawing.frames[.unit(index)] { lines += box(units[index], frame) }
        }
        if let frame = drawing.frames[.output] { lines += outputBox(frame) }
        // Labels last: nothing lies on them.
        lines += labels(drawing)
        if let measurement {
            lines.append(
                "<text class=\"fact\" x=\"\(GraphDrawing.margin)\" y=\"\(height - 12)\">\(XMLText.escaped(measurement))</text>")
        }
        return (lines + ["</svg>"]).joined(separator: "\n")
    }

    private static let style = """
        <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
        markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#44546a"/></marker></defs>
        <style>.name{font-size:14px;font-weight:bold;fill:#1d2733}.fact{font-size:11px;fill:#44546a}\
        .way{font-size:11px;fill:#2b3a4a;stroke:#fff;stroke-width:3px;paint-order:stroke;text-anchor:end}\
        .line{fill:none;stroke:#44546a;stroke-width:1.4}.many{stroke-width:2.6}\
        .send{stroke:#b07a1e;stroke-dasharray:6 4}\
        .music{stroke:#b03a48;stroke-dasharray:1 4;stroke-linecap:round}</style>
        """

    private func size(_ slot: GraphDrawing.Slot) -> (width: Int, height: Int) {
        switch slot {
        case .passage: (0, 20)
        case .output: (Self.room("output", [outputFacts]), 46)
        case .unit(let index):
            (
                Self.room(units[index].name, units[index].facts),
                30 + 15 * units[index].facts.count + (units[index].share == nil ? 0 : 8)
            )
        }
    }

    /// Fonts differ: letters are taken for wide ones.
    private static func room(_ name: String, _ facts: [String]) -> Int {
        24 + max(name.count * 9, (facts.map(\.count).max() ?? 0) * 7)
    }

    private func box(_ unit: Unit, _ frame: GraphDrawing.Frame) -> [String] {
        let dash = unit.isBypassed ? " stroke-dasharray=\"4 3\"" : ""
        var lines = [
            """
            <rect x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" height="\(frame.height)" rx="6" \
            fill="\(Self.color(unit.role))" stroke="#44546a"\(dash)/>
            """
        ]
        let bar = unit.share == nil ? 0 : 8
        var y = frame.middle - (30 + 15 * unit.facts.count + bar) / 2 + 20
        lines.append(Self.text("name", frame.x + 12, y, unit.name))
        for fact in unit.facts {
            y += 15
            lines.append(Self.text("fact", frame.x + 12, y, fact))
        }
        if let share = unit.share {
            let whole = frame.width - 24, part = Int((Double(whole) * share).rounded())
            lines.append("<rect x=\"\(frame.x + 12)\" y=\"\(y + 6)\" width=\"\(whole)\" height=\"4\" fill=\"#0001\"/>")
            lines.append("<rect x=\"\(frame.x + 12)\" y=\"\(y + 6)\" width=\"\(part)\" height=\"4\" fill=\"#c0504d\"/>")
        }
        return lines
    }

    private func outputBox(_ frame: GraphDrawing.Frame) -> [String] {
        [
            """
            <rect x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" height="\(frame.height)" \
            rx="\(frame.height / 2)" fill="#1d2733"/>
            """,
            "<g fill=\"#fff\" text-anchor=\"middle\"><text x=\"\(frame.x + frame.width / 2)\" "
                + "y=\"\(frame.middle - 4)\" font-size=\"14\" font-weight=\"bold\">output</text><text "
                + "x=\"\(frame.x + frame.width / 2)\" y=\"\(frame.middle + 12)\" font-size=\"11\">"
                + "\(XMLText.escaped(outputFacts))</text></g>",
        ]
    }

    private static func color(_ role: UnitRole?) -> String {
        switch role {
        case .instrument: "#dff0e1"
        case .midi: "#fbe4e4"
        case .strip: "#e2ecf9"
        case .send: "#fdf0d5"
        case .master: "#efe3f4"
        case .meter: "#f0f0f0"
        case nil: "#ffffff"
        }
    }

    private func path(_ line: GraphDrawing.Line) -> String {
        let middle = (line.start.x + line.end.x) / 2
        let way =
            "M\(line.start.x) \(line.start.y)C\(middle) \(line.start.y) \(middle) \(line.end.y) "
            + "\(line.end.x) \(line.end.y)"
        var isTip = true
        if case .passage = line.to { isTip = false }
        return drawn(way, line.edges, isTip: isTip)
    }

    private func passage(_ slot: GraphDrawing.Slot, _ drawing: GraphDrawing) -> String {
        let edges = drawing.lines.filter { $0.to == slot }.flatMap(\.edges)
        guard let frame = drawing.frames[slot] else { return "" }
        return drawn("M\(frame.x) \(frame.middle)H\(frame.x + frame.width)", edges, isTip: false)
    }

    /// An edge that goes back, drawn under everything.
    private func back(_ edge: Int, _ drawing: GraphDrawing) -> String {
        func frame(_ name: String) -> GraphDrawing.Frame {
            units.firstIndex { $0.name == name }.flatMap { drawing.frames[.unit($0)] } ?? GraphDrawing.Frame()
        }
        let from = frame(edges[edge].source), to = frame(edges[edge].destination)
        return drawn(
            "M\(from.x + from.width) \(from.middle + 6)h16V\(drawing.height)H\(to.x - 16)V\(to.middle + 6)h16", [edge],
            isTip: true)
    }

    private func drawn(_ way: String, _ numbers: [Int], isTip: Bool) -> String {
        let all = numbers.map { edges[$0] }
        let kinds =
            "line" + (all.count > 1 ? " many" : "") + (!all.isEmpty && all.allSatisfy(\.isSend) ? " send" : "")
            + (!all.isEmpty && all.allSatisfy(\.carriesMusic) ? " music" : "")
        let titles = all.map { "\($0.source) -> \($0.destination): \($0.passage), \($0.format)" }
        let title = all.isEmpty ? outputFacts : titles.joined(separator: "\n")
        return "<path class=\"\(kinds)\"\(isTip ? " marker-end=\"url(#tip)\"" : "") d=\"\(way)\">"
            + "<title>\(XMLText.escaped(title))</title></path>"
    }

    /// Returns labels of what flows into units: `16 x stereo`. Lines that end in one place have one label.
    private func labels(_ drawing: GraphDrawing) -> [String] {
        var ends: [(x: Int, y: Int)] = []
        for line in drawing.lines where !ends.contains(where: { $0 == line.end }) { ends.append(line.end) }
        return ends.compactMap { end in
            var words: [String] = [], counts: [String: Int] = [:]
            for line in drawing.lines where line.end == end {
                if case .passage = line.to { return nil }
                for word in line.edges.map({ edges[$0].words }) {
                    if counts[word] == nil { words.append(word) }
                    counts[word, default: 0] += 1
                }
            }
            if words.isEmpty { return nil }
            let text = words.map { (counts[$0] ?? 1) > 1 ? "\(counts[$0] ?? 1) x \($0)" : $0 }.joined(separator: "; ")
            return Self.text("way", end.x - 12, end.y - 5, text)
        }
    }

    private static func text(_ kind: String, _ x: Int, _ y: Int, _ text: String) -> String {
        "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>"
    }
}
