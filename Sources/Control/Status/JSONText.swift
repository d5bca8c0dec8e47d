/// JSON as text on one line, keys in the order in which they are given.
enum JSONText {
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    case whole(Int)
    /// A number; one that is not finite becomes null: JSON has no word for it.
    case number(Double)
    case flag(Bool)
    case null

    /// Null where there is nothing.
    static func string(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
    static func whole(_ number: Int?) -> JSONText { number.map { .whole($0) } ?? .null }
    static func number(_ number: Double?) -> JSONText { number.map { .number($0) } ?? .null }
    static func wholes(_ numbers: [Int]) -> JSONText { .array(numbers.map { .whole($0) }) }
    static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

    /// The text, without a line end anywhere.
    var text: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .null: text += "null"
        case .flag(let isTrue): text += isTrue ? "true" : "false"
        case .whole(let number): text += "\(number)"
        case .number(let number): text += Self.digits(number)
        case .string(let string): Self.write(string, into: &text)
        case .array(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(into: &text)
            }
            text += "]"
        case .object(let items):
            text += "{"
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                Self.write(item.0, into: &text)
                text += ":"
                item.1.write(into: &text)
            }
            text += "}"
        }
    }

    /// Four decimals are more than anybody reads, and keep a line short.
    private static func digits(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        let rounded = (number * 10_000).rounded() / 10_000
        guard rounded.isFinite else { return "\(number)" }
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    private static func write(_ string: String, into text: inout String) {
        var scalars = "\"".unicodeScalars
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                scalars.append("\\")
                scalars.append(scalar)
            case "\n": scalars.append(contentsOf: "\\n".unicodeScalars)
            case "\r": scalars.append(contentsOf: "\\r".unicodeScalars)
            case "\t": scalars.append(contentsOf: "\\t".unicodeScalars)
            // Line ends of Unicode too, and what turns a line round on a terminal.
            case _
            where scalar.value < 32 || (127..<160).contains(scalar.value)
                || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                scalars.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        scalars.append("\"")
        text += String(scalars)
    }
}
