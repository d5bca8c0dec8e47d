import MIDI

/// A score: tracks of events at ticks, and what a tick is.
///
/// A value, and all of the music of a song file, in any encoding. `Timeline` turns it into frames.
public struct Song: Hashable, Sendable {
    /// The relation of the tracks in time.
    public var format: Format
    /// The length of one tick.
    public var division: Division
    public var tracks: [Track]

    public init(format: Format = .simultaneous, division: Division = .ticksPerQuarter(480), tracks: [Track] = []) {
        (self.format, self.division, self.tracks) = (format, division, tracks)
    }

    /// The format number of a Standard MIDI File. Source: Standard MIDI Files 1.0 (RP-001).
    public enum Format: UInt16, Hashable, Sendable {
        /// One track that holds everything.
        case single = 0
        /// Tracks that play together; tempo and meter from any of them hold for all.
        case simultaneous = 1
        /// Independent patterns. Played one after the other, each with its own tempo (120 until it sets another).
        case sequential = 2
    }

    /// The last tick of the song's longest track. Unit: ticks.
    public var endTick: Int64 { tracks.map(\.endTick).max() ?? 0 }

    /// The first track's name (FF 03), by custom the song's title; nil if it has none. Names of other tracks are those
    /// of their instruments.
    public var title: String? { tracks.first.flatMap { $0.name.isEmpty ? nil : $0.name } }
}

/// One track of a song: events in the order of the file, at ticks that never go back.
public struct Track: Hashable, Sendable {
    /// The track's name (FF 03); empty if the file gives none.
    public var name: String
    /// The port its messages go to until a `.port` event changes it, 0...15.
    public var port: UInt8
    /// The events of the track, in file order. `tick` never decreases.
    public var events: [SongEvent]
    /// Where the track ends (FF 2F), not before its last event. Unit: ticks.
    public var endTick: Int64

    /// - Parameter endTick: nil means the last event's tick.
    public init(name: String = "", port: UInt8 = 0, events: [SongEvent] = [], endTick: Int64? = nil) {
        (self.name, self.port, self.events) = (name, port, events)
        self.endTick = max(endTick ?? 0, events.last?.tick ?? 0)
    }
}

/// Something that happens in a track, and when.
public struct SongEvent: Hashable, Sendable {
    /// When it happens, counted from the start of the track. Unit: ticks.
    public var tick: Int64
    public var kind: Kind

    public init(tick: Int64, _ kind: Kind) {
        self.tick = tick
        self.kind = kind
    }

    /// An event of a track.
    public enum Kind: Hashable, Sendable {
        /// A channel message. Its `port` is not read: the track's `.port` events decide.
        case message(MIDIMessage)
        /// The length of a quarter note from here on, 1...16 777 215. Unit: microseconds.
        case tempo(microsecondsPerQuarter: UInt32)
        case timeSignature(TimeSignature)
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

/// A text event: the bytes of the file, since no file has the encoding.
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
        case text = 1
        case copyright, trackName, instrument, lyric, marker, cue, program, device
    }

    /// UTF-8 if the bytes are that, otherwise each byte as a Latin-1 character.
    public var string: String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// A time signature.
public struct TimeSignature: Hashable, Sendable {
    /// Beats in a bar, 1...255.
    public var numerator: UInt8
    /// The note that is one beat, as a power of two, 0...7: 2 is a quarter, 3 an eighth.
    public var denominatorPower: UInt8
    /// MIDI clocks (24 to a quarter) between two clicks of a metronome.
    public var clocksPerClick: UInt8
    /// Notated thirty-second notes in what MIDI calls a quarter: 8, but for oddities.
    public var thirtySecondsPerQuarter: UInt8

    /// Creates a signature as a song file writes it.
    public init(
        numerator: UInt8, denominatorPower: UInt8, clocksPerClick: UInt8 = 24, thirtySecondsPerQuarter: UInt8 = 8
    ) {
        (self.numerator, self.denominatorPower) = (numerator, denominatorPower)
        (self.clocksPerClick, self.thirtySecondsPerQuarter) = (clocksPerClick, thirtySecondsPerQuarter)
    }

    /// Creates a signature as it is written in music: `TimeSignature(6, over: 8)`. Beats in a bar are 1...255.
    ///
    /// Precondition: `denominator` is 1, 2, 4, ... 128.
    public init(_ numerator: UInt8, over denominator: Int) {
        precondition(denominator.nonzeroBitCount == 1 && denominator <= 128, "no note is one \(denominator)th of a whole")
        self.init(numerator: numerator, denominatorPower: UInt8(denominator.trailingZeroBitCount))
    }

    /// Four quarters: the meter until a song sets another.
    public static let common = TimeSignature(4, over: 4)

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

/// The length of one tick of a song: a fraction of a quarter note, or a fraction of a film frame.
public enum Division: Hashable, Sendable {
    /// Ticks per quarter note, 1...32767; how long a quarter lasts depends on the tempo.
    case ticksPerQuarter(Int)
    /// A fixed part of a second: `ticksPerFrame`, 1...255, at one of the four film rates. Tempo events do not matter.
    case smpte(SMPTERate, ticksPerFrame: Int)
}

extension Division: CustomStringConvertible {
    /// `480 ticks per quarter`, `25 frames per second, 40 ticks each`.
    public var description: String {
        switch self {
        case .ticksPerQuarter(let ticks): return "\(ticks) ticks per quarter"
        case .smpte(let rate, let ticksPerFrame):
            let name = rate.framesPerSecond.denominator == 1 ? "\(rate.framesPerSecond.numerator)" : "29.97"
            return "\(name) frames per second, \(ticksPerFrame) ticks each"
        }
    }
}

/// Film and television frame rates of SMPTE time code. The raw value is the number in a song file's division.
public enum SMPTERate: UInt8, Hashable, Sendable, CaseIterable {
    case film = 24
    case pal = 25
    /// 30 000 / 1 001 frames a second. Drop-frame is a way of numbering these frames, and does not change their length.
    case ntscDrop = 29
    case thirty = 30

    /// Film frames in one second, exactly.
    public var framesPerSecond: (numerator: Int, denominator: Int) {
        self == .ntscDrop ? (30_000, 1_001) : (Int(rawValue), 1)
    }
}
