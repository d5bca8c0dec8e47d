// [render]

/// The state that an instrument remembers of one channel of one port: controllers, pedals, pressure, bend, tuning, parameters,
/// mode.
///
/// The one state of a channel, for every instrument; banks and programs are `ChannelPrograms`'. It knows no voices: what
/// they have to do after a controller is the `Consequence`. Of fixed size, so that an array of them needs no memory later.
///
/// Sources: MIDI 1.0 Detailed Specification 4.2; RP-015 (reset all controllers); General MIDI 2, section 3.3 (defaults);
/// CA-020 and CA-021 (tuning); Roland SC-8850 owner's manual and SoundFont 2.04, section 9.6 (non-registered parameters).
public struct Part: BitwiseCopyable, Sendable {
    /// The work that the voices of the part have to do after a controller.
    public enum Consequence: Hashable, BitwiseCopyable, Sendable {
        case none
        /// A pedal went up: keys that nothing holds any more are released.
        case pedalUp
        /// Sostenuto went down: it holds the keys that are down now.
        case sostenutoDown
        /// Sostenuto went up.
        case sostenutoUp
        /// Controllers are reset, pedals among them; pressure of single keys too.
        case controllersReset
        case allNotesOff
        case allSoundOff
        /// Registered parameter 3 or 4 chose another tuning program: `tune(by:port:)` fetches its keys.
        case tuningChosen
        /// Registered parameter 6: the channel becomes the manager of an MPE zone of that many member channels, 0...15, if it
        /// is the first or the last.
        case zone(members: UInt8)

        /// True if it is a pedal's.
        public var isOfPedal: Bool {
            @_noLocks get {
                switch self {
                case .pedalUp, .sostenutoDown, .sostenutoUp: true
                case .none, .controllersReset, .allNotesOff, .allSoundOff, .tuningChosen, .zone: false
                }
            }
        }
    }

    /// Melodic, or a drum part.
    public var mode: PartMode
    /// True if its program is a drum kit, which a session's tuning does not move.
    public internal(set) var isKit: Bool
    /// Channel pressure, 0...127.
    public var pressure: UInt8 = 0
    /// The share of the channel that goes to the reverb, 0...127: the value of controller 91, and 40 until it is sent, as in
    /// GM2 and the strips. The controller itself is 0 until then, which is what SoundFonts expect.
    public internal(set) var reverbSend: UInt8 = 40

    @usableFromInline var controllers = ControllerValues()
    @usableFromInline var selection = ParameterSelection()
    @usableFromInline var keyPressures = InlineArray<128, UInt8>(repeating: 0)
    @usableFromInline var generators = GeneratorOffsets()
    /// The values that non-registered parameters have set for single drums, 128 for each `DrumControl`; -1: nothing.
    var drums = InlineArray<2304, Int8>(repeating: -1)

    /// -8192...8191.
    @usableFromInline var wheel = 0
    /// Pitch bend sensitivity; semitones and hundredths of one, 0...127 each.
    var bendSemitones = 2, bendHundredths = 0
    /// Fine tuning in 8192ths of a semitone around 8192; coarse tuning in semitones around 64.
    var fine = 8192, coarse = 64
    /// Depth of the modulation wheel, in 128ths of a semitone.
    @usableFromInline var modulationRange = 64
    /// Cents by bend and tuning, and by tuning alone.
    @usableFromInline var allCents = 0.0, steadyCents = 0.0
    var tuningProgram: UInt8 = 0, tuningBank: UInt8 = 0
    /// The distances by which the twelve steps of the octave from C on, and single keys, are moved. Unit: cents.
    @usableFromInline var scale = InlineArray<12, Float>(repeating: 0)
    @usableFromInline var keyCents = InlineArray<128, Float>(repeating: 0)

    @usableFromInline var isMonophonic = false
    var keys = MonoKeys()
    /// The key that controller 84 named for the next note, or -1, and the key struck last, or -1.
    var namedKey: Int16 = -1, lastKey: Int16 = -1
    /// True once controller 37 was sent: then controllers 5 and 37 are one number.
    public internal(set) var hasFinePortamento = false
    /// What no controller has.
    var settings = PartSettings()
    /// What non-registered parameters 127 0 ... 127 26 set, the Sound Blaster AWE32's, as data entry had it.
    public internal(set) var soundBlaster = SoundBlasterSettings()

    /// Creates a channel as after power-on.
    @_noLocks public init(mode: PartMode) { (self.mode, isKit) = (mode, mode.isDrums) }

    /// Returns the value of the controller, 0...127. Those of channel modes, 120...127, are not kept: 0.
    @_noLocks @inlinable @inline(__always)
    public func value(of controller: UInt8) -> UInt8 { controllers.values[Int(controller & 127)] }

    /// The damper pedal, 0...127: halfway down it damps by half, for those that know how.
    @inlinable public var damper: UInt8 { @_noLocks @inline(__always) get { value(of: 64) } }
    /// True while the damper pedal holds keys that are up.
    @inlinable public var isSustained: Bool { @_noLocks @inline(__always) get { value(of: 64) >= 64 } }
    /// True while the sostenuto pedal is down.
    @inlinable public var isSostenuto: Bool { @_noLocks @inline(__always) get { value(of: 66) >= 64 } }
    /// The soft pedal, 0...127.
    @inlinable public var softPedal: UInt8 { @_noLocks @inline(__always) get { value(of: 67) } }
    /// True while the soft pedal is down.
    @inlinable public var isSoft: Bool { @_noLocks @inline(__always) get { value(of: 67) >= 64 } }
    /// True while the legato pedal is down: a key struck while another is down takes its note over.
    @inlinable public var isLegato: Bool { @_noLocks @inline(__always) get { value(of: 68) >= 64 } }
    /// The second damper pedal, 0...127: what it does to a release is up to the instrument.
    @inlinable public var hold2: UInt8 { @_noLocks @inline(__always) get { value(of: 69) } }
    /// True if one key sounds at a time (controllers 126 and 127).
    @inlinable public var isMono: Bool { @_noLocks @inline(__always) get { isMonophonic } }

    /// The parameter that data entry writes at the moment.
    public var parameter: ParameterSelection { @_noLocks get { selection } }

    /// Returns the pressure on `key` alone, 0...127.
    @_noLocks @inlinable @inline(__always)
    public func pressure(of key: UInt8) -> UInt8 { keyPressures[Int(key & 127)] }

    /// Presses `key` alone.
    @_noLocks public mutating func press(_ key: UInt8, _ value: UInt8) { keyPressures[Int(key & 127)] = value & 127 }
}
