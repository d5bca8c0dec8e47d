// [render]

/// What a channel's registered and non-registered parameters point to, and its own fine tuning.
///
/// The library keeps these too, but master tuning shares its generator with the channel's fine tuning, and its pitch
/// must stay within reach of its oscillator: see `PitchReach`.
struct ChannelTuning: BitwiseCopyable {
    /// The registered parameter chosen last: upper and lower seven bits; 127 127 is none.
    var upper: UInt8 = 127
    var lower: UInt8 = 127
    /// The non-registered one.
    var nonRegisteredUpper: UInt8 = 127
    var nonRegisteredLower: UInt8 = 127
    /// Whether data entry means the non-registered one.
    var isNonRegistered = false
    /// The generator that SoundFont NRPNs (upper 120) have chosen, digit by digit, as the library counts: it must never
    /// mean another one than we do.
    var generator = 0
    /// Data entry, upper and lower seven bits.
    var dataUpper: UInt8 = 0
    var dataLower: UInt8 = 0
    /// Cents, by RPN 1.
    var fine: Float = 0
    /// Semitones, by RPN 2.
    var coarse: Float = 0

    /// Widest bend, in semitones, that is passed on.
    static var widestBend: UInt8 { @_noLocks get { 48 } }

    @_noLocks init() {}

    /// RPN 0: bend range.
    var isBendRange: Bool { @_noLocks get { !isNonRegistered && upper == 0 && lower == 0 } }
    /// RPN 1: fine tuning.
    var isFineTuning: Bool { @_noLocks get { !isNonRegistered && upper == 0 && lower == 1 } }
    /// RPN 2: coarse tuning.
    var isCoarseTuning: Bool { @_noLocks get { !isNonRegistered && upper == 0 && lower == 2 } }
    /// RPN 3 and 4: a tuning program. There is none but equal temperament, which the library would allocate.
    var isTuningProgram: Bool { @_noLocks get { !isNonRegistered && upper == 0 && (lower == 3 || lower == 4) } }
    /// A SoundFont generator that moves pitch or loop without bounds.
    var isUnboundedGenerator: Bool {
        @_noLocks get {
            guard isNonRegistered, nonRegisteredUpper == 120 else { return false }
            switch generator {
            case 2, 3, 5, 6, 7, 45, 50, 51, 52, 56: return true
            default: return false
            }
        }
    }

    /// Takes one of controllers 6, 38, 98...101 in.
    @_noLocks mutating func apply(_ controller: UInt8, _ value: UInt8) {
        switch controller {
        case 6:
            dataUpper = value
            if isNonRegistered && nonRegisteredUpper == 120 && nonRegisteredLower < 100 { generator = 0 }
            if isCoarseTuning { coarse = Float(value) - 64 }
        case 38: dataLower = value
        case 98:
            isNonRegistered = true
            nonRegisteredLower = value
            guard nonRegisteredUpper == 120 else { break }
            switch value {
            case 100: generator = Swift.min(generator &+ 100, 100_000)
            case 101: generator = Swift.min(generator &+ 1_000, 100_000)
            case 102: generator = Swift.min(generator &+ 10_000, 100_000)
            case 103...127: break
            default: generator = Swift.min(generator &+ Int(value), 100_000)
            }
        case 99:
            isNonRegistered = true
            generator = 0
            nonRegisteredUpper = value
            nonRegisteredLower = 0
        case 100:
            isNonRegistered = false
            lower = value
        case 101:
            isNonRegistered = false
            upper = value
        default: break
        }
        if isFineTuning && (controller == 6 || controller == 38) {
            let value = Int32(dataUpper) &* 128 &+ Int32(dataLower) &- 8_192
            fine = Float(value) * (100 / 8_192)
        }
    }
}
