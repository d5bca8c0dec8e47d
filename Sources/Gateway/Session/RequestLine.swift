/// A request as the session's grammar cuts it into words, as far as a gateway needs to know: words stand between blanks and
/// tabs.
struct RequestLine {
    let words: [Substring]

    init(_ line: String) { words = line.unicodeScalars.split { $0 == " " || $0 == "\t" }.map { Substring($0) } }

    /// Its first word.
    var verb: Substring { words.first ?? "" }

    /// The refusal of a line that would change the connection that everybody shares, and is not passed on; nil for others.
    var refusal: String? {
        ["watch", "role", "from"].contains(verb) ? "error \(verb): is not asked through a gateway" : nil
    }
}
