import UnitAPI

/// Values of parameters as text, exactly: what is written is read as the same number.
extension ParameterSpec {
    /// The value in its usual notation if that is exact, else with all its digits; nil if it cannot be written.
    func exactText(_ value: Float) -> String? {
        guard value.isFinite else { return nil }
        let exact = "\(value)" + (unit.symbol.isEmpty ? "" : " \(unit.symbol)")
        return [text(value), exact].first { means($0, value) }
    }

    /// The value as it is written in a file; nil if it cannot be written. A choice's name is text even if it looks like a
    /// number: `"4"`.
    package func fileTree(_ value: Float) -> FileTree? {
        guard let text = exactText(value) else { return nil }
        if case .choice(let names) = unit, names.contains(text) { return .text(text) }
        return .setting(text)
    }

    private func means(_ text: String, _ value: Float) -> Bool {
        do { return try fileValue(text) == value } catch { return false }
    }

    /// The value of a text in a file. A number with a point is a value between those of a toggle or a choice, which only a
    /// program can set.
    package func fileValue(_ text: String) throws(ParameterError) -> Float {
        switch unit {
        case .toggle, .choice:
            guard text.contains("."), let number = Float(text), range.contains(number), number != number.rounded()
            else { break }
            return number
        default: break
        }
        return try value(text)
    }
}
