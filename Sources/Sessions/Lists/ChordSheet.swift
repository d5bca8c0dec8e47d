import Reports

/// Words with chords, plain or as ChordPro, in sections: those that directives such as `{start_of_chorus}` enclose, those under a
/// heading in brackets, and else the stanzas between empty lines. Chords stand in brackets before their syllables.
package struct ChordSheet: Sendable, Hashable {
    /// A line as it is shown: chords above words, or a comment.
    package struct Line: Sendable, Hashable {
        /// The chords, each in the column of its syllable.
        package var chords = ""
        package var words = ""
        package var isComment = false
    }

    package struct Section: Sendable, Hashable {
        /// Empty for a stanza.
        package var name = ""
        package var lines: [Line] = []
    }

    package private(set) var title: String?
    package private(set) var sections: [Section] = []

    /// Bytes, lines, and characters of a line that are read at most.
    package static let mostBytes = 65_536, mostLines = 1000, mostCharacters = 400

    /// - Throws: `longText`.
    package init(_ text: String) throws(Fault) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if text.utf8.count > Self.mostBytes || lines.count > Self.mostLines {
            throw .longText
        }
        var isEnclosed = false, isVerbatim = false, isOpen = false
        func isNew(_ line: Substring) -> Bool { !isOpen && !line.allSatisfy(\.isWhitespace) }
        for line in lines {
            if let directive = Directive(line) {
                switch directive.meaning {
                case .title: title = title ?? directive.value
                case .start(let kind, let isTable):
                    sections.append(Section(name: directive.value.isEmpty ? kind : directive.value))
                    (isEnclosed, isVerbatim, isOpen) = (true, isTable, true)
                case .end: (isEnclosed, isVerbatim, isOpen) = (false, false, false)
                case .comment(let word):
                    if !isOpen { sections.append(Section()) }
                    isOpen = true
                    sections[sections.count - 1].lines.append(Line(words: word + directive.value, isComment: true))
                case .chorus:
                    if let chorus = sections.last(where: { $0.name.lowercased().hasPrefix("chorus") }) { sections.append(chorus) }
                    isOpen = false
                case .nothing: break
                }
            } else if line.hasPrefix("#"), !isVerbatim {
                continue
            } else if !isVerbatim, let heading = Self.heading(line) {
                sections.append(Section(name: heading))
                (isEnclosed, isOpen) = (false, true)
            } else {
                if isNew(line) { sections.append(Section()) }
                isOpen = isEnclosed || !line.allSatisfy(\.isWhitespace)
                if isOpen { sections[sections.count - 1].lines.append(isVerbatim ? Self.verbatim(line) : Self.line(line)) }
            }
        }
        sections.removeAll { $0.lines.isEmpty && $0.name.isEmpty }
    }

    private static func shown(_ line: Substring) -> String {
        String(line.prefix(mostCharacters)).replacing("\t", with: "    ")
    }

    private static func verbatim(_ line: Substring) -> Line { Line(words: shown(line)) }

    /// `[Chorus]` alone, which is no chord.
    private static func heading(_ line: Substring) -> String? {
        let text = line.drop(while: \.isWhitespace), name = text.dropFirst().prefix { $0 != "]" }
        guard text.first == "[", !name.isEmpty, text.dropFirst(name.count + 1).first == "]",
            text.dropFirst(name.count + 2).allSatisfy(\.isWhitespace), !isChord(name)
        else { return nil }
        return String(name.prefix(60))
    }

    /// A chord begins with a note, `Bb7/F`, is none, `N.C.`, or repeats, `%`.
    private static func isChord(_ text: Substring) -> Bool {
        guard let first = text.first else { return false }
        if text.uppercased().hasPrefix("N.C") || "*%/|-".contains(first) { return true }
        let rest = text.dropFirst()
        return "ABCDEFGH".contains(first)
            && rest.allSatisfy { "#b♯♭majdimsugdno0123456789+-/()^°øΔ.ABCDEFGH".contains($0) }
    }

    private static func line(_ text: Substring) -> Line {
        var line = Line(), rest = shown(text)[...], columns = (chords: 0, words: 0)
        while let character = rest.first {
            if character == "[", let end = rest.firstIndex(of: "]"), isChord(rest[rest.index(after: rest.startIndex)..<end]) {
                let chord = rest[rest.index(after: rest.startIndex)..<end]
                let column = max(columns.words, columns.chords == 0 ? 0 : columns.chords + 1)
                // Within a word only the chord moves.
                if column > columns.words, line.words.last?.isWhitespace ?? true {
                    line.words += String(repeating: " ", count: column - columns.words)
                    columns.words = column
                }
                line.chords += String(repeating: " ", count: column - columns.chords) + chord
                columns.chords = column + TextColumns.count(chord)
                rest = rest[rest.index(after: end)...]
            } else {
                line.words.append(character)
                columns.words += TextColumns.count(String(character))
                rest = rest.dropFirst()
            }
        }
        line.words = TextColumns.trimmed(line.words)
        return line
    }
}

extension ChordSheet {
    /// `{name: value}`.
    private struct Directive {
        enum Meaning {
            case title
            case start(String, isTable: Bool)
            case end
            case comment(String)
            case chorus
            /// It says how to print, and nothing that is shown.
            case nothing
        }

        let meaning: Meaning
        let value: String

        init?(_ line: Substring) {
            let text = line.drop(while: \.isWhitespace)
            guard text.first == "{", let end = text.lastIndex(of: "}"),
                text[text.index(after: end)...].allSatisfy(\.isWhitespace)
            else { return nil }
            let parts = text[..<end].dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            func trimmed(_ text: Substring) -> Substring {
                Substring(TextColumns.trimmed(String(text.drop { $0 == " " })))
            }
            var value = parts.count > 1 ? trimmed(parts[1]) : ""
            if value.hasPrefix("label=") { value = value.dropFirst(6).drop { $0 == "\"" }.prefix { $0 != "\"" } }
            self.value = String(value.prefix(ChordSheet.mostCharacters))
            meaning = Self.meaning(of: trimmed(parts[0]).lowercased())
        }

        private static func meaning(of name: String) -> Meaning {
            if name.hasPrefix("start_of_") {
                let kind = String(name.dropFirst(9))
                return .start(kind, isTable: ["tab", "grid", "abc", "ly"].contains(kind))
            }
            if name.hasPrefix("end_of_") { return .end }
            return switch name {
            case "title", "t": .title
            case "comment", "c", "comment_italic", "ci", "comment_box", "cb", "highlight": .comment("")
            case "subtitle", "st", "artist", "composer": .comment("")
            case "capo", "key", "tempo", "time": .comment("\(name) ")
            case "soc": .start("chorus", isTable: false)
            case "sov": .start("verse", isTable: false)
            case "sob": .start("bridge", isTable: false)
            case "sot": .start("tab", isTable: true)
            case "eoc", "eov", "eob", "eot": .end
            case "chorus": .chorus
            default: .nothing
            }
        }
    }
}

extension ChordSheet.Line: Fielded {
    package static let fields: [Field<Self>] = [
        Field("chords", \.chords, "The chords, each above its syllable."), Field("words", \.words, "The words, or a comment."),
        Field("isComment", \.isComment, "Whether it is a comment."),
    ]
}
