import Carillon
import Reports

/// The General MIDI SoundFonts that are known or installed, and the one that plays: `carillon soundfont` without a file.
struct SoundFontTable {
    /// A SoundFont that is known, installed, or both.
    struct Row {
        /// nil for the user's own default, which is in no table.
        let font: KnownSoundFont?
        /// nil where it is not installed.
        let path: String?
        /// nil where it is not installed, or silent.
        let gain: Double?
    }

    let rows: [Row]
    let path: String
    let origin: SoundFontLocator.Origin
    /// nil where it is silent or cannot be read.
    let gain: Double?

    /// Measures what is installed. Throws `SoundFontError` if `$CARILLON_SOUNDFONT` names a file that is not there.
    init(_ locator: SoundFontLocator = SoundFontLocator()) throws(SoundFontError) {
        let level = SoundFontLevel(), choice = try locator.locate()[0]
        let found = locator.installed
        rows =
            found.filter { KnownSoundFont.named($0.path) == nil }.map {
                Row(font: nil, path: $0.path, gain: level.gain(of: [$0.path]))
            }
            + KnownSoundFont.ranked.map { font in
                let path = found.first { KnownSoundFont.named($0.path) == font }?.path
                return Row(font: font, path: path, gain: path.flatMap { level.gain(of: [$0]) })
            }
        (path, origin) = (choice.path, choice.origin)
        gain = level.gain(of: [choice.path])
    }

    private var better: KnownSoundFont? { SoundFontLines([path], origin).better }

    var lines: [String] {
        let cells = rows.map(\.cells)
        var widths = cells[0].indices.map { column in cells.map { TextColumns.count($0[column]) }.max() ?? 0 }
        widths[widths.count - 1] = 0
        let table = cells.map { row in
            row.indices.map { column in
                // Numbers end on the same column.
                let blanks = String(repeating: " ", count: max(0, widths[column] - TextColumns.count(row[column])))
                return column == 2 || column == 4 ? blanks + row[column] : row[column] + blanks
            }.joined(separator: "  ")
        }
        return SoundFontLines([path], origin).lines + table
    }
}

extension SoundFontTable: Fielded {
    static let fields: [Field<SoundFontTable>] = [
        Field("file", \.path, "The file that plays unless another is named; `embedded` is Carillon's own."),
        Field("origin", { "\($0.origin)" }, "How it was chosen: as `soundFontOrigin` of a render."),
        Field("gain", \.gain, in: "dB", to: 1, "The gain that `live` and `play` give it."),
        Field("better", { $0.better?.title }, "One that sounds better and can be installed; missing if there is none."),
        Field("install", { $0.better?.source }, "How to get that."),
        .list("soundFonts", \.rows, "Those that are known or installed, the best first.", Row.fields),
    ]
}

extension SoundFontTable.Row {
    fileprivate var cells: [String] {
        let size = font.map { RenderJob.fixed(Double($0.bytes) / 1e6, 0) + " MB" } ?? ""
        let level = gain.map(SoundFontLines.decibels) ?? ""
        return [
            font.map { "\($0.rank)" } ?? "-", font?.title ?? "the system's default", size, font?.licence ?? "", level,
            path ?? font?.source ?? "",
        ]
    }

    fileprivate static let fields: [Field<Self>] = [
        Field("rank", { $0.font?.rank }, "Its rank, from 1; missing for a default that is no known one."),
        Field("title", { $0.font?.title }, "Its title."),
        Field("bytes", { $0.font?.bytes }, "The length of its file."),
        Field("licence", { $0.font?.licence }, "Its licence."),
        Field("source", { $0.font?.source }, "The command or page to get it."),
        Field("file", \.path, "Its file, if it is installed."),
        Field(
            "gain", \.gain, in: "dB", to: 1, "The gain that `live` and `play` give it, if it is installed."),
    ]
}
