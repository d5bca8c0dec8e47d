// [render]

/// A parameter of the reverb and the chorus that all channels of a port share.
///
/// What the bytes of a message mean is said in the effects' own units. Source: General MIDI 2, "Global parameter control".
@frozen public enum EffectParameter: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// 0...2 small, medium and large room, 3 and 4 medium and large hall, 8 plate. Its time comes with it.
    case reverbType
    /// How long it takes to fall by 60 dB. Unit: seconds.
    case reverbTime
    /// 0...3 chorus 1 to 4, 4 with feedback, 5 flanger. What it is made of comes with it.
    case chorusType
    /// Unit: hertz.
    case chorusRate
    /// How far the delay swings, from end to end. Unit: milliseconds.
    case chorusDepth
    /// Unit: a fraction of what comes out.
    case chorusFeedback
    /// Unit: a fraction of what comes out.
    case chorusToReverb
}

/// Control side.
extension EffectParameter {
    /// The slot of global parameter control, 1 1 and 1 2 being 1 and 2, and the parameter's number in it.
    public var address: (slot: UInt8, number: UInt8) {
        switch self {
        case .reverbType: (1, 0)
        case .reverbTime: (1, 1)
        case .chorusType: (2, 0)
        case .chorusRate: (2, 1)
        case .chorusDepth: (2, 2)
        case .chorusFeedback: (2, 3)
        case .chorusToReverb: (2, 4)
        }
    }

    /// What a message's byte, 0...127, means.
    public func value(of byte: UInt8) -> Float {
        let byte = byte & 127
        switch self {
        case .reverbType, .chorusType: return Float(byte)
        case .reverbTime:
            // e to the power of (byte - 40) / 40, by multiplication: the same bits everywhere.
            let step = byte < 40 ? 1 / 1.0253151205244289 : 1.0253151205244289
            return Float((0..<abs(Int(byte) - 40)).reduce(1.0) { product, _ in product * step })
        case .chorusRate: return Float(byte) * 0.122
        case .chorusDepth: return Float(Int(byte) + 1) / 3.2
        case .chorusFeedback: return Float(byte) * 0.00763
        case .chorusToReverb: return Float(byte) * 0.00787
        }
    }

    /// The byte, 0...127, that comes nearest to `value`.
    public func byte(of value: Float) -> UInt8 {
        (UInt8(0)...127).min { abs(self.value(of: $0) - value) < abs(self.value(of: $1) - value) } ?? 0
    }

    /// What holds until a message says otherwise: a large hall, and the third chorus.
    public var initialValue: Float {
        switch self {
        case .reverbType: 4
        case .chorusType: 2
        default: value(of: (Self.preset(of: .reverbType, 4) + Self.preset(of: .chorusType, 2)).first { $0.0 == self }?.1 ?? 0)
        }
    }

    /// What a type of reverb or chorus is made of; nothing for a number that is no type.
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
            (.chorusDepth, depths[Int(number)]), (.chorusToReverb, 0),
        ]
    }
}
