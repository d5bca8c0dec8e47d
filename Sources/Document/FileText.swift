/// Writes the content of a file as lines: two columns deeper for each level, sections of the outermost level apart.
package struct FileText {
    /// The lines of a type's first entry with comments, without a margin; nil without comments.
    package var comments: ((_ type: String, _ entries: [FileTree.Entry]) -> [String])?

    package init(comments: ((_ type: String, _ entries: [FileTree.Entry]) -> [String])? = nil) { self.comments = comments }

    /// The whole file.
    package func text(_ tree: FileTree) -> String {
        var lines: [String] = [], known: Set<String> = []
        for (index, entry) in tree.entries.enumerated() {
            if index > 0 { lines.append("") }
            lines += self.lines(entry, indent: 0, known: &known)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The lines of an entry.
    package func lines(_ entry: FileTree.Entry, indent: Int) -> [String] {
        var known: Set<String> = []
        return lines(entry, indent: indent, known: &known)
    }

    /// The line of an item of a list.
    package static func line(_ item: FileTree.Item, indent: Int) -> String {
        margin(indent) + "- " + ScalarText.text(item.text, isTyped: true)
    }

    /// A value that fits on the line of its key; nil for one that has lines of its own.
    package static func inline(_ tree: FileTree, inRow: Bool = false) -> String? {
        switch tree {
        case .text(let text): ScalarText.text(text, inRow: inRow, isTyped: true)
        case .literal(let text): text
        case .row(let items): "[" + items.compactMap { inline($0, inRow: true) }.joined(separator: ", ") + "]"
        case .list(let items): items.isEmpty ? "[]" : nil
        case .mapping(let entries) where entries.isEmpty: "{}"
        case .mapping(let entries) where inRow:
            "{"
                + entries.compactMap { entry in
                    inline(entry.value, inRow: true).map { "\(ScalarText.text(entry.key, inRow: true)): \($0)" }
                }.joined(separator: ", ") + "}"
        case .mapping: nil
        }
    }

    /// The key of an entry as it is written.
    static func key(_ name: String) -> String { ScalarText.text(name) }

    private func lines(_ entry: FileTree.Entry, indent: Int, known: inout Set<String>) -> [String] {
        let margin = Self.margin(indent), key = Self.key(entry.key)
        if !entry.type.isEmpty, let comments, known.insert(entry.type).inserted {
            return [margin + key + ":"]
                + comments(entry.type, entry.value.entries).map {
                    $0.isEmpty ? "" : Self.margin(indent + 1) + $0
                }
        }
        if case .row(let items) = entry.value, items.contains(where: { !$0.entries.isEmpty }) {
            return ["\(margin)\(key):"]
                + items.compactMap { Self.inline($0, inRow: true) }.map { Self.margin(indent + 1) + "- " + $0 }
        }
        if let text = Self.inline(entry.value) { return ["\(margin)\(key): \(text)"] }
        switch entry.value {
        case .list(let items): return ["\(margin)\(key):"] + items.map { Self.line($0, indent: indent + 1) }
        case .mapping(let entries):
            var result = ["\(margin)\(key):"]
            for (index, entry) in entries.enumerated() {
                let new = lines(entry, indent: indent + 1, known: &known)
                // Entries with comments are set apart.
                if comments != nil, index > 0, new.count > 8, !entry.type.isEmpty { result.append("") }
                result += new
            }
            return result
        default: return []
        }
    }

    private static func margin(_ indent: Int) -> String { String(repeating: " ", count: indent * 2) }
}
