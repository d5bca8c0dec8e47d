import FoundationEssentials

/// A patch as JSON text, with a version: what `write` puts into a file and a journal holds on one line.
extension Patch {
    /// The version that is written, and the latest that is read.
    public static let version = 1
    /// Bytes of the longest file that is read.
    public static let largestFile = 1 << 24

    /// The document: the patch and its version.
    private struct Document: Codable {
        var version: Int
        var patch: Patch

        init(_ patch: Patch) { (version, self.patch) = (Patch.version, patch) }

        init(from decoder: any Decoder) throws {
            version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .version)
            patch = version == Patch.version ? try Patch(from: decoder) : Patch()
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(version, forKey: .version)
            try patch.encode(to: encoder)
        }

        private enum Key: String, CodingKey { case version = "carillon-patch" }
    }

    /// The patch as JSON: equal patches give equal texts. `isReadable` breaks it into lines.
    public func text(isReadable: Bool = true) throws(PatchError) -> String {
        try check()
        return try PatchJSON.text(Document(self), isReadable: isReadable)
    }

    /// Reads what `text` writes.
    ///
    /// - Parameter path: what errors call it.
    /// - Throws: `malformed` with the place in the document, and what `check` throws.
    public init(text: String, path: String = "the patch") throws(PatchError) {
        let document = try PatchJSON.read(Document.self, text, path: path)
        guard document.version == Self.version else {
            throw .malformed(
                path: path, place: "carillon-patch",
                reason: "version \(document.version) is not known; this program reads version \(Self.version)")
        }
        self = document.patch
        try check()
    }

    /// Reads a file that `write` wrote. Throws `cannotRead`, `tooLarge`, `malformed`, and what `check` throws.
    public init(path: String) throws(PatchError) {
        let text: String
        do { text = try BoundedFile.text(path: path, limit: Self.largestFile) } catch {
            switch error {
            case .cannotRead(let code): throw .cannotRead(path: path, code: code)
            case .tooLarge: throw .tooLarge(path: path)
            }
        }
        try self.init(text: text, path: path)
    }

    /// Writes the patch as JSON into a file: whole, or not at all. Throws `cannotWrite`, and what `check` throws.
    public func write(to path: String) throws(PatchError) {
        let code = WholeText.write(try text() + "\n", toFile: path)
        if code != 0 { throw .cannotWrite(path: path, code: code) }
    }
}

extension PatchDifference {
    /// The difference as JSON on one line.
    public func text() throws(PatchError) -> String { try PatchJSON.text(self, isReadable: false) }

    /// Reads what `text` writes. Throws `malformed`.
    public init(text: String) throws(PatchError) { self = try PatchJSON.read(Self.self, text, path: "the edit") }
}

/// JSON in and out, with errors in one sentence.
private enum PatchJSON {
    static func text(_ value: some Encodable, isReadable: Bool) throws(PatchError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            isReadable
            ? [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
        do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
            throw .malformed(path: "the patch", place: "", reason: "a property is no number that can be written")
        }
    }

    static func read<Value: Decodable>(_: Value.Type, _ text: String, path: String) throws(PatchError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
            throw fault(error, text, path: path)
        }
    }

    private static func fault(_ error: any Error, _ text: String, path: String) -> PatchError {
        func place(_ keys: [any CodingKey]) -> String {
            keys.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().drop { $0 == "." }.description
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return .malformed(path: path, place: place(context.codingPath), reason: "\(key.stringValue) is missing")
        case DecodingError.typeMismatch(let type, let context):
            return .malformed(path: path, place: place(context.codingPath), reason: "this is no \(type)")
        case DecodingError.valueNotFound(let type, let context):
            return .malformed(path: path, place: place(context.codingPath), reason: "a \(type) is missing")
        case DecodingError.dataCorrupted(let context):
            if context.codingPath.isEmpty, let fault = JSONPlace.ofFault(in: text) {
                return .malformed(path: path, place: "", reason: fault)
            }
            return .malformed(path: path, place: place(context.codingPath), reason: context.debugDescription)
        default: return .malformed(path: path, place: "", reason: JSONPlace.ofFault(in: text) ?? "not JSON")
        }
    }
}
