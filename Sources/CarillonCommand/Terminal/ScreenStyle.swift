import Glibc
import Reports

/// The abilities of the terminal.
struct ScreenStyle: Equatable {
    /// True if bars and names may be more than ASCII.
    var hasUnicode: Bool
    var hasColour: Bool

    /// The characters that a bar is drawn with: where it is full, and where it is between two values.
    var full: Character { hasUnicode ? "\u{2588}" : "#" }
    var between: Character { hasUnicode ? "\u{2592}" : "-" }

    /// Takes the style from the environment: the locale's character set, NO_COLOR (any value but an empty one), TERM.
    init(_ environment: (String) -> String? = Self.variable) {
        // The first that is set decides, as for every program.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment($0) }.first { !$0.isEmpty } ?? ""
        let set = locale.uppercased()
        hasUnicode = set.contains("UTF-8") || set.contains("UTF8")
        hasColour = (environment("NO_COLOR") ?? "").isEmpty
    }

    init(hasUnicode: Bool, hasColour: Bool) {
        self.hasUnicode = hasUnicode
        self.hasColour = hasColour
    }

    /// `name` without anything that could command the terminal, in characters that it can show.
    func shown(_ name: String) -> String {
        let line = OneLine.text(name)
        return hasUnicode ? line : String(line.map { $0.isASCII ? $0 : "?" })
    }

    /// True if lines can be rewritten in place: standard error is a terminal that knows how to move its cursor.
    static var canRedraw: Bool {
        StandardError.isTerminal && variable("TERM").map { $0 != "dumb" && !$0.isEmpty } ?? false
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
