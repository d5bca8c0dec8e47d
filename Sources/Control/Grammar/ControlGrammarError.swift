import Reports
import UnitAPI

/// A reason why a line is not a request.
public enum ControlGrammarError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line has no word.
    case empty
    /// The line is longer than `ControlGrammar.longestLine`.
    case tooLong
    /// The line is no UTF-8, or holds control characters.
    case notText
    /// A quote is not closed, or is directly followed by more text.
    case openQuote
    case unknownVerb(String, known: [String])
    /// A verb goes on with another word.
    case unknownWord(String, behind: String, known: [String])
    /// An argument is missing.
    case missing(String, of: String, example: String)
    /// One word too many.
    case tooMany(String, behind: String)
    case emptyName(String)
    /// A setting is not of the form NAME=VALUE.
    case malformed(String, example: String)
    case value(ParameterError)

    public var description: String {
        switch self {
        case .empty: "the line is empty; help lists the requests"
        case .tooLong: "the line is longer than \(ControlGrammar.longestLine) bytes"
        case .notText: "the line is not UTF-8, or contains control characters"
        case .openQuote: "a quote is not closed; write names with spaces as \"Big Organ\""
        case .unknownVerb(let word, let known):
            "there is no command \"\(word)\"; help lists them all" + NearName.question(word, among: known)
        case .unknownWord(let word, let verb, let known):
            "\(verb): there is no \"\(word)\" here; there \(known.count == 1 ? "is" : "are") "
                + known.joined(separator: ", ") + NearName.question(word, among: known)
        case .missing(let argument, let verb, let example): "\(verb): \(argument) is missing, as in: \(example)"
        case .tooMany(let word, let verb): "\(verb): \"\(word)\" is one word too many"
        case .emptyName(let argument): "\(argument): the name is empty"
        case .malformed(let text, let example): "\"\(text)\" is not of the form NAME=VALUE, as in: \(example)"
        case .value(let error): error.description
        }
    }
}
