import Yams

/// A node of a YAML text with its place, aliases unfolded: the only thing the rest knows of YAML. Bounded in size and depth.
struct FileNode {
    /// What stands there.
    enum Content {
        /// Text; `isPlain` where it has no quotes, so that `3` may be a number.
        case scalar(String, isPlain: Bool)
        case list([FileNode])
        case mapping([Entry])
    }

    /// A key and its value.
    struct Entry {
        let key: FileNode
        let value: FileNode
        /// The key's text.
        let name: String
    }

    let content: Content
    /// Both counted from 1; a column counts Unicode scalars.
    let line: Int
    let column: Int

    /// Mappings and lists inside each other, at most.
    static let deepest = 64
    /// Values in a file, aliases unfolded, at most.
    static let mostNodes = 2_000_000
    /// Anchors in a file, at most: a file with one or two and many aliases is somebody's work, one with many is a bomb.
    private static let mostAnchors = 4

    /// Reads a text.
    ///
    /// - Throws: what is no YAML, what is too deep or unfolds too far, and keys that stand twice.
    init(_ text: String, path: String) throws(PatchFileError) {
        if Self.mayUnfoldFar(text) { throw PatchFileError(.unfolds(limit: Self.mostNodes), path: path, line: 1, column: 1) }
        if let line = Self.tooDeepLine(text) {
            throw PatchFileError(.tooDeep(limit: Self.deepest), path: path, line: line, column: 1)
        }
        let root: Node?
        do { root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot() } catch {
            throw Self.fault(error, text: text, path: path)
        }
        guard let root else { throw PatchFileError(.empty, path: path, line: 1, column: 1) }
        var count = 0
        try self.init(root, depth: 1, count: &count, path: path)
    }

    private init(_ node: Node, depth: Int, count: inout Int, path: String) throws(PatchFileError) {
        line = node.mark?.line ?? 1
        column = node.mark?.column ?? 1
        count += 1
        let fault: PatchFileError.Fault? =
            count > Self.mostNodes ? .unfolds(limit: Self.mostNodes)
            : depth > Self.deepest ? .tooDeep(limit: Self.deepest) : nil
        if let fault { throw PatchFileError(fault, path: path, line: line, column: column) }
        let tag = node.tag
        guard [Tag(.str), Tag(.map), Tag(.seq)].contains(tag) else {
            throw PatchFileError(.syntax("a tag, \(tag); leave it out"), path: path, line: line, column: column)
        }
        switch node {
        case .scalar(let scalar):
            content = .scalar(scalar.string, isPlain: scalar.style == .plain)
        case .sequence(let sequence):
            var list: [FileNode] = []
            for item in sequence { list.append(try FileNode(item, depth: depth + 1, count: &count, path: path)) }
            content = .list(list)
        case .mapping(let mapping):
            var entries: [Entry] = []
            for (key, value) in mapping {
                let key = try FileNode(key, depth: depth + 1, count: &count, path: path)
                guard case .scalar(let name, _) = key.content else {
                    throw PatchFileError(.wrongKind(expected: "a name"), path: path, at: key)
                }
                let value = try FileNode(value, depth: depth + 1, count: &count, path: path)
                entries.append(Entry(key: key, value: value, name: name))
            }
            content = .mapping(entries)
        case .alias: throw PatchFileError(.syntax("an alias without an anchor"), path: path, line: line, column: column)
        }
    }

    /// Whether the aliases of a text might unfold to more than is read. Told from the signs alone, before anything is
    /// unfolded, and rather once too often: of `n` anchors and `a` aliases there come at most (1 + a / (n + 1))^(n + 1)
    /// times as many values as the text has.
    private static func mayUnfoldFar(_ text: String) -> Bool {
        var anchors = 0, aliases = 0, last: UInt8 = 0x20, before: UInt8 = 0x20
        for byte in text.utf8 {
            // A sign with a name behind it, where a value may begin: behind a blank, a break or a sign of YAML's.
            let isAnchor = last == UInt8(ascii: "&")
            if isAnchor || last == UInt8(ascii: "*"), byte > 0x20,
                before <= 0x20 || before >= 0x80 || "[{,:?-&*!".utf8.contains(before)
            {
                if isAnchor { anchors += 1 } else { aliases += 1 }
            }
            (before, last) = (last, byte)
        }
        if anchors == 0 || aliases == 0 { return false }
        if anchors > mostAnchors { return true }
        var most = Double(text.utf8.count) / 4
        for _ in 0...anchors { most *= 1 + Double(aliases) / Double(anchors + 1) }
        return most > Double(mostNodes)
    }

    /// The line in which brackets begin to lie too deep, told from the signs alone: the parser of YAML calls itself for
    /// each level. What brackets in texts and comments add is little.
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

    /// What the parser says, with its place.
    private static func fault(_ error: any Error, text: String, path: String) -> PatchFileError {
        guard let error = error as? YamlError else {
            return PatchFileError(.syntax("it cannot be read"), path: path, line: 1, column: 1)
        }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return PatchFileError(.syntax(problem), path: path, line: mark.line, column: mark.column)
        case .reader(let problem, let offset, _, _):
            let before = text.prefix(offset ?? 0)
            let line = before.count { $0.isNewline } + 1
            let column = before.reversed().prefix { !$0.isNewline }.count + 1
            return PatchFileError(.syntax(problem), path: path, line: line, column: column)
        case .duplicatedKeysInMapping(let names, let context):
            return PatchFileError(
                .duplicateKey, path: path, key: names.first ?? "", line: context.mark.line, column: context.mark.column)
        default:
            return PatchFileError(.syntax("it cannot be read"), path: path, line: 1, column: 1)
        }
    }
}
