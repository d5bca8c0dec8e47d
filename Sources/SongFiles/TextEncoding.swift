import Glibc

/// The encoding of a song's texts, by a name that the C library's iconv knows: `cp1251`, `SHIFT_JIS`, `EUC-KR`.
public struct TextEncoding: Hashable, Sendable {
    /// The name as it was given.
    public let name: String

    static let latin = TextEncoding(known: "ISO-8859-1"), japanese = TextEncoding(known: "CP932")

    /// An encoding by its name, in any case of letters. Throws `SongError.unknownEncoding`.
    public init(_ name: String) throws(SongError) {
        guard let known = TextEncoding(named: name) else { throw .unknownEncoding(name: name) }
        self = known
    }

    /// Nil for a name that the C library does not know.
    package init?(named name: String) {
        guard let converter = Self.open(name) else { return nil }
        iconv_close(converter)
        self.name = name
    }

    private init(known name: String) { self.name = name }

    /// The text of some bytes; nil if they are not of this encoding.
    func text(_ bytes: [UInt8]) -> String? {
        guard let converter = Self.open(name) else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map(CChar.init(bitPattern:))
        // No encoding has characters of one byte that are longer than four in UTF-8.
        var output = [CChar](repeating: 0, count: 4 * bytes.count + 4)
        let written: Int? = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var from = input.baseAddress, to = output.baseAddress, left = input.count, room = output.count
                let isDone = iconv(converter, &from, &left, &to, &room) != .max && left == 0
                return isDone ? output.count - room : nil
            }
        }
        return written.flatMap { String(validating: output[..<$0].map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }

    private static func open(_ name: String) -> iconv_t? {
        // An empty name would be that of the user's locale, and //TRANSLIT no encoding.
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let converter = iconv_open("UTF-8", name)
        return converter == iconv_t(bitPattern: -1) ? nil : converter
    }
}
