/// The natural order of names with numbers: `song-2` before `song-10`. It is the same on every machine, in any language.
package enum NaturalOrder {
    /// Returns whether `a` comes before `b`: by their bytes, but digits that follow each other are one number. Of names that
    /// differ in zeros before their numbers alone, the one with fewer comes first.
    package static func precedes(_ a: String, _ b: String) -> Bool {
        var (left, right) = (Array(a.utf8)[...], Array(b.utf8)[...])
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (one, other) = (number(&left), number(&right))
                if one.count != other.count { return one.count < other.count }
                if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
            } else if first != second {
                return first < second
            } else {
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
        }
        if left.isEmpty, right.isEmpty { return (a.utf8.count, a) < (b.utf8.count, b) }
        return left.isEmpty
    }

    /// Takes the digits at the beginning away, and returns them without their leading zeros.
    private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
