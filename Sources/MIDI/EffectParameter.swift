// [render]

/// A parameter of the effects that all channels of a port share: reverb, chorus, delay, and the equalizer of their sum.
///
/// The values of a message's bytes are given in the effects' own units. Sources: General MIDI 2, "Global parameter control";
/// Roland SC-8850 owner's manual, "Patch common parameters", for parameters that GM2 does not have. Raw values are written to
/// journals: new ones come last.
@frozen public enum EffectParameter: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// 0...2 small, medium and large room, 3 and 4 medium and large hall, 8 plate. Its time comes with it.
    case reverbType
    /// The time that the reverb takes to fall by 60 dB. Unit: seconds.
    case reverbTime
    /// 0...3 chorus 1 to 4, 4 with feedback, 5 flanger. What it is made of comes with it.
    case chorusType
    /// Unit: hertz.
    case chorusRate
    /// The width of the delay's swing, from end to end. Unit: milliseconds.
    case chorusDepth
    /// Unit: a fraction of what comes out; below 0 with its sign turned.
    case chorusFeedback
    /// Unit: a fraction of what comes out.
    case chorusToReverb
    /// Unit: a factor on the level that was set.
    case reverbLevel
    /// Unit: milliseconds, beside the pre-delay that was set.
    case reverbPreDelay
    /// Unit: a factor on the level that was set.
    case chorusLevel
    /// Unit: a factor on the delay that was set.
    case chorusDelay
    /// Unit: a fraction of what comes out.
    case chorusToDelay
    /// The filters before an effect. Unit: hertz; 20 kHz and more, and 10 Hz and less, are none.
    case reverbHighCut, reverbLowCut, chorusHighCut, chorusLowCut, delayHighCut, delayLowCut
    /// The delay: two lines, each with two taps and a feedback. Times in milliseconds, levels and feedbacks as fractions.
    case delayLeftTime, delayRightTime, delayLeftLevel, delayRightLevel
    case delayLeftSecondTime, delayRightSecondTime, delaySecondLevel
    case delayLeftFeedbackTime, delayRightFeedbackTime, delayLeftFeedback, delayRightFeedback
    /// 0: both lines get the sum of the sides; 1: each gets its own.
    case delaySplit
    /// 0: a line feeds itself; 1: each feeds the other.
    case delayCross
    /// What a repeat loses of its treble each time. Unit: hertz; 20 kHz and more is nothing.
    case delayDamping
    /// Unit: a factor on the level that was set.
    case delayLevel
    /// Unit: a fraction of what comes out.
    case delayToReverb
    /// The delay that a type of reverb is, as the delay's.
    case echoLeftTime, echoRightTime, echoLeftLevel, echoRightLevel
    case echoLeftSecondTime, echoRightSecondTime, echoSecondLevel
    case echoLeftFeedbackTime, echoRightFeedbackTime, echoLeftFeedback, echoRightFeedback
    case echoSplit, echoCross, echoDamping, echoLevel, echoToReverb
    /// The equalizer of the sum: five bands. Gains are factors on the amplitude, frequencies in hertz.
    case lowGain, lowFrequency, lowQuality, lowMiddleGain, lowMiddleFrequency, lowMiddleQuality
    case middleGain, middleFrequency, middleQuality, highMiddleGain, highMiddleFrequency, highMiddleQuality
    case highGain, highFrequency, highQuality
    /// 0: the lowest or highest band is a shelf; 1: a peak.
    case lowShape, highShape

    /// The mark for a value as it was set, without the changes of messages.
    public static var asSet: Float { @_noLocks get { -1 } }

    /// The number of parameters.
    package static var count: Int { @_noLocks get { 67 } }
}

extension EffectParameter {
    /// The slot of global parameter control, 1 1 and 1 2 being 1 and 2, and the parameter's number in it; nil for what GM2
    /// has no message for.
    public var address: (slot: UInt8, number: UInt8)? {
        switch self {
        case .reverbType: (1, 0)
        case .reverbTime: (1, 1)
        case .chorusType: (2, 0)
        case .chorusRate: (2, 1)
        case .chorusDepth: (2, 2)
        case .chorusFeedback: (2, 3)
        case .chorusToReverb: (2, 4)
        default: nil
        }
    }

    /// Returns the value that a message's byte, 0...127, means.
    public func value(of byte: UInt8) -> Float {
        let byte = byte & 127
        switch self {
        case .reverbType, .chorusType, .reverbPreDelay: return Float(byte)
        case .reverbTime: return Self.growth(Int(byte) - 40)
        case .chorusRate: return Float(byte) * 0.122
        case .chorusDepth: return Float(Int(byte) + 1) / 3.2
        case .chorusFeedback: return Float(byte) * 0.00763
        case .chorusToReverb, .chorusToDelay, .delayToReverb, .echoToReverb: return Float(byte) * 0.00787
        case .reverbLevel, .chorusLevel, .chorusDelay, .delayLevel, .echoLevel: return Float(byte) / 64
        default: return Float(byte)
        }
    }

    /// Returns the byte, 0...127, that comes nearest to `value`; to 0 if that is not a finite number.
    public func byte(of value: Float) -> UInt8 {
        let value = value.finite
        return (UInt8(0)...127).min { abs(self.value(of: $0) - value) < abs(self.value(of: $1) - value) } ?? 0
    }

    /// The value that GM2 begins with: a large hall, and the third chorus.
    public var initialValue: Float {
        switch self {
        case .reverbType: 4
        case .chorusType: 2
        case .reverbLevel, .chorusLevel: 1
        case .reverbPreDelay, .chorusToDelay: 0
        default: value(of: (Self.preset(of: .reverbType, 4) + Self.preset(of: .chorusType, 2)).first { $0.0 == self }?.1 ?? 0)
        }
    }

    /// e to the power of `steps` / 40.
    static func growth(_ steps: Int) -> Float { power(1.0253151205244289, steps) }

    /// The factor of so many whole decibels.
    static func gain(decibels: Int) -> Float { power(1.1220184543019633, decibels) }

    /// A whole power, by multiplication: the same bits everywhere.
    private static func power(_ base: Double, _ exponent: Int) -> Float {
        let step = exponent < 0 ? 1 / base : base
        return Float((0..<abs(exponent)).reduce(1.0) { product, _ in product * step })
    }

    /// The parameter of the delay as that of the delay in the reverb's place; others as they are.
    package var ofEcho: EffectParameter {
        let first = EffectParameter.delayLeftTime.rawValue, last = EffectParameter.delayToReverb.rawValue
        guard first...last ~= rawValue else { return self }
        return EffectParameter(rawValue: rawValue + last + 1 - first) ?? self
    }

    /// Returns nothing for an unknown type. No standard says how late a flanger's voice is: here a fifth of a chorus's.
    static func preset(of type: EffectParameter, _ number: UInt8) -> [(EffectParameter, UInt8)] {
        if type == .reverbType {
            let times: [UInt8: UInt8] = [0: 44, 1: 50, 2: 56, 3: 64, 4: 64, 8: 50]
            return times[number].map { [(.reverbTime, $0)] } ?? []
        }
        let feedbacks: [UInt8] = [0, 5, 8, 16, 64, 112], rates: [UInt8] = [3, 9, 3, 9, 2, 1]
        let depths: [UInt8] = [5, 19, 19, 16, 24, 5]
        guard type == .chorusType, number < 6 else { return [] }
        return [
            (.chorusFeedback, feedbacks[Int(number)]), (.chorusRate, rates[Int(number)]),
            (.chorusDepth, depths[Int(number)]), (.chorusToReverb, 0), (.chorusDelay, number == 5 ? 13 : 64),
        ]
    }
}
