/// A text as one line of a terminal or of a row.
package enum OneLine {
    /// The text with every character that breaks, rewrites or reverses a line replaced by `?`: names in files can hold anything.
    package static func text(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<32, 127..<160, 0x2028...0x202E, 0x2066...0x2069: line.append("?")
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
