/// JSON that is written with its keys in the order in which they are given.
package indirect enum JSONText {
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    case whole(Int)
    /// A number; one that is not finite becomes null: JSON has no word for it.
    case number(Double)
    case flag(Bool)
    /// A number or a word as it is written.
    case literal(String)
    case null

    /// Null if there is nothing.
    package static func string(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
    package static func whole(_ number: Int?) -> JSONText { number.map { .whole($0) } ?? .null }
    package static func number(_ number: Double?) -> JSONText { number.map { .number($0) } ?? .null }
    package static func wholes(_ numbers: [Int]) -> JSONText { .array(numbers.map { .whole($0) }) }
    package static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

    /// The text for a program: without a line end anywhere, numbers with at most four decimals, which are enough for display
    /// and keep a line short.
    package var text: String { line(isRounded: true) }

    /// The text on one line, rounded as `text` or with all digits.
    package func line(isRounded: Bool) -> String {
        switch self {
        case .array(let items): return "[" + items.map { $0.line(isRounded: isRounded) }.joined(separator: ",") + "]"
        case .object(let items):
            return "{" + items.map { Self.quoted($0.0) + ":" + $0.1.line(isRounded: isRounded) }.joined(separator: ",") + "}"
        case .number(let number) where number.isFinite && isRounded:
            let rounded = (number * 10_000).rounded() / 10_000
            return Self.digits(rounded.isFinite ? rounded : number)
        default: return written()
        }
    }

    /// The text for reading: lists and small objects on one line, else each key on its own; numbers with all their digits.
    package func written(margin: String = "") -> String {
        switch self {
        case .null: return "null"
        case .flag(let flag): return "\(flag)"
        case .literal(let text): return text
        case .whole(let number): return "\(number)"
        case .number(let number): return number.isFinite ? Self.digits(number) : "null"
        case .string(let text): return Self.quoted(text)
        case .array(let items): return "[" + items.map { $0.written(margin: margin) }.joined(separator: ", ") + "]"
        case .object(let entries):
            if entries.isEmpty { return "{}" }
            func lines(_ margin: String) -> [String] {
                entries.map { Self.quoted($0.0) + ": " + $0.1.written(margin: margin) }
            }
            let line = "{" + lines(margin).joined(separator: ", ") + "}"
            if line.utf8.count <= 100 { return line }
            let inside = margin + "  "
            return "{\n" + lines(inside).map { inside + $0 }.joined(separator: ",\n") + "\n\(margin)}"
        }
    }

    private static func digits(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }

    private static func quoted(_ string: String) -> String {
        var scalars = "\"".unicodeScalars
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": scalars.append(contentsOf: "\\\(scalar)".unicodeScalars)
            case "\n": scalars.append(contentsOf: "\\n".unicodeScalars)
            case "\r": scalars.append(contentsOf: "\\r".unicodeScalars)
            case "\t": scalars.append(contentsOf: "\\t".unicodeScalars)
            // Line ends of Unicode too, what turns a line round on a terminal, and what a reader of YAML refuses.
            case _
            where scalar.value < 32 || (127..<160).contains(scalar.value) || (0xFFFE...0xFFFF).contains(scalar.value)
                || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                scalars.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        scalars.append("\"")
        return String(scalars)
    }
}
