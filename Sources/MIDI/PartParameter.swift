// [render]

/// A setting of a part that no controller has: what System Exclusive messages of Roland, Yamaha and GM2 set beside controllers.
///
/// A reset of any standard puts all of them back. Values are the messages' bytes, 0...127; a pitch offset has eight bits.
/// Sources: Roland SC-8850 owner's manual, "Patch part parameters" and "Drum setup parameters"; Yamaha XG Specifications 2.0,
/// table 3 and "Drum setup parameters"; General MIDI 2, sections 4.5 to 4.7.
@frozen public struct PartParameter: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public let rawValue: UInt8

    @_noLocks @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The mark for a value as after power-on.
    @inlinable public static var asPowerOn: UInt8 { @_noLocks get { 255 } }

    /// Semitones around 64, -24...24.
    public static var keyShift: Self { @_noLocks get { Self(rawValue: 0) } }
    /// Tenths of a hertz around 128.
    public static var pitchOffset: Self { @_noLocks get { Self(rawValue: 1) } }
    /// A factor on the velocity, in 64ths.
    public static var velocityDepth: Self { @_noLocks get { Self(rawValue: 2) } }
    /// Half of what is added to the velocity, around 64.
    public static var velocityOffset: Self { @_noLocks get { Self(rawValue: 3) } }
    /// Keys and velocities outside do not sound.
    public static var lowestKey: Self { @_noLocks get { Self(rawValue: 4) } }
    public static var highestKey: Self { @_noLocks get { Self(rawValue: 5) } }
    public static var lowestVelocity: Self { @_noLocks get { Self(rawValue: 6) } }
    public static var highestVelocity: Self { @_noLocks get { Self(rawValue: 7) } }
    /// A key that is struck while it sounds: 0 ends the note before at once, 1 releases it, 2 leaves it.
    public static var assignMode: Self { @_noLocks get { Self(rawValue: 8) } }
    /// 1: each note has another pan, until controller 10 comes.
    public static var randomPan: Self { @_noLocks get { Self(rawValue: 9) } }
    /// The controllers that sources 1 and 2 of the controller matrix follow.
    public static var firstController: Self { @_noLocks get { Self(rawValue: 10) } }
    public static var secondController: Self { @_noLocks get { Self(rawValue: 11) } }
    /// Registered parameter 0: semitones; 104...127 are -24...-1, which bend the other way.
    public static var bendRange: Self { @_noLocks get { Self(rawValue: 12) } }
    /// Registered parameter 5: 0...127 are 0...600 cents.
    public static var modulationDepth: Self { @_noLocks get { Self(rawValue: 13) } }
    /// The upper and the lower byte of registered parameter 1.
    public static var fineTuning: Self { @_noLocks get { Self(rawValue: 14) } }
    public static var fineTuningLSB: Self { @_noLocks get { Self(rawValue: 15) } }

    /// 1 if the part hears a kind of message, 0 if not.
    public static func receives(_ kind: ReceiveSwitch) -> Self { Self(rawValue: 32 &+ kind.rawValue) }
    /// The depth at which a source moves a part of the sound.
    public static func depth(_ source: ControlSource, _ destination: ControlDestination) -> Self {
        Self(rawValue: 64 &+ source.rawValue &* ControlDestination.count &+ destination.rawValue)
    }
    /// A drum's own setting; the event names its key.
    public static func drum(_ control: DrumControl) -> Self {
        Self(rawValue: 160 &+ UInt8(truncatingIfNeeded: control.row))
    }

    /// An effect of a Sound Blaster, 0...26, which data entry sets and the mark alone takes back.
    package static func soundBlaster(_ effect: UInt8) -> Self { Self(rawValue: 130 &+ effect) }
    /// Controller 37, which makes controller 5 a time: the mark alone takes it back.
    package static var finePortamento: Self { Self(rawValue: 157) }

    /// 1 before and 0 after what restores the state of another place of the music: controllers start no sound in between.
    package static var restoring: Self { @_noLocks get { Self(rawValue: 27) } }
    /// The music has not sent the controller that is named in a key's place.
    package static var unmoved: Self { @_noLocks get { Self(rawValue: 28) } }
    /// The velocity with which the music has struck the part last.
    package static var lastVelocity: Self { @_noLocks get { Self(rawValue: 29) } }
    /// How often the music has struck a key while no other was down, before the place from which it plays on, with the program
    /// that is chosen then, for sounds that take turns: the lower seven bits, after the upper ones, seven at a time, where there
    /// are any.
    package static var strikes: Self { @_noLocks get { Self(rawValue: 30) } }
    package static var manyStrikes: Self { @_noLocks get { Self(rawValue: 31) } }
    /// The same for strikes while other keys were down.
    package static var legatoStrikes: Self { @_noLocks get { Self(rawValue: 26) } }
    /// True for what restores the memory of sounds that take turns.
    package var restoresStrikes: Bool { @_noLocks get { rawValue >= 26 && rawValue <= 31 } }

    /// The place in the controller matrix; nil for anything else.
    var place: Int? { @_noLocks get { (64..<130).contains(rawValue) ? Int(rawValue &- 64) : nil } }
    /// The row of a drum's setting; nil for anything else.
    package var drumRow: Int? { @_noLocks get { rawValue >= 160 ? Int(rawValue &- 160) : nil } }

    /// The registered parameter that it is another name of; nil if it is none.
    package var registered: UInt16? {
        switch self {
        case .bendRange: 0
        case .fineTuning, .fineTuningLSB: 1
        case .modulationDepth: 5
        default: nil
        }
    }

    /// The value after power-on; for drums the mark that none is set.
    package var initialValue: UInt8 {
        @_noLocks get {
            switch rawValue {
            case 1: return 128
            case 4, 6, 9, 15: return 0
            case 5, 7: return 127
            case 8: return 1
            case 10: return 16
            case 11: return 17
            case 12: return 2
            case 13: return 11
            case 32..<64: return 1
            case 64..<130:
                let destination = (rawValue &- 64) % ControlDestination.count
                return destination < 4 || destination == 7 ? 64 : 0
            case 160...: return Self.asPowerOn
            default: return 64
            }
        }
    }
}

/// The kinds of messages that a part can be deaf to, in the order of Roland's addresses 40 1x 03 ... 12, 23, 24.
@frozen public enum ReceiveSwitch: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case bend, pressure, program, controllers, keyPressure, notes, registered, nonRegistered
    case modulation, volume, pan, expression, sustain, portamento, sostenuto, soft, bank, bankLSB
}

/// A source of the controller matrix, in the order of Roland's addresses 40 2x.
@frozen public enum ControlSource: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case modulation, bend, pressure, keyPressure, first, second
}

/// A destination of the controller matrix, in the order of Roland's addresses.
///
/// Around 64: pitch, 24 semitones in 24 steps; cutoff, 9600 cents in 64 steps; level, 100 % in 64; rates, 10 Hz in 64. From 0 to
/// 127: 600 cents of vibrato, 2400 of cutoff, 100 % of tremolo. The first oscillator is the vibrato's, the second the modulation's.
@frozen public enum ControlDestination: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case pitch, cutoff, level, rate, vibrato, filterSwing, tremolo
    case secondRate, secondVibrato, secondFilterSwing, secondTremolo

    @inlinable static var count: UInt8 { @_noLocks get { 11 } }

    /// The place among all; a raw value would be asked of the runtime.
    @inlinable var place: Int {
        @_noLocks get {
            switch self {
            case .pitch: 0
            case .cutoff: 1
            case .level: 2
            case .rate: 3
            case .vibrato: 4
            case .filterSwing: 5
            case .tremolo: 6
            case .secondRate: 7
            case .secondVibrato: 8
            case .secondFilterSwing: 9
            case .secondTremolo: 10
            }
        }
    }
}
