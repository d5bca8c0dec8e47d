// [render]

/// A controller number of a control change message, 0...127, with names for those that instruments here obey.
///
/// A struct and not an enum, because every number is legal. Source: MIDI 1.0 Detailed Specification 4.2, table III;
/// General MIDI 2, section 3.3.
@frozen public struct Controller: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    /// 0...127.
    public var rawValue: UInt8

    @_noLocks @inlinable @inline(__always)
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @_noLocks @inlinable @inline(__always)
    public static func == (a: Controller, b: Controller) -> Bool { a.rawValue == b.rawValue }

    /// A controller in a `switch`: the standard library's pattern for equatable values cannot be used on the render side.
    @_noLocks @inlinable @inline(__always)
    public static func ~= (pattern: Controller, value: Controller) -> Bool { pattern.rawValue == value.rawValue }

    /// Upper seven bits of the bank; takes effect at the next program change.
    @inlinable public static var bankSelect: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 0) } }
    /// Modulation wheel: depth of the vibrato.
    @inlinable public static var modulation: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 1) } }
    @inlinable public static var breath: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 2) } }
    @inlinable public static var foot: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 4) } }
    /// The time that a glide takes.
    @inlinable public static var portamentoTime: Controller { @_noLocks @inline(__always) get { .init(rawValue: 5) } }
    /// Upper seven bits of the value for the registered or non-registered parameter chosen last.
    @inlinable public static var dataEntry: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 6) } }
    /// Channel volume, set once by the arranger.
    @inlinable public static var volume: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 7) } }
    @inlinable public static var balance: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 8) } }
    @inlinable public static var pan: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 10) } }
    /// A fraction of the channel volume, for crescendo and diminuendo.
    @inlinable public static var expression: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 11) } }
    /// Lower seven bits of the bank.
    @inlinable public static var bankSelectLSB: Controller { @_noLocks @inline(__always) get { .init(rawValue: 32) } }
    @inlinable public static var portamentoTimeLSB: Controller { @_noLocks @inline(__always) get { .init(rawValue: 37) } }
    @inlinable public static var dataEntryLSB: Controller { @_noLocks @inline(__always) get { .init(rawValue: 38) } }
    @inlinable public static var volumeLSB: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 39) } }
    @inlinable public static var expressionLSB: Controller { @_noLocks @inline(__always) get { .init(rawValue: 43) } }
    /// Damper pedal: keys sound on while it is down (64...127).
    @inlinable public static var sustain: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 64) } }
    @inlinable public static var portamento: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 65) } }
    /// Holds only the keys that were down when the pedal went down.
    @inlinable public static var sostenuto: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 66) } }
    @inlinable public static var softPedal: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 67) } }
    @inlinable public static var legato: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 68) } }
    /// A second damper pedal.
    @inlinable public static var hold2: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 69) } }
    @inlinable public static var resonance: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 71) } }
    @inlinable public static var releaseTime: Controller { @_noLocks @inline(__always) get { .init(rawValue: 72) } }
    @inlinable public static var attackTime: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 73) } }
    @inlinable public static var brightness: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 74) } }
    @inlinable public static var decayTime: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 75) } }
    @inlinable public static var vibratoRate: Controller { @_noLocks @inline(__always) get { .init(rawValue: 76) } }
    @inlinable public static var vibratoDepth: Controller { @_noLocks @inline(__always) get { .init(rawValue: 77) } }
    @inlinable public static var vibratoDelay: Controller { @_noLocks @inline(__always) get { .init(rawValue: 78) } }
    /// The key the next note glides from.
    @inlinable public static var portamentoControl: Controller { @_noLocks @inline(__always) get { .init(rawValue: 84) } }
    @inlinable public static var reverbSend: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 91) } }
    @inlinable public static var chorusSend: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 93) } }
    @inlinable public static var dataIncrement: Controller { @_noLocks @inline(__always) get { .init(rawValue: 96) } }
    @inlinable public static var dataDecrement: Controller { @_noLocks @inline(__always) get { .init(rawValue: 97) } }
    @inlinable public static var nonRegisteredParameterLSB: Controller {
        @_noLocks @inline(__always) get { .init(rawValue: 98) }
    }
    @inlinable public static var nonRegisteredParameter: Controller { @_noLocks @inline(__always) get { .init(rawValue: 99) } }
    @inlinable public static var registeredParameterLSB: Controller { @_noLocks @inline(__always) get { .init(rawValue: 100) } }
    @inlinable public static var registeredParameter: Controller { @_noLocks @inline(__always) get { .init(rawValue: 101) } }
    /// Silence at once, without release.
    @inlinable public static var allSoundOff: Controller { @_noLocks @inline(__always) get { .init(rawValue: 120) } }
    /// Controllers back to their defaults, as RP-015 lists them; not volume, pan, banks or effects.
    @inlinable public static var resetAllControllers: Controller { @_noLocks @inline(__always) get { .init(rawValue: 121) } }
    @inlinable public static var localControl: Controller { @_noLocks @inline(__always) get { .init(rawValue: 122) } }
    /// Every key up; pedals still hold.
    @inlinable public static var allNotesOff: Controller { @_noLocks @inline(__always) get { .init(rawValue: 123) } }
    @inlinable public static var omniOff: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 124) } }
    @inlinable public static var omniOn: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 125) } }
    @inlinable public static var mono: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 126) } }
    @inlinable public static var poly: Controller { @_noLocks @inline(__always) get { Controller(rawValue: 127) } }
}
