/// The layout of a graph on paper: columns from the sources to the output, sound from left to right.
///
/// After K. Sugiyama, S. Tagawa and M. Toda (1981): columns by the longest way, an empty place in every column that an edge
/// passes over, so that no edge crosses a box, and places ordered by where their neighbours are. Edges to one unit pass
/// over a column together.
struct GraphDrawing {
    enum Slot: Hashable {
        /// A unit, by its place in the report.
        case unit(Int)
        case output
        /// Room for the edges to a unit further on.
        case passage(to: Int, column: Int)
    }

    struct Frame {
        var x = 0, y = 0, width = 0, height = 0
        var middle: Int { y + height / 2 }
    }

    /// Edges that run side by side from one column to the next, drawn as one line.
    struct Line {
        let from: Slot, to: Slot
        /// The kind of signal that flows there, in words.
        let kind: String
        var edges: [Int]
        var start = (x: 0, y: 0), end = (x: 0, y: 0)
    }

    private(set) var frames: [Slot: Frame] = [:]
    private(set) var lines: [Line] = []
    /// Edges that run back: to a unit that closes a loop, and in circles that do not sound.
    private(set) var backward: [Int] = []
    package private(set) var width = 0, height = 0
    private var columns: [[Slot]] = []

    static let margin = 24, gap = 150, spacing = 16, head = 56

    init(_ report: GraphReport, size: (Slot) -> (width: Int, height: Int)) {
        place(report)
        measure(size)
        for round in 0..<6 { order(isForward: round % 2 == 0) }
        join()
    }

    private mutating func place(_ report: GraphReport) {
        var index: [String: Int] = [:]
        columns = Array(repeating: [], count: (report.columns.max() ?? 0) + 2)
        for (unit, column) in report.columns.enumerated() {
            index[report.units[unit].name] = unit
            add(.unit(unit), column)
        }
        for (number, edge) in report.edges.enumerated() {
            guard let source = index[edge.source], let target = index[edge.destination] else { continue }
            let first = report.columns[source], last = report.columns[target]
            if last <= first {
                backward.append(number)
                continue
            }
            var from = Slot.unit(source)
            for column in first + 1..<last {
                let passage = Slot.passage(to: target, column: column)
                add(passage, column)
                lead(from, passage, number, edge.words)
                from = passage
            }
            lead(from, .unit(target), number, edge.words)
        }
        if let output = report.output.flatMap({ index[$0.unit] }) {
            add(.output, report.columns[output] + 1)
            lines.append(Line(from: .unit(output), to: .output, kind: "", edges: []))
        }
        columns.removeAll(where: \.isEmpty)
    }

    private mutating func add(_ slot: Slot, _ column: Int) {
        if frames[slot] != nil { return }
        frames[slot] = Frame()
        columns[column].append(slot)
    }

    private mutating func lead(_ from: Slot, _ to: Slot, _ edge: Int, _ kind: String) {
        if let line = lines.firstIndex(where: { $0.from == from && $0.to == to }) {
            lines[line].edges.append(edge)
        } else {
            lines.append(Line(from: from, to: to, kind: kind, edges: [edge]))
        }
    }

    /// Sizes; all boxes of a column are as wide as the widest.
    private mutating func measure(_ size: (Slot) -> (width: Int, height: Int)) {
        var x = Self.margin
        for column in columns {
            let widest = column.map { size($0).width }.max() ?? 0
            for slot in column {
                let arriving = Set(lines.indices.filter { lines[$0].to == slot }.map(end(of:))).count
                let leaving = lines.count { $0.from == slot }
                let ports = max(arriving * 18, leaving * 8) + 8
                frames[slot] = Frame(
                    x: x, y: 0, width: widest, height: max(size(slot).height, isPassage(slot) ? 0 : ports))
            }
            x += widest + Self.gap
        }
        width = x - Self.gap + Self.margin
        let heights = columns.map(stack)
        height = (heights.max() ?? 0) + Self.head + 2 * Self.margin
        for column in columns { settle(column) }
    }

    /// The end of a line: lines that bring the same to a unit end in one place.
    private func end(of line: Int) -> String {
        let alike = lines.count { $0.to == lines[line].to && $0.kind == lines[line].kind }
        return alike > 4 ? lines[line].kind : "\(line)"
    }

    private func isPassage(_ slot: Slot) -> Bool { if case .passage = slot { true } else { false } }

    private func stack(_ column: [Slot]) -> Int {
        column.reduce(-Self.spacing) { $0 + (frames[$1]?.height ?? 0) + Self.spacing }
    }

    private mutating func settle(_ column: [Slot]) {
        var y = Self.head + (height - Self.head - Self.margin - stack(column)) / 2
        for slot in column {
            frames[slot]?.y = y
            y += (frames[slot]?.height ?? 0) + Self.spacing
        }
    }

    /// Orders each column by the middle of its sources, or of its destinations.
    private mutating func order(isForward: Bool) {
        for index in isForward ? Array(columns.indices) : columns.indices.reversed() {
            let ordered = columns[index].enumerated().map { place, slot in
                let near = lines.compactMap { line in
                    isForward ? (line.to == slot ? line.from : nil) : (line.from == slot ? line.to : nil)
                }
                let middles = near.compactMap { frames[$0]?.middle }
                let own = frames[slot]?.middle ?? 0
                return (slot, middles.isEmpty ? own : middles.reduce(0, +) / middles.count, place)
            }
            columns[index] = ordered.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
            settle(columns[index])
        }
    }

    /// Gives every line its ends: side by side along a box, in the order of where they come from and go to.
    private mutating func join() {
        for (slot, frame) in frames {
            for (line, y) in ports(frame, lines.indices.filter { lines[$0].from == slot }, by: { lines[$0].to }) {
                lines[line].start = (frame.x + frame.width, y)
            }
            let arriving = lines.indices.filter { lines[$0].to == slot }
            let ports = ports(frame, arriving, by: { lines[$0].from }, together: end(of:))
            for (line, y) in ports { lines[line].end = (frame.x, isPassage(slot) ? frame.middle : y) }
            if isPassage(slot) {
                for line in lines.indices where lines[line].from == slot { lines[line].start.y = frame.middle }
            }
        }
    }

    /// A place at the side of a box for each line, or for those that belong together.
    private func ports(
        _ frame: Frame, _ found: [Int], by other: (Int) -> Slot, together: (Int) -> String = { "\($0)" }
    ) -> [(line: Int, y: Int)] {
        var middles: [String: [Int]] = [:]
        for line in found { middles[together(line), default: []].append(frames[other(line)]?.middle ?? 0) }
        let ports = middles.mapValues { $0.reduce(0, +) / $0.count }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        let step = min(18, (frame.height - 8) / max(ports.count, 1))
        return ports.enumerated().flatMap { place, port in
            let y = frame.middle + (2 * place - ports.count + 1) * step / 2
            return found.filter { together($0) == port.key }.map { ($0, y) }
        }
    }
}
