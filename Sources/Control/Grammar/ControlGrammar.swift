import Carillon

/// Every request as a line of words, both ways. The socket, `carillon ctl`, help and reference speak this and nothing else.
///
/// ```
/// seek bar 12        tempo 90%        set reverb.decay=2.5s        scene "Big Organ"
/// ```
public enum ControlGrammar {
    /// Bytes that a line may have, its end left out.
    public static let longestLine = 4096

    private static let forms = ControlVerb.allCases.map { (verb: $0, form: $0.form) }
    /// The fixed words of all forms; a name that is one of them stands in quotes.
    static let words = Set(forms.flatMap(\.form.words))

    /// What a line asks for.
    public static func request(_ line: String) throws(ControlGrammarError) -> ControlRequest {
        try parse(line).request
    }

    /// The command that a line means. - Throws: `unknownVerb` for what only asks, as `status` does.
    public static func command(_ line: String) throws(ControlGrammarError) -> ControlCommand {
        let (verb, request) = try parse(line)
        guard case .command(let command) = request else {
            let known = forms.filter { !$0.verb.onlyAsks }.map { $0.form.words[0] }
            throw .unknownVerb(verb.form.words[0], known: known)
        }
        return command
    }

    /// The line that means a request.
    public static func text(_ request: ControlRequest) -> String {
        let (verb, values) = ControlVerb.saying(request), form = verb.form
        return (form.words + zip(form.arguments, values).filter { $1 != .none }.map { $0.text($1) }).joined(separator: " ")
    }

    /// The line that means a command.
    public static func text(_ command: ControlCommand) -> String { text(.command(command)) }

    /// Which form a line has, and what it asks for.
    static func parse(_ line: String) throws(ControlGrammarError) -> (verb: ControlVerb, request: ControlRequest) {
        if line.utf8.count > longestLine { throw .tooLong }
        let tokens = try ControlToken.tokens(of: line)
        guard let first = tokens.first else { throw .empty }
        let begun = forms.filter { $0.form.words.count <= tokens.count && begins(tokens, with: $0.form.words) }
        guard let depth = begun.map(\.form.words.count).max() else {
            throw .unknownVerb(first.text, known: verbs)
        }
        var rest = tokens.dropFirst(depth)
        let meant = begun.filter { $0.form.words.count == depth }
        let claim = rest.first.flatMap { token in meant.first { $0.form.arguments.first?.claims(token) == true } }
        guard let (verb, form) = claim ?? (rest.isEmpty ? meant.first : meant.last) else {
            throw .unknownVerb(first.text, known: verbs)
        }
        let name = form.words.joined(separator: " ")
        var values: [ControlValue] = []
        for argument in form.arguments {
            if rest.isEmpty {
                guard argument.isOptional else { throw .missing(argument.name, of: name, example: form.example) }
                values.append(.none)
            } else {
                values.append(try argument.value(&rest, example: form.example))
            }
        }
        if let word = rest.first {
            let known = form.arguments.isEmpty ? words(after: form.words) : []
            throw known.isEmpty ? .tooMany(word.text, behind: name) : .unknownWord(word.text, behind: name, known: known)
        }
        guard let request = verb.request(values) else { throw .missing(form.text, of: name, example: form.example) }
        return (verb, request)
    }

    private static func begins(_ tokens: [ControlToken], with words: [String]) -> Bool {
        zip(tokens, words).allSatisfy { !$0.isQuoted && $0.text == $1 }
    }

    // MARK: - What there is to say

    /// The first words, each once, in order.
    public static var verbs: [String] { words(after: []) }

    private static func words(after begin: [String]) -> [String] {
        var words: [String] = []
        for (_, form) in forms where form.words.starts(with: begin) && form.words.count > begin.count {
            if !words.contains(form.words[begin.count]) { words.append(form.words[begin.count]) }
        }
        return words
    }

    /// The words that may stand behind those that are written: fixed ones, and `on` and `off`. Names are not known here.
    public static func completions(after written: [String]) -> [String] {
        var next = words(after: written)
        for (_, form) in forms where written.starts(with: form.words) {
            let place = written.count - form.words.count
            if form.arguments.indices.contains(place), case .toggle = form.arguments[place].kind { next += ["on", "off"] }
        }
        return next
    }

    /// The help: a line for each form, with what it does and an example.
    public static var help: String { help(forms.map(\.form)) }

    /// The lines of the help that begin with what is written, as far as that is fixed words: `volume hardware -12dB` has those
    /// of `volume hardware`.
    ///
    /// - Throws: `unknownVerb` for a first word that no request has.
    public static func help(on written: [String]) throws(ControlGrammarError) -> String {
        var meant = forms.map(\.form)
        for (place, word) in written.enumerated() {
            let begun = meant.filter { $0.words.dropFirst(place).first == word }
            if begun.isEmpty, place == 0 { throw .unknownVerb(word, known: verbs) }
            if begun.isEmpty { break }
            meant = begun
        }
        return help(meant)
    }

    private static func help(_ forms: [ControlForm]) -> String {
        let width = forms.map(\.text.count).max() ?? 0
        return forms.map { form in
            form.text + String(repeating: " ", count: width + 2 - form.text.count) + form.help
                + (form.example == form.text ? "" : " (\(form.example))")
        }.joined(separator: "\n")
    }

    /// The reference: a table in Markdown.
    static var reference: String {
        let rows = forms.map { _, form in
            let ranges = form.arguments.compactMap { argument in
                argument.valid.flatMap { $0 == "on, off" ? nil : "\(argument.name) \($0)" }
            }.joined(separator: "; ")
            let text = form.text.split(separator: "|").joined(separator: "/")
            return "| `\(text)` | \(form.help)\(ranges.isEmpty ? "" : " \(ranges)") | `\(form.example)` |"
        }
        return (["| request | what it does | example |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }
}

extension ControlGrammar {
    /// The help as JSON, for who asks through a socket: form, help and example of each.
    static let json = JSONText.array(
        ControlVerb.allCases.map { verb in
            let form = verb.form
            return .object([("form", .string(form.text)), ("help", .string(form.help)), ("example", .string(form.example))])
        }
    ).text
}
