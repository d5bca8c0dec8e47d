import Carillon
import Reports

/// Several songs in rows: a table to read, or CSV for a spreadsheet.
struct InspectTable {
    private struct Column {
        let title: String
        let isNumber: Bool
        let value: (InspectedSong) -> String?

        init(_ title: String, isNumber: Bool = true, _ value: @escaping (InspectedSong) -> String?) {
            (self.title, self.isNumber, self.value) = (title, isNumber, value)
        }
    }

    private let columns: [Column]
    private let songs: [InspectedSong]

    init(_ songs: [InspectedSong], isMeasured: Bool) {
        self.songs = songs
        func fixed(_ value: Double?, _ decimals: Int) -> String? { value.map { RenderJob.fixed($0, decimals) } }
        var columns = [
            Column("song", isNumber: false) { SongList.shown($0.inspection.song) },
            Column("title", isNumber: false) { $0.inspection.title },
            Column("seconds") { fixed($0.inspection.duration, 1) }, Column("bars") { $0.inspection.bars.map { "\($0)" } },
            Column("tempo") { fixed($0.inspection.tempos.first?.beatsPerMinute, 0) },
            Column("tracks") { "\($0.inspection.tracks.count)" },
            Column("channels") { "\($0.inspection.parts.count { $0.notes > 0 })" },
            Column("notes") { "\($0.inspection.notes)" }, Column("at-once") { "\($0.inspection.peakPolyphony)" },
            Column("substituted") { "\($0.inspection.presets.count { $0.substitution != nil })" },
            Column("repairs") { "\($0.inspection.repairCount)" },
            Column("not-followed") { "\($0.inspection.remarks.count { $0.kind == .notFollowed })" },
            Column("missing") { "\($0.inspection.remarks.count { $0.kind == .missing })" },
        ]
        if isMeasured {
            columns += [
                Column("LUFS") { fixed($0.measured?.loudness, 1) }, Column("range") { fixed($0.measured?.range, 1) },
                Column("peak") { fixed($0.measured?.peak, 1) }, Column("true-peak") { fixed($0.measured?.truePeak, 1) },
                Column("load") { fixed($0.measured?.load, 3) }, Column("voices") { $0.measured.map { "\($0.voices)" } },
                Column("unheard") { $0.measured.map { "\($0.unheardNotes)" } },
                Column("reasons", isNumber: false) { $0.measured?.reasons.map(\.description).joined(separator: "; ") },
            ]
        }
        self.columns = columns
    }

    /// Comma-separated values (RFC 4180), the titles first.
    var csv: String {
        ([columns.map(\.title)] + songs.map { song in columns.map { $0.value(song) ?? "" } })
            .map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
    }

    /// A table; a missing value is a dash, and reasons are below it.
    var lines: [String] {
        let shown = columns.filter { $0.title != "reasons" }
        let rows = [shown.map(\.title)] + songs.map { song in shown.map { Failure.oneLine($0.value(song) ?? "-") } }
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
            (song.measured?.reasons ?? []).map { "\(SongList.shown(song.inspection.song)): \($0)" }
        }
        return table.map(TextColumns.trimmed) + (reasons.isEmpty ? [] : [""] + reasons.map(Failure.oneLine))
    }

    private static func quoted(_ text: String) -> String {
        let line = Failure.oneLine(text)
        return line.contains { ",\"".contains($0) } ? "\"\(line.replacing("\"", with: "\"\""))\"" : line
    }
}

/// A song that was looked into, and measured if that was requested.
struct InspectedSong: Encodable {
    let inspection: SongInspection
    var measured: SongMeasurement?

    private enum Key: String, CodingKey { case measured }

    /// The keys of the inspection, and one more if it was measured.
    func encode(to encoder: any Encoder) throws {
        try inspection.encode(to: encoder)
        guard let measured else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(measured, forKey: .measured)
    }
}
