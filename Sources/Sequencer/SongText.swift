/// A text event: the bytes of the file, since no file says how they are encoded.
public struct SongText: Hashable, Sendable {
    public var kind: Kind
    public var bytes: [UInt8]

    public init(_ kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    public init(_ kind: Kind, _ string: String) {
        self.init(kind, bytes: Array(string.utf8))
    }

    /// The meta event's type, FF 01 ... FF 0F.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case text = 1, copyright, trackName, instrument, lyric, marker, cue, program, device
    }

    /// UTF-8 where the bytes are that, otherwise each byte as a Latin-1 character.
    public var string: String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
