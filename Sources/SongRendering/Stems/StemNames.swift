import Reports

/// The names of the files of stems, made by a template.
package struct StemNames: Sendable, Hashable {
    /// The default template: `song-01-Grand Piano`; of one file for all: `song-stems`.
    package static let standard = "{song}-{number}-{name}", standardOfOneFile = "{song}-stems"
    /// The words that a template has in braces.
    package static let fields = ["song", "number", "name"]

    /// The text, with words in braces.
    package let template: String
    /// Text and fields in turn, a text first.
    private let pieces: [Substring]

    /// Reads a template.
    ///
    /// - Parameter isOneFile: true where all stems go into one file.
    /// - Throws: `option` for an unknown field, a brace without another, and a template that gives all stems the same name.
    package init(_ template: String, isOneFile: Bool = false) throws(Fault) {
        self.template = template
        var pieces: [Substring] = [], rest = Substring(template)
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw .option(name: "stem-names", value: template, remedy: "{ has no }")
            }
            let field = rest[rest.index(after: open)..<close]
            if !Self.fields.contains(String(field)) {
                let known = Self.fields.map { "{\($0)}" }.joined(separator: ", ")
                throw .option(name: "stem-names", value: template, remedy: "{\(field)} is none of \(known)")
            }
            pieces += [rest[..<open], field]
            rest = rest[rest.index(after: close)...]
        }
        self.pieces = pieces + [rest]
        let tellsStems = fields.contains("number") || fields.contains("name")
        if !isOneFile && !tellsStems {
            throw .option(name: "stem-names", value: template, remedy: "all stems would have this name; add {number} or {name}")
        }
        if isOneFile && tellsStems {
            throw .option(
                name: "stem-names", value: template, remedy: "one file has all stems; leave {number} and {name} out")
        }
        if template.utf8.last.map({ $0 == UInt8(ascii: "/") }) ?? true {
            throw .option(name: "stem-names", value: template, remedy: "the name is empty")
        }
    }

    private var fields: [Substring] { stride(from: 1, to: pieces.count, by: 2).map { pieces[$0] } }

    /// True if songs give different names.
    package var tellsSongs: Bool { fields.contains("song") }

    /// The name of a file, without an ending.
    ///
    /// - Parameters:
    ///   - stem: the stem's name; nil for one file with all of them.
    ///   - number: its place among the stems, from 1.
    ///   - count: stems in all, which says how many digits a number has.
    package func name(song: String, stem: String?, number: Int, of count: Int) -> String {
        var name = ""
        for (place, piece) in pieces.enumerated() {
            switch place % 2 == 0 ? "" : piece {
            case "song": name += song
            case "number": name += Self.number(number, of: count)
            case "name": name += Self.safe(stem ?? "")
            default: name += piece
            }
        }
        return name
    }

    private static func number(_ number: Int, of count: Int) -> String {
        let text = String(number), digits = max(String(count).count, 2)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }

    /// A text that every file system takes as part of a name: characters that one of them refuses become hyphens, and it has at
    /// most 100 bytes.
    static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            let isRefused =
                scalar.value < 32 || (127..<160).contains(scalar.value) || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
            let next = isRefused ? "-" : Character(scalar)
            if safe.utf8.count + next.utf8.count > 100 { break }
            safe.append(next)
        }
        let kept = safe.drop { $0 == " " || $0 == "." }
        guard let last = kept.lastIndex(where: { $0 != " " && $0 != "." }) else { return "stem" }
        return String(kept[...last])
    }
}
