import Document
import Patches

/// A set list as a file.
extension SetList {
    /// Reads the file at `path`. - Throws: all that is wrong, with its lines and remedies.
    package init(path: String) throws(DocumentError) { try self.init(text: PatchFile.source(path: path), path: path) }

    /// Reads a text; `path` is where its names begin, and what errors call it.
    package init(text: String, path: String) throws(DocumentError) {
        let cursor = try FileCursor(text: text, path: path)
        try cursor.checkVersion(SetListTables.version)
        self = try SetListTables(folder: FileFolder(of: path)).list(of: path).document(cursor)
    }

    /// The list as the text of a new file, with comments that explain the keys. Reading it gives the list again.
    ///
    /// - Throws: for a value that no file can hold, with its key.
    package func text() throws(DocumentError) -> String {
        let keys = SetListTables.explanation.map { "  " + $0 }
        let heading = (["A set list, for carillon live. The keys of an entry:"] + keys).map { "# \($0)\n" }.joined()
        return heading + "\n" + FileText().text(try tree)
    }

    /// The text of a file that means this list from now on: comments, order and ways of writing stay where nothing changed.
    ///
    /// - Throws: what is wrong with the text or the list; `cannotKeep` if the text is written so that it cannot be changed.
    package func update(source: String) throws(DocumentError) -> String {
        let former = try SetList(text: source, path: path), old = try former.tree, new = try tree
        if old == new { return source }
        let lines = SourceLines(source), root = try FileNode(source, path: path)
        guard let merged = FileMerge(source: lines).merged(root, lines: lines.lines.indices, from: old, to: new) else {
            throw DocumentError(.cannotKeep, path: path)
        }
        let text = merged.joined()
        let again: FileTree
        do { again = try SetList(text: text, path: path).tree } catch { throw DocumentError(.cannotKeep, path: path) }
        if again != new { throw DocumentError(.cannotKeep, path: path) }
        return text
    }

    private var tree: FileTree {
        get throws(DocumentError) {
            do throws(DocumentError) {
                return .mapping(try SetListTables(folder: FileFolder(of: path)).list(of: path).entries(self))
            } catch { throw error.inFile(path) }
        }
    }
}
