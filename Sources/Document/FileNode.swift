/// A node of a YAML text with its place, aliases unfolded: the only thing the rest knows of YAML. Bounded in size and depth.
package struct FileNode: Sendable {
    /// The content of a node.
    package enum Content: Sendable {
        /// Text; `isPlain` if it has no quotes, so that `3` may be a number.
        case scalar(String, isPlain: Bool)
        case list([FileNode])
        case mapping([Entry])
    }

    /// A key and its value.
    package struct Entry: Sendable {
        package let key: FileNode
        package let value: FileNode
        /// The key's text.
        package let name: String
    }

    package let content: Content
    /// Line and column, counted from 1; a column counts Unicode scalars.
    package let line: Int
    package let column: Int
    /// Values in it, itself among them, aliases unfolded.
    let count: Int

    /// The greatest depth of mappings and lists within each other.
    static let deepest = 64
    /// The most values in a file, aliases unfolded: an alias costs no memory here, but readers of the patch meet each.
    static let mostNodes = 2_000_000

    /// Reads a text.
    ///
    /// - Throws: for text that is not YAML, is too deep or unfolds too far, has tags, or has a key twice.
    package init(_ text: String, path: String) throws(DocumentError) {
        if let line = Self.tooDeepLine(text) {
            throw DocumentError(.tooDeep(limit: Self.deepest), path: path, line: line, column: 1)
        }
        var reader = Reader(text, path: path)
        self = try reader.document()
    }

    fileprivate init(_ content: Content, at event: YAMLEvents.Event) {
        self.content = content
        (line, column) = (event.line, event.column)
        count =
            switch content {
            case .scalar: 1
            case .list(let list): list.reduce(1) { $0 + $1.count }
            case .mapping(let entries): entries.reduce(1) { $0 + $1.key.count + $1.value.count }
            }
    }

    /// The line in which brackets begin to nest too deep, from the characters alone: the time that libyaml takes for a
    /// bracket grows with the brackets around it. Brackets in texts and comments add little.
    private static func tooDeepLine(_ text: String) -> Int? {
        var depth = 0, line = 1
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            if depth > 8 * deepest { return line }
        }
        return nil
    }
}

/// Pieces become nodes.
private struct Reader: ~Copyable {
    let events: YAMLEvents
    let path: String
    /// The nodes of anchors.
    var anchored: [String: FileNode] = [:]
    /// Values so far, aliases unfolded.
    var count = 0

    init(_ text: String, path: String) {
        events = YAMLEvents(text)
        self.path = path
    }

    mutating func document() throws(DocumentError) -> FileNode {
        guard try next().kind == .document else { throw DocumentError(.empty, path: path, line: 1, column: 1) }
        let root = try node(next(), depth: 1)
        let behind = try next()
        if behind.kind != .end { throw fault(.syntax("a second document; leave out the --- before it"), at: behind) }
        return root
    }

    private func next() throws(DocumentError) -> YAMLEvents.Event {
        do { return try events.next() } catch {
            throw DocumentError(.syntax(error.problem), path: path, line: error.line, column: error.column)
        }
    }

    private func fault(_ fault: DocumentError.Fault, at event: YAMLEvents.Event) -> DocumentError {
        DocumentError(fault, path: path, line: event.line, column: event.column)
    }

    private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws(DocumentError) -> FileNode {
        count += 1
        if count > FileNode.mostNodes { throw fault(.unfolds(limit: FileNode.mostNodes), at: event) }
        if depth > FileNode.deepest { throw fault(.tooDeep(limit: FileNode.deepest), at: event) }
        if let tag = event.tag { throw fault(.syntax("a tag, \(tag); leave it out"), at: event) }
        let node: FileNode
        switch event.kind {
        case .scalar(let text, let isPlain): node = FileNode(.scalar(text, isPlain: isPlain), at: event)
        case .list:
            var list: [FileNode] = []
            while true {
                let item = try next()
                if item.kind == .listEnd { break }
                list.append(try self.node(item, depth: depth + 1))
            }
            node = FileNode(.list(list), at: event)
        case .mapping: node = FileNode(.mapping(try entries(depth: depth)), at: event)
        case .alias(let name):
            // A value is known by its anchor from its end on: one inside itself is not.
            guard let target = anchored[name] else { throw fault(.syntax("an alias without an anchor, *\(name)"), at: event) }
            count += target.count - 1
            if count > FileNode.mostNodes { throw fault(.unfolds(limit: FileNode.mostNodes), at: event) }
            return target
        case .listEnd, .mappingEnd, .document, .end: throw fault(.syntax("it ends too early"), at: event)
        }
        if let anchor = event.anchor { anchored[anchor] = node }
        return node
    }

    private mutating func entries(depth: Int) throws(DocumentError) -> [FileNode.Entry] {
        var entries: [FileNode.Entry] = [], names: Set<String> = []
        while true {
            let event = try next()
            if event.kind == .mappingEnd { return entries }
            let key = try node(event, depth: depth + 1)
            guard case .scalar(let name, _) = key.content else {
                throw DocumentError(.wrongKind(expected: "a name"), path: path, at: key)
            }
            guard names.insert(name).inserted else {
                throw DocumentError(.duplicateKey, path: path, key: name, at: key)
            }
            entries.append(FileNode.Entry(key: key, value: try node(next(), depth: depth + 1), name: name))
        }
    }
}

extension FileNode {
    /// The entry of a mapping under that name.
    package func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

    /// The entries of a mapping; none of anything else.
    package var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    /// True for text without quotes.
    package var isPlain: Bool { if case .scalar(_, isPlain: true) = content { true } else { false } }
}
