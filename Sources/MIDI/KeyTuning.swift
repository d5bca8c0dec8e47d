// [render]

/// The pitch at which one key of a tuning program sounds: what single-note changes and bulk dumps of the MIDI Tuning Standard
/// are made of.
///
/// The message's own numbers, so that the event that carries it stays as small as the others. Source: MIDI Tuning Standard
/// (CA-020, CA-021).
@frozen public struct KeyTuning: Hashable, BitwiseCopyable, Sendable {
    /// The distance by which the key sounds higher than `semitone`. Unit: 16 384ths of a semitone.
    public var fraction: UInt16
    /// The key of equal temperament at or below its pitch, 0...127.
    public var semitone: UInt8
    /// 0...127 each; the bank of a session's tuning is 128.
    public var key: UInt8, program: UInt8, bank: UInt8
    /// 0...15.
    public var port: UInt8

    /// Creates a key of a tuning program, by default of bank 0.
    @_noLocks public init(
        key: UInt8, semitone: UInt8, fraction: UInt16 = 0, program: UInt8, bank: UInt8 = 0, port: UInt8
    ) {
        self.fraction = fraction & 16_383
        self.semitone = semitone & 127
        self.key = key & 127
        self.program = program & 127
        self.bank = bank & 127
        self.port = port & 15
    }

    /// Creates a part of a session's tuning, which is added to what music tunes: `key`, and every key that lies a multiple of
    /// `step` semitones from it, is moved by `cents`; those of a step of 0 are `key` alone. nil: they are silent.
    public init(ofSession key: UInt8, every step: UInt8 = 0, cents: Double?) {
        self.init(key: key, semitone: 0, program: step, port: 0)
        let shift = cents.flatMap { $0.isFinite ? $0 : nil } ?? 0, place = Double(self.key) * 16_384 + shift * 163.84
        let units = Int(min(max(place.rounded(), 0), 128 * 16_384 - 1))
        (semitone, fraction, bank) = (UInt8(units >> 14), cents == nil ? .max : UInt16(units & 16_383), Self.sessionBank)
    }

    /// The bank of a session's tuning, which no message names.
    public static var sessionBank: UInt8 { @_noLocks get { 128 } }
    /// True for a part of a session's tuning.
    public var isOfSession: Bool { @_noLocks get { bank == Self.sessionBank } }
    /// True if the keys of a session's tuning are silent.
    public var isSilent: Bool { @_noLocks get { fraction == .max } }

    /// What it says of one of its keys, as a key of tuning program 0 of bank 0.
    @_noLocks package func standard(of key: Int) -> KeyTuning {
        let place = (Int(semitone) &- Int(self.key) &+ key) &* 16_384 &+ (isSilent ? 0 : Int(fraction))
        let units = min(max(place, 0), 128 * 16_384 - 1), number = UInt8(truncatingIfNeeded: key)
        let semitone = UInt8(truncatingIfNeeded: units / 16_384), fraction = UInt16(truncatingIfNeeded: units % 16_384)
        return KeyTuning(key: number, semitone: semitone, fraction: fraction, program: 0, port: 0)
    }

    /// The first key that it moves, and how many semitones lie from one to the next.
    package var places: (first: Int, step: Int) {
        @_noLocks get {
            if !isOfSession || program == 0 { return (Int(key), 128) }
            return (Int(key) % Int(program), Int(program))
        }
    }

    /// The distance by which the key is moved from equal temperament. Unit: cents.
    public var cents: Float {
        @_noLocks get {
            if isSilent { return 0 }
            let semitones = Int32(semitone) &- Int32(key)
            return Float(semitones &* 100) + Float(Int32(fraction)) * (100 / 16_384)
        }
    }
}
