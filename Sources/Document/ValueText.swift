import UnitAPI

/// Values of parameters as text, exactly: what is written is read as the same number.
extension ParameterSpec {
    /// The value as people write it where that is exact, else with all its digits; nil for what cannot be written.
    func exactText(_ value: Float) -> String? {
        guard value.isFinite else { return nil }
        let exact = "\(value)" + (unit.symbol.isEmpty ? "" : " \(unit.symbol)")
        return [text(value), exact].first { means($0, value) }
    }

    /// The value as it stands in a file; nil for what cannot be written. A choice's name is text also where it looks like a
    /// number: `"4"`.
    package func fileTree(_ value: Float) -> FileTree? {
        guard let text = exactText(value) else { return nil }
        if case .choice(let names) = unit, names.contains(text) { return .text(text) }
        return .setting(text)
    }

    private func means(_ text: String, _ value: Float) -> Bool {
        do { return try fileValue(text) == value } catch { return false }
    }

    /// The value that a text in a file means. Between the values of a toggle or a choice, where only a program can set
    /// one, a number with a point says so.
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
