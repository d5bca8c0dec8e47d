/// Words and places that an audio file has beside its sound: title, artist, ..., and cue points.
///
/// A file holds what its kind has a place for (`AudioFileFormat.Container.tagNames`, `holdsCues`). No date and no program is added:
/// the same tags give the same bytes.
public struct AudioTags: Sendable, Hashable {
    /// A kind of text. The raw value is the name for `--tag`.
    public enum Name: String, CaseIterable, Sendable {
        case title, artist, album, track, genre, date, comment, copyright, license
    }

    /// A place in the sound with a name: a marker.
    public struct Cue: Sendable, Hashable {
        /// The frame of the file, from 0.
        public var frame: Int64
        public var name: String

        /// Creates a place with a name.
        public init(frame: Int64, name: String) { (self.frame, self.name) = (frame, name) }
    }

    /// The longest text, in bytes of UTF-8, and the most cue points.
    public static let longestText = 1_000, mostCues = 100

    /// The texts, by their kind; one that is empty is not written.
    public var texts: [Name: String] = [:]
    /// The places, in order of time.
    public var cues: [Cue] = []

    /// Tags with these texts and places.
    public init(_ texts: [Name: String] = [:], cues: [Cue] = []) { (self.texts, self.cues) = (texts, cues) }

    /// True if there is nothing to be written.
    public var isEmpty: Bool { texts.values.allSatisfy(\.isEmpty) && cues.isEmpty }

    /// `text` as a file can hold it: on one line, without blanks at its ends.
    public static func line(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0.value < 32 || 127..<160 ~= $0.value ? " " : $0 }
        var line = String(String.UnicodeScalarView(scalars))[...]
        while line.last == " " { line.removeLast() }
        return String(line.drop { $0 == " " })
    }

    /// The part of these tags that a kind of file holds: its texts in its own letters, and places of a 32-bit count.
    func fitting(_ container: AudioFileFormat.Container) -> (texts: [(name: Name, bytes: [UInt8])], cues: [Cue]) {
        let texts = Name.allCases.filter(container.tagNames.contains).compactMap { name -> (name: Name, bytes: [UInt8])? in
            guard let text = self.texts[name], !text.isEmpty, let bytes = container.bytes(of: text, as: name) else { return nil }
            return (name, bytes)
        }
        let cues = container.holdsCues ? cues.filter { UInt32(exactly: $0.frame) != nil }.prefix(Self.mostCues) : []
        return (texts, Array(cues))
    }
}

extension AudioFileFormat.Container {
    /// The texts that such a file has a place for.
    public var tagNames: [AudioTags.Name] {
        switch self {
        // No reader expects a licence in RIFF, nor in ID3 as LAME writes it.
        case .wav, .rf64: AudioTags.Name.allCases.filter { $0 != .license }
        case .mp3: AudioTags.Name.allCases.filter { $0 != .license && $0 != .copyright }
        case .aiff: [.title, .artist, .comment, .copyright]
        case .caf, .flac, .vorbis, .opus: AudioTags.Name.allCases
        case .w64, .au, .raw: []
        }
    }

    /// True if such a file has a place for cue points; a WAV file that becomes RF64 has none.
    public var holdsCues: Bool { self == .wav || self == .aiff }

    /// Returns true if such a file can hold a text: MP3 has the letters of Latin-1 here, a copyright in AIFF those of ASCII.
    public func holds(_ text: String, as name: AudioTags.Name) -> Bool {
        tagNames.contains(name) && bytes(of: text, as: name) != nil
    }

    fileprivate func bytes(of text: String, as name: AudioTags.Name) -> [UInt8]? {
        if text.utf8.count > AudioTags.longestText { return nil }
        switch self {
        case .mp3:
            let scalars = text.unicodeScalars
            return scalars.allSatisfy { $0.value < 256 } ? scalars.map { UInt8(truncatingIfNeeded: $0.value) } : nil
        case .aiff where name == .copyright: return text.utf8.allSatisfy { $0 < 128 } ? Array(text.utf8) : nil
        default: return Array(text.utf8)
        }
    }
}
