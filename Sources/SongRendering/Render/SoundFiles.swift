import EngineCore
import Glibc
import Patches
import PlugIns
import SoundFonts
import UnitAPI

/// The files that decide how songs sound, other than the songs themselves: the input of a hash of a render, or of a list of its
/// sources. Control side.
package struct SoundFiles: Sendable, Hashable {
    /// The paths, in the order in which they count; `embedded` is Carillon's own SoundFont.
    package private(set) var paths: [String] = []
    /// The whole description of the sound, with `{n}` in the place of the path of file `n`: the same on each machine.
    package private(set) var text = ""

    /// The SoundFonts that names mean, `FILE` or `FILE:OFFSET`; those of the default search if there are none.
    ///
    /// - Throws: `SoundFontError` if one does not exist.
    package init(soundFonts names: [String]) throws(SoundFontError) {
        for source in try SoundFontSources.locate(names).0 {
            text += "soundfont {\(paths.count)}:\(source.bankOffset)\n"
            add(source.path)
        }
    }

    /// Creates a patch, with every file that it names, its plug-ins' libraries among them; if an instrument of it names no
    /// SoundFont, also those of the default search.
    ///
    /// - Parameter searches: false if other SoundFonts are named beside the patch.
    /// - Throws: the fault of the patch's file.
    package init(patch path: String, searches: Bool = true) throws(PatchFileError) {
        let patch = try PatchFile(path: path).located(from: path)
        var written = try PatchFile.text(of: patch, units: UnitCatalog.entries)
        for name in Self.files(of: patch).sorted(by: { ($1.utf8.count, $0) < ($0.utf8.count, $1) }) {
            // A shorter path may be the beginning of a longer one, which is taken first.
            written = written.split(separator: name, omittingEmptySubsequences: false).joined(separator: "{\(paths.count)}")
            add(name)
        }
        for unit in patch.units where PlugInCatalog.isName(unit.component) {
            // A plug-in that is not installed is reported where the patch is made.
            do { add(try PlugInCatalog.named(unit.component).library) } catch { continue }
        }
        text = "patch\n\(written)\n"
        if searches, Self.needsSoundFont(patch), let found = Self.defaults() {
            text += found.text.split(separator: "{0}", omittingEmptySubsequences: false).joined(separator: "{\(paths.count)}")
            found.paths.forEach { add($0) }
        }
    }

    private mutating func add(_ path: String) {
        paths.append(path)
        // The samples of an SFZ file lie in files of their own.
        guard path.lowercased().hasSuffix(".sfz") else { return }
        do { paths += try SoundFontFile(path: path).sampleFiles } catch { return }
    }

    /// The SoundFonts of the default search; nil if the one that the environment names does not exist.
    private static func defaults() -> SoundFiles? {
        do { return try SoundFiles(soundFonts: []) } catch { return nil }
    }

    /// Returns true if an instrument plays SoundFonts and none is named for it.
    private static func needsSoundFont(_ patch: Patch) -> Bool {
        if !patch.soundFonts.isEmpty { return false }
        let name = SoundFontSelection.propertyNames[0]
        let isBare = patch.units.contains { unit in
            unit.properties[name] == nil && UnitCatalog.named(unit.component)?.descriptor.properties.contains(name) == true
        }
        return isBare || patch.patches.contains { needsSoundFont($0.patch) }
    }

    /// Everything in a patch that is the name of a file which is there.
    private static func files(of patch: Patch) -> Set<String> {
        var found: Set<String> = []
        func look(_ value: PropertyValue) {
            switch value {
            case .text(let text):
                for source in SoundFontSources.named([text]) where access(source.path, F_OK) == 0 { found.insert(source.path) }
            case .list(let values): values.forEach(look)
            case .flag, .integer, .number: break
            }
        }
        patch.soundFonts.forEach { look(.text($0)) }
        for unit in patch.units { unit.properties.values.forEach(look) }
        for nested in patch.patches { found.formUnion(files(of: nested.patch)) }
        return found
    }
}
