/// Four ASCII characters as one number, as Core Audio names its types: `"aumu"`, `"Cari"`.
public struct FourCharCode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The characters, the first in the highest byte. 0 matches any code in a search.
    public var rawValue: UInt32

    /// Takes the number itself.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Takes four ASCII characters.
    ///
    /// Precondition: the text has four bytes.
    public init(stringLiteral text: String) {
        precondition(text.utf8.count == 4, "a four-character code has four characters")
        rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Matches every code in a search.
    public static var any: FourCharCode { FourCharCode(rawValue: 0) }

    /// The four characters; a byte that is no printable ASCII character shows as a dot.
    public var description: String {
        var text = ""
        for shift in [24, 16, 8, 0] as [UInt32] {
            let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
            text.append((32...126).contains(byte) ? Character(Unicode.Scalar(byte)) : ".")
        }
        return text
    }
}
