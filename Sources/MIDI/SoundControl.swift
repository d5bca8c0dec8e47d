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

/// The setting that Roland's non-registered parameters 18 rr ... 1E rr change of a single drum, rr being its key.
public enum DrumControl: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// Semitones: 64 is the drum as it is.
    case pitch = 0x18
    /// 0...127, in place of the drum's own.
    case level = 0x1A
    /// 1...127; 0 is another place with every stroke.
    case pan = 0x1C
    /// 0...127, as a factor on the channel's send, of which 127 leaves all.
    case reverb = 0x1D
    case chorus = 0x1E

    /// The one that non-registered parameters with this upper byte set; nil if they set none.
    @_noLocks init?(upper: UInt8) {
        switch upper {
        case 0x18: self = .pitch
        case 0x1A: self = .level
        case 0x1C: self = .pan
        case 0x1D: self = .reverb
        case 0x1E: self = .chorus
        default: return nil
        }
    }

    var row: Int {
        @_noLocks get {
            switch self {
            case .pitch: 0
            case .level: 1
            case .pan: 2
            case .reverb: 3
            case .chorus: 4
            }
        }
    }
}
