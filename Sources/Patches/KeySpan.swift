import MIDI

/// Neighbouring keys of a keyboard. As text `C2-B3`, `36-59` or one key, `Eb4`; C4 is middle C, key 60.
public struct KeySpan: Hashable, Sendable, CustomStringConvertible {
    /// The keys, 0...127.
    public let keys: ClosedRange<UInt8>

    /// All keys.
    public static let all = KeySpan(0...127)

    /// These keys.
    ///
    /// Precondition: none is beyond 127.
    public init(_ keys: ClosedRange<UInt8>) {
        precondition(keys.upperBound <= 127, "keys are 0...127")
        self.keys = keys
    }

    /// Reads what `description` writes, keys by name or by number; nil for anything else, and for a range upside down.
    public init?(_ text: String) {
        // A number may be negative in an octave: `C-1-B0`. So the middle is looked for.
        if let key = Self.key(text) {
            self.init(key...key)
            return
        }
        for dash in text.indices where text[dash] == "-" {
            let high = text[text.index(after: dash)...]
            if let low = Self.key(String(text[..<dash])), let high = Self.key(String(high)), low <= high {
                self.init(low...high)
                return
            }
        }
        return nil
    }

    public var description: String {
        let low = Self.name(of: keys.lowerBound)
        return keys.count == 1 ? low : "\(low)-\(Self.name(of: keys.upperBound))"
    }

    private static let steps: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]

    /// `C4` for middle C, which is key 60; the lowest key is `C-1`.
    public static func name(of key: UInt8) -> String { KeyName.text(of: key) }

    /// Returns the key of a name (`C4`, `eb3`, `F#-1`) or a number; nil for anything else.
    public static func key(_ text: String) -> UInt8? {
        let text = text.lowercased().filter { $0 != " " }
        if let number = UInt8(text), number <= 127, text.first?.isNumber == true { return number }
        guard let letter = text.first, var key = steps[letter] else { return nil }
        var rest = text.dropFirst()
        while let sign = rest.first, sign == "#" || sign == "b" {
            key += sign == "#" ? 1 : -1
            rest.removeFirst()
        }
        guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
        key += (octave + 1) * 12
        return (0...127).contains(key) ? UInt8(key) : nil
    }
}
