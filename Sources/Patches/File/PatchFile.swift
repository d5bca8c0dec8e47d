import Reports
import UnitAPI

/// A patch as a file to write and keep: YAML, with names, values with their units, comments, and errors that name the line.
///
/// ```yaml
/// version: 1
/// units:
///   organ: {unit: square-wave, role: instrument, parts: 1-16}
///   reverb: {role: send, decay: 2.5 s}
///   mixer: {unit: multichannel-mixer, inputs: 2}
/// connections:
///   - organ -> mixer
///   - organ -> reverb -> mixer[1]
/// outputs: mixer
/// ```
/// The units that there are, and the notation of their values, come from the caller's catalogue. Control side, any thread.
public struct PatchFile: Sendable {
    /// The version that is written, and the latest that is read. Version 0 was JSON.
    public static let version = 1
    /// Bytes of the longest file that is read.
    public static let largest = 1 << 22
    /// Inputs of a mixer, at most.
    static let mostInputs = 4096

    /// The patch that the file means.
    public let patch: Patch
    /// The version that the file has.
    public let version: Int
    /// Remarks on what is written in an older way.
    public let remarks: [Remark]
    /// The name that errors give the file, the units it was read with, and its text as it was read; nil for JSON.
    private let path: String
    private let units: [UnitEntry]
    private let root: FileNode?

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - path: what errors call it.
    ///   - units: the catalogue.
    /// - Throws: what is wrong first, with its place.
    public init(text: String, path: String = "the patch", units: [UnitEntry]) throws(PatchFileError) {
        try self.init(text: text, path: path, units: units, shelf: PresetShelf(ofPatchAt: path))
    }

    /// Reads a text that finds its presets on `shelf`.
    init(text: String, path: String, units: [UnitEntry], shelf: PresetShelf) throws(PatchFileError) {
        if text.utf8.count > Self.largest { throw PatchFileError(.tooLarge(limit: Self.largest), path: path) }
        if Self.isJSON(text) {
            patch = try PlainTables.patch(text, path: path)
            // What a unit or a value cannot be is found where it would be written.
            _ = try PatchTables(units: units, shelf: shelf).tree(patch, path: path)
            version = 0
            remarks = [Remark(.substituted, path, "JSON, as version 0 had it; read as version \(Self.version)")]
            root = nil
        } else {
            let cursor = try FileCursor(text: text, path: path)
            try cursor.checkVersion(Self.version)
            patch = try PatchTables(units: units, shelf: shelf).patch().document(cursor)
            version = Self.version
            remarks = []
            root = cursor.node
        }
        self.path = path
        self.units = units
    }

    /// Remarks on probable mistakes that still play, with their lines: for example a unit that leads nowhere.
    public var advice: [Remark] { places.advice }

    /// The parts that several of its instruments and MIDI units receive in common, and which of them each zone plays.
    package var sharedParts: [SharedParts] { places.sharedParts }

    /// Returns the patch as an engine needs it: with one output, and without circles. Throws the fault with its line.
    public func playable() throws(PatchFileError) -> Patch {
        if let fault = places.soundFault { throw fault }
        return patch
    }

    /// Returns the error for what a unit of the patch refuses of its properties, with the place in the file; `unit` is called
    /// as from outside, `PATCH.UNIT` if it is in a nested patch.
    public func fault(ofUnit unit: String, property: String, reason: String) -> PatchFileError {
        places.fault(ofUnit: unit, property: property, reason: reason)
    }

    private var places: PatchPlaces { PatchPlaces(patch: patch, root: root, path: path, units: units) }

    /// Reads a file of at most `largest` bytes.
    public init(path: String, units: [UnitEntry]) throws(PatchFileError) {
        try self.init(text: Self.source(path: path), path: path, units: units)
    }

    /// Returns the text of a file, as `update` takes it. Throws `cannotRead`, `tooLarge`, `notUTF8`.
    public static func source(path: String) throws(PatchFileError) -> String {
        let bytes: [UInt8]
        do { bytes = try BoundedFile.bytes(path: path, limit: largest) } catch {
            switch error {
            case .cannotRead(let code): throw PatchFileError(.cannotRead(code: code), path: path)
            case .tooLarge: throw PatchFileError(.tooLarge(limit: largest), path: path)
            }
        }
        return try text(bytes: bytes, path: path)
    }

    /// Bytes as text. Throws `notUTF8` with the line.
    public static func text(bytes: [UInt8], path: String) throws(PatchFileError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // The first line that cannot be read as a line of its own.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw PatchFileError(.notUTF8, path: path, line: line + 1, column: 1)
    }

    /// Returns a patch as the text of a file. Reading it gives the patch again.
    ///
    /// A preset is named if a file at `path` would be given it by that name, and else its values are written out.
    ///
    /// - Parameters:
    ///   - path: the path that the file will have.
    ///   - heading: lines for the top, as a comment.
    ///   - isCommented: whether each unit and parameter is described, with those that the patch leaves at their default.
    /// - Throws: a setting that a unit does not have, and `cannotSay`.
    public static func text(
        of patch: Patch, path: String = "the patch", units: [UnitEntry], heading: String = "", isCommented: Bool = false
    ) throws(PatchFileError) -> String {
        let shelf = PresetShelf(ofPatchAt: path), patch = patch.canonical(units).shelved(on: shelf, units)
        let tree = try PatchTables(units: units, shelf: shelf).tree(patch, path: path)
        var text = heading.split(separator: "\n").map { "# \($0)\n" }.joined()
        if !text.isEmpty { text += "\n" }
        let comments = UnitComments(units, shelf)
        text += (isCommented ? FileText { comments.lines(of: $0, $1) } : FileText()).text(tree)
        if try PatchFile(text: text, path: path, units: units, shelf: shelf).patch != patch {
            throw PatchFileError(.cannotSay, path: path)
        }
        return text
    }

    /// Writes the text of a patch into a file: whole, or not at all. Throws `cannotWrite`.
    public static func write(_ text: String, to path: String) throws(PatchFileError) {
        let code = WholeText.write(text, toFile: path)
        if code != 0 { throw PatchFileError(.cannotWrite(code: code), path: path) }
    }

    private static func isJSON(_ text: String) -> Bool {
        text.first { !$0.isWhitespace } == "{" && text.contains("\"carillon-patch\"")
    }
}
