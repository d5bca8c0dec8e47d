/// The reverb and chorus of a port, as GS messages to 40 01 30 ... 40 01 3F have made them.
///
/// Macros are GM2's types under other numbers (the plate is 5, not 8) and last as long; a time's byte stretches the time of
/// the room or hall, by GM2's law, from the byte that belongs to it. Effects that are not available are left out: low-passes,
/// a reverb that is a delay (macros and characters 6 and 7), the delay of the chorus. Sources: Roland SC-8850 owner's manual,
/// "Patch common parameters"; the meaning of the macros, in TiMidity++'s `reverb_macro_presets` and `chorus_macro_presets`.
struct RolandEffects: Sendable {
    private var character: UInt8 = 4
    private var time: UInt8 = 64

    /// The byte of the time that belongs to each character, and the GM2 type that lasts as long then.
    private static let reverbs: [(time: UInt8, type: UInt8)] = [(80, 0), (56, 1), (64, 2), (72, 3), (64, 4), (88, 8)]

    /// Unit: seconds.
    private var seconds: Float {
        let (middle, type) = Self.reverbs[Int(character)]
        let own = EffectParameter.preset(of: .reverbType, type).first?.1 ?? 64
        return EffectParameter.growth(Int(own) - 40 + Int(time) - Int(middle))
    }

    mutating func take(_ address: UInt8, _ value: UInt8) -> [(EffectParameter, Float)] {
        let value = value & 127
        switch address {
        case 0x30 where Int(value) < Self.reverbs.count:
            (character, time) = (value, Self.reverbs[Int(value)].time)
            let type = Float(Self.reverbs[Int(value)].type)
            return [(.reverbTime, seconds), (.reverbLevel, 1), (.reverbPreDelay, 0), (.reverbType, type)]
        case 0x31 where Int(value) < Self.reverbs.count:
            character = value
            return [(.reverbTime, seconds)]
        case 0x34:
            time = value
            return [(.reverbTime, seconds)]
        case 0x38 where value < 6:
            return EffectParameter.preset(of: .chorusType, value).map { ($0, $0.value(of: $1)) }
                + [(.chorusLevel, 1), (.chorusType, Float(value))]
        case 0x38 where value < 8:
            // Short delays, one of them with feedback: nothing swings.
            return [
                (.chorusFeedback, EffectParameter.chorusFeedback.value(of: value == 6 ? 0 : 80)), (.chorusDepth, 0),
                (.chorusToReverb, 0), (.chorusDelay, 1.75), (.chorusLevel, 1),
            ]
        default:
            return Self.plain.filter { $0.0 == address }.map { ($0.1, $0.1.value(of: value)) }
        }
    }

    private static let plain: [(UInt8, EffectParameter)] = [
        (0x33, .reverbLevel), (0x37, .reverbPreDelay), (0x3A, .chorusLevel), (0x3B, .chorusFeedback), (0x3D, .chorusRate),
        (0x3E, .chorusDepth), (0x3F, .chorusToReverb),
    ]

    /// Returns where in 40 01 a byte sets `parameter`, and nothing else; nil if none does.
    static func address(of parameter: EffectParameter) -> UInt8? { plain.first { $0.1 == parameter }?.0 }
}
