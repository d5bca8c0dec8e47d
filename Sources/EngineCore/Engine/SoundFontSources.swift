import Glibc
import SoundFonts

/// The SoundFonts that a list of names means, and their presets for a song's requests.
package enum SoundFontSources {
    /// The named files, or those of the search if none is named. `FILE:OFFSET` moves a file's banks up by 0...127. The second
    /// value is the reason for these.
    package static func locate(
        _ names: [String]
    ) throws(SoundFontError) -> ([SoundFontLibrary.Source], SoundFontLocator.Origin) {
        let sources = named(names)
        let found = try SoundFontLocator().locate(named: sources.map(\.path))
        let located = found.enumerated().map { index, choice in
            SoundFontLibrary.Source(path: choice.path, bankOffset: index < sources.count ? sources[index].bankOffset : 0)
        }
        return (located, found[0].origin)
    }

    /// The files that names mean, whether they are there or not.
    package static func named(_ names: [String]) -> [SoundFontLibrary.Source] { names.map(source) }

    /// A name that means the same file in any folder.
    package static func lastingPath(_ path: String) -> String {
        guard path != SoundFontLocator.embeddedName, let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A name as a source. A colon belongs to the name when a file is called so.
    private static func source(_ name: String) -> SoundFontLibrary.Source {
        if access(name, F_OK) != 0, let colon = name.lastIndex(of: ":"),
            let offset = Int(name[name.index(after: colon)...]), (0...127).contains(offset)
        {
            return SoundFontLibrary.Source(path: String(name[..<colon]), bankOffset: offset)
        }
        return SoundFontLibrary.Source(path: name)
    }
}
