/// A name as a player writes it: `*` stands for anything, `?` for one character, upper and lower case are the same. A
/// pattern with neither is found anywhere in a name.
public struct NamePattern: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }

    /// Tells whether `name` fits. Takes at most the product of both lengths in steps.
    public func matches(_ name: String) -> Bool {
        var pattern = Array(text.lowercased())
        if !pattern.contains("*") && !pattern.contains("?") { pattern = ["*"] + pattern + ["*"] }
        let name = Array(name.lowercased())
        var p = 0, n = 0
        // Where to go on when the rest does not fit: the last star, and one more character for it to swallow.
        var star = -1, swallowed = 0
        while n < name.count {
            if p < pattern.count && pattern[p] == "*" {
                star = p
                swallowed = n
                p += 1
            } else if p < pattern.count && (pattern[p] == "?" || pattern[p] == name[n]) {
                p += 1
                n += 1
            } else if star >= 0 {
                p = star + 1
                swallowed += 1
                n = swallowed
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == "*" }
    }
}
