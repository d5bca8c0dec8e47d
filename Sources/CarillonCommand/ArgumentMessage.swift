import ArgumentParser
import Carillon
import Reports

/// A fault in the arguments, in one line: what is valid, and the near name if there is one.
///
/// ArgumentParser gives its errors as text alone, and suggests options that have nothing in common with what was written.
struct ArgumentMessage {
    let text: String

    /// `options` with their dashes; `elsewhere` is the command that has an option of other commands.
    init(_ message: String, options: [String], elsewhere: (String) -> String? = { _ in nil }) {
        var line = message.split(separator: "\n").joined(separator: " ")
        if line.last == "." { line.removeLast() }
        text = Self.unknownOption(line, options, elsewhere) ?? Self.invalidValue(line) ?? line
    }

    /// `Unknown option '--stems'. Did you mean '--set'?`
    private static func unknownOption(_ line: String, _ options: [String], _ elsewhere: (String) -> String?) -> String? {
        // What else the letters of one word might have been.
        let line = line.firstRange(of: "    or: ").map { String(line[..<$0.lowerBound]) } ?? line
        let parts = line.split(separator: "'", omittingEmptySubsequences: false)
        guard line.hasPrefix("Unknown option '"), parts.count == 3 || line.contains("'. Did you mean '"), parts.count > 2
        else { return nil }
        let name = String(parts[1])
        var text = "there is no option \(name)"
        if let new = former[name], options.contains(new) {
            text += " any more; it is called \(new)"
        } else if let common = foreign[name], options.contains(common) {
            text += "; did you mean \(common)?"
        } else if let near = NearName.of(bare(name), among: options.map(bare)), name.hasPrefix("--") {
            text += "; did you mean --\(near)?"
        } else if let command = elsewhere(name) {
            text += " here; carillon \(command) has it"
        } else if let answer = ForeignOption.answer(name) {
            text += "; \(answer)"
        }
        return text
    }

    /// Former names of options, with the names of today.
    private static let former = ["--capture-device": "--input-device"]
    /// Options as other programs call them.
    private static let foreign = ["--outdir": "--output-dir", "--out-dir": "--output-dir"]

    /// `The value 'fast' is invalid for '--rate <hz>': rate: "fast" is not a number`
    private static func invalidValue(_ line: String) -> String? {
        guard line.hasPrefix("The value '"), let middle = line.firstRange(of: "' is invalid for '") else { return nil }
        let value = line[..<middle.lowerBound].dropFirst("The value '".count)
        let rest = line[middle.upperBound...]
        guard let end = rest.firstIndex(of: "'") else { return nil }
        let option = rest[..<end].split(separator: " ").first ?? "", reason = rest[rest.index(after: end)...]
        let name = option.drop { $0 == "-" }
        if reason.hasPrefix(": \(name): ") { return "\(option)\(reason.dropFirst(2 + name.count))" }
        if reason.hasPrefix(": ") { return "\(option) \(value)\(reason)" }
        let names = reason.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        if names.isEmpty { return "\(option): \"\(value)\" is not a whole number" }
        return "\(option): "
            + (NearName.of(String(value), among: names) == nil
                ? "\"\(value)\" is not one of \(names.joined(separator: ", "))"
                : "there is no \"\(value)\"; \(NearName.choice(String(value), among: names))")
    }

    private static func bare(_ option: String) -> String { String(option.drop { $0 == "-" }) }
}
