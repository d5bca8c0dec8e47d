/// The equalizer of a port's sum, as XG messages to 02 40 00 ... 02 40 14 have made it: five bands, by a type or one by one.
///
/// Sources: Yamaha XG Specifications 2.0, "Multi EQ" (-12 to 12 dB, widths of 0.1 to 12.0) and table 3 (frequencies); the
/// types, in TiMidity++'s `multi_eq_block_table_xg`.
enum YamahaEqualizer {
    /// Gain, frequency and width of each band of flat, jazz, pops, rock and concert, whose outer bands are shelves.
    private static let types: [[UInt8]] = [
        [64, 12, 7, 64, 28, 7, 64, 34, 7, 64, 46, 7, 64, 52, 7], [58, 8, 7, 66, 16, 3, 68, 33, 3, 60, 44, 5, 58, 50, 7],
        [68, 16, 7, 60, 24, 20, 67, 34, 7, 60, 40, 20, 70, 48, 7], [71, 16, 7, 68, 20, 7, 60, 36, 5, 68, 41, 10, 66, 50, 7],
        [67, 12, 7, 68, 24, 7, 64, 34, 5, 66, 50, 7, 61, 52, 7],
    ]
    private static let parameters: [EffectParameter] = [
        .lowGain, .lowFrequency, .lowQuality, .lowMiddleGain, .lowMiddleFrequency, .lowMiddleQuality, .middleGain,
        .middleFrequency, .middleQuality, .highMiddleGain, .highMiddleFrequency, .highMiddleQuality, .highGain,
        .highFrequency, .highQuality,
    ]
    private static let frequencies: [Float] = [
        20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 70, 80, 90, 100, 110, 125, 140, 160, 180, 200, 225, 250, 280, 315, 355, 400,
        450, 500, 560, 630, 700, 800, 900, 1_000, 1_100, 1_200, 1_400, 1_600, 1_800, 2_000, 2_200, 2_500, 2_800, 3_200, 3_600,
        4_000, 4_500, 5_000, 5_600, 6_300, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000, 14_000, 16_000, 18_000, 20_000,
    ]

    /// The frequency of table 3, 0...60.
    static func hertz(_ byte: UInt8) -> Float { frequencies[min(Int(byte), 60)] }

    static func take(_ address: UInt8, _ value: UInt8) -> [(EffectParameter, Float)] {
        let value = value & 127, place = Int(address) - 1
        if address == 0 {
            guard Int(value) < types.count else { return [] }
            return zip(parameters.indices, types[Int(value)]).map(meaning) + [(.lowShape, 0), (.highShape, 0)]
        }
        switch (address, place % 4) {
        case (0x04, _) where value < 2: return [(.lowShape, Float(value))]
        case (0x14, _) where value < 2: return [(.highShape, Float(value))]
        case (...0x13, 0...2): return [meaning(place / 4 * 3 + place % 4, value)]
        default: return []
        }
    }

    /// What `byte` means for a parameter of `parameters`; a frequency is held in its band's range.
    private static func meaning(_ place: Int, _ byte: UInt8) -> (EffectParameter, Float) {
        let value: Float
        switch place % 3 {
        case 0: value = EffectParameter.gain(decibels: min(max(Int(byte) - 64, -12), 12))
        case 1:
            let range = place / 3 == 0 ? 4...40 : place / 3 == 4 ? 28...58 : 14...54
            value = frequencies[min(max(Int(byte), range.lowerBound), range.upperBound)]
        default: value = Float(min(max(byte, 1), 120)) / 10
        }
        return (parameters[place], value)
    }
}
