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
