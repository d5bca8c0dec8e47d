/// Text as YAML has it: plain if that means the same, else in double quotes.
package enum ScalarText {
    /// Returns the text for a place; `inRow` in brackets, `isTyped` if plain numbers and the like would not be text.
    package static func text(_ text: String, inRow: Bool = false, isTyped: Bool = false) -> String {
        isPlain(text, inRow: inRow) && !(isTyped && PropertyText.needsQuotes(text)) ? text : quoted(text)
    }

    private static func isPlain(_ text: String, inRow: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, last != " " else { return false }
        let second = scalars.dropFirst().first
        let beginsWell =
            isWordy(first) || "/._~".unicodeScalars.contains(first)
            || (first == "-" && second.map { ("0"..."9").contains($0) } == true)
        if !beginsWell || last == ":" { return false }
        var before: Unicode.Scalar = "x"
        for scalar in scalars {
            switch scalar {
            case ":" where inRow: return false
            case " " where before == ":": return false
            // Signs that look like anchors and aliases are escaped.
            case _ where scalar != " " && (before == "&" || before == "*"): return false
            case "#" where before == " ": return false
            case "[", "]": if inRow { return false }
            case " ", ":", "#", "/", ".", "_", "~", "-", "+", "%", "<", ">", "(", ")", "@", "=", "*", "&", "!", "'": break
            case ",": if inRow { return false }
            default: if !isWordy(scalar) { return false }
            }
            before = scalar
        }
        return !text.contains("  ")
    }

    /// Letters and digits; marks that stand on a letter.
    private static func isWordy(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            : scalar.value < 0x1_0000 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "&": result += "\\x26"
            case "*": result += "\\x2A"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where isWordy(scalar): result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let width = scalar.value < 0x100 ? 2 : scalar.value < 0x1_0000 ? 4 : 8
                result += "\\" + (width == 2 ? "x" : width == 4 ? "u" : "U")
                result += String(repeating: "0", count: width - digits.count) + digits
            }
        }
        return result + "\""
    }
}
