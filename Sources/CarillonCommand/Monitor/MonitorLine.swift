import Carillon
import MIDI
import Reports

/// A line of `carillon monitor`, for people or for programs.
struct MonitorLine {
    let line: MIDIMonitor.Line

    /// Columns for the name of a port, and bytes of a long message that are shown.
    private static let portWidth = 20, mostBytes = 12

    /// `  1.250  Keystation 61         90 3C 64   note on C4 (60) velocity 100 on channel 1`, and who took it.
    var text: String {
        let seconds = TextColumns.rightAligned(RenderJob.fixed(Double(line.nanoseconds) / 1e9, 3), to: 9)
        let shown = SystemExclusive.hexadecimal(line.bytes.prefix(Self.mostBytes))
        let bytes = line.bytes.count > Self.mostBytes ? "\(shown) ... (\(line.bytes.count) bytes)" : shown
        let columns = [
            seconds, TextColumns.padded(line.port, to: Self.portWidth), TextColumns.padded(bytes, to: 8), line.meaning,
        ]
        return OneLine.text(columns.joined(separator: "  ") + (line.taker.map { ": \($0)" } ?? ""))
    }

    /// One object; a sum has its numbers in place of bytes.
    var json: String {
        let whole = Double(line.nanoseconds) / 1e9
        var entries: [(String, JSONText)] = [("time", .literal(RenderJob.fixed(whole, 6))), ("port", .string(line.port))]
        if let sum = line.sum {
            entries += [
                ("clock", .whole(sum.clock)), ("tempo", .number(sum.tempo)), ("activeSensing", .whole(sum.sensing)),
                ("timeCode", .whole(sum.timeCode)),
            ]
        } else {
            entries.append(("bytes", .wholes(line.bytes.map { Int($0) })))
        }
        entries.append(("meaning", .string(line.meaning)))
        if let taker = line.taker { entries.append(("takenBy", .string(taker))) }
        return JSONText.object(entries).text
    }
}
