import Document

/// A patch as JSON text, for which no catalogue is needed: what `write` puts into a file and a journal holds on one line.
extension Patch {
    /// The version that is written, and the latest that is read.
    public static let version = 1

    /// The patch as JSON: equal patches give equal texts. `isReadable` breaks it into lines.
    public func text(isReadable: Bool = true) throws(PatchFileError) -> String {
        do throws(PatchError) { try check() } catch { throw PatchFileError(.patch(error), path: "the patch") }
        let json = FileTree.mapping(try PlainTables.patch(isWhole: true).entries(self)).json
        return isReadable ? json.written() : json.line(isRounded: false)
    }

    /// Reads what `text` writes.
    ///
    /// - Parameter path: what errors call it.
    /// - Throws: what is wrong with the text or the patch, with its place.
    public init(text: String, path: String = "the patch") throws(PatchFileError) {
        self = try PlainTables.patch(text, path: path)
        do throws(PatchError) { try check() } catch { throw PatchFileError(.patch(error), path: path) }
    }

    /// Reads a file that `write` wrote, of at most `PatchFile.largest` bytes.
    public init(path: String) throws(PatchFileError) { try self.init(text: PatchFile.source(path: path), path: path) }

    /// Writes the patch as JSON into a file: whole, or not at all.
    public func write(to path: String) throws(PatchFileError) { try PatchFile.write(try text() + "\n", to: path) }
}

extension PatchDifference {
    /// The difference as JSON on one line.
    public func text() throws(PatchFileError) -> String {
        FileTree.mapping(try PlainTables.difference.entries(self)).json.line(isRounded: false)
    }

    /// Reads what `text` writes.
    public init(text: String) throws(PatchFileError) {
        self = try PlainTables.difference.document(PlainTables.cursor(text, path: "the edit"))
    }
}

extension PlainTables {
    /// Reads a patch that has not been checked.
    static func patch(_ text: String, path: String) throws(PatchFileError) -> Patch {
        let cursor = try Self.cursor(text, path: path)
        try cursor.checkVersion(Patch.version, key: versionKey)
        return try patch(isWhole: true).document(cursor)
    }

    /// The text for the reader of YAML, with signs escaped that JSON may have and YAML takes for line ends or refuses.
    fileprivate static func cursor(_ text: String, path: String) throws(PatchFileError) -> FileCursor {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x7F...0x9F, 0x2028...0x2029, 0xFFFE...0xFFFF:
                scalars.append(contentsOf: "\\u\(String(0x1_0000 + scalar.value, radix: 16).dropFirst())".unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        return try FileCursor(text: String(scalars), path: path)
    }
}
