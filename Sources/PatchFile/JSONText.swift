/// JSON that is written with its keys in the order that people read.
indirect enum JSONText {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([JSONText])
    case object([(String, JSONText)])

    /// A list of texts.
    static func texts(_ texts: [String]) -> JSONText { .list(texts.map(JSONText.text)) }

    /// The document. Lists and small objects stand on one line.
    func written(margin: String = "") -> String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .flag(let flag): return "\(flag)"
        case .list(let items): return "[" + items.map { $0.written(margin: margin) }.joined(separator: ", ") + "]"
        case .object(let entries):
            if entries.isEmpty { return "{}" }
            func lines(_ margin: String) -> [String] {
                entries.map { Self.quoted($0.0) + ": " + $0.1.written(margin: margin) }
            }
            let line = "{" + lines(margin).joined(separator: ", ") + "}"
            if line.utf8.count <= 100 && !line.contains("\n") { return line }
            let inside = margin + "  "
            return "{\n" + lines(inside).map { inside + $0 }.joined(separator: ",\n") + "\n\(margin)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
