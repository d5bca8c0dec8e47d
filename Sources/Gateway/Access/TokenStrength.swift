import Glibc

/// An estimate of the bits of a token that a guess has to hit: its length times the bits of a character, by the kinds of
/// characters that it has. A token that a human made up has fewer.
enum TokenStrength {
    /// The least bits of a token, which cannot be guessed in the life of a museum at any rate of requests.
    static let least = 128.0
    /// Different letters and digits without which it repeats itself.
    private static let variety = 8

    static func bits(_ token: some Sequence<UInt8>) -> Double {
        let bytes = Array(token), letters = bytes.filter { isDigit($0) || isLower($0) || isUpper($0) }
        let different = Set(letters).count
        if different < variety { return Double(letters.count) * log2(Double(max(different, 1))) }
        let hasDigits = letters.contains(where: isDigit), hasLower = letters.contains(where: isLower)
        let hasUpper = letters.contains(where: isUpper)
        // Base64: its other signs count too, but not those at its end.
        if hasLower, hasUpper { return Double(bytes.count { $0 != UInt8(ascii: "=") }) * 6 }
        let kinds: Double
        if !hasLower, !hasUpper {
            kinds = 10
        } else if letters.allSatisfy({ isDigit($0) || ($0 | 32) <= UInt8(ascii: "f") }) {
            kinds = 16
        } else {
            kinds = hasDigits ? 36 : 26
        }
        return Double(letters.count) * log2(kinds)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
