import Reports

/// A word of a line, bare or in double quotes. Within quotes a backslash escapes `"` and itself; `\n`, `\r` and `\t` have their
/// usual meaning.
package struct ControlToken: Hashable {
    package let text: String
    package let isQuoted: Bool

    /// Returns the words of a line. It compares scalars, not characters: a line end with a carriage return is two scalars.
    package static func tokens(of line: String) throws(Fault) -> [ControlToken] {
        var tokens: [ControlToken] = [], rest = line.unicodeScalars[...]
        if rest.contains(where: { ($0.value < 32 && $0 != "\t") || $0.value == 127 }) { throw .notText }
        while true {
            rest = rest.drop(while: isBlank)
            guard let first = rest.first else { return tokens }
            if first == "\"" {
                rest.removeFirst()
                let text = try quoted(&rest)
                // A closing quote must be followed by a blank.
                guard rest.first.map(isBlank) != false else { throw .openQuote }
                tokens.append(ControlToken(text: text, isQuoted: true))
            } else {
                let word = rest.prefix { !isBlank($0) }
                rest = rest.dropFirst(word.count)
                tokens.append(ControlToken(text: String(word), isQuoted: false))
            }
        }
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(Fault) -> String {
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

    /// `text` as a word of a line: in quotes if it would otherwise be read as something else, such as one of these words.
    package static func word(_ text: String, among words: Set<String>) -> String {
        let scalars = text.unicodeScalars
        let isPlain = scalars.allSatisfy { scalar in
            scalar.isASCII
                ? plain.contains(scalar) || isLetterOrDigit(scalar)
                : scalar.value > 0xA0 && !scalar.properties.isWhitespace
        }
        if isPlain, !text.isEmpty, !startsLikeANumber(text), !words.contains(text) { return text }
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

    /// Returns whether the text starts like a number: a digit, after any signs and points.
    package static func startsLikeANumber(_ text: String) -> Bool {
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

extension Fault {
    package static let notText = Fault("the line is not UTF-8, or contains control characters", .usage)
    package static let openQuote = Fault("a quote is not closed", .usage, remedy: "write names with spaces as \"Big Organ\"")
}
