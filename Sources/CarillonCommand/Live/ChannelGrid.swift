import Carillon
import Reports

/// The channels of a session with the names of their sounds and their levels, side by side if the screen is wide.
///
/// ```
/// channels  > 1 Grand Piano          ######----     9 Church Organ
///             2 Strings              ##---         10 Standard Kit    ####--
/// ```
struct ChannelGrid {
    struct Cell {
        /// Counted from 1 over all ports.
        let number: Int
        /// The level; nil for a channel without a strip of its own.
        let level: SessionSnapshot.Level?
        let sound: SoundPreset?
        /// The instrument that plays if there are no presets.
        var instrument: String?
        var isInHand = false
        var isMuted = false
        var isSoloed = false
        var isCut = false
    }

    /// Columns that a channel needs to be read: below that a second one beside it is no use. Two fit a terminal of 80.
    private static let narrowest = 33
    private static let mostAcross = 4

    let cells: [Cell]
    let columns: Int
    let style: ScreenStyle

    var lines: [ScreenLine] {
        if cells.isEmpty { return [] }
        let across = min(max((columns + 2) / (Self.narrowest + 2), 1), Self.mostAcross, cells.count)
        let width = (columns - 2 * (across - 1)) / across
        let rows = (cells.count + across - 1) / across
        return (0..<rows).map { row in
            var line = ScreenLine()
            for place in stride(from: row, to: cells.count, by: rows) {
                let cell = self.line(cells[place], columns: width)
                line.add(cell)
                if place + rows < cells.count {
                    line.add(String(repeating: " ", count: max(width - cell.columns, 0) + 2))
                }
            }
            return line
        }
    }

    private func line(_ cell: Cell, columns: Int) -> ScreenLine {
        let level = LevelScale.place(cell.level?.peak ?? -.infinity), isHeard = level > 0
        // Mute and solo are shown beside the number; both at once is silence, so both are shown.
        let state = cell.isMuted ? cell.isSoloed ? "mute solo " : "mute " : cell.isSoloed ? "solo " : ""
        let look: ScreenLine.Style =
            cell.isMuted ? .yellow : cell.isSoloed ? .green : cell.isInHand ? .bold : isHeard && !cell.isCut ? .plain : .dim
        var line = ScreenLine(cell.isInHand ? ">" : " ", .bold)
        line.add(TextColumns.rightAligned("\(cell.number)", to: 2) + " ", look)
        let bar = max(columns / 3, 4), name = max(columns - 4 - bar - 1, 1)
        let text = state + ((cell.sound?.name ?? cell.instrument).map { style.shown($0) } ?? "-")
        line.add(Screen.padded(text, to: name), look)
        if columns < 4 + bar + 8 || !isHeard { return line }
        line.add(" ")
        let screen = Screen(columns: columns, style: style)
        let marks = screen.bar(
            LevelScale.place(cell.level?.average ?? -.infinity), further: level, columns: bar)
        for (piece, look) in LevelScale.coloured(marks) { line.add(piece, look) }
        return line
    }
}

extension Screen {
    /// The channels, as many as are worth showing.
    mutating func addChannels(_ cells: [ChannelGrid.Cell], rank: Int) {
        let grid = ChannelGrid(cells: cells, columns: room, style: style)
        add("channels", lines: grid.lines, rank: rank)
    }
}
