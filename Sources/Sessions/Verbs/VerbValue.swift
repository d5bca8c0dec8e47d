/// A value of a verb's argument.
package enum VerbValue: Sendable, Hashable {
    case number(Double)
    case whole(Int)
    case flag(Bool)
    case text(String)
    indirect case request(Button.Action)
    /// The value was left out.
    case none
}

/// A type that can be a verb's value.
package protocol VerbValueConvertible {
    var verbValue: VerbValue { get }
}

extension Double: VerbValueConvertible { package var verbValue: VerbValue { .number(self) } }
extension Int: VerbValueConvertible { package var verbValue: VerbValue { .whole(self) } }
extension Button.Action: VerbValueConvertible { package var verbValue: VerbValue { .request(self) } }
extension Bool: VerbValueConvertible { package var verbValue: VerbValue { .flag(self) } }
extension String: VerbValueConvertible { package var verbValue: VerbValue { .text(self) } }
extension Optional: VerbValueConvertible where Wrapped: VerbValueConvertible {
    package var verbValue: VerbValue { self?.verbValue ?? .none }
}

/// The values of a command, of the kinds that its verb's arguments have. Another kind is a fault of the verb's declaration.
package struct VerbValues {
    private let values: [VerbValue]

    init(_ values: [VerbValue]) { self.values = values }

    package func number(_ place: Int) -> Double { given(optionalNumber(place), place) }
    package func text(_ place: Int) -> String { given(optionalText(place), place) }
    package func optionalNumber(_ place: Int) -> Double? { if case .number(let number) = values[place] { number } else { nil } }
    package func optionalText(_ place: Int) -> String? { if case .text(let text) = values[place] { text } else { nil } }

    package func optionalWhole(_ place: Int) -> Int? { if case .whole(let number) = values[place] { number } else { nil } }

    package func action(_ place: Int) -> Button.Action {
        guard case .request(let action) = values[place] else { return given(nil, place) }
        return action
    }

    package func whole(_ place: Int) -> Int {
        guard case .whole(let number) = values[place] else { return given(nil, place) }
        return number
    }

    package func flag(_ place: Int) -> Bool {
        guard case .flag(let flag) = values[place] else { return given(nil, place) }
        return flag
    }

    private func given<Value>(_ value: Value?, _ place: Int) -> Value {
        guard let value else { preconditionFailure("argument \(place) of the verb is declared otherwise") }
        return value
    }
}
