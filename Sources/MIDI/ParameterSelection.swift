// [render]

/// The meaning of data entry at the moment: the registered or non-registered parameter that controllers 98...101 chose last.
///
/// Sources: MIDI 1.0 Detailed Specification 4.2, "Registered and non-registered parameter numbers"; SoundFont 2.04, section
/// 9.6.2, for the generators that parameters of the upper byte 120 choose digit by digit.
public struct ParameterSelection: Hashable, BitwiseCopyable, Sendable {
    private var upper: UInt8 = 127, lower: UInt8 = 127
    private var nonRegisteredUpper: UInt8 = 127, nonRegisteredLower: UInt8 = 127
    private var isNonRegistered = false
    /// The sum of the digits that have come for a SoundFont generator.
    private var digits = 0

    /// Nothing is chosen: data entry has no effect.
    @_noLocks public init() {}

    /// The registered parameter, its bytes as one number of 14 bits; nil if a non-registered one or none is chosen.
    public var registered: UInt16? {
        @_noLocks get {
            isNonRegistered || upper == 127 && lower == 127 ? nil : UInt16(upper) &<< 7 | UInt16(lower)
        }
    }

    /// The non-registered parameter, its bytes as one number of 14 bits; nil if a registered one or none is chosen.
    public var nonRegistered: UInt16? {
        @_noLocks get {
            !isNonRegistered || nonRegisteredUpper == 127 && nonRegisteredLower == 127
                ? nil : UInt16(nonRegisteredUpper) &<< 7 | UInt16(nonRegisteredLower)
        }
    }

    /// True for a parameter of a single drum: a `DrumControl`.
    public var isOfDrum: Bool {
        @_noLocks get {
            guard let number = nonRegistered else { return false }
            if case .some = DrumControl(upper: UInt8(truncatingIfNeeded: number &>> 7)) { return true }
            return false
        }
    }

    /// The SoundFont generator that data entry moves; nil if it moves none. Digits as libfluidsynth adds them up.
    public var generator: Int? {
        @_noLocks get { isNonRegistered && nonRegisteredUpper == 120 ? digits : nil }
    }

    /// The Sound Blaster's effect that data entry sets, 0...26; nil if it sets none.
    public var soundBlasterEffect: Int? {
        @_noLocks get { isNonRegistered && nonRegisteredUpper == 127 && nonRegisteredLower < 27 ? Int(nonRegisteredLower) : nil }
    }

    /// True if the upper data byte completes a value of the generator: the number's last byte was no multiplier.
    var endsGenerator: Bool { @_noLocks get { generator != nil && nonRegisteredLower < 100 } }

    /// Ends the choice of a generator after its value: the next one's number begins at 0.
    @_noLocks public mutating func endGenerator() {
        if endsGenerator { digits = 0 }
    }

    /// Takes one of controllers 98...101 in.
    @_noLocks public mutating func choose(_ controller: Controller, _ value: UInt8) {
        switch controller {
        case .nonRegisteredParameterLSB:
            isNonRegistered = true
            nonRegisteredLower = value
            if nonRegisteredUpper == 120 { addDigit(value) }
        case .nonRegisteredParameter:
            isNonRegistered = true
            digits = 0
            nonRegisteredUpper = value
            // A generator has had no digit yet, even after a lower byte. Other parameters may have theirs first.
            if value == 120 { nonRegisteredLower = 0 }
        case .registeredParameterLSB:
            isNonRegistered = false
            lower = value
        case .registeredParameter:
            isNonRegistered = false
            upper = value
        default: break
        }
    }

    @_noLocks private mutating func addDigit(_ value: UInt8) {
        let step =
            switch value {
            case 100: 100
            case 101: 1_000
            case 102: 10_000
            case 103...127: 0
            default: Int(value)
            }
        digits = min(digits &+ step, 100_000)
    }
}
