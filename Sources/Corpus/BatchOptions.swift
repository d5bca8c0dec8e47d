import Carillon
import Reports

/// The options of `carillon render` that a job's fields are: a field is called as its option.
package struct BatchOptions: Codable, Hashable, Sendable {
    /// The values of each option, by its name; none for a flag.
    package private(set) var given: [String: [String]] = [:]
    /// Fields that are not options, and pass through.
    private(set) var passed: [String] = []

    private enum CodingKeys: CodingKey { case given }

    /// Options that name files: the contents of a file count, not its name.
    private static let files: Set<String> = ["soundfont", "patch", "layer"]
    /// Options with a list in one word.
    private static let joined: Set<String> = ["labels"]

    /// Takes the fields that are options.
    ///
    /// - Parameters:
    ///   - known: the names of all options of `render`, without dashes.
    ///   - refused: those of one call and not of one sound.
    init(_ job: BatchJob, known: Set<String>, refused: Set<String> = []) throws(Fault) {
        var fields = job.fields
        if let channels = fields["channels"], channels != .null {
            if let layout = fields["layout"], layout != .null {
                throw Fault("line \(job.line): channels and layout say the same; leave one of them out", .data)
            }
            switch channels {
            case .whole(1): fields["layout"] = .text("mono")
            case .whole(2): fields["layout"] = .text("stereo")
            default: throw Fault("line \(job.line): channels is 1 or 2; for more use layout", .data)
            }
        }
        for name in fields.keys.sorted() where !BatchJob.ownFields.contains(name) {
            guard let value = fields[name], value != .null else { continue }
            if refused.contains(name) {
                throw Fault("line \(job.line): \(name) is the batch's own; leave it out", .data)
            }
            guard known.contains(name) else {
                if let option = Self.meant(name, known) {
                    throw Fault("line \(job.line): there is no option \(name); write \(option)", .data)
                }
                passed.append(name)
                continue
            }
            given[name] = try Self.words(value, name, job.line)
        }
        // The seed of the draws is that of the sound too, where it is one.
        if let seed = Int(job.seed), seed != EngineSetting.seed.wholeDefault, known.contains("seed"),
            EngineSetting.seed.spec.range.contains(Float(seed))
        {
            given["seed"] = ["\(seed)"]
        }
        if ["loudness", "gain", "peak"].allSatisfy({ given[$0] == nil }) { given["loudness"] = ["off"] }
        given["format"] = given["format"] ?? ["wav"]
    }

    /// The option that a name in another spelling means, as Python or JSON would write it; nil for a name of the user's own.
    static func meant(_ name: String, _ known: Set<String>) -> String? {
        let words = name.reduce(into: "") { text, character in
            if character == "_" || character.isUppercase && text.last?.isLowercase == true { text += "-" }
            if character != "_" { text += character.lowercased() }
        }
        let option = words == "soundfonts" ? "soundfont" : words == "sample-rate" ? "rate" : words
        return option != name && (known.contains(option) || BatchJob.ownFields.contains(option)) ? option : nil
    }

    /// The words that follow the option for a field's value; nil means the option is left out; empty: a flag.
    private static func words(_ value: JSONValue, _ name: String, _ line: Int) throws(Fault) -> [String]? {
        switch value {
        case .null, .flag(false): return nil
        case .flag(true): return []
        case .text, .whole, .large, .number: return value.word.map { [$0] }
        case .list(let values):
            let words = values.compactMap(\.word)
            if words.count != values.count {
                throw Fault("line \(line): \(name) is a list of texts and numbers", .data)
            }
            if words.isEmpty { return nil }
            return joined.contains(name) ? [words.joined(separator: ",")] : words
        case .object(let members):
            var words: [String] = []
            for (key, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
                guard let word = value.word else {
                    throw Fault("line \(line): \(name).\(key) is a text or a number", .data)
                }
                words.append("\(key)=\(word)")
            }
            return words.isEmpty ? nil : words
        }
    }

    func values(_ name: String) -> [String] { given[name] ?? [] }

    /// All options without files: a line for each.
    var text: String {
        given.filter { !Self.files.contains($0.key) }.sorted { $0.key < $1.key }.map { name, values in
            ([name] + values).joined(separator: "\u{1F}") + "\n"
        }.joined()
    }
}
