import Carillon
import Reports

/// Reads and writes every request as a line of words: those of a session's parts, and those that only ask. The socket,
/// `carillon ctl`, help and reference all use it.
///
/// ```
/// seek bar 12        tempo 90%        set reverb.decay=2.5s        scene "Big Organ"
/// ```
public struct ControlGrammar: Sendable {
    /// Bytes that a line may have, its end left out.
    public static let longestLine = 4096

    /// The grammar of the parts of every session.
    public static let standard = ControlGrammar(.standard)

    /// The parts that requests are for.
    public let vocabulary: SessionVocabulary
    /// All verbs: first those of a session, then those that only ask.
    package let allVerbs: [Verb]
    /// The fixed words of all verbs; a name that equals one of them is written in quotes.
    let words: Set<String>

    /// The grammar of these parts.
    public init(_ vocabulary: SessionVocabulary) {
        self.vocabulary = vocabulary
        allVerbs = vocabulary.verbs + AskingVerb.all.map(\.verb)
        words = Set(allVerbs.flatMap(\.words))
    }

    /// Returns the request that a line means.
    public func request(_ line: String) throws(Fault) -> ControlRequest { try parse(line).request }

    /// Returns the command that a line means. - Throws: `unknownVerb` for a verb that only asks, such as `status`.
    public func command(_ line: String) throws(Fault) -> ControlCommand {
        if line.utf8.count > Self.longestLine { throw .longLine }
        return try command(ControlToken.tokens(of: line)[...])
    }

    private func command(_ tokens: ArraySlice<ControlToken>) throws(Fault) -> ControlCommand {
        let (verb, request) = try parse(tokens)
        guard case .command(let command) = request, verb.role != .look else {
            throw .unknownVerb(verb.words[0], known: vocabulary.verbs.filter { $0.role != .look }.map { $0.words[0] })
        }
        return command
    }

    /// Returns the request of a button that a line means: a command, or the bare verb of one whose value a control turns.
    public func action(_ line: String) throws(Fault) -> Session.Button.Action { try action(ControlToken.tokens(of: line)[...]) }

    private func action(_ tokens: ArraySlice<ControlToken>) throws(Fault) -> Session.Button.Action {
        let turned = vocabulary.verbs.first { $0.words == tokens.map(\.text) && tokens.allSatisfy { !$0.isQuoted } }
        if let turn = turned.flatMap(Button.Turn.init) { return .turn(turn) }
        return .request(try command(tokens))
    }

    /// The requests that a button can make without a value, or with the first choice of one, to choose among.
    public var buttonActions: [Session.Button.Action] {
        vocabulary.verbs.filter { $0.role != .look }.flatMap { verb -> [Session.Button.Action] in
            if let turn = Button.Turn(verb) { return [.turn(turn)] }
            var values: [[VerbValue]] = [[]]
            for (place, argument) in verb.arguments.enumerated() {
                if argument.isOptional {
                    values = values.map { $0 + [.none] }
                } else if place == 0, case .toggle = argument.kind {
                    values = [[.flag(true)], [.flag(false)]]
                } else if place == 0, case .choice(let words) = argument.kind {
                    values = words.map { [.text($0)] }
                } else {
                    return []
                }
            }
            return values.map { .request(ControlCommand(verb, $0)) }
        }
    }

    /// Returns the button that a text means, such as `controller-80,hold=panic`. - Throws: an error that shows the form.
    public func button(_ text: String) throws(Fault) -> Session.Button {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw .notAButton(text) }
        return try Button(parts[0], action(parts[1]))
    }

    /// Returns the line that means a request.
    public func text(_ request: ControlRequest) -> String {
        let (verb, values) = request.saying
        return verb.text(values, among: words)
    }

    /// Returns the line that means a command.
    public func text(_ command: ControlCommand) -> String { text(.command(command)) }

    func parse(_ line: String) throws(Fault) -> (verb: Verb, request: ControlRequest) {
        if line.utf8.count > Self.longestLine { throw .longLine }
        return try parse(ControlToken.tokens(of: line)[...])
    }

    private func parse(_ tokens: ArraySlice<ControlToken>) throws(Fault) -> (verb: Verb, request: ControlRequest) {
        guard let first = tokens.first else { throw .emptyLine }
        let begun = allVerbs.filter { $0.words.count <= tokens.count && begins(tokens, with: $0.words) }
        guard let depth = begun.map(\.words.count).max() else {
            let known = words(after: [first.text])
            if known.isEmpty { throw .unknownVerb(first.text, known: verbs) }
            throw tokens.count == 1
                ? .incomplete(first.text, known: known)
                : .unknownWord(tokens[tokens.startIndex + 1].text, behind: first.text, known: known)
        }
        var rest = tokens.dropFirst(depth)
        let meant = begun.filter { $0.words.count == depth }
        let claim =
            rest.first.map { token in
                meant.first { $0.arguments.first?.claims(token) == true && $0.takes(rest.count) }
                    ?? meant.first { $0.arguments.first?.claims(token) == true } ?? meant.last { !$0.arguments.isEmpty }
                    ?? meant.last
            }
            ?? meant.first { $0.arguments.allSatisfy(\.isOptional) } ?? meant.first
        guard let verb = claim else { throw .unknownVerb(first.text, known: verbs) }
        let name = verb.words.joined(separator: " ")
        var values: [VerbValue] = []
        for (place, argument) in verb.arguments.enumerated() {
            let isLeftOut =
                argument.isOptional
                && rest.first.map { word in
                    !argument.isMeant(by: word) && verb.arguments[place...].dropFirst().contains { $0.isMeant(by: word) }
                } ?? false
            if isLeftOut {
                values.append(.none)
            } else if rest.isEmpty {
                guard argument.isOptional else { throw .missing(argument.name, of: name, example: verb.example) }
                values.append(.none)
            } else if case .request = argument.kind {
                values.append(.request(try action(rest)))
                rest = []
            } else {
                values.append(try argument.value(&rest, of: verb))
            }
        }
        if let word = rest.first {
            let known = verb.arguments.isEmpty ? words(after: verb.words) : []
            throw known.isEmpty ? .tooMany(word.text, behind: name) : .unknownWord(word.text, behind: name, known: known)
        }
        let asking = AskingVerb.all.first { $0.verb == verb }
        return (verb, asking?.request(values) ?? .command(ControlCommand(verb, values)))
    }

    private func begins(_ tokens: ArraySlice<ControlToken>, with words: [String]) -> Bool {
        zip(tokens, words).allSatisfy { !$0.isQuoted && $0.text == $1 }
    }

    /// The first words, each once, in order.
    public var verbs: [String] { words(after: []) }

    private func words(after begin: [String]) -> [String] {
        var words: [String] = []
        for verb in allVerbs where verb.words.starts(with: begin) && verb.words.count > begin.count {
            if !words.contains(verb.words[begin.count]) { words.append(verb.words[begin.count]) }
        }
        return words
    }

    /// Returns the words that may follow the written ones: fixed words, the words of a choice, and names that the session
    /// knows.
    ///
    /// - Parameter told: asks the session a question, and returns the texts under these keys of its answer.
    public func completions(
        after written: [String], told: (_ question: String, _ keys: [String]) -> [String] = { _, _ in [] }
    ) -> [String] {
        var next = words(after: written)
        for verb in allVerbs where written.starts(with: verb.words) {
            var place = written.count - verb.words.count
            if case .request? = verb.arguments.last?.kind { place = min(place, verb.arguments.count - 1) }
            guard verb.arguments.indices.contains(place) else { continue }
            switch verb.arguments[place].kind {
            case .toggle: next += ["on", "off"]
            case .choice(let words): next += words
            case .request: next += words(after: Array(written.dropFirst(verb.words.count)))
            case .labelled(let word, _): next.append(word)
            case .number, .whole, .tempo, .meter, .shift, .name, .setting: break
            }
            guard let known = verb.arguments[place].known else { continue }
            let first = place > 0 ? written[verb.words.count] : ""
            next += told(known.question.replacing("{0}", with: first), known.keys)
        }
        return next
    }

    /// The help: one line per form, with its purpose and an example.
    public var help: String { help(allVerbs) }

    /// Returns the lines of the help that begin with the fixed words among the written ones: `volume hardware -12dB` gives the
    /// lines of `volume hardware`.
    ///
    /// - Throws: `unknownVerb` for a first word that no request has.
    public func help(on written: [String]) throws(Fault) -> String {
        var meant = allVerbs
        for (place, word) in written.enumerated() {
            let begun = meant.filter { $0.words.dropFirst(place).first == word }
            if begun.isEmpty, place == 0 { throw .unknownVerb(word, known: verbs) }
            if begun.isEmpty { break }
            meant = begun
        }
        return help(meant)
    }

    private func help(_ verbs: [Verb]) -> String {
        let width = verbs.map(\.text.count).max() ?? 0
        return verbs.map { verb in
            TextColumns.padded(verb.text, to: width + 2) + verb.help
                + (verb.example == verb.text ? "" : " (\(verb.example))")
        }.joined(separator: "\n")
    }

    var reference: String {
        let rows = allVerbs.map { verb in
            let ranges = verb.arguments.compactMap { argument in
                argument.valid.flatMap { $0 == "on, off" ? nil : "\(argument.name) \($0)" }
            }.joined(separator: "; ")
            let text = verb.text.split(separator: "|").joined(separator: "/")
            return "| `\(text)` | \(verb.help)\(ranges.isEmpty ? "" : " \(ranges)") | `\(verb.example)` |"
        }
        return (["| request | what it does | example |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }
}

extension ControlGrammar {
    /// The help as JSON, for clients of the socket: form, help and example of each request.
    var json: String { allVerbs.map { HelpLine(verb: $0) }.fieldValue.json }

    struct HelpLine: Fielded {
        let verb: Verb

        static let fields: [Field<Self>] = [
            Field("form", \.verb.text, "The form of the request."), Field("help", \.verb.help, "What it does."),
            Field("example", \.verb.example, "An example of the request."),
        ]
    }
}
