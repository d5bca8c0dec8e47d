/// A word of a line: as it stands, or in double quotes. Within quotes a backslash stands before `"` and itself; `\n`, `\r` and
/// `\t` are what they are elsewhere.
struct ControlToken: Hashable {
    let text: String
    let isQuoted: Bool

    /// The words of a line. Scalars are looked at, not characters: a line end with a carriage return is two of them.
    static func tokens(of line: String) throws(ControlGrammarError) -> [ControlToken] {
        var tokens: [ControlToken] = [], rest = line.unicodeScalars[...]
        if rest.contains(where: { ($0.value < 32 && $0 != "\t") || $0.value == 127 }) { throw .notText }
        while true {
            rest = rest.drop(while: isBlank)
            guard let first = rest.first else { return tokens }
            if first == "\"" {
                rest.removeFirst()
                let text = try quoted(&rest)
                // What stands right behind the quote belongs to nothing.
                guard rest.first.map(isBlank) != false else { throw .openQuote }
                tokens.append(ControlToken(text: text, isQuoted: true))
            } else {
                let word = rest.prefix { !isBlank($0) }
                rest = rest.dropFirst(word.count)
                tokens.append(ControlToken(text: String(word), isQuoted: false))
            }
        }
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(ControlGrammarError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(text)
            case "\\":
                guard let escaped = rest.popFirst() else { throw .openQuote }
                text.append(escapes.first { $0.letter == escaped }?.scalar ?? escaped)
            default: text.append(scalar)
            }
        }
        throw .openQuote
    }

    /// `text` as a word of a line: in quotes where it would be read as something else without.
    static func word(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isPlain = scalars.allSatisfy { scalar in
            scalar.isASCII
                ? plain.contains(scalar) || isLetterOrDigit(scalar)
                : scalar.value > 0xA0 && !scalar.properties.isWhitespace
        }
        if isPlain, !text.isEmpty, !startsLikeANumber(text), !ControlGrammar.words.contains(text) { return text }
        var quoted = "\"".unicodeScalars
        for scalar in scalars {
            if let escape = escapes.first(where: { $0.scalar == scalar }) {
                quoted.append("\\")
                quoted.append(escape.letter)
            } else {
                if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
                quoted.append(scalar)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// Tells whether a number was meant: a digit, with or without a sign or a point before it.
    static func startsLikeANumber(_ text: String) -> Bool {
        let rest = text.unicodeScalars.drop { "+-.".unicodeScalars.contains($0) }
        return rest.first.map { ("0"..."9").contains($0) } == true
    }

    private static let escapes: [(letter: Unicode.Scalar, scalar: Unicode.Scalar)] = [("n", "\n"), ("r", "\r"), ("t", "\t")]
    private static let plain = Set("_-+./:=~@%,".unicodeScalars)

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
}
