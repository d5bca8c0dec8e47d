import MIDI
import Reports

/// A request that a session understands: its words, its role, and its action. Each is declared once, with the part of the
/// session that carries it out; grammar, help, completion, the reference and every surface are made from the declarations.
package struct Verb: Sendable {
    /// The effects of a request, by which surfaces decide who may make it.
    package enum Role: Sendable, Hashable {
        /// Reads something and changes nothing.
        case look
        /// Changes the sound.
        case steer
        /// Writes a file.
        case save
        /// Ends the session.
        case end
    }

    /// The fixed words that it begins with.
    package let words: [String]
    /// The arguments that follow the words, in order.
    package let arguments: [VerbArgument]
    /// One sentence.
    package let help: String
    /// A line that says it.
    package let example: String
    package let role: Role
    /// True if the verb only changes the current sound, and needs no song and no file.
    package let movesSound: Bool
    /// True if it changes the set-up of a session: a session that is locked refuses it.
    private var changesSetup = false
    private let action: Action?

    /// The shape of its answer; nil for a verb without one, or one that its surface answers.
    package private(set) var shape: FieldShape?

    /// The values that a turned control gives it; nil for a verb that no control turns.
    private(set) var turn: VerbTurn?

    typealias Action = @Sendable ([any SessionPart], VerbValues) throws(Fault) -> CommandOutcome

    /// Creates a verb that its surface answers, from the status or from counters.
    package init(asking words: String, _ arguments: [VerbArgument] = [], help: String, _ example: String) {
        self.init(words, arguments, help: help, example, role: .look, movesSound: false, action: nil)
    }

    /// Creates a verb that all parts of a session carry out.
    init(
        _ words: String, help: String, _ example: String,
        does action: @escaping @Sendable ([any SessionPart]) throws(Fault) -> Void
    ) {
        self.init(words, [], help: help, example, role: .steer, movesSound: false) { (parts, _) throws(Fault) in
            try action(parts)
            return .done
        }
    }

    /// Creates a verb that a part carries out. `newWords`: what it is called now, for an old verb.
    package init<Part: SessionPart>(
        _ words: String, _ arguments: [VerbArgument] = [], help: String, _ example: String, role: Role = .steer,
        movesSound: Bool = false, instead newWords: String? = nil,
        does action: @escaping @Sendable (Part, VerbValues) throws(Fault) -> Void
    ) {
        self.init(words, arguments, help: help, example, role: role, movesSound: movesSound) {
            (parts, values) throws(Fault) in
            try action(parts.part(), values)
            return newWords.map { .renamed(to: $0) } ?? .done
        }
    }

    /// Creates a verb by which a part writes a file, and returns its path.
    package init<Part: SessionPart>(
        _ words: String, _ arguments: [VerbArgument] = [], help: String, _ example: String,
        saves action: @escaping @Sendable (Part, VerbValues) throws(Fault) -> String
    ) {
        self.init(words, arguments, help: help, example, role: .save, movesSound: false) { (parts, values) throws(Fault) in
            .saved(path: try action(parts.part(), values))
        }
    }

    /// Creates a verb that a part answers, and that changes nothing.
    package init<Part: SessionPart, Answer: FieldConvertible>(
        _ words: String, _ arguments: [VerbArgument] = [], help: String, _ example: String,
        tells answer: @escaping @Sendable (Part, VerbValues) throws(Fault) -> Answer
    ) {
        self.init(words, arguments, help: help, example, role: .look, movesSound: false) { (parts, values) throws(Fault) in
            .told(try answer(parts.part(), values).fieldValue)
        }
        shape = Answer.shape
    }

    private init(
        _ words: String, _ arguments: [VerbArgument], help: String, _ example: String, role: Role, movesSound: Bool,
        action: Action?
    ) {
        self.words = words.split(separator: " ").map(String.init)
        (self.arguments, self.help, self.example) = (arguments, help, example)
        (self.role, self.movesSound, self.action) = (role, movesSound, action)
    }

    /// The same verb, whose value a control turns from `low` to `high`; by equal ratios if `isLogarithmic`.
    ///
    /// - Parameter standing: the value that stands.
    func turned<Part: SessionPart>(
        from low: Float, to high: Float, isLogarithmic: Bool = false, standing: @escaping @Sendable (Part) -> Double
    ) -> Verb {
        var verb = self
        verb.turn = VerbTurn(low: low, high: high, isLogarithmic: isLogarithmic) { $0[Part.self].map(standing) }
        return verb
    }

    /// The same verb, which a session that is locked refuses.
    var changingSetup: Verb {
        var verb = self
        verb.changesSetup = true
        return verb
    }

    /// The form as the help shows it: `note CHANNEL KEY VELOCITY [TIME]`.
    package var text: String {
        (words + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }).joined(separator: " ")
    }

    /// The command that says it with these values, one for each argument.
    package func callAsFunction(_ values: any VerbValueConvertible...) -> ControlCommand {
        ControlCommand(self, values.map(\.verbValue))
    }

    fileprivate func perform(_ parts: [any SessionPart], _ values: [VerbValue]) throws(Fault) -> CommandOutcome {
        for (argument, value) in zip(arguments, values) { try argument.check(value) }
        guard let action else { return .done }
        if changesSetup { try parts.requireUnlocked() }
        return try action(parts, VerbValues(values))
    }
}

extension Verb: Hashable {
    package static func == (one: Verb, other: Verb) -> Bool { one.text == other.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A request of a surface to a running session: a verb with its values. The terminal, sockets, cues and keys speak this and
/// nothing else.
public struct ControlCommand: Sendable, Hashable {
    package let verb: Verb
    /// One for each argument of the verb, of its kind.
    package let values: [VerbValue]

    package init(_ verb: Verb, _ values: [VerbValue]) { (self.verb, self.values) = (verb, values) }

    /// Carries it out by the part whose verb it is. Throws the part's `isMissing` if it is not among them.
    package func perform(on parts: [any SessionPart]) throws(Fault) -> CommandOutcome { try verb.perform(parts, values) }

    /// The value of an argument that is a whole number; nil for any other.
    package func whole(_ place: Int) -> Int? {
        if values.indices.contains(place), case .whole(let number) = values[place] { number } else { nil }
    }

    /// The value of an argument that is a number; nil for any other.
    package func number(_ place: Int) -> Double? {
        if values.indices.contains(place), case .number(let number) = values[place] { number } else { nil }
    }

    /// The value of an argument that is on or off; nil for any other.
    package func flag(_ place: Int) -> Bool? {
        if values.indices.contains(place), case .flag(let isOn) = values[place] { isOn } else { nil }
    }

    /// The value of an argument that is a text; nil for any other, and where it was left out.
    package func text(_ place: Int) -> String? {
        if values.indices.contains(place), case .text(let text) = values[place] { text } else { nil }
    }
}
