import Document
import Patches
import PlugIns
import SoundFonts

extension PatchFile {
    /// Reads a file, with the units of `UnitCatalog`; the plug-ins that it names are added there.
    ///
    /// - Throws: the first fault, with its line.
    public init(path: String) throws(PatchFileError) {
        let text = try Self.source(path: path), refusals = UnitCatalog.addPlugIns(in: text)
        do { try self.init(text: text, path: path, units: UnitCatalog.entries) } catch {
            guard case .unknownUnit(let name, _) = error.fault, let refusal = refusals[name] else { throw error }
            throw error.replacingFault(.refused(refusal.description))
        }
    }

    /// Returns the patch of the file at `path`, ready to be played: relative paths of SoundFonts and files are resolved against
    /// its folder.
    public static func playable(path: String) throws(PatchFileError) -> Patch {
        try PatchFile(path: path).located(from: path)
    }

    /// Returns the patch, ready to be played, as `playable(path:)` reads it from `path`.
    public func located(from path: String) throws(PatchFileError) -> Patch {
        Self.located(try playable(), in: FileFolder(of: path))
    }

    private static func located(_ patch: Patch, in folder: FileFolder) -> Patch {
        var patch = patch
        patch.soundFonts = patch.soundFonts.map { name in
            name == SoundFontLocator.embeddedName ? name : folder.path(of: name)
        }
        for index in patch.units.indices {
            // A preset in a file of its own, too.
            if let name = patch.units[index].preset?.name, name.contains("/") {
                patch.units[index].preset?.name = folder.path(of: name)
            }
            guard case .text(let name) = patch.units[index].properties["file"] else { continue }
            patch.units[index].properties["file"] = .text(folder.path(of: name))
        }
        for index in patch.patches.indices { patch.patches[index].patch = located(patch.patches[index].patch, in: folder) }
        return patch
    }
}
