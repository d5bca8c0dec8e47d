import UnitAPI

/// A place in a form that takes a value.
public struct ControlArgument: Sendable {
    /// What stands there.
    public enum Kind: Sendable {
        /// A number with its unit or without, as the declaration has it.
        case number(ParameterSpec)
        /// The same, counted in whole numbers.
        case whole(ParameterSpec)
        /// A quantity with a sign: from here on.
        case shift(ParameterSpec)
        /// The words `on` and `off`.
        case toggle
        /// A name, in double quotes where it holds blanks or could be read as something else.
        case name
        /// `NAME=VALUE`, the rest of the line.
        case setting
        /// A role's name.
        case role
    }

    /// What the help calls it: `TIME`.
    public let name: String
    public let kind: Kind
    /// Whether it may be left out.
    public let isOptional: Bool

    init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
        (self.name, self.kind, self.isOptional) = (name, kind, isOptional)
    }

    /// What may stand here, in a few words; nil where that is any name.
    public var valid: String? {
        switch kind {
        case .number(let spec), .whole(let spec): spec.valid
        case .shift(let spec): "+ or -, \(spec.valid)"
        case .toggle: "on, off"
        case .role: ControlRole.Name.allCases.map(\.rawValue).joined(separator: ", ")
        case .name, .setting: nil
        }
    }

    /// Whether a word is meant for it, where several forms begin alike.
    func claims(_ token: ControlToken) -> Bool {
        let hasSign = token.text.hasPrefix("+") || token.text.hasPrefix("-")
        return switch kind {
        case .number: !token.isQuoted && !hasSign
        case .whole: !token.isQuoted && ControlToken.startsLikeANumber(token.text)
        case .shift: !token.isQuoted && hasSign
        case .toggle, .role: !token.isQuoted
        case .name, .setting: true
        }
    }

    /// Reads it from what is left of a line, which is at least a word.
    func value(_ rest: inout ArraySlice<ControlToken>, example: String) throws(ControlGrammarError) -> ControlValue {
        let token = rest.removeFirst(), text = token.text
        switch kind {
        case .name:
            if text.isEmpty { throw .emptyName(name) }
            return .text(text)
        case .setting:
            let whole = ([text] + rest.map(\.text)).joined(separator: " ")
            rest = []
            // Scalars: a mark behind the sign would make another character of it.
            let parts = whole.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .malformed(whole, example: example) }
            return .text(whole)
        default: break
        }
        do throws(ParameterError) {
            switch kind {
            case .whole(let spec): return .whole(try spec.wholeNumber(text))
            case .toggle: return .flag(try Self.toggle(name).number(text) == 1)
            case .role:
                let names = ControlRole.Name.allCases.map(\.rawValue)
                let choice = ParameterSpec.choice(name.lowercased(), names, default: 0, help: "What may be asked.")
                return .text(names[try choice.wholeNumber(text)])
            case .number(let spec): return .number(try spec.number(text))
            case .shift(let spec):
                let isBack = text.hasPrefix("-"), isSigned = isBack || text.hasPrefix("+")
                let size = try spec.number(isSigned ? String(text.dropFirst()) : text)
                return .number(isBack ? -size : size)
            case .name, .setting: return .none
            }
        } catch { throw .value(error) }
    }

    /// A value as it is read.
    func text(_ value: ControlValue) -> String {
        switch (kind, value) {
        case (.number(let spec), .number(let number)): Self.digits(number) + spec.unit.symbol
        case (.shift(let spec), .number(let number)):
            (number < 0 ? "-" : "+") + Self.digits(number.magnitude) + spec.unit.symbol
        case (_, .text(let text)): ControlToken.word(text)
        case (_, .whole(let number)): "\(number)"
        case (_, .flag(let isOn)): isOn ? "on" : "off"
        case (_, .number(let number)): Self.digits(number)
        case (_, .none): ""
        }
    }

    /// All digits, so that what is written is what is read.
    private static func digits(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }

    private static func toggle(_ name: String) -> ParameterSpec {
        .toggle(name.lowercased(), default: false, help: "On or off.")
    }
}

/// What a place in a form was given.
enum ControlValue: Hashable {
    case number(Double)
    case whole(Int)
    case flag(Bool)
    case text(String)
    /// It was left out.
    case none

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var whole: Int? { if case .whole(let number) = self { number } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}
