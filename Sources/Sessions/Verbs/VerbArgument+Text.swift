import UnitAPI
import Units

extension VerbArgument {
    /// Returns a value as a line has it.
    ///
    /// - Parameter words: fixed words of verbs; a name that equals one of them is written in quotes.
    package func text(_ value: VerbValue, among words: Set<String>) -> String {
        switch (kind, value) {
        case (.number(let spec), .number(let number)): Self.digits(number) + spec.unit.symbol
        case (.shift(let spec), .number(let number)):
            (number < 0 ? "-" : "+") + Self.digits(number.magnitude) + spec.unit.symbol
        case (.tempo, .number(let number)):
            Self.digits(number) + (number < Double(Metronome.Parameter.tempo.spec.range.lowerBound) ? "" : "bpm")
        case (.meter, .text(let text)): text
        case (.labelled(let word, _), .whole(let number)): "\(word) \(number)"
        case (_, .text(let text)): ControlToken.word(text, among: words)
        case (_, .whole(let number)): "\(number)"
        case (_, .flag(let isOn)): isOn ? "on" : "off"
        case (_, .number(let number)): Self.digits(number)
        case (_, .request(let action)): action.text(among: words)
        case (_, .none): ""
        }
    }

    /// All digits, so that a written number is read back exactly.
    private static func digits(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
}

extension ControlCommand: CustomStringConvertible {
    /// Returns the line that means it.
    package func text(among words: Set<String>) -> String { verb.text(values, among: words) }

    /// The line that means it.
    public var description: String { text(among: Verb.fixedWords) }
}

extension Verb {
    /// Returns the line that it makes with these values.
    package func text(_ values: [VerbValue], among fixed: Set<String>) -> String {
        (words + zip(arguments, values).filter { $1 != .none }.map { $0.text($1, among: fixed) }).joined(separator: " ")
    }

    fileprivate static let fixedWords = Set(SessionVocabulary.standard.verbs.flatMap(\.words))
}

extension Button.Action: CustomStringConvertible {
    /// The request as a line, without a value if the control has it.
    public var description: String {
        switch self {
        case .request(let command): command.description
        case .turn(let turn): turn.verb.words.joined(separator: " ")
        }
    }

    fileprivate func text(among words: Set<String>) -> String {
        if case .request(let command) = self { command.text(among: words) } else { description }
    }
}
