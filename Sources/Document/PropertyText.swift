import UnitAPI

/// Properties as plain text: `true`, `3`, `3.5`, and everything else unchanged.
package enum PropertyText {
    /// The value of a text without quotes; nil for none, and for an invalid number.
    package static func value(_ text: String) -> PropertyValue? {
        if text.isEmpty { return nil }
        if text == "true" || text == "false" { return .flag(text == "true") }
        if let whole = Int(text) { return .integer(whole) }
        guard looksLikeANumber(text), let number = Double(text) else { return .text(text) }
        return number.isFinite ? .number(number) : nil
    }

    /// Returns true if a text would be read as something else without quotes.
    package static func needsQuotes(_ text: String) -> Bool { value(text) != .text(text) || others.contains(text.lowercased()) }

    /// Words that other readers of YAML take for something else, editors with a schema among them.
    private static let others = ["~", "null", "true", "false", ".inf", "-.inf", ".nan"]

    /// Digits, points and exponents: `Double` also reads `nan` and hexadecimal numbers, which are text here.
    private static func looksLikeANumber(_ text: String) -> Bool {
        text.contains { $0.isASCII && $0.isNumber } && text.allSatisfy { "+-.eE0123456789".contains($0) }
    }
}
