/// The place where a text stops being JSON, for an error sentence: the decoder reports only that it does.
struct JSONPlace {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// "line 3, column 14: a value is missing"; nil if nothing is wrong with the form.
    static func ofFault(in text: String) -> String? {
        var scanner = JSONPlace(bytes: Array(text.utf8))
        guard let fault = scanner.document() else { return nil }
        let before = scanner.bytes[..<scanner.position], newLine = UInt8(ascii: "\n")
        let start = before.lastIndex(of: newLine).map { $0 + 1 } ?? 0
        // Characters, not bytes; what is broken inside one counts as begun.
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        return "line \(before.count { $0 == newLine } + 1), column \(column): \(fault)"
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Finds the fault at `position`, which is moved to it; nil for a whole document.
    private mutating func document() -> String? {
        if let fault = value() { return fault }
        skipSpace()
        return position < bytes.count ? "more text follows after the end" : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B && byte != 0x0C { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() -> String? {
        skipSpace()
        switch next {
        case nil: return "the text ends where a value is missing"
        case UInt8(ascii: "{"): return list(ending: "}") { $0.member() }
        case UInt8(ascii: "["): return list(ending: "]") { $0.value() }
        case UInt8(ascii: "\""): return string()
        default: return word()
        }
    }

    private mutating func member() -> String? {
        skipSpace()
        guard next == UInt8(ascii: "\"") else {
            return next == nil ? "the text ends too early" : "a name in quotation marks is missing"
        }
        if let fault = string() { return fault }
        if !take(":") { return "a colon is missing" }
        return value()
    }

    private mutating func list(ending end: Unicode.Scalar, _ element: (inout JSONPlace) -> String?) -> String? {
        position += 1
        depth += 1
        defer { depth -= 1 }
        if depth > 500 { return "too many nested brackets" }
        if take(end) { return nil }
        while true {
            if let fault = element(&self) { return fault }
            if take(end) { return nil }
            if !take(",") {
                return next == nil ? "the text ends before a closing \(end)" : "a comma or a closing \(end) is missing"
            }
        }
    }

    private mutating func string() -> String? {
        position += 1
        while let byte = next {
            if byte < 0x20 { return "a quotation mark is missing before the end of the line" }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return nil }
        }
        position = bytes.count
        return "the text ends inside quotation marks"
    }

    /// A number, or one of three words.
    private mutating func word() -> String? {
        let start = position
        while let byte = next, !Self.ends.contains(byte), byte > 0x20 { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if ["true", "false", "null"].contains(text) || Self.isNumber(text) { return nil }
        position = start
        return text.isEmpty ? "a value is missing" : "\"\(text)\" is no value"
    }

    private static let ends = Array(",:{}[]\"".utf8)

    private static let figures = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func isNumber(_ text: String) -> Bool {
        let digits = Array((text.hasPrefix("-") ? text.dropFirst() : text[...]).utf8)
        guard let first = digits.first, let last = digits.last, figures.contains(first), figures.contains(last) else {
            return false
        }
        // No digit follows a leading 0, and hexadecimal digits are none.
        let isLed = first == UInt8(ascii: "0") && digits.count > 1 && figures.contains(digits[1])
        return !isLed && digits.allSatisfy { figures.contains($0) || Array(".eE+-".utf8).contains($0) } && Double(text) != nil
    }
}
