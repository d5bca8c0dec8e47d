import Carillon
import Reports

/// Several songs in rows: a table to read, or CSV for a spreadsheet.
struct InspectTable {
    private struct Column {
        let title: String
        let isNumber: Bool
        let value: (SongInspection) -> String?

        init(_ field: Field<SongInspection>) {
            title = field.column ?? ""
            isNumber = !field.shape.isText
            value = { song in
                switch field.read(song) {
                case .number(let number): field.decimals.map { RenderJob.fixed(number, $0) } ?? "\(number)"
                case .whole(let number): "\(number)"
                case .text(let text): field.name == "song" ? SongList.shown(text) : text
                default: nil
                }
            }
        }
    }

    private let columns: [Column]
    private let songs: [SongInspection]

    init(_ songs: [SongInspection], isMeasured: Bool) {
        self.songs = songs
        let more = isMeasured ? SongMeasurement.fields.map { $0.of(optional: \SongInspection.measurement) } : []
        columns = (SongInspection.fields + more).filter { $0.column != nil }.map(Column.init)
    }

    /// Comma-separated values (RFC 4180), the titles first.
    var csv: String {
        ([columns.map(\.title)] + songs.map { song in columns.map { $0.value(song) ?? "" } })
            .map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
    }

    /// A table; a missing value is a dash, and reasons are below it.
    var lines: [String] {
        let shown = columns.filter { $0.title != "reasons" }
        let rows = [shown.map(\.title)] + songs.map { song in shown.map { OneLine.text($0.value(song) ?? "-") } }
        let widths = shown.indices.map { place in
            min(rows.map { TextColumns.count($0[place]) }.max() ?? 0, shown[place].isNumber ? .max : 40)
        }
        let table = rows.map { row in
            shown.indices.map { place -> String in
                let width = widths[place], text = TextColumns.fitting(row[place], columns: width).text
                return shown[place].isNumber
                    ? TextColumns.rightAligned(text, to: width) : TextColumns.padded(text, to: width)
            }.joined(separator: "  ")
        }
        let reasons = songs.flatMap { song in
            (song.measurement?.reasons ?? []).map { "\(SongList.shown(song.song)): \($0)" }
        }
        return table.map(TextColumns.trimmed) + (reasons.isEmpty ? [] : [""] + reasons.map(OneLine.text))
    }

    private static func quoted(_ text: String) -> String {
        let line = OneLine.text(text)
        return line.contains { ",\"".contains($0) } ? "\"\(line.replacing("\"", with: "\"\""))\"" : line
    }
}
