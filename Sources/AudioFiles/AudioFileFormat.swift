/// The format of an audio file: a container and, if the container leaves a choice, an encoding or a quality.
///
/// A value of this type is always a combination that this module knows how to write. Whether the installed libsndfile
/// can write it too is asked by `requireSupport(path:)`, and again by `AudioFileWriter`.
public struct AudioFileFormat: Hashable, Sendable, CustomStringConvertible {
    /// A kind of file. The raw value is the name for `--format`, and an extension.
    public enum Container: String, CaseIterable, Sendable {
        /// RIFF WAVE; becomes RF64 by itself above 4 GiB.
        case wav
        /// WAVE with 64-bit lengths, always.
        case rf64
        /// Sony Wave64.
        case w64
        case aiff
        /// Sun/NeXT `.au`.
        case au
        /// Apple Core Audio Format.
        case caf
        /// Interleaved little-endian samples and nothing else.
        case raw
        case flac
        /// Vorbis in Ogg.
        case vorbis = "ogg"
        /// Opus in Ogg.
        case opus
        /// MPEG-1/2 Layer III with variable bit rate.
        case mp3
    }

    /// The form of one sample if the container stores samples as they are. The raw value is the name for `--bits`.
    public enum Encoding: String, CaseIterable, Sendable {
        /// 16-bit integers with triangular dither (`SampleQuantizer`).
        case int16 = "16"
        /// 24-bit integers, rounded.
        case int24 = "24"
        /// 32-bit floating point, exactly the rendered samples, also above full scale.
        case float32 = "32f"
    }

    /// The name and version of the library that writes files, such as "libsndfile-1.2.0".
    public static var libraryVersion: String { SndFileCalls.library }

    /// The kind of file.
    public let container: Container
    /// Nil for the lossy containers, which have no sample format.
    public let encoding: Encoding?
    /// Quality of a lossy encoder from 0 (smallest file) to 1 (best); nil for the others, and if a bit rate is given.
    public let quality: Double?
    /// Kilobits per second of all channels together, on average, if that was requested instead of a quality.
    public let bitRate: Int?

    /// Creates a format, with defaults for what is left out: 16 bits; a quality that is transparent for most listeners.
    ///
    /// - Parameter bitRate: kilobits per second, for Opus and MP3, in place of a quality. What an encoder takes depends on
    ///   channels and sample rate: `requireSupport` says.
    /// - Throws: `encodingNotOffered`, `qualityNotOffered`, `qualityOutOfRange` or `bitRateNotOffered`.
    public init(
        _ container: Container, encoding: Encoding? = nil, quality: Double? = nil, bitRate: Int? = nil
    ) throws(AudioFileError) {
        if let encoding, !container.encodings.contains(encoding) {
            throw .encodingNotOffered(container: container, encoding: encoding)
        }
        if let quality {
            guard container.isLossy else { throw .qualityNotOffered(container: container) }
            guard quality >= 0, quality <= 1 else { throw .qualityOutOfRange(quality) }
        }
        if let bitRate, !container.takesBitRate || quality != nil {
            throw .bitRateNotOffered(container: container, bitRate: bitRate, hasQuality: quality != nil)
        }
        self.container = container
        self.encoding = container.isLossy ? nil : encoding ?? .int16
        self.quality = bitRate == nil ? container.defaultQuality.map { quality ?? $0 } : nil
        self.bitRate = bitRate
    }

    /// The format of a container with every default.
    public init(defaultOf container: Container) {
        self.container = container
        encoding = container.encodings.first
        quality = container.defaultQuality
        bitRate = nil
    }

    /// The format for an output: `name` (`--format`) if given, else by the extension of `path`; WAV for `-` and for a
    /// device or pipe without a say, such as `/dev/null`.
    ///
    /// - Throws: `unknownFormat` that lists the names, `contradiction` if the name and the extension are of two
    ///   formats, or what `init` throws.
    public init(
        path: String, name: String? = nil, bits: Encoding? = nil, quality: Double? = nil, bitRate: Int? = nil
    ) throws(AudioFileError) {
        try self.init(Self.container(path: path, name: name), encoding: bits, quality: quality, bitRate: bitRate)
    }

    private static func container(path: String, name: String?) throws(AudioFileError) -> Container {
        if let name {
            guard let container = Container(spelling: name) else { throw .unknownFormat(name: name, path: path) }
            if let ending = ending(of: path), !container.mayBe(in: ending), !OutputTarget.isStream(path: path) {
                throw .contradiction(path: path, ending: ending, name: container)
            }
            return container
        }
        if path == "-" { return .wav }
        guard let container = ending(of: path) else {
            if OutputTarget.isStream(path: path) { return .wav }
            throw .unknownFormat(name: nil, path: path)
        }
        return container
    }

    private static func ending(of path: String) -> Container? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = (names.last ?? "").split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts.last.flatMap { Container(spelling: String($0)) } : nil
    }

    /// The format in words, for example "wav, 16 bit", "opus, quality 0.5" or "mp3, 192 kbit/s".
    public var description: String {
        if let encoding { return "\(container.rawValue), \(encoding == .float32 ? "32-bit float" : encoding.rawValue + " bit")" }
        if let bitRate { return "\(container.rawValue), \(bitRate) kbit/s" }
        return "\(container.rawValue), quality \(quality ?? 0)"
    }
}

extension AudioFileFormat.Container {
    /// The container of a `--format` name or a file's extension, in any case of letters.
    public init?(spelling: String) {
        let name = spelling.lowercased()
        switch name {
        case "wave", "wavex": self = .wav
        case "aif": self = .aiff
        case "snd": self = .au
        case "oga", "vorbis": self = .vorbis
        case "pcm": self = .raw
        default:
            guard let container = Self(rawValue: name) else { return nil }
            self = container
        }
    }

    /// True if the encoder throws information away and has a quality instead of a sample format.
    public var isLossy: Bool { encodings.isEmpty }

    /// The sample formats it can hold, the default first.
    public var encodings: [AudioFileFormat.Encoding] {
        switch self {
        case .wav, .rf64, .w64, .aiff, .au, .caf, .raw: [.int16, .int24, .float32]
        case .flac: [.int16, .int24]
        case .vorbis, .opus, .mp3: []
        }
    }

    /// Vorbis q6 and LAME V2 (about 190 kbit/s), Opus 81 kbit/s a channel: transparent for most listeners.
    var defaultQuality: Double? {
        switch self {
        case .vorbis: 0.6
        case .mp3: 0.8
        case .opus: 0.3
        default: nil
        }
    }

    /// True if the encoder takes a bit rate; libsndfile gives Vorbis a quality only.
    public var takesBitRate: Bool { self == .opus || self == .mp3 }

    /// Kilobits per second that the encoder reaches from quality 0 to quality 1: 6 to 256 a channel for Opus (RFC 6716), for
    /// MP3 the lowest and the highest of its MPEG version, for any channels. Nil if it takes none.
    public func bitRates(channels: Int, sampleRate: Int) -> ClosedRange<Int>? {
        switch self {
        case .opus: 6 * channels...256 * channels
        case .mp3: sampleRate >= 32_000 ? 32...320 : sampleRate >= 16_000 ? 8...160 : 8...64
        default: nil
        }
    }

    /// Returns true if a file of this kind may have such an ending: its own, RF64 that of WAV, Opus that of Ogg.
    func mayBe(in ending: Self) -> Bool {
        self == ending || (self == .rf64 && ending == .wav) || (self == .opus && ending == .vorbis)
    }

    /// The only sample rates the encoder takes, in hertz; nil if it takes any from 1 Hz to `maximumSampleRate`.
    public var sampleRates: [Int]? {
        switch self {
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
        case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        default: nil
        }
    }

    /// The highest sample rate in hertz.
    public var maximumSampleRate: Int {
        switch self {
        case .opus, .mp3: 48_000
        case .vorbis: 200_000
        case .flac: 655_350
        default: 768_000
        }
    }

    /// The greatest number of channels.
    public var maximumChannels: Int {
        switch self {
        case .mp3: 2
        case .flac, .vorbis, .opus: 8
        default: 1024
        }
    }

    /// True if a file of this kind can mark frames that a player is to repeat. (libsndfile writes no loops into AIFF.)
    public var tellsLoop: Bool { self == .wav }

    /// True if a file of this kind can go through a pipe, where nothing that was written can be corrected.
    public var canStream: Bool {
        switch self {
        case .wav, .raw, .flac, .vorbis, .opus, .mp3: true
        case .rf64, .w64, .aiff, .au, .caf: false
        }
    }

    var isLimitedTo4GiB: Bool { self == .wav || self == .aiff || self == .au }

    /// True if the file consists of Ogg pages, whose serial number libsndfile takes from the clock.
    var isOgg: Bool { self == .vorbis || self == .opus }
}
