import Document
import Patches

extension Installation {
    /// Reads the file at `path`. - Throws: all that is wrong, with its line and the remedy.
    public init(path: String) throws(PatchFileError) {
        try self.init(text: PatchFile.source(path: path), path: path)
    }

    /// Reads a text; `path` is where its names begin, and what errors call it.
    public init(text: String, path: String) throws(PatchFileError) {
        let cursor = try FileCursor(text: text, path: path)
        try cursor.checkVersion(InstallationTables.version)
        let tables = InstallationTables(of: cursor.node, folder: FileFolder(of: path))
        self = try tables.installation(of: path).document(cursor)
    }

    /// Returns the installation as the text of a file in its folder. Reading it gives the installation again.
    ///
    /// - Throws: for a value that no file can hold, with its key.
    public func text() throws(PatchFileError) -> String {
        var tables = InstallationTables()
        (tables.folder, tables.playlists) = (names, lists.map(\.playlist.name))
        (tables.layers, tables.cues) = (layers.map(\.name), cues.map(\.name))
        do throws(DocumentError) {
            return FileText().text(.mapping(try tables.installation(of: path).entries(self)))
        } catch { throw error.inFile(path) }
    }
}
