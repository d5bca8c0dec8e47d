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
    /// 0...127 each.
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

    /// The distance by which the key is moved from equal temperament. Unit: cents.
    public var cents: Float {
        @_noLocks get {
            let semitones = Int32(semitone) &- Int32(key)
            return Float(semitones &* 100) + Float(Int32(fraction)) * (100 / 16_384)
        }
    }
}
