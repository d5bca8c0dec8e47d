/// A parameter's value as text with its unit, both ways: the one formatter behind every surface.
extension ParameterSpec {
    /// `value` as people write it: "-6 dB", "2.5 s", "1.2 kHz", "on", "4th-order". Four significant digits.
    public func text(_ value: Float) -> String {
        switch unit {
        case .toggle: return value < 0.5 ? "off" : "on"
        case .choice(let names): return names[min(max(Int(value.rounded()), 0), names.count - 1)]
        case .hertz where abs(value) >= 1000: return "\(Self.digits(value / 1000)) kHz"
        case .seconds where abs(value) < 1 && value != 0: return "\(Self.digits(value * 1000)) ms"
        default: return suffix.isEmpty ? Self.digits(value) : "\(Self.digits(value)) \(suffix)"
        }
    }

    /// The value that `text` means: a number with or without the unit, a name of a choice, on or off.
    ///
    /// - Throws: `ParameterError` when it means nothing, or something out of range.
    public func value(_ text: String) throws(ParameterError) -> Float {
        let wanted = String(text.drop { $0 == " " }).lowercased()
        switch unit {
        case .toggle:
            switch wanted {
            case "on", "true", "yes", "1": return 1
            case "off", "false", "no", "0": return 0
            default: throw .notOneOf(parameter: name, text: text, names: ["on", "off"])
            }
        case .choice(let names):
            if let index = names.firstIndex(where: { $0.lowercased() == wanted }) { return Float(index) }
            throw .notOneOf(parameter: name, text: text, names: names)
        default: break
        }
        let numberEnd = wanted.firstIndex { !"+-.0123456789e".contains($0) } ?? wanted.endIndex
        guard let number = Float(wanted[..<numberEnd]), number.isFinite else { throw .notANumber(parameter: name, text: text) }
        let tail = wanted[numberEnd...].filter { $0 != " " }
        guard let scale = scale(of: tail) else { throw .unknownUnit(parameter: name, text: text, unit: suffix) }
        let value = number * scale
        guard range.contains(value) else {
            throw .outOfRange(parameter: name, text: text, low: self.text(range.lowerBound), high: self.text(range.upperBound))
        }
        return value
    }

    /// The range as people write it.
    public var rangeText: String {
        switch unit {
        case .toggle: "on, off"
        case .choice(let names): names.joined(separator: ", ")
        default: "\(text(range.lowerBound)) ... \(text(range.upperBound))"
        }
    }

    /// What stands behind a number.
    private var suffix: String {
        switch unit {
        case .decibels: "dB"
        case .hertz: "Hz"
        case .seconds: "s"
        case .percent: "%"
        case .cents: "cents"
        case .semitones: "semitones"
        case .voices: "voices"
        case .none, .ratio, .pan, .toggle, .choice: ""
        }
    }

    /// What a number with `tail` behind it is multiplied by; nil for a unit of something else.
    private func scale(of tail: String) -> Float? {
        if tail.isEmpty || tail == suffix.lowercased() { return 1 }
        switch (unit, tail) {
        case (.hertz, "khz"): return 1000
        case (.seconds, "ms"): return 0.001
        case (.cents, "cent"), (.semitones, "semitone"), (.voices, "voice"): return 1
        default: return nil
        }
    }

    /// Four significant digits, without an exponent or trailing zeros.
    private static func digits(_ value: Float) -> String {
        if value == 0 || !value.isFinite { return value == 0 ? "0" : "\(value)" }
        var scale = 1.0, decimals = 0
        while abs(Double(value)) * scale < 1000 && decimals < 7 {
            scale *= 10
            decimals += 1
        }
        let scaled = Int64((Double(value) * scale).rounded())
        let whole = String(abs(scaled) / Int64(scale))
        var fraction = decimals == 0 ? "" : String(abs(scaled) % Int64(scale))
        while fraction.count < decimals { fraction = "0" + fraction }
        while fraction.last == "0" { fraction.removeLast() }
        return (scaled < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}

/// Why a parameter could not be set.
public enum ParameterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Not of the form `unit.parameter=value`.
    case malformed(text: String)
    /// No unit in the graph has this name.
    case unknownUnitName(String, known: [String])
    /// The unit has no parameter of this name.
    case unknownParameter(String, unit: String, known: [String])
    /// The text holds no number.
    case notANumber(parameter: String, text: String)
    /// The number has a unit of something else.
    case unknownUnit(parameter: String, text: String, unit: String)
    /// The text is none of the names.
    case notOneOf(parameter: String, text: String, names: [String])
    /// The unit takes the value only when it is made.
    case onlyAtStart(parameter: String)
    /// The parameter knows nothing between its values, so it cannot be asked to take its time.
    case stepsOnly(parameter: String)
    /// The value lies outside.
    case outOfRange(parameter: String, text: String, low: String, high: String)

    public var description: String {
        switch self {
        case .malformed(let text): "\"\(text)\" is not of the form unit.parameter=value, such as reverb.decay=2.5s"
        case .unknownUnitName(let name, let known): "there is no unit \"\(name)\"; there are \(known.joined(separator: ", "))"
        case .unknownParameter(let name, let unit, let known):
            known.isEmpty ? "\(unit) has no parameters"
                : "\(unit) has no parameter \"\(name)\"; it has \(known.joined(separator: ", "))"
        case .notANumber(let parameter, let text): "\(parameter): \"\(text)\" is not a number"
        case .unknownUnit(let parameter, let text, let unit):
            unit.isEmpty ? "\(parameter): \"\(text)\" has a unit, but the parameter is a plain number"
                : "\(parameter): \"\(text)\" has the wrong unit; give \(unit)"
        case .notOneOf(let parameter, let text, let names):
            "\(parameter): \"\(text)\" is not one of \(names.joined(separator: ", "))"
        case .onlyAtStart(let parameter):
            "\(parameter): applies only when the unit is made; give it as a start value"
        case .stepsOnly(let parameter): "\(parameter): has no values between its own; set it at a time instead"
        case .outOfRange(let parameter, let text, let low, let high):
            "\(parameter): \(text) is out of range; choose from \(low) to \(high)"
        }
    }
}
