import Carillon
import Document

/// A state as the bytes of its file: a first line with the version, the length and the checksum, then the text.
///
/// A disk that lost power may give back the right length with zeros in it, so that the length alone proves nothing.
enum StateText {
    static let version = 1
    static let longestLine = 64
    private static let newline = UInt8(ascii: "\n")

    static func bytes(_ text: String) -> [UInt8] {
        let body = Array(text.utf8)
        return firstLine(body[...]) + body
    }

    /// Throws if a byte is another, or one is missing.
    static func text(_ bytes: [UInt8]) throws(Fault) -> String {
        if bytes.isEmpty { throw .emptyState }
        guard let end = bytes.prefix(longestLine).firstIndex(of: newline) else { throw .firstLine }
        let words = String(decoding: bytes[..<end], as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "carillon-state", let length = Int(words[2]), length >= 0 else { throw .firstLine }
        guard words[1] == "\(version)" else { throw .version(String(words[1])) }
        let body = bytes[(end + 1)...]
        guard body.count == length else { throw .length(said: length, found: body.count) }
        // The line is compared as a whole: what could be written in two ways would hide a flipped bit.
        guard bytes[...end].elementsEqual(firstLine(body)) else { throw .checksum }
        guard let text = String(validating: body, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private static func firstLine(_ body: ArraySlice<UInt8>) -> [UInt8] {
        Array("carillon-state \(version) \(body.count) \(Checksum.text(body))\n".utf8)
    }
}
