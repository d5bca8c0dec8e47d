import UnitAPI

/// Whoever reads a file of ours: what stands at a key, or where and why it cannot be.
package protocol FileReading {
    /// The name that errors give the file.
    var path: String { get }
}

extension FileReading {
    package func error(_ fault: DocumentError.Fault, _ key: String, _ node: FileNode) -> DocumentError {
        DocumentError(fault, path: path, key: key, at: node)
    }

    /// The way to a key.
    package func way(_ keys: String...) -> String { keys.filter { !$0.isEmpty }.joined(separator: ".") }

    /// The entries of a mapping; none where nothing stands.
    package func mapping(_ node: FileNode, key: String, of expected: String) throws(DocumentError) -> [FileNode.Entry] {
        switch node.content {
        case .mapping(let entries): return entries
        case .scalar("", isPlain: true): return []
        default: throw error(.wrongKind(expected: expected), key, node)
        }
    }

    /// The items of a list; none where nothing stands.
    package func list(_ node: FileNode, key: String, of expected: String) throws(DocumentError) -> [FileNode] {
        switch node.content {
        case .list(let items): return items
        case .scalar("", isPlain: true): return []
        default: throw error(.wrongKind(expected: expected), key, node)
        }
    }

    /// The text of a scalar, which is not empty.
    package func text(_ node: FileNode, key: String, of expected: String) throws(DocumentError) -> String {
        if case .scalar(let text, let isPlain) = node.content, !(isPlain && text.isEmpty) { return text }
        throw error(.wrongKind(expected: expected), key, node)
    }

    /// A whole number.
    package func number(_ node: FileNode, _ range: ClosedRange<Int>, _ key: String) throws(DocumentError) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = Int(try text(node, key: key, of: expected)), range.contains(number) else {
            throw error(.wrongKind(expected: expected), key, node)
        }
        return number
    }

    /// A value in the unit and the range of a declaration.
    package func value(_ node: FileNode, of spec: ParameterSpec, _ key: String) throws(DocumentError) -> Float {
        let text = try text(node, key: key, of: "a value, \(spec.valid),")
        do { return try spec.fileValue(text) } catch { throw self.error(.value(error), key, node) }
    }

    /// A switch.
    package func flag(_ node: FileNode, key: String) throws(DocumentError) -> Bool {
        let text = try text(node, key: key, of: "on or off")
        let name = key.split(separator: ".").last.map(String.init) ?? key
        do { return try ParameterSpec.toggle(name, default: false, help: "").value(text) == 1 } catch {
            throw self.error(.value(error), key, node)
        }
    }
}

extension FileNode {
    /// The entry of a mapping under that name.
    package func entry(_ name: String) -> Entry? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.name == name }
    }

    /// True for text without quotes.
    package var isPlain: Bool { if case .scalar(_, isPlain: true) = content { true } else { false } }
}
