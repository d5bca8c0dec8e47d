/// The reverb and chorus of a port, as XG messages to 02 01 00 ... 02 01 2E have made them.
///
/// Types set a reverb's time, a chorus's rate, depth and feedback, as do first to third parameters; returns and the chorus's
/// send to the reverb are levels. Celestes and symphonics are choruses, flangers flangers; phasers are left alone, as are
/// filters and delays of choruses; the reverb's initial delay and cuts are followed. XG numbers GM2's choruses among its own:
/// their depths show that a step is 0.184 ms from end to end, their feedbacks that it is 1.135 %. Sources: Yamaha XG
/// Specifications 2.0, "Effect parameter list", "Default values", tables 1 (frequency of oscillators), 3 (frequencies), 4
/// (reverb time) and 5 (delay time).
struct YamahaEffects: Sendable {
    private struct Chorus: Sendable { var rate: UInt8, depth: UInt8, feedback: UInt8 }

    private var reverbType: UInt8 = 1, chorusType: UInt8 = 0x41
    private var reverbReturn: UInt8 = 64, chorusReturn: UInt8 = 64

    mutating func take(_ address: UInt8, _ value: UInt8) -> [(EffectParameter, Float)] {
        let value = value & 127
        switch address {
        case 0x00:
            reverbType = value
            return reverb(value, 0)
        case 0x01: return reverb(reverbType, value)
        case 0x02: return reverbType == 0 ? [] : [(.reverbTime, Self.seconds(value))]
        case 0x04 where reverbType != 0: return [(.reverbPreDelay, min(0.1 + Float(value) * 1.574, 200))]
        case 0x05 where reverbType != 0:
            return [(.reverbLowCut, value == 0 ? 10 : YamahaEqualizer.hertz(min(value, 52)))]
        case 0x06 where reverbType != 0:
            return [(.reverbHighCut, value > 59 ? 20_000 : YamahaEqualizer.hertz(max(value, 34)))]
        case 0x0C:
            reverbReturn = value
            return [level]
        case 0x20:
            chorusType = value
            return chorus(value, 0)
        case 0x21: return chorus(chorusType, value)
        case 0x22 where Self.swings(chorusType): return [(.chorusRate, Self.hertz(value))]
        case 0x23 where Self.swings(chorusType): return [(.chorusDepth, Self.depth(value))]
        case 0x24 where Self.swings(chorusType) && chorusType != 0x44: return [(.chorusFeedback, Self.feedback(value))]
        case 0x2C:
            chorusReturn = value
            return [chorusLevel]
        case 0x2E: return [(.chorusToReverb, Float(value) / 64)]
        default: return []
        }
    }

    private var level: (EffectParameter, Float) {
        (.reverbLevel, reverbType == 0 ? 0 : EffectParameter.reverbLevel.value(of: reverbReturn))
    }

    private var chorusLevel: (EffectParameter, Float) {
        (.chorusLevel, chorusType == 0 ? 0 : EffectParameter.chorusLevel.value(of: chorusReturn))
    }

    /// An unknown type counts as the first of its kind; 0 means no reverb.
    private func reverb(_ high: UInt8, _ low: UInt8) -> [(EffectParameter, Float)] {
        if high == 0 { return [level] }
        guard let time = Self.times[UInt16(high) << 8 | UInt16(low)] ?? Self.times[UInt16(high) << 8] else { return [] }
        return [(.reverbTime, Self.seconds(time)), level]
    }

    private func chorus(_ high: UInt8, _ low: UInt8) -> [(EffectParameter, Float)] {
        if high == 0 { return [chorusLevel] }
        guard let found = Self.choruses[UInt16(high) << 8 | UInt16(low)] ?? Self.choruses[UInt16(high) << 8] else { return [] }
        return [
            (.chorusRate, Self.hertz(found.rate)), (.chorusDepth, Self.depth(found.depth)),
            (.chorusFeedback, Self.feedback(found.feedback)),
            (.chorusDelay, EffectParameter.chorusDelay.value(of: high == 0x43 ? 13 : 64)), chorusLevel,
        ]
    }

    /// Chorus, celeste, flanger and symphonic.
    private static func swings(_ high: UInt8) -> Bool { (0x41...0x44).contains(high) }

    private static let times: [UInt16: UInt8] = [
        0x0100: 18, 0x0101: 25, 0x0106: 18, 0x0107: 18, 0x0200: 5, 0x0201: 12, 0x0202: 9, 0x0205: 11, 0x0206: 13,
        0x0207: 15, 0x0300: 19, 0x0301: 11, 0x0400: 25, 0x0407: 13, 0x1000: 9, 0x1100: 48, 0x1200: 59, 0x1300: 3,
    ]

    private static let choruses: [UInt16: Chorus] = [
        0x4100: .init(rate: 6, depth: 54, feedback: 77), 0x4101: .init(rate: 8, depth: 63, feedback: 64),
        0x4102: .init(rate: 4, depth: 44, feedback: 64), 0x4103: .init(rate: 9, depth: 10, feedback: 64),
        0x4104: .init(rate: 26, depth: 34, feedback: 67), 0x4105: .init(rate: 9, depth: 34, feedback: 69),
        0x4106: .init(rate: 26, depth: 29, feedback: 75), 0x4107: .init(rate: 6, depth: 43, feedback: 107),
        0x4108: .init(rate: 9, depth: 32, feedback: 69), 0x4200: .init(rate: 12, depth: 32, feedback: 64),
        0x4201: .init(rate: 28, depth: 18, feedback: 90), 0x4202: .init(rate: 4, depth: 63, feedback: 44),
        0x4208: .init(rate: 8, depth: 29, feedback: 64), 0x4300: .init(rate: 14, depth: 14, feedback: 104),
        0x4301: .init(rate: 32, depth: 17, feedback: 26), 0x4307: .init(rate: 3, depth: 21, feedback: 120),
        0x4308: .init(rate: 4, depth: 109, feedback: 109), 0x4400: .init(rate: 12, depth: 25, feedback: 64),
    ]

    /// Tenths up to 5 s, then ever larger steps.
    static func seconds(_ byte: UInt8) -> Float {
        let byte = Float(min(byte, 69))
        return switch byte {
        case ...47: 0.3 + byte / 10
        case ...57: 5 + (byte - 47) / 2
        case ...67: 10 + (byte - 57)
        default: 20 + (byte - 67) * 5
        }
    }

    /// Steps of 44 100 Hz in 2^20, which double from 65, 77, 89, 102, 114 and 126 on.
    static func hertz(_ byte: UInt8) -> Float {
        let doublings = [64, 76, 88, 101, 113, 125]
        let steps = (0..<Int(byte & 127)).reduce(0) { sum, index in sum + 1 << doublings.count { $0 <= index } }
        return Float(steps) * 44_100 / 1_048_576
    }

    private static func depth(_ byte: UInt8) -> Float { Float(byte) * 0.184 }
    private static func feedback(_ byte: UInt8) -> Float { Float(Int(byte) - 64) * 0.01135 }
}
