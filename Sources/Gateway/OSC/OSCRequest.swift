/// A message as a line of the session's grammar: the words of its address, then its arguments.
///
/// ```
/// /carillon/seek/bar ,i 12        seek bar 12
/// /carillon/scene ,s Big Organ    scene "Big Organ"
/// ```
/// Which requests there are the session alone knows.
enum OSCRequest {
    static let root = "/carillon/"

    /// The line that a message means. - Throws: `address` if its address is no words; `notFinite`.
    static func line(_ message: OSCMessage) throws(OSCError) -> String {
        guard message.address.hasPrefix(root) else { throw .address(message.address) }
        let written = message.address.dropFirst(root.count)
        var words = written.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // Neither quotes and blanks, which would make other words of it, nor the signs of a pattern.
        guard words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isPlain) }) else { throw .address(message.address) }
        let takesTime = words[0] == "seek"
        for argument in message.arguments { words.append(try word(argument, takesTime: takesTime, of: message)) }
        return words.joined(separator: " ")
    }

    private static func word(
        _ argument: OSCMessage.Argument, takesTime: Bool, of message: OSCMessage
    ) throws(OSCError) -> String {
        switch argument {
        case .whole(let number): return "\(number)"
        case .wide(let number): return "\(number)"
        case .flag(let isOn): return isOn ? "on" : "off"
        case .single(let number):
            guard number.isFinite else { throw .notFinite(message.address) }
            // The digits of the number as it was sent: 0.9, not 0.8999999762. Many controllers send whole numbers so too.
            return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .double(let number):
            guard number.isFinite else { throw .notFinite(message.address) }
            return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text):
            // The one place in the grammar where a word in quotes means something else: "1:30" would go on by that time.
            let isTime = takesTime && text.utf8.first.map { (48...57).contains($0) } == true && text.utf8.allSatisfy(isPlain)
            return isTime ? text : quoted(text)
        }
    }

    /// A text in the quotes of the grammar.
    static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
            case "\r": quoted.append(contentsOf: "\\r".unicodeScalars)
            case "\t": quoted.append(contentsOf: "\\t".unicodeScalars)
            case "\"", "\\":
                quoted.append("\\")
                quoted.append(scalar)
            default: quoted.append(scalar)
            }
        }
        quoted.append("\"")
        return String(quoted)
    }

    private static let signs = Set("-_.:=%+".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: signs.contains(byte)
        }
    }
}
