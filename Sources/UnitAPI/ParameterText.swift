import Reports

/// A parameter's value as text, both ways; `Quantity` has the grammar.
extension ParameterSpec {
    /// `value` as text: "-6 dB", "2.5 s", "1.2 kHz", "on", "4th-order". Four significant digits.
    public func text(_ value: Float) -> String { Quantity(Double(value), unit).description }

    /// Returns the value that `text` means: a number with or without the unit, a name of a choice, on or off.
    ///
    /// - Throws: `ParameterError` when it means nothing, or something out of range.
    public func value(_ text: String) throws(ParameterError) -> Float { Float(try number(text)) }

    /// Reads the value of a text with all its digits.
    public func number(_ text: String) throws(ParameterError) -> Double {
        let quantity: Quantity
        do { quantity = try Quantity(text, unit) } catch {
            switch error {
            case .notANumber: throw .notANumber(parameter: name, text: text, valid: valid)
            case .wrongUnit: throw .wrongUnit(parameter: name, text: text, valid: valid)
            case .notOneOf(let names): throw .notOneOf(parameter: name, text: text, names: names)
            }
        }
        guard range.contains(Float(quantity.value)) else { throw outOfRange(text) }
        return quantity.value
    }

    /// Reads the value of what is counted in whole numbers.
    public func wholeNumber(_ text: String) throws(ParameterError) -> Int {
        let number = try number(text)
        guard let whole = Int(exactly: number) else { throw .notWhole(parameter: name, text: text, valid: valid) }
        return whole
    }

    /// Throws `outOfRange` if `number` is not in the range, and `notANumber` if it is none.
    public func check(_ number: Double) throws(ParameterError) {
        if number.isNaN { throw .notANumber(parameter: name, text: "nan", valid: valid) }
        if !range.contains(Float(number)) { throw outOfRange(Quantity(number, unit).exactDescription) }
    }

    /// The range as text: "-60 dB ... 40 dB", or the names.
    public var rangeText: String { names ?? "\(text(range.lowerBound)) ... \(text(range.upperBound))" }

    /// The values that may be chosen, in a sentence: "-60 to 40 dB", or the names.
    public var valid: String { names ?? "\(bounds.low) to \(bounds.high)" }

    private var bounds: (low: String, high: String) {
        let low = text(range.lowerBound), high = text(range.upperBound)
        let parts = low.split(separator: " "), unit = high.split(separator: " ").dropFirst().last
        let isSame = parts.count == 2 && unit.map { $0 == parts[1] || $0 == parts[1] + "s" } == true
        return (isSame ? String(parts[0]) : low, high)
    }

    private var names: String? {
        switch unit {
        case .toggle: "on, off"
        case .choice(let names): names.joined(separator: ", ")
        default: nil
        }
    }

    private func outOfRange(_ text: String) -> ParameterError {
        .outOfRange(parameter: name, text: text, low: bounds.low, high: bounds.high)
    }
}

/// The reason why a parameter, or a setting of the engine, could not be set.
public enum ParameterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Not of the form `unit.parameter=value`.
    case malformed(text: String)
    /// No unit in the graph has this name.
    case unknownUnitName(String, known: [String])
    /// The unit has no parameter of this name.
    case unknownParameter(String, unit: String, known: [String])
    /// The text holds no number; `valid` is what would be one.
    case notANumber(parameter: String, text: String, valid: String)
    /// The number has a unit of something else, or none that is known.
    case wrongUnit(parameter: String, text: String, valid: String)
    /// The number has decimals if things are counted.
    case notWhole(parameter: String, text: String, valid: String)
    /// The text is none of the names.
    case notOneOf(parameter: String, text: String, names: [String])
    /// The unit takes the value only when it is made.
    case onlyAtStart(parameter: String)
    /// The parameter knows nothing between its values, so it cannot be asked to take its time.
    case stepsOnly(parameter: String)
    /// The value is out of range.
    case outOfRange(parameter: String, text: String, low: String, high: String)

    public var description: String {
        switch self {
        case .malformed(let text): "\"\(text)\" is not of the form unit.parameter=value, such as reverb.decay=2.5s"
        case .unknownUnitName(let name, let known):
            "there is no unit \"\(name)\"; \(NearName.choice(name, among: known))"
        case .unknownParameter(let name, let unit, let known):
            known.isEmpty
                ? "\(unit) has no parameters"
                : "\(unit) has no parameter \"\(name)\"; \(NearName.choice(name, among: known))"
        case .notANumber(let parameter, let text, let valid):
            "\(parameter): \"\(text)\" is not a number; choose from \(valid)"
        case .wrongUnit(let parameter, let text, let valid):
            "\(parameter): \"\(text)\" has the wrong unit; choose from \(valid)"
        case .notWhole(let parameter, let text, let valid):
            "\(parameter): \"\(text)\" is not a whole number; choose from \(valid)"
        case .notOneOf(let parameter, let text, let names):
            NearName.of(text, among: names) == nil
                ? "\(parameter): \"\(text)\" is not one of \(NameList.short(names))"
                : "\(parameter): there is no \"\(text)\"; \(NearName.choice(text, among: names))"
        case .onlyAtStart(let parameter):
            "\(parameter): applies only when the unit is made; give it as a start value"
        case .stepsOnly(let parameter): "\(parameter): has no values between its own; set it at a time instead"
        case .outOfRange(let parameter, let text, let low, let high):
            "\(parameter): \(text) is out of range; choose from \(low) to \(high)"
        }
    }
}

extension ParameterError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit { .usage }
}
