import PatchFile

extension Installation {
    /// Reads the file at `path`. - Throws: what is wrong first, with its line and the remedy.
    public init(path: String) throws(PatchFileError) {
        try self.init(text: PatchFile.source(path: path), path: path)
    }

    /// Reads a text; `path` is where its names begin, and what errors call it.
    public init(text: String, path: String) throws(PatchFileError) {
        let root = try FileNode(text.first == "\u{FEFF}" ? String(text.dropFirst()) : text, path: path)
        self = try InstallationReader(path: path).document(root)
    }
}
