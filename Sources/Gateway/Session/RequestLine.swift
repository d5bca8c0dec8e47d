/// A request as the session's grammar cuts it into words, as far as a gateway needs to know: words are separated by blanks
/// and tabs.
struct RequestLine {
    let words: [Substring]

    init(_ line: String) { words = line.unicodeScalars.split { $0 == " " || $0 == "\t" }.map { Substring($0) } }

    var verb: Substring { words.first ?? "" }

    /// Returns a name in quotes, to follow the other words of a line; nil if it has only blanks.
    static func name(_ text: String) -> String? {
        var quoted = "".unicodeScalars
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar.value < 32 || scalar.value == 127 ? " " : scalar)
        }
        return quoted.allSatisfy { $0 == " " } ? nil : " \"\(String(quoted))\""
    }

    /// The refusal of a line that would change the connection that all clients share, and is not passed on; nil for others.
    var refusal: String? {
        ["watch", "role", "from"].contains(verb) ? "error \(verb): is not available through a gateway" : nil
    }
}
