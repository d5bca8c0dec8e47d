/// The reverb and chorus of a port, as GS messages to 40 01 30 ... 40 01 40 have made them; the delay is `RolandDelay`'s.
///
/// Macros are GM2's types under other numbers (the plate is 5, not 8) and last as long; a time's byte stretches the time of
/// the room or hall, by GM2's law, from the byte that belongs to it. Characters 6 and 7 are delays in the reverb's place
/// (`RolandDelay.echo`). Sources: Roland SC-8850 owner's manual, "Patch common parameters"; the meaning of the macros, in
/// TiMidity++'s `reverb_macro_presets` and `chorus_macro_presets` and in SpessaSynth's `setReverbMacro`; the chorus's delay of
/// up to 25 ms, in both.
struct RolandEffects: Sendable {
    private var character: UInt8 = 4
    private var time: UInt8 = 64, level: UInt8 = 64, feedback: UInt8 = 0
    private var hasEcho = false

    /// The byte of the time that belongs to each character, and the GM2 type that lasts as long then.
    private static let reverbs: [(time: UInt8, type: UInt8)] = [(80, 0), (56, 1), (64, 2), (72, 3), (64, 4), (88, 8)]
    /// The low-pass, the time and the feedback of each macro.
    private static let macros: [(filter: UInt8, time: UInt8, feedback: UInt8)] = [
        (3, 80, 0), (4, 56, 0), (0, 64, 0), (4, 72, 0), (0, 64, 0), (0, 88, 0), (0, 32, 40), (0, 64, 32),
    ]

    private var isDelay: Bool { character > 5 }

    /// Unit: seconds.
    private var seconds: Float {
        let (middle, type) = Self.reverbs[Int(character)]
        let own = EffectParameter.preset(of: .reverbType, type).first?.1 ?? 64
        return EffectParameter.growth(Int(own) - 40 + Int(time) - Int(middle))
    }

    /// The corner of a low-pass before an effect, 0...7. No manual gives it in hertz; by SpessaSynth's ear 8 kHz at 0, and
    /// each step 0.63 of the one before. Unit: hertz.
    static func corner(_ byte: UInt8) -> Float {
        byte == 0 ? 20_000 : (0..<min(byte, 7)).reduce(8_000) { hertz, _ in hertz * 0.63 }
    }

    /// What a change of character, time, level or feedback makes of the reverb, or of the delay in its place.
    private mutating func changed() -> [(EffectParameter, Float)] {
        if isDelay {
            hasEcho = true
            return [(.reverbLevel, 0)]
                + RolandDelay.echo(time, feedback: feedback, level: factor, isPanning: character == 7)
        }
        return [(.reverbTime, seconds)]
    }

    private var factor: Float { EffectParameter.reverbLevel.value(of: level) }

    private var levels: [(EffectParameter, Float)] {
        [(.reverbLevel, factor)] + (hasEcho ? [(.echoLevel, 0)] : [])
    }

    mutating func take(_ address: UInt8, _ value: UInt8) -> [(EffectParameter, Float)] {
        let value = value & 127
        switch address {
        case 0x30 where Int(value) < Self.macros.count:
            let macro = Self.macros[Int(value)]
            (character, time, level, feedback) = (value, macro.time, 64, macro.feedback)
            let common: [(EffectParameter, Float)] = [(.reverbPreDelay, 0), (.reverbHighCut, Self.corner(macro.filter))]
            if isDelay { return changed() + common }
            return changed() + levels + common + [(.reverbType, Float(Self.reverbs[Int(value)].type))]
        case 0x31 where value < 8:
            let wasDelay = isDelay
            character = value
            return changed() + (wasDelay && !isDelay ? levels : [])
        case 0x32 where value < 8: return [(.reverbHighCut, Self.corner(value))]
        case 0x33:
            level = value
            return isDelay ? changed() : levels
        case 0x34:
            time = value
            return changed()
        case 0x35:
            feedback = value
            return isDelay ? changed() : []
        case 0x38 where value < 6:
            return EffectParameter.preset(of: .chorusType, value).map { ($0, $0.value(of: $1)) }
                + [(.chorusLevel, 1), (.chorusHighCut, Self.corner(0)), (.chorusToDelay, 0), (.chorusType, Float(value))]
        case 0x38 where value < 8:
            // Short delays, one of them with feedback: nothing swings.
            return [
                (.chorusFeedback, EffectParameter.chorusFeedback.value(of: value == 6 ? 0 : 80)), (.chorusDepth, 0),
                (.chorusToReverb, 0), (.chorusDelay, 1.75), (.chorusLevel, 1), (.chorusHighCut, Self.corner(0)),
                (.chorusToDelay, 0),
            ]
        case 0x39 where value < 8: return [(.chorusHighCut, Self.corner(value))]
        // A factor on the 14 ms of a chorus as it is set.
        case 0x3C: return [(.chorusDelay, Float(value) * (25.0 / 127 / 14))]
        default:
            return Self.plain.filter { $0.0 == address }.map { ($0.1, $0.1.value(of: value)) }
        }
    }

    private static let plain: [(UInt8, EffectParameter)] = [
        (0x33, .reverbLevel), (0x37, .reverbPreDelay), (0x3A, .chorusLevel), (0x3B, .chorusFeedback), (0x3D, .chorusRate),
        (0x3E, .chorusDepth), (0x3F, .chorusToReverb), (0x40, .chorusToDelay), (0x5A, .delayToReverb),
    ]

    /// Returns where in 40 01 a byte sets `parameter`, and nothing else; nil if none does.
    static func address(of parameter: EffectParameter) -> UInt8? { plain.first { $0.1 == parameter }?.0 }
}
