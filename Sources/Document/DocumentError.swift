import Glibc
import Reports
import UnitAPI

/// The reason why a file cannot be read, or not written: where, at which key, what, and what to do. Nothing has changed.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file.
    public let path: String
    /// The line, counted from 1; nil if the fault is in no line.
    public let line: Int?
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int?
    /// The way to the key: `units.reverb.decay`; empty at the top.
    public let key: String
    /// The fault in the file.
    public let fault: Fault
    /// The other faults of the file, in its order.
    public internal(set) var others: [DocumentError] = []

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
        /// Bytes that are not text.
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
        /// Nothing of a kind, a unit or a role, has this name: one of `known` is meant.
        case unknown(String, kind: String, known: [String])
        /// No unit of the catalogue is called so.
        case unknownUnit(String, known: [String])
        case missingKey(String)
        /// There is something else than `expected`.
        case wrongKind(expected: String)
        /// A version that this program does not read.
        case version(String, known: Int)
        case value(ParameterError)
        /// More values than the parameter has, or none.
        case valueCount(Int, most: Int)
        /// A value that cannot be, or not beside something else, and why: a whole sentence.
        case refused(String)
        /// A fault in another file that this one names, such as a preset.
        indirect case inside(DocumentError, kind: String)
        /// A text that YAML's reader changes, such as one that begins with a byte order mark.
        case cannotSay
        /// The text could not be changed so that it means something else, and was left.
        case cannotKeep

        /// A key that nothing is called here.
        package static func unknownKey(_ key: String, known: [String]) -> Fault { .unknown(key, kind: "", known: known) }
    }

    package init(_ fault: Fault, path: String, key: String = "", at node: FileNode? = nil) {
        self.init(fault, path: path, key: key, line: node?.line, column: node?.column)
    }

    package init(_ fault: Fault, path: String, key: String = "", line: Int?, column: Int?) {
        (self.fault, self.path, self.key) = (fault, path, key)
        (self.line, self.column) = (line, column)
    }

    /// The error with the file's path.
    package func inFile(_ path: String) -> DocumentError {
        DocumentError(fault, path: path, key: key, line: line, column: column)
    }

    /// The error below a key.
    package func inside(_ name: String) -> DocumentError {
        DocumentError(fault, path: path, key: key.isEmpty ? name : "\(name).\(key)", line: line, column: column)
    }

    /// Returns an error at this place with another fault, for a caller that knows more.
    package func replacingFault(_ fault: Fault) -> DocumentError {
        DocumentError(fault, path: path, key: key, line: line, column: column)
    }

    public var description: String {
        let place = line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? ""
        return "\(path)\(place): \(key.isEmpty ? "" : key + ": ")\(fault)"
    }
}

extension DocumentError.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotRead(let code): "cannot be read: \(String(cString: strerror(code)))"
        case .cannotWrite(let code): "cannot be written: \(String(cString: strerror(code)))"
        case .exists: "already exists; choose another name, or let it be replaced"
        case .notAFile: "is a folder, a pipe or a device; give a file"
        case .tooLarge(let limit): "longer than \(limit >> 20) MB; this is no file of this kind"
        case .notUTF8: "the file is not UTF-8; save it as UTF-8"
        case .syntax(let problem): "not YAML: \(problem)"
        case .empty: "the file is empty; begin it with version: 1"
        case .tooDeep(let limit): "mappings and lists lie inside each other more than \(limit) deep; take some levels out"
        case .unfolds(let limit): "its anchors and aliases might unfold to more than \(limit) values; write them out"
        case .duplicateKey: "is given twice; leave one of them out"
        case .unknown(let name, let kind, let known):
            "there is no \(Self.named(name, kind)); \(Self.choice(known, instead: name))"
        case .unknownUnit(let name, let known):
            "there is no unit called \"\(name)\""
                + (NearName.of(name, among: known).map { "; did you mean \($0)?" }
                    ?? "; there are \(NameList.short(known)); a unit of your own is known to programs that register it")
        case .missingKey(let key): "\(key) is missing; add it"
        case .wrongKind(let expected): "\(expected) is wanted here"
        case .version(let version, let known): "version \(version) is not known; this program reads version \(known)"
        case .value(let error): "\(error)"
        case .valueCount(let count, let most):
            count == 0
                ? "the list is empty; give a value, or leave the key out"
                : "\(count) values are too many; there \(most == 1 ? "is one" : "are \(most)")"
        case .refused(let reason): reason
        case .inside(let error, let kind): "\(kind) \(error)"
        case .cannotSay: "it has a text that a file cannot hold unchanged; change it"
        case .cannotKeep: "its text cannot be changed to mean something else; write it into a new file"
        }
    }

    /// The name after the first word of its kind: `preset "warm" of limiter`.
    private static func named(_ name: String, _ kind: String) -> String {
        let words = kind.split(separator: " ", maxSplits: 1)
        guard let first = words.first else { return "\"\(name)\" here" }
        return "\(first) \"\(name)\"" + words.dropFirst().map { " \($0)" }.joined()
    }

    /// The near name comes first: a narrow screen may cut off what follows it.
    private static func choice(_ known: [String], instead name: String) -> String {
        if known.isEmpty { return "nothing may stand here" }
        // Some of them come with a value: "song: FILE".
        let near =
            NearName.of(name, among: known.map { String($0.prefix { $0 != ":" }) }).map { "did you mean \($0)? Else " } ?? ""
        return "\(near)choose from \(NameList.short(known))"
    }
}

extension DocumentError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Reports.Fault.Exit {
        switch fault {
        case .cannotRead, .notAFile: .noInput
        case .cannotWrite, .exists: .cannotCreate
        case .inside(let error, _): error.exit
        default: .configuration
        }
    }
}
