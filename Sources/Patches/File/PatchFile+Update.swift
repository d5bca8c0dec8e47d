import UnitAPI

extension PatchFile {
    /// Returns the text of a file that means `patch` from now on: comments, order and ways of writing stay, and only the
    /// entries with a new meaning are changed. Removed entries go with their comments; new ones follow the rest.
    ///
    /// A file of an older version is written anew. Presets are named as in `text(of:path:units:heading:isCommented:)`.
    ///
    /// - Parameters:
    ///   - sourcePath: the path of the text, if not `path`: its presets are named from there.
    ///   - path: the path that the file will have.
    /// - Throws: what is wrong with the text or the patch; `cannotKeep` if the text is written so that this cannot be done,
    ///   with anchors for example. What is returned has been read again and means the patch.
    public static func update(
        source: String, at sourcePath: String? = nil, to patch: Patch, path: String = "the patch", units: [UnitEntry]
    ) throws(PatchFileError) -> String {
        let shelf = PresetShelf(ofPatchAt: path), patch = patch.canonical(units).shelved(on: shelf, units)
        let file = try PatchFile(text: source, path: sourcePath ?? path, units: units)
        if file.version < version { return try text(of: patch, path: path, units: units) }
        if file.patch == patch { return source }
        let tables = PatchTables(units: units, shelf: shelf)
        let new = try tables.tree(patch, path: path), old = try tables.tree(file.patch, path: path)
        let mark = source.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
        let body = String(source.unicodeScalars.dropFirst(mark.unicodeScalars.count))
        let lines = SourceLines(body)
        let root = try FileNode(body, path: path)
        guard let merged = FileMerge(source: lines).merged(root, lines: lines.lines.indices, from: old, to: new) else {
            throw PatchFileError(.cannotKeep, path: path)
        }
        let text = mark + merged.joined()
        let again: PatchFile
        do { again = try PatchFile(text: text, path: path, units: units, shelf: shelf) } catch {
            throw PatchFileError(.cannotKeep, path: path)
        }
        if again.patch != patch { throw PatchFileError(.cannotKeep, path: path) }
        return text
    }
}
