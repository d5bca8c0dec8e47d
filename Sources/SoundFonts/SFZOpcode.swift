/// An opcode of SFZ: its name, where it comes from, what it does here, or why it does nothing.
///
/// The one table of them: what is read, what remarks name, and the page of the reference. Source: sfzformat.com.
package struct SFZOpcode: Sendable {
    /// Where an opcode comes from.
    package enum Version: String, Sendable {
        case sfz1 = "SFZ 1"
        case sfz2 = "SFZ 2"
        case aria = "ARIA"
    }

    /// The modulations that a name has besides its value.
    enum Modulations { case none, atStart, steady }

    /// The name; N is a number.
    package let name: String
    package let version: Version
    /// What it does, or what it is for.
    package let meaning: String
    /// Why it is not followed; nil means it is.
    package let reason: String?

    /// The row of a name as it stands in a file, in its one spelling; nil if there is none.
    static func row(_ name: String) -> SFZOpcode? {
        SFZOpcodeName.patterns(name).lazy.compactMap { byName[$0] }.first.map { table[$0] }
    }

    /// The names, in their one spelling, that no row follows, or with a number beyond those that there are.
    static func unfollowed(among names: some Sequence<String>) -> Set<String> {
        Set(names).filter { name in row(name).map { $0.reason != nil } ?? true || !SFZOpcodeName.hasNumbersInRange(name) }
    }

    private static let byName: [String: Int] = {
        var rows: [String: Int] = [:]
        for (index, row) in table.enumerated().reversed() {
            rows[row.name] = index
            rows[SFZOpcodeName.canonical(row.name)] = index
        }
        return rows
    }()

    /// Every opcode that is known here.
    package static let table: [SFZOpcode] = followed + unfollowed

    private static let followed: [SFZOpcode] = groups.flatMap { version, names, modulations, meaning in
        names.split(separator: " ").flatMap { name -> [SFZOpcode] in
            let endings =
                switch modulations {
                case .none: [""]
                case .atStart: ["", "_onccN", "_curveccN"]
                case .steady: ["", "_onccN", "_curveccN", "_smoothccN", "_stepccN"]
                }
            return endings.map { ending in
                SFZOpcode(
                    name: name + ending, version: ending.isEmpty ? version : .sfz2,
                    meaning: ending.isEmpty ? meaning : Self.endings[ending] ?? "", reason: nil)
            }
        }
    }

    private static let endings = [
        "_onccN": "What controller N adds.", "_curveccN": "The curve of controller N.",
        "_smoothccN": "How slowly it follows controller N.", "_stepccN": "The steps of controller N.",
    ]

    private static let unfollowed: [SFZOpcode] = refusals.flatMap { version, names, reason in
        names.split(separator: " ").flatMap { name -> [SFZOpcode] in
            // What ends in + has modulations too, as little followed.
            let stem = name.last == "+" ? name.dropLast() : name
            let endings = name.last == "+" ? ["", "_onccN", "_curveccN", "_smoothccN", "_stepccN"] : [""]
            return endings.map { SFZOpcode(name: stem + $0, version: version, meaning: "", reason: reason) }
        }
    }
}
