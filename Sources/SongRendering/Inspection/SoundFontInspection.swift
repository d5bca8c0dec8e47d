import SoundFonts
import UnitAPI

/// The contents of a SoundFont, as `carillon soundfont` shows them.
package struct SoundFontInspection: Encodable, Sendable {
    /// One sound.
    package struct Preset: Encodable, Sendable {
        /// 0...127 melodic, 128 drum kits.
        package let bank: Int
        package let program: Int
        package let name: String
    }

    /// The file, as it was named.
    package let file: String
    package let title: String
    package let format: String
    package let version: String
    /// Bytes on disk.
    package let bytes: Int
    /// Bytes that all sample data takes when loaded.
    package let sampleMemory: Int
    package let instruments: Int
    package let samples: Int
    package let presets: [Preset]
    /// Faults that leave the rest playable.
    package let faults: [String]

    /// Reads and checks the file. Throws `SoundFontError` if nothing of it can be played.
    package init(path: String) throws(SoundFontError) {
        let library = try SoundFontLibrary([SoundFontLibrary.Source(path: path)])
        let font = library.files[0]
        file = path
        title = font.title
        format = font.format.rawValue
        version = "\(font.version.major).\(font.version.minor < 10 ? "0" : "")\(font.version.minor)"
        bytes = font.fileSize
        sampleMemory = font.sampleMemory
        instruments = font.instrumentCount
        samples = font.sampleCount
        presets = library.presets[0].map { Preset(bank: $0.bank, program: $0.program, name: $0.name) }
        faults = font.faults.map(\.description)
    }

    /// The inspection as text for a terminal. Names are as the file has them: the caller must remove control characters before
    /// it shows them.
    package var lines: [String] {
        var lines = ["\(file): \(title.isEmpty ? "untitled" : title), \(format) \(version), \(bytes) bytes"]
        lines.append(
            [
                CountedNoun.text(presets.count, "preset"), CountedNoun.text(instruments, "instrument"),
                CountedNoun.text(samples, "sample"), "",
            ].joined(separator: ", ")
                + "\(sampleMemory) bytes of sample memory")
        for preset in presets { lines.append("  \(preset.bank):\(preset.program) \(preset.name)") }
        lines.append(faults.isEmpty ? "nothing is wrong" : "\(CountedNoun.text(faults.count, "fault")):")
        lines += faults.map { "  \($0)" }
        return lines
    }
}
