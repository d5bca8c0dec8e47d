import Carillon
import Reports

/// Levels in dBFS on a bar from -60 to 0, even in decibels.
enum LevelScale {
    private static let lowest = -60.0
    private static let lowestYellow = -18.0, lowestRed = -6.0
    static let textColumns = 17

    /// 0...1 along the bar.
    static func place(_ decibels: Double) -> Double {
        decibels.isFinite ? min(max((decibels - lowest) / -lowest, 0), 1) : decibels > 0 ? 1 : 0
    }

    /// ` -23.1 peak -12.0`: average, then peak, in dBFS.
    static func text(_ level: SessionSnapshot.Level) -> String {
        TextColumns.rightAligned(number(level.average), to: 6) + " peak" + TextColumns.rightAligned(number(level.peak), to: 6)
    }

    static func marks(columns: Int) -> String {
        var cells = [Character](repeating: " ", count: columns)
        for value in columns >= 40 ? [0, -6, -12, -18, -24, -36, -48, -60] : [0, -20, -40, -60] {
            let label = Array("\(value)")
            // A label ends at the place of its value on the bar; the lowest begins there.
            let end = max(Screen.cells(place(Double(value)), of: columns), label.count)
            if cells[(end - label.count)..<min(end + 1, columns)].allSatisfy({ $0 == " " }) {
                cells.replaceSubrange((end - label.count)..<end, with: label)
            }
        }
        return String(cells)
    }

    /// A bar in the colours of a mixing desk: up to -18 green, up to -6 yellow.
    static func coloured(_ bar: String) -> [(String, ScreenLine.Style)] {
        let bar = Array(bar)
        let yellow = Screen.cells(place(lowestYellow), of: bar.count)
        let red = Screen.cells(place(lowestRed), of: bar.count)
        return [
            (String(bar[..<yellow]), .green), (String(bar[yellow..<red]), .yellow), (String(bar[red...]), .red),
        ]
    }

    private static func number(_ decibels: Double) -> String {
        // Where the meter ends.
        decibels <= -119.9 ? "-inf" : RenderJob.fixed(decibels, 1)
    }
}
