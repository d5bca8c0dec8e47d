/// A name as a player writes it: `*` matches any text, `?` one character, upper and lower case are the same. A pattern with
/// neither matches any part of a name.
public struct NamePattern: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }

    /// Returns true if `name` fits. Takes at most the product of both lengths in steps.
    public func matches(_ name: String) -> Bool {
        var pattern = Array(text.lowercased())
        if !pattern.contains("*") && !pattern.contains("?") { pattern = ["*"] + pattern + ["*"] }
        let name = Array(name.lowercased())
        var p = 0, n = 0
        // The place to go on from when the rest does not fit: the last star, and one more character for it to take.
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

    /// Returns true if the name of the port or of its client fits, or both with a colon between.
    func matches(_ port: MIDIPort) -> Bool {
        [port.name, port.clientName, port.portName, "\(port.clientName):\(port.portName)"].contains { matches($0) }
    }
}
