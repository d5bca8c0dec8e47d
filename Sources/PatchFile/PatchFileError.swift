import Glibc
import Patch
import UnitAPI

/// The reason why a file is no patch, or a patch no file: where, at which key, what, and what to do. Nothing has changed.
public struct PatchFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file.
    public let path: String
    /// The line, counted from 1; nil where the fault is in no line.
    public let line: Int?
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int?
    /// The way to the key: `units.reverb.decay`; empty at the top.
    public let key: String
    /// The fault in the file.
    public let fault: Fault

    /// A fault at a place of the file.
    public enum Fault: Error, Hashable, Sendable {
        /// `errno` of the call that failed.
        case cannotRead(code: Int32)
        case cannotWrite(code: Int32)
        /// A file is there already, and none is to be replaced.
        case exists
        /// A pipe, a device or a folder.
        case notAFile
        /// Longer than `limit` bytes.
        case tooLarge(limit: Int)
        /// Bytes that are no text.
        case notUTF8
        /// A complaint of the reader of YAML.
        case syntax(String)
        /// Nothing but comments.
        case empty
        /// More mappings and lists inside each other than `limit`.
        case tooDeep(limit: Int)
        /// Anchors and aliases that would unfold to more than `limit` values.
        case unfolds(limit: Int)
        /// The text has one key twice in one mapping.
        case duplicateKey
        case unknownKey(String, known: [String])
        case missingKey(String)
        /// Something else stands there than `expected`.
        case wrongKind(expected: String)
        /// A version that this program does not read.
        case version(String, known: Int)
        /// No unit of the catalogue is called so.
        case unknownUnit(String, known: [String])
        /// A unit that somebody else makes, and why it cannot be had: a whole sentence.
        case unitNotToBeHad(String)
        case unknownRole(String, known: [String])
        /// The unit has no preset of this name, nor has the person one of it.
        case unknownPreset(String, unit: String, known: [String])
        /// A preset that cannot be had, and why: a whole sentence.
        case preset(String)
        /// A fault in the preset's own file.
        indirect case presetFile(PatchFileError)
        case value(ParameterError)
        /// More values than the parameter has, or none.
        case valueCount(Int, most: Int)
        /// A property that is no number that can be written.
        case notFinite
        case parts(String)
        /// A number of inputs for a unit whose inputs cannot be chosen, or not so: there are `least` at least.
        case inputCount(String, least: Int, isFixed: Bool)
        /// A connection that is no row of names with arrows between them.
        case connection(String)
        /// A bus of a unit in the middle of a row, where it would be both an input and an output.
        case busInside(String)
        /// No unit or patch of this name stands beside.
        case unknownName(String, known: [String])
        case unknownBus(String, of: String, direction: String, known: [String])
        /// Music is led to a unit that has no use for it.
        case hearsNoMusic(String)
        /// Sound is led to a unit that hears music alone.
        case hearsNoSound(String)
        case patch(PatchError)
        /// A value that cannot be beside something else, and why: a whole sentence.
        case contradiction(String)
        /// A text that YAML's reader changes, such as one that begins with a byte order mark.
        case cannotSay
        /// The text could not be changed so that it means the new patch, and was left.
        case cannotKeep
    }

    /// A preset is called what none can be called.
    package init(notAName name: String, unit: String) {
        self.init(
            .preset("\"\(name)\" cannot name a preset; use small letters and digits, with dashes between words"), path: unit)
    }

    package init(_ fault: Fault, path: String, key: String = "", at node: FileNode? = nil) {
        self.init(fault, path: path, key: key, line: node?.line, column: node?.column)
    }

    init(_ fault: Fault, path: String, key: String = "", line: Int?, column: Int?) {
        (self.fault, self.path, self.key) = (fault, path, key)
        (self.line, self.column) = (line, column)
    }

    /// Returns an error at this place with another fault, for a caller that knows more.
    package func replacingFault(_ fault: Fault) -> PatchFileError {
        PatchFileError(fault, path: path, key: key, line: line, column: column)
    }

    public var description: String {
        let place = line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? ""
        return "\(path)\(place): \(key.isEmpty ? "" : key + ": ")\(fault)"
    }
}

extension PatchFileError.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotRead(let code): "cannot be read: \(String(cString: strerror(code)))"
        case .cannotWrite(let code): "cannot be written: \(String(cString: strerror(code)))"
        case .exists: "is there already; choose another name, or let it be replaced"
        case .notAFile: "is a folder, a pipe or a device; give a file"
        case .tooLarge(let limit): "longer than \(limit >> 20) MB; this is no file of this kind"
        case .notUTF8: "bytes that are no UTF-8; save the file as UTF-8"
        case .syntax(let problem): "not YAML: \(problem)"
        case .empty: "nothing stands in it; it begins with version: \(PatchFile.version)"
        case .tooDeep(let limit): "mappings and lists lie inside each other more than \(limit) deep; take some levels out"
        case .unfolds(let limit): "its anchors and aliases might unfold to more than \(limit) values; write them out"
        case .duplicateKey: "stands twice; leave one of them out"
        case .unknownKey(let key, let known):
            "there is no \"\(key)\" here; \(Self.choice(known, instead: key))"
        case .missingKey(let key): "\(key) is missing; add it"
        case .wrongKind(let expected): "\(expected) is wanted here"
        case .version(let version, let known): "version \(version) is not known; this program reads version \(known)"
        case .unknownUnit(let name, let known):
            "there is no unit called \"\(name)\""
                + (NearName.of(name, among: known).map { "; did you mean \($0)?" }
                    ?? "; there are \(known.joined(separator: ", ")); a unit of your own is known to programs that register it")
        case .unitNotToBeHad(let reason): reason
        case .unknownRole(let role, let known):
            "there is no role \"\(role)\"; \(Self.choice(known, instead: role))"
        case .unknownPreset(let name, let unit, let known):
            "there is no preset \"\(name)\" of \(unit); "
                + (known.isEmpty
                    ? "it has none; a file of your own is named with its folder, ./\(name).yaml"
                    : Self.choice(known, instead: name))
        case .preset(let reason): reason
        case .presetFile(let error): "preset \(error)"
        case .value(let error): "\(error)"
        case .valueCount(let count, let most):
            count == 0
                ? "the list is empty; give a value, or leave the key out"
                : "\(count) values are too many; there \(most == 1 ? "is one" : "are \(most)")"
        case .notFinite: "this is no number that can be written; give another"
        case .parts(let text): "\"\(text)\" is no list of parts; write it like 1-16, 26"
        case .inputCount(let text, let least, let isFixed):
            isFixed
                ? "the inputs cannot be chosen, there \(least == 1 ? "is 1" : "are \(least)"); leave the key out"
                : "\"\(text)\" is no number of inputs; write a whole number from \(least) to \(PatchFile.mostInputs)"
        case .connection(let text): "\"\(text)\" is no connection; write it like organ -> reverb -> mixer[1]"
        case .busInside(let port):
            "\(port) stands in the middle, where its bus might be an input or an output; write two connections"
        case .unknownName(let name, let known):
            known.isEmpty
                ? "there is no unit \"\(name)\"; add it to units"
                : "there is no unit \"\(name)\"; \(Self.choice(known, instead: name))"
        case .unknownBus(let bus, let name, let direction, let known):
            "\(name) has no \(direction) [\(bus)]; "
                + (known.isEmpty ? "it has none" : "it has \(known.map { "[\($0)]" }.joined(separator: ", "))")
                + NearName.question(bus, among: known)
        case .hearsNoMusic(let name):
            "\(name) hears no notes and no controllers; lead music to an instrument or to a MIDI unit"
        case .hearsNoSound(let name):
            "\(name) hears notes and controllers and no sound; lead sound to an effect or to a mixer"
        case .patch(let error): "\(error)"
        case .contradiction(let reason): reason
        case .cannotSay: "it has a text that comes back otherwise from a file; change it"
        case .cannotKeep: "its text cannot be changed to mean the new patch; write the patch into a new file"
        }
    }

    /// The near name first: what comes behind it may be cut off by a narrow screen.
    private static func choice(_ known: [String], instead name: String) -> String {
        if known.isEmpty { return "nothing may stand here" }
        let near = NearName.of(name, among: known).map { "did you mean \($0)? Else " } ?? ""
        return "\(near)choose from \(known.joined(separator: ", "))"
    }
}
