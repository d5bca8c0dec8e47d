// [render]

/// An event for instruments: a channel message, or the meaning of a System Exclusive message.
///
/// System Exclusive is interpreted on the control side (`SystemExclusive`), so that no unit ever parses bytes and the
/// event stays a fixed size: eight bytes, for songs hold many.
@frozen public enum MusicEvent: Hashable, BitwiseCopyable, Sendable {
    case message(MIDIMessage)
    /// GM, GM2, GS or XG "System On": every channel of the port back to that standard's defaults.
    case reset(SystemReset, port: UInt8)
    /// GM, GM2, GS or XG "System On" for what begins from now on: what rings goes on ringing. Between two songs, if no MIDI
    /// device has a word for it.
    case standard(SystemReset, port: UInt8)
    /// GS "Use for rhythm part", XG "Part mode": what the channel's programs mean from now on.
    case partMode(PartMode, port: UInt8, channel: UInt8)
    /// Universal, GS or XG master volume, as linear amplitude 0...1 (the square of the 14-bit value's fraction is the
    /// interpreter's business).
    case masterVolume(Float, port: UInt8)
    /// Master tuning in cents, coarse and fine together, -6500...6400.
    case masterTuning(cents: Float, port: UInt8)
    /// Universal master balance: -1 is left alone, 0 the middle, 1 right alone.
    case masterBalance(Float, port: UInt8)
    /// MIDI Tuning Standard, scale/octave: how far a step of every octave, 0 (C)...11, is moved on the channels of the mask,
    /// in hundredths of a cent.
    case scaleTuning(channels: UInt16, step: UInt8, hundredths: Int16, port: UInt8)
    /// MIDI Tuning Standard, single notes and bulk dumps: how a key of a tuning program sounds.
    case keyTuning(KeyTuning)
    /// GM2 global parameter control, or GS's and XG's messages for the same: a parameter of the reverb or the chorus, in its
    /// own unit, or `EffectParameter.asSet`.
    case effect(Float, of: EffectParameter, port: UInt8)
    /// A setting of a part that no controller has, `PartParameter.asPowerOn` for none; of a drum's key, or 0. `part` is port and
    /// channel.
    case part(PartParameter, UInt8, key: UInt8, part: UInt8)
    /// A setting of an insertion effect, in its own unit: GS's is slot 0, XG's are 1...4, XG's variation is 5.
    case insertion(Float, of: UInt8, slot: UInt8, port: UInt8)
    /// The song's tempo, meter or position: for units of any part that follow the song.
    case time(MusicalTime)
}

/// The standards a synthesizer can be reset to; they differ in bank rules and drum parts.
@frozen public enum SystemReset: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case generalMIDI, generalMIDI2, generalMIDIOff, gs, xg
}

extension MusicEvent {
    /// True for an event with the music's position, which belongs to no part.
    public var isTime: Bool { @_noLocks get { if case .time = self { true } else { false } } }

    /// The part that it is for, port and channel, 0...255; nil for what is for all parts of a port, or for all.
    public var part: Int? {
        @_noLocks get {
            switch self {
            case .message(let message): message.part & 255
            case .partMode(_, let port, let channel): (Int(port) &* 16 &+ Int(channel & 15)) & 255
            case .part(_, _, _, let part): Int(part)
            default: nil
            }
        }
    }

    /// The port that it is for, 0...15; 0 for what is for all.
    public var port: UInt8 {
        @_noLocks get {
            switch self {
            case .message(let message): message.port & 15
            case .reset(_, let port), .standard(_, let port), .partMode(_, let port, _): port & 15
            case .masterVolume(_, let port), .masterTuning(_, let port), .masterBalance(_, let port): port & 15
            case .scaleTuning(_, _, _, let port), .effect(_, _, let port), .insertion(_, _, _, let port): port & 15
            case .part(_, _, _, let part): part &>> 4
            case .keyTuning(let change): change.port & 15
            case .time: 0
            }
        }
    }
}
