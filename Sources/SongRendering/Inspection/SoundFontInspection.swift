import Reports
import SoundFonts
import UnitAPI

/// The contents of a SoundFont, as `carillon soundfont` shows them.
package struct SoundFontInspection: Sendable {
    /// The file, as it was named.
    package let path: String
    package let font: SoundFontFile
    package let presets: [SoundFontFile.Preset]

    /// Reads and checks the file. Throws `SoundFontError` if nothing of it can be played.
    package init(path: String) throws(SoundFontError) {
        let library = try SoundFontLibrary([SoundFontLibrary.Source(path: path)])
        (self.path, font, presets) = (path, library.files[0], library.presets[0])
    }

    private var version: String { "\(font.version.major).\(font.version.minor < 10 ? "0" : "")\(font.version.minor)" }

    /// The inspection as text for a terminal. Names are as the file has them: the caller must remove control characters before
    /// it shows them.
    package var lines: [String] {
        var lines = [
            "\(path): \(font.title.isEmpty ? "untitled" : font.title), \(font.format.rawValue) \(version), \(font.fileSize) bytes"
        ]
        lines.append(
            [
                CountedNoun.text(presets.count, "preset"), CountedNoun.text(font.instrumentCount, "instrument"),
                CountedNoun.text(font.sampleCount, "sample"), "",
            ].joined(separator: ", ")
                + "\(font.sampleMemory) bytes of sample memory")
        for preset in presets { lines.append("  \(preset.bank):\(preset.program) \(preset.name)") }
        lines.append(font.faults.isEmpty ? "nothing is wrong" : "\(CountedNoun.text(font.faults.count, "fault")):")
        lines += font.faults.map { "  \($0)" }
        return lines
    }
}

extension SoundFontInspection: Fielded {
    package static let fields: [Field<SoundFontInspection>] = [
        Field("file", \.path, "The file, as it was named."), Field("title", \.font.title, "Its title."),
        Field("format", \.font.format.rawValue, "Its format."), Field("version", \.version, "The version of the format."),
        Field("bytes", \.font.fileSize, "Its length."),
        Field("sampleMemory", \.font.sampleMemory, in: "bytes", "What all samples take when loaded."),
        Field("instruments", \.font.instrumentCount, "The number of its instruments."),
        Field("samples", \.font.sampleCount, "The number of its samples."),
        .list("presets", \.presets, "Its presets.", SongFacts.preset),
        Field("faults", { $0.font.faults.map(\.description) }, "Faults that leave the rest playable."),
    ]
}
