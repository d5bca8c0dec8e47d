/// A request as the session's grammar cuts it into words, as far as a gateway needs to know: words are separated by blanks
/// and tabs.
struct RequestLine {
    let words: [Substring]

    init(_ line: String) { words = line.unicodeScalars.split { $0 == " " || $0 == "\t" }.map { Substring($0) } }

    var verb: Substring { words.first ?? "" }

    /// The request that lifts the key or the pedal that this one presses or lifts; nil for any other request.
    var lift: String? {
        switch verb {
        case "press" where words.count > 2, "lift" where words.count == 3: "lift \(words[1]) \(words[2])"
        case "pedal" where words.count == 4: "pedal \(words[1]) \(words[2]) off"
        default: nil
        }
    }

    /// True if it ends a note: a key that goes up, a pedal.
    var isLift: Bool { verb == "lift" || verb == "pedal" && words.last == "off" }

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
