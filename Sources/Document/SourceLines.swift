/// The lines of a YAML text as its reader counts them, with the text at a place in them.
package struct SourceLines {
    /// Each with its break.
    package private(set) var lines: [Substring.UnicodeScalarView] = []

    /// Divides at every break that YAML has: line feeds, carriage returns, and three rare ones.
    package init(_ text: String) {
        let scalars = Substring(text).unicodeScalars
        var start = scalars.startIndex, place = start
        while place != scalars.endIndex {
            let scalar = scalars[place], next = scalars.index(after: place)
            let isPair = scalar == "\r" && next != scalars.endIndex && scalars[next] == "\n"
            if !isPair, ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) {
                lines.append(scalars[start..<next])
                start = next
            }
            place = next
        }
        if start != scalars.endIndex { lines.append(scalars[start...]) }
    }

    /// Line `index`, counted from 0, with its break.
    subscript(_ index: Int) -> String { String(String.UnicodeScalarView(lines[index])) }

    /// Blanks before the first sign of a line.
    func margin(_ index: Int) -> Int { lines[index].prefix { $0 == " " }.count }

    /// Returns true if a line is blank.
    func isBlank(_ index: Int) -> Bool { lines[index].allSatisfy { $0.properties.isWhitespace } }

    /// Returns true if a line is only a comment.
    func isComment(_ index: Int) -> Bool { lines[index].first { !$0.properties.isWhitespace } == "#" }

    /// Returns true if the node begins with the first character of its line that is not blank.
    func begins(_ node: FileNode) -> Bool { margin(node.line - 1) == node.column - 1 }

    /// Returns the character at a node's place.
    func sign(_ node: FileNode) -> Unicode.Scalar? {
        lines.indices.contains(node.line - 1) ? lines[node.line - 1].dropFirst(node.column - 1).first : nil
    }

    /// The node's line with another value in its place; nil if the value does not end in that line. Text after it, such as a
    /// comment, stays.
    func replacing(_ node: FileNode, by text: String, inRow: Bool = false) -> String? {
        let line = Array(lines[node.line - 1]), start = node.column - 1
        guard start < line.count, let end = Self.end(of: line, from: start, inRow: inRow) else { return nil }
        var result = String.UnicodeScalarView(line[..<start])
        result.append(contentsOf: text.unicodeScalars)
        result.append(contentsOf: line[end...])
        return String(result)
    }

    /// Puts another line in the place of one.
    mutating func replaceLine(_ index: Int, by text: String) { lines[index] = Substring(text).unicodeScalars }

    /// Writes something before the brace that closes a mapping; false if that is not on its line.
    mutating func append(_ text: String, inBracesOf node: FileNode, isEmpty: Bool) -> Bool {
        let line = Array(lines[node.line - 1]), start = node.column - 1
        guard start < line.count, let end = Self.end(of: line, from: start), end > start, line[end - 1] == "}"
        else { return false }
        var place = end - 1
        while place > start, line[place - 1] == " " { place -= 1 }
        if line[place - 1] == "," { return false }
        var result = String.UnicodeScalarView(line[..<place])
        result.append(contentsOf: ((isEmpty ? "" : ", ") + text).unicodeScalars)
        result.append(contentsOf: line[place...])
        replaceLine(node.line - 1, by: String(result))
        return true
    }

    /// Returns where a value ends that begins at `start`; `inRow` in brackets and braces.
    private static func end(of line: [Unicode.Scalar], from start: Int, inRow: Bool = false) -> Int? {
        switch line[start] {
        case "\"", "'": return quoteEnd(line, start)
        case "[", "{":
            var depth = 0, place = start
            while place < line.count {
                switch line[place] {
                case "[", "{": depth += 1
                case "]", "}":
                    depth -= 1
                    if depth == 0 { return place + 1 }
                case "\"", "'":
                    // Inside a word it is an apostrophe.
                    if place > 0, " [{,:".unicodeScalars.contains(line[place - 1]) {
                        guard let end = quoteEnd(line, place) else { return nil }
                        place = end - 1
                    }
                default: break
                }
                place += 1
            }
            return nil
        case "|", ">", "&", "*", "!", "#": return nil
        default:
            var end = start
            while end < line.count, !(line[end] == "#" && line[end - 1] == " "),
                !(inRow && ",[]{}".unicodeScalars.contains(line[end]))
            {
                end += 1
            }
            while end > start, line[end - 1].properties.isWhitespace { end -= 1 }
            return end
        }
    }

    private static func quoteEnd(_ line: [Unicode.Scalar], _ start: Int) -> Int? {
        var place = start + 1
        while place < line.count {
            if line[place] == "\\" && line[start] == "\"" {
                place += 1
            } else if line[place] == line[start] {
                // Two single quotes are one that is meant.
                guard line[start] == "'", place + 1 < line.count, line[place + 1] == "'" else { return place + 1 }
                place += 1
            }
            place += 1
        }
        return nil
    }
}
