import Carillon

/// Values that are told, as JSON on one line.
extension FieldValue {
    /// The line of JSON, without its end; keys in the order in which they are given.
    package var json: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .none: text += "null"
        case .flag(let isTrue): text += isTrue ? "true" : "false"
        case .whole(let number): text += "\(number)"
        case .number(let number): text += Self.digits(number)
        case .text(let string): Self.write(string, into: &text)
        case .list(let items):
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
                Self.write(item.name, into: &text)
                text += ":"
                item.value.write(into: &text)
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
