import Reports

/// Lines that are not requests.
extension Fault {
    static let emptyLine = Fault("the line is empty", .usage, remedy: "help lists the requests")
    static let longLine = Fault("the line is longer than \(ControlGrammar.longestLine) bytes", .usage)
    static func unknownVerb(_ word: String, known: [String]) -> Fault {
        Fault(
            "there is no command \"\(word)\"", .usage,
            remedy: "help lists them all" + NearName.question(word, among: known))
    }
    static func unknownWord(_ word: String, behind verb: String, known: [String]) -> Fault {
        Fault(
            "there is no \"\(word)\" here", .usage, of: verb,
            remedy: "there \(known.count == 1 ? "is" : "are") " + known.joined(separator: ", ")
                + NearName.question(word, among: known))
    }
    static func incomplete(_ verb: String, known: [String]) -> Fault {
        Fault("a word is missing", .usage, of: verb, remedy: "there are " + known.joined(separator: ", "))
    }
    static func missing(_ argument: String, of verb: String, example: String) -> Fault {
        Fault("\(argument) is missing, as in: \(example)", .usage, of: verb)
    }
    static func tooMany(_ word: String, behind verb: String) -> Fault {
        Fault("\"\(word)\" is one word too many", .usage, of: verb)
    }
    static func emptyName(_ argument: String) -> Fault { Fault("the name is empty", .usage, of: argument) }
    static func malformedMeter(_ text: String, valid: String, example: String) -> Fault {
        Fault("\"\(text)\" is no meter; choose from \(valid), as in: \(example)", .usage)
    }
    static func malformed(_ text: String, example: String) -> Fault {
        Fault("\"\(text)\" is not of the form NAME=VALUE, as in: \(example)", .usage)
    }
    static func notAButton(_ text: String) -> Fault {
        Fault("\"\(text)\": give a button and a request, like controller-41=toggle or key-C2=next", .usage)
    }
}
