import Carillon
import UnitAPI

extension VerbArgument {
    /// Returns whether a word fits this argument, to choose between forms that begin alike.
    func claims(_ token: ControlToken) -> Bool {
        let hasSign = token.text.hasPrefix("+") || token.text.hasPrefix("-")
        return switch kind {
        case .number: !token.isQuoted && !hasSign
        case .whole: !token.isQuoted && ControlToken.startsLikeANumber(token.text)
        case .shift: !token.isQuoted && hasSign
        case .toggle, .choice: !token.isQuoted
        case .name, .setting, .request: true
        }
    }

    /// Reads the value from the rest of a line, which holds at least one word.
    func value(_ rest: inout ArraySlice<ControlToken>, example: String) throws(Fault) -> VerbValue {
        let token = rest.removeFirst(), text = token.text
        switch kind {
        case .name:
            if text.isEmpty { throw .emptyName(name) }
            return .text(text)
        case .setting:
            let whole = ([text] + rest.map(\.text)).joined(separator: " ")
            rest = []
            // Split by scalars: a combining mark after the sign would make another character of it.
            let parts = whole.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .malformed(whole, example: example) }
            return .text(whole)
        default: break
        }
        do throws(ParameterError) {
            switch kind {
            case .whole(let spec): return .whole(try spec.wholeNumber(text))
            case .toggle: return .flag(try Self.toggle(name).number(text) == 1)
            case .choice(let words):
                let choice = ParameterSpec.choice(name.lowercased(), words, default: 0, help: "One of these.")
                return .text(words[try choice.wholeNumber(text)])
            case .number(let spec): return .number(try spec.number(text))
            case .shift(let spec):
                let isBack = text.hasPrefix("-"), isSigned = isBack || text.hasPrefix("+")
                let size = try spec.number(isSigned ? String(text.dropFirst()) : text)
                return .number(isBack ? -size : size)
            case .name, .setting, .request: return .none
            }
        } catch { throw Fault(error) }
    }

    private static func toggle(_ name: String) -> ParameterSpec {
        .toggle(name.lowercased(), default: false, help: "On or off.")
    }
}
