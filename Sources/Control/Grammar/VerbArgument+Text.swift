import Carillon
import UnitAPI

extension Verb {
    /// Returns whether so many words can follow its own.
    func takes(_ count: Int) -> Bool {
        if case .setting? = arguments.last?.kind { return true }
        return (arguments.count { !$0.isOptional }...arguments.count).contains(count)
    }
}

extension VerbArgument {
    /// Returns whether a word fits this argument, to choose between forms that begin alike.
    func claims(_ token: ControlToken) -> Bool {
        let hasSign = token.text.hasPrefix("+") || token.text.hasPrefix("-")
        return switch kind {
        case .number, .tempo: !token.isQuoted && !hasSign
        case .whole: !token.isQuoted && ControlToken.startsLikeANumber(token.text)
        case .shift: !token.isQuoted && hasSign
        case .toggle, .choice, .meter, .labelled: !token.isQuoted
        case .name, .setting, .request: true
        }
    }

    /// Returns whether a word can be of this argument alone, so that the optional ones before it were left out.
    func isMeant(by token: ControlToken) -> Bool {
        switch kind {
        case .meter: token.text.contains("/")
        case .labelled(let word, _): token.text == word
        default: false
        }
    }

    /// Reads the value from the rest of a line, which holds at least one word.
    func value(_ rest: inout ArraySlice<ControlToken>, of verb: Verb) throws(Fault) -> VerbValue {
        let token = rest.removeFirst(), text = token.text, example = verb.example
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
        case .meter:
            guard VerbArgument.isMeter(text) else { throw .malformedMeter(text, valid: valid ?? "", example: example) }
            return .text(text)
        case .tempo where rest.first?.text.lowercased() == "bpm":
            rest.removeFirst()
            do { return .number(try Self.tempo("\(text)bpm")) } catch { throw Fault(error) }
        case .labelled(let word, let spec):
            guard text == word else { throw .unknownWord(text, behind: name, known: [word]) }
            guard let number = rest.popFirst() else { throw .missing(name, of: word, example: example) }
            do { return .whole(try spec.wholeNumber(number.text)) } catch { throw Fault(error) }
        default: break
        }
        do throws(ParameterError) {
            switch kind {
            case .whole(let spec): return .whole(try spec.wholeNumber(text))
            case .toggle: return .flag(try Self.toggle(name).number(text) == 1)
            case .choice(let words):
                // Its name is the list of its words.
                let name = verb.words.joined(separator: " ")
                let choice = ParameterSpec.choice(name, words, default: 0, help: "One of these.")
                return .text(words[try choice.wholeNumber(text)])
            case .number(let spec): return .number(try spec.number(text))
            case .tempo: return .number(try Self.tempo(text))
            case .shift(let spec):
                let isBack = text.hasPrefix("-"), isSigned = isBack || text.hasPrefix("+")
                let size = try spec.number(isSigned ? String(text.dropFirst()) : text)
                return .number(isBack ? -size : size)
            case .name, .setting, .meter, .labelled, .request: return .none
            }
        } catch { throw Fault(error) }
    }

    private static let tempoSpec = Metronome.Parameter.tempo.spec

    /// A factor, or quarter notes a minute.
    private static func tempo(_ text: String) throws(ParameterError) -> Double {
        let word = text.lowercased(), hasUnit = word.hasSuffix("bpm")
        let number = hasUnit ? String(word.dropLast(3)) : word
        let factors = EngineSetting.tempo.spec, isFactor = Double(number).map { factors.range.contains(Float($0)) } ?? false
        if !hasUnit, isFactor || number.hasSuffix("%") || number.hasSuffix("x") { return try factors.number(number) }
        do throws(ParameterError) { return try tempoSpec.number(number) } catch {
            guard case .outOfRange(let name, _, let low, let high) = error else {
                throw .notANumber(parameter: "tempo", text: text, valid: VerbArgument.validTempo)
            }
            let factor = hasUnit ? nil : EngineSetting.tempo.spec.valid
            throw .outOfRange(
                parameter: name, text: text, low: (factor.map { "\($0), or " } ?? "") + low, high: high + " bpm")
        }
    }

    private static func toggle(_ name: String) -> ParameterSpec {
        .toggle(name.lowercased(), default: false, help: "On or off.")
    }
}
