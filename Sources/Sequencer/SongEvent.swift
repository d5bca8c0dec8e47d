import MIDI

/// Something that happens in a track, and when.
public struct SongEvent: Hashable, Sendable {
    /// From the start of the track. Unit: ticks.
    public var tick: Int64
    public var kind: Kind

    public init(tick: Int64, _ kind: Kind) {
        self.tick = tick
        self.kind = kind
    }

    /// What can stand in a track.
    public enum Kind: Hashable, Sendable {
        /// A channel message. Its `port` is not read: the track's `.port` events decide.
        case message(MIDIMessage)
        /// The length of a quarter note from here on, 1...16 777 215. Unit: microseconds.
        case tempo(microsecondsPerQuarter: UInt32)
        case meter(Meter)
        case key(KeySignature)
        case text(SongText)
        /// A whole message, F0 ... F7.
        case systemExclusive([UInt8])
        /// Bytes to send as they are (F7 escape) that are not channel messages: system real time, song position.
        case escape([UInt8])
        /// The port of the messages that follow in this track, 0...15 (FF 21).
        case port(UInt8)
        /// Any other meta event, kept as it is.
        case meta(type: UInt8, bytes: [UInt8])
    }
}

/// A time signature.
public struct Meter: Hashable, Sendable {
    /// Beats in a bar, 1...255.
    public var numerator: UInt8
    /// The note that is one beat, as a power of two, 0...7: 2 is a quarter, 3 an eighth.
    public var denominatorPower: UInt8
    /// MIDI clocks (24 to a quarter) between two clicks of a metronome.
    public var clocksPerClick: UInt8
    /// Notated thirty-second notes in what MIDI calls a quarter: 8, but for oddities.
    public var thirtySecondsPerQuarter: UInt8

    public init(_ numerator: UInt8, over denominatorPower: UInt8, clocksPerClick: UInt8 = 24,
                thirtySecondsPerQuarter: UInt8 = 8) {
        self.numerator = numerator
        self.denominatorPower = denominatorPower
        self.clocksPerClick = clocksPerClick
        self.thirtySecondsPerQuarter = thirtySecondsPerQuarter
    }

    /// Four quarters: what holds until a song says otherwise.
    public static let common = Meter(4, over: 2)

    /// 1, 2, 4, ... 128.
    public var denominator: Int { 1 << Int(min(denominatorPower, 7)) }
}

/// A key signature.
public struct KeySignature: Hashable, Sendable {
    /// -7 (seven flats) ... 7 (seven sharps).
    public var sharps: Int8
    public var isMinor: Bool

    public init(sharps: Int8, isMinor: Bool) {
        self.sharps = sharps
        self.isMinor = isMinor
    }
}

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
