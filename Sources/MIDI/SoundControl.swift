// [render]

/// The sound controllers that shape a channel's voice, each an offset of -64...63 to what the program has.
///
/// Controllers 71...78 (GM2) and Roland's non-registered parameters 01 08 ... 01 66 (GS, and XG after it) are two names of
/// one parameter: the one that came last holds. Source: Roland SC-8850 owner's manual, "NRPN".
public enum SoundControl: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case resonance = 71
    case release = 72
    case attack = 73
    case cutoff = 74
    case decay = 75
    case vibratoRate = 76
    case vibratoDepth = 77
    case vibratoDelay = 78

    /// The controller with the same meaning.
    @inlinable public var controller: UInt8 { @_noLocks @inline(__always) get { rawValue } }

    /// The one that non-registered parameter 01 `lower` sets; nil if it sets none.
    @_noLocks init?(lower: UInt8) {
        switch lower {
        case 0x08: self = .vibratoRate
        case 0x09: self = .vibratoDepth
        case 0x0A: self = .vibratoDelay
        case 0x20: self = .cutoff
        case 0x21: self = .resonance
        case 0x63: self = .attack
        case 0x64: self = .decay
        case 0x66: self = .release
        default: return nil
        }
    }
}

/// A setting of a single drum: those that non-registered parameters 14 rr ... 1F rr change, rr being its key, by their upper byte;
/// then those that only System Exclusive changes.
///
/// Sources: Roland SC-8850 owner's manual and Yamaha XG Specifications 2.0, "Drum setup parameters"; General MIDI 2, "Key-based
/// instrument controller".
public enum DrumControl: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// As sound controllers, around 64.
    case cutoff = 0x14
    case resonance = 0x15
    case attack = 0x16
    case decay = 0x17
    /// Semitones: 64 is the drum as it is.
    case pitch = 0x18
    /// Cents around 64.
    case finePitch = 0x19
    /// 0...127, in place of the drum's own.
    case level = 0x1A
    /// 1...127; 0 is another place with every stroke.
    case pan = 0x1C
    /// 0...127, as a factor on the channel's send, of which 127 leaves all.
    case reverb = 0x1D
    case chorus = 0x1E
    case delay = 0x1F
    /// Half semitones: 60 is the drum as it is.
    case halfPitch = 0x40
    /// Drums of one group, 1...127, cut each other.
    case group = 0x41
    /// 0 if the drum does not sound.
    case noteOn = 0x43
    /// 0: a stroke ends the one before.
    case assign = 0x44
    /// A factor on the level, in 64ths.
    case share = 0x45

    /// The one that non-registered parameters with this upper byte set; nil if they set none.
    @_noLocks package init?(upper: UInt8) {
        guard upper < 0x20, let control = DrumControl(rawValue: upper) else { return nil }
        self = control
    }

    var row: Int { @_noLocks get { Int(rawValue < 0x20 ? rawValue &- 0x14 : rawValue &- 0x34) } }

    /// The number of rows.
    static var rows: Int { @_noLocks get { 18 } }
}
