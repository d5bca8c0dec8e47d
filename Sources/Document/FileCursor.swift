/// The faults of a file that is being read, so that all of them are reported at once. Of one reading, on one thread.
package final class FileFaults {
    /// The name that errors give the file.
    package let path: String
    private var errors: [DocumentError] = []
    /// True once something that others name could not be read: what names it is not read, since it would be refused for nothing.
    package private(set) var hideNames = false

    package init(path: String) { self.path = path }

    /// The number of faults so far.
    var count: Int { errors.count }

    /// Takes note of a fault.
    package func add(_ error: DocumentError, hidesNames: Bool = false) {
        errors.append(error)
        if hidesNames { hideNames = true }
    }

    /// Throws the faults in the order of the file, if there are any.
    package func check() throws(DocumentError) {
        let sorted = errors.enumerated().sorted {
            ($0.element.line ?? 0, $0.element.column ?? 0, $0.offset) < ($1.element.line ?? 0, $1.element.column ?? 0, $1.offset)
        }.map(\.element)
        guard var first = sorted.first else { return }
        first.others = Array(sorted.dropFirst())
        throw first
    }
}

/// A value of a file at its place: what is read there, or where and why it cannot be.
package struct FileCursor {
    package let node: FileNode
    /// The way to it: `units.reverb.decay`; empty at the top.
    package let key: String
    /// The node of its key; of an item of a list, and at the top, its own.
    package let place: FileNode
    package let faults: FileFaults

    /// Creates a cursor to the whole of a file.
    package init(_ root: FileNode, path: String) {
        (node, place, key, faults) = (root, root, "", FileFaults(path: path))
    }

    private init(_ node: FileNode, _ key: String, at place: FileNode, _ faults: FileFaults) {
        (self.node, self.key, self.place, self.faults) = (node, key, place, faults)
    }

    /// The text of a file without the mark that some editors put before it, at its top.
    package init(text: String, path: String) throws(DocumentError) {
        self.init(try FileNode(text.first == "\u{FEFF}" ? String(text.dropFirst()) : text, path: path), path: path)
    }

    /// A value below a key.
    package struct Entry {
        package let name: String
        package let value: FileCursor
    }

    private func item(_ node: FileNode) -> FileCursor { FileCursor(node, key, at: node, faults) }

    /// An error here, or at another node of the same key.
    package func error(_ fault: DocumentError.Fault, at node: FileNode? = nil) -> DocumentError {
        DocumentError(fault, path: faults.path, key: key, at: node ?? self.node)
    }

    /// True if there is no value.
    package var isEmpty: Bool { if case .scalar("", isPlain: true) = node.content { true } else { false } }

    /// The entries of a mapping; none if there is no value.
    package func entries(_ expected: String) throws(DocumentError) -> [Entry] {
        if isEmpty { return [] }
        guard case .mapping(let entries) = node.content else { throw error(.wrongKind(expected: expected)) }
        return entries.map { entry in
            let way = key.isEmpty ? entry.name : "\(key).\(entry.name)"
            return Entry(name: entry.name, value: FileCursor(entry.value, way, at: entry.key, faults))
        }
    }

    /// The items of a list; none if there is no value.
    package func list(_ expected: String) throws(DocumentError) -> [FileCursor] {
        if isEmpty { return [] }
        guard case .list(let items) = node.content else { throw error(.wrongKind(expected: expected)) }
        return items.map(item)
    }

    /// The items of a list, or the one value.
    package var items: [FileCursor] { if case .list(let items) = node.content { items.map(item) } else { [self] } }

    /// The text of a scalar, which is not empty.
    package func text(_ expected: String) throws(DocumentError) -> String {
        if case .scalar(let text, _) = node.content, !isEmpty { return text }
        throw error(.wrongKind(expected: expected))
    }

    /// Throws if the file is of another version than `known`, or names none.
    package func checkVersion(_ known: Int, key: String = "version") throws(DocumentError) {
        guard let version = try entries("a mapping with \(key): \(known)").first(where: { $0.name == key })?.value else {
            throw error(.missingKey("\(key): \(known)"))
        }
        let text = try version.text("a number")
        if text != "\(known)" { throw version.error(.version(text, known: known)) }
    }
}
