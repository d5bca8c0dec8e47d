import Document

/// A patch as JSON text, for which no catalogue is needed: what `write` puts into a file and a journal holds on one line.
extension Patch {
    /// The version that is written, and the latest that is read.
    public static let version = 1

    /// Returns the patch as JSON: equal patches give equal texts. `isReadable` breaks it into lines.
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
    /// Returns the difference as JSON on one line.
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

    /// The text for the reader of YAML, with signs escaped that JSON may have and YAML takes for line ends or refuses, and
    /// escaped pairs of surrogates, which YAML refuses, as the signs that they are.
    fileprivate static func cursor(_ text: String, path: String) throws(PatchFileError) -> FileCursor {
        var scalars = String.UnicodeScalarView(), rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x5C:
                if let sign = Self.surrogates(rest) {
                    scalars.append(sign)
                    rest.removeFirst(11)
                } else {
                    scalars.append(scalar)
                    if let escaped = rest.popFirst() { scalars.append(escaped) }
                }
            case 0x7F...0x9F, 0x2028...0x2029, 0xFFFE...0xFFFF:
                scalars.append(contentsOf: "\\u\(String(0x1_0000 + scalar.value, radix: 16).dropFirst())".unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        return try FileCursor(text: String(scalars), path: path)
    }

    /// The sign of `uD83C\uDFB9` at the beginning, whose first backslash was read.
    private static func surrogates(_ text: Substring.UnicodeScalarView) -> Unicode.Scalar? {
        let words = String(text.prefix(11)).split(separator: "\\u", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].first == "u", words[0].count == 5, words[1].count == 4,
            let high = UInt32(words[0].dropFirst(), radix: 16), let low = UInt32(words[1], radix: 16),
            0xD800...0xDBFF ~= high, 0xDC00...0xDFFF ~= low
        else { return nil }
        return Unicode.Scalar(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }
}
