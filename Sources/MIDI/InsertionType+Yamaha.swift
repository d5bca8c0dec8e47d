// XG's types of variation and insertion. Sources: Yamaha XG Specifications 2.0, "Effect type list", "Effect parameter list" and
// tables 1 (oscillators), 2 (delay offset), 3 (equalizer frequency), 8 to 10 (compressor); initial values as TiMidity++
// (`effect_parameter_xg`) has them. What the specifications leave open is ours: see `InsertionType+Roland`. Not followed within a
// type: the middle band of modulation effects, pitch modulation of a tremolo, delays of a side of its own.

extension InsertionType {
    /// All types, those that are followed first.
    package static let yamaha: [InsertionType] =
        [
            InsertionType(0x0000, "No Effect"),
            delay(0x0600, "Delay L,R", [2_500, 3_750, 3_752, 3_750, 87, 10, 0, 0, 0, 32, 0, 0, 28, 64, 46, 64], 5, 6),
            delay(0x0800, "Cross Delay", [1_700, 1_750, 111, 1, 10, 0, 0, 0, 0, 32, 0, 0, 28, 64, 46, 64], 3, 5),
            chorus(0x4100, "Chorus 1", [6, 54, 77, 106, 0, 28, 64, 46, 64, 64, 46, 64, 10, 0, 0, 0]),
            chorus(0x4101, "Chorus 2", [8, 63, 64, 30, 0, 28, 62, 42, 58, 64, 46, 64, 10, 0, 0, 0]),
            chorus(0x4102, "Chorus 3", [4, 44, 64, 110, 0, 28, 64, 46, 66, 64, 46, 64, 10, 0, 0, 0]),
            chorus(0x4108, "Chorus 4", [9, 32, 69, 104, 0, 28, 64, 46, 64, 64, 46, 64, 10, 0, 1, 0]),
            flanger(0x4300, "Flanger 1", [14, 14, 104, 2, 0, 28, 64, 46, 64, 96, 40, 64, 10, 4, 0, 0]),
            flanger(0x4301, "Flanger 2", [32, 17, 26, 2, 0, 28, 64, 46, 60, 96, 40, 64, 10, 4, 0, 0]),
            flanger(0x4308, "Flanger 3", [4, 109, 109, 2, 0, 28, 64, 46, 64, 127, 40, 64, 10, 4, 0, 0]),
            rotary(0x4500, "Rotary Speaker", [81, 35, 0, 0, 0, 24, 64, 45, 64, 127, 33, 52, 30, 0, 0, 0], isTwoWay: false),
            rotary(0x5600, "2Way Rotary Speaker", [10, 26, 35, 70, 0, 24, 60, 45, 54, 127, 31, 45, 0, 0, 0, 0], isTwoWay: true),
            tremolo(0x4600, "Tremolo", [83, 56, 0, 0, 0, 28, 64, 46, 64, 0, 40, 64, 10, 64, 0, 0], isPan: false),
            tremolo(0x4700, "Auto Pan", [76, 80, 32, 5, 0, 28, 64, 46, 64, 0, 40, 64, 10, 0, 0, 0], isPan: true),
            phaser(0x4800, "Phaser 1", [8, 111, 74, 104, 0, 28, 64, 46, 64, 64, 6, 1, 0, 0, 0, 0], phase: nil),
            phaser(0x4808, "Phaser 2", [8, 111, 74, 108, 0, 28, 64, 46, 64, 64, 5, 0, 4, 0, 0, 0], phase: 13),
            drive(0x4900, "Distortion", 1, [40, 20, 72, 53, 48, 0, 43, 74, 10, 127, 120, 0, 0, 0, 0, 0]),
            drive(0x4908, "Stereo Distortion", 1, [18, 27, 71, 48, 84, 0, 32, 66, 10, 127, 105, 0, 0, 0, 0, 0]),
            drive(0x4A00, "Overdrive", 3, [29, 24, 68, 45, 55, 0, 41, 72, 10, 127, 104, 0, 0, 0, 0, 0]),
            drive(0x4A08, "Stereo Overdrive", 3, [10, 24, 69, 46, 105, 0, 41, 66, 10, 127, 104, 0, 0, 0, 0, 0]),
            threeBands, twoBands,
            wah(0x4E00, "Auto Wah", [70, 56, 39, 25, 0, 28, 66, 46, 64, 127, 0, 0, 0, 0, 0, 0], isTouched: false),
            wah(0x5200, "Touch Wah 1", [36, 0, 30, 0, 0, 28, 66, 46, 64, 127, 0, 0, 0, 0, 0, 0], isTouched: true),
            wah(0x5208, "Touch Wah 2", [68, 18, 60, 0, 0, 28, 66, 46, 64, 127, 0, 72, 74, 53, 57, 64], isTouched: true),
            compressor,
        ]
        + unfollowed(
            """
            0100 Hall 1
            0101 Hall 2
            0106 Hall M
            0107 Hall L
            0200 Room 1
            0201 Room 2
            0202 Room 3
            0205 Room S
            0206 Room M
            0207 Room L
            0300 Stage 1
            0301 Stage 2
            0400 Plate
            0407 GM Plate
            0500 Delay L,C,R
            0700 Echo
            0900 Early Reflection 1
            0901 Early Reflection 2
            0A00 Gate Reverb
            0B00 Reverse Gate
            1000 White Room
            1100 Tunnel
            1200 Canyon
            1300 Basement
            1400 Karaoke 1
            1401 Karaoke 2
            1402 Karaoke 3
            1500 Tempo Delay
            1508 Tempo Echo
            1600 Tempo Cross
            4103 GM Chorus 1
            4104 GM Chorus 2
            4105 GM Chorus 3
            4106 GM Chorus 4
            4107 FB Chorus
            4200 Celeste 1
            4201 Celeste 2
            4202 Celeste 3
            4208 Celeste 4
            4307 GM Flanger
            4400 Symphonic
            4501 Distortion + Rotary Speaker
            4502 Overdrive + Rotary Speaker
            4503 Amp Simulator + Rotary Speaker
            4901 Compressor + Distortion
            4B00 Amp Simulator
            4B01 Amp Simulator 2
            4B08 Stereo Amp Simulator
            4E01 Auto Wah + Distortion
            4E02 Auto Wah + Overdrive
            5000 Pitch Change 1
            5001 Pitch Change 2
            5100 Harmonic Enhancer
            5201 Touch Wah + Distortion
            5202 Touch Wah + Overdrive
            5400 Noise Gate
            5500 Voice Cancel
            5601 Distortion + 2Way Rotary Speaker
            5602 Overdrive + 2Way Rotary Speaker
            5603 Amp Simulator + 2Way Rotary Speaker
            5700 Ensemble Detune
            5800 Ambience
            5D00 Talking Modulator
            5E00 Lo-Fi
            5F00 Distortion + Delay
            5F01 Overdrive + Delay
            6000 Compressor + Distortion + Delay
            6001 Compressor + Overdrive + Delay
            6100 Wah + Distortion + Delay
            6101 Wah + Overdrive + Delay
            6200 V Distortion Hard
            6201 V Distortion Hard + Delay
            6202 V Distortion Soft
            6203 V Distortion Soft + Delay
            6300 Dual Rotor Speaker 1
            6301 Dual Rotor Speaker 2
            6400 Distortion + Tempo Delay
            6401 Overdrive + Tempo Delay
            6500 Compressor + Distortion + Tempo Delay
            6501 Compressor + Overdrive + Tempo Delay
            6600 Wah + Distortion + Tempo Delay
            6601 Wah + Overdrive + Tempo Delay
            6700 V Distortion Hard + Tempo Delay
            6701 V Distortion Soft + Tempo Delay
            6800 V Flanger
            6B00 Tempo Flanger
            6C00 Tempo Phaser
            7100 Ring Modulator
            7F01 3D Manual
            7F02 3D Auto
            """)

    /// Shelves at the frequencies of two parameters, with the gains of those after them.
    private static func shelves(_ unit: Int, low: Int, high: Int) -> [Setting] {
        [
            .byte(low, unit, "frequency", element: 0) { hertz($0, 4, 40) }, .gain(low + 1, unit, band: 0),
            .byte(high, unit, "frequency", element: 7) { hertz($0, 28, 58) }, .gain(high + 1, unit, band: 7),
        ]
    }

    private static func delay(
        _ address: UInt16, _ name: String, _ initial: [Int], _ feedback: Int, _ damp: Int
    ) -> InsertionType {
        InsertionType(
            address, name, ["delay", "equalizer"], initial,
            [
                .byte(1, 0, "time") { min(max(Float($0) / 10_000, 0.01), 2) },
                .byte(feedback, 0, "feedback") { min(max(Float($0 - 64) * 1.526, 0), 90) },
                // Tenths of the way to where nothing is lost.
                .byte(damp, 0, "high-cut") { $0 >= 10 ? 20_000 : Float(max($0, 1)) * 2_000 },
                .fixed(0, "low-cut", 10), .byte(10, 0, "mix", balance),
            ] + shelves(1, low: 13, high: 15))
    }

    private static func chorus(_ address: UInt16, _ name: String, _ initial: [Int]) -> InsertionType {
        InsertionType(
            address, name, ["chorus", "equalizer"], initial,
            [
                .fixed(0, "level", 0), .byte(1, 0, "rate") { min(max(YamahaEffects.hertz(UInt8($0 & 127)), 0.05), 5) },
                // From end to end 0.184 ms a step, as `YamahaEffects` has it.
                .byte(2, 0, "depth") { min(Float($0) * 0.000092, 0.01) },
                .byte(3, 0, "feedback") { min(max(Float($0 - 64) * 1.135, -90), 90) },
                .byte(4, 0, "delay") { min(max(offset($0), 1), 50) / 1_000 }, .byte(10, 0, "mix", balance),
            ] + shelves(1, low: 6, high: 8))
    }

    private static func flanger(_ address: UInt16, _ name: String, _ initial: [Int]) -> InsertionType {
        InsertionType(
            address, name, ["flanger", "equalizer"], initial,
            [
                .byte(1, 0, "rate") { min(max(YamahaEffects.hertz(UInt8($0 & 127)), 0.01), 10) },
                .byte(2, 0, "depth", Setting.even(0, 100)),
                .byte(3, 0, "feedback") { min(max(Float($0 - 64) * 1.526, -90), 90) },
                // The swing is to both sides of the middle: the offset, and half of the longest swing.
                .byte(4, 0, "manual") { min(max(offset($0) + 2, 0.1), 10) / 1_000 },
                .byte(14, 0, "stereo-phase") { min(abs(Float($0 - 64) * 3), 180) }, .byte(10, 0, "mix", balance),
            ] + shelves(1, low: 6, high: 8))
    }

    private static func rotary(_ address: UInt16, _ name: String, _ initial: [Int], isTwoWay: Bool) -> InsertionType {
        let speeds: [Setting] = ["horn-slow", "horn-fast"].map { name in
            .byte(1, 0, name) { min(max(YamahaEffects.hertz(UInt8($0 & 127)) * 1.1, 0.05), 10) }
        }
        let drums: [Setting] = ["drum-slow", "drum-fast"].map { name in
            .byte(1, 0, name) { min(max(YamahaEffects.hertz(UInt8($0 & 127)), 0.05), 10) }
        }
        let depths: [Setting] = [
            .byte(2, 0, "drum-depth", Setting.even(0, 100)),
            .byte(isTwoWay ? 3 : 2, 0, "horn-depth", Setting.even(0, 100)),
        ]
        let ways: [Setting] = [
            // The balance of low and high is 64 in the middle.
            .byte(4, 0, "drum-level") { Setting.decibels(min(Double(127 - $0) / 63, 1)) },
            .byte(4, 0, "horn-level") { Setting.decibels(min(Double($0) / 64, 1)) },
            .byte(11, 0, "crossover") { min(max(hertz($0, 14, 54), 100), 4_000) },
            .byte(12, 0, "angle") { Float(min(max($0, 0), 60) * 3) },
        ]
        return InsertionType(
            address, name, ["rotary-speaker", "equalizer"], initial,
            [.fixed(0, "speed", 1)] + drums + speeds + depths + (isTwoWay ? ways : []) + shelves(1, low: 6, high: 8))
    }

    private static func tremolo(_ address: UInt16, _ name: String, _ initial: [Int], isPan: Bool) -> InsertionType {
        InsertionType(
            address, name, ["tremolo", "equalizer"], initial,
            [
                .byte(1, 0, "rate") { min(max(YamahaEffects.hertz(UInt8($0 & 127)), 0.05), 20) },
                .byte(2, 0, "depth", Setting.even(0, 100)), .fixed(0, "shape", isPan ? 0 : 1),
                isPan
                    ? .fixed(0, "stereo-phase", 180)
                    : .byte(14, 0, "stereo-phase") { min(abs(Float($0 - 64) * 3), 180) },
            ] + shelves(1, low: 6, high: 8))
    }

    private static func phaser(_ address: UInt16, _ name: String, _ initial: [Int], phase: Int?) -> InsertionType {
        InsertionType(
            address, name, ["phaser", "equalizer"], initial,
            [
                .byte(1, 0, "rate") { min(max(YamahaEffects.hertz(UInt8($0 & 127)), 0.01), 10) },
                .byte(2, 0, "depth", Setting.even(0, 3)),
                // The phase shift offset moves the notches: two octaves to either side of 1 kHz.
                .byte(3, 0, "frequency") { 1_000 * Float(Setting.power(1.0218971486541166, $0 - 64)) },
                .byte(4, 0, "feedback") { min(max(Float($0 - 64) * 1.5, -90), 90) },
                .byte(11, 0, "stages") { Float(min(max($0, 4), 12) / 2 - 2) }, .byte(10, 0, "mix", balance),
                phase.map { .byte($0, 0, "stereo-phase") { min(abs(Float($0 - 64) * 3), 180) } }
                    ?? .fixed(0, "stereo-phase", 0),
            ] + shelves(1, low: 6, high: 8))
    }

    private static func drive(_ address: UInt16, _ name: String, _ curve: Float, _ initial: [Int]) -> InsertionType {
        InsertionType(
            address, name, ["distortion", "equalizer"], initial,
            [
                .fixed(0, "curve", curve), .byte(1, 0, "drive", Setting.even(0, 36)),
                .byte(2, 1, "frequency", element: 0) { hertz($0, 4, 40) }, .gain(3, 1, band: 0),
                .byte(4, 0, "tone") { max(hertz($0, 34, 60), 200) },
                .byte(5, 0, "output") { max(Setting.level($0), -60) },
                .byte(7, 1, "frequency", element: 3) { hertz($0, 14, 54) }, .gain(8, 1, band: 3),
                .byte(9, 1, "q", element: 3) { Float(min(max($0, 10), 120)) / 10 }, .byte(10, 0, "mix", balance),
            ])
    }

    private static let threeBands = InsertionType(
        0x4C00, "3-Band EQ", ["equalizer"], [70, 34, 60, 10, 70, 28, 46, 0, 0, 127, 0, 0, 0, 0, 0, 0],
        [
            .gain(1, 0, band: 0), .byte(2, 0, "frequency", element: 3) { hertz($0, 14, 54) }, .gain(3, 0, band: 3),
            .byte(4, 0, "q", element: 3) { Float(min(max($0, 10), 120)) / 10 }, .gain(5, 0, band: 7),
            .byte(6, 0, "frequency", element: 0) { hertz($0, 4, 40) },
            .byte(7, 0, "frequency", element: 7) { hertz($0, 28, 58) },
        ])

    private static let twoBands = InsertionType(
        0x4D00, "2-Band EQ", ["equalizer"], [28, 70, 46, 70, 0, 0, 0, 0, 0, 127, 34, 64, 10, 0, 0, 0],
        shelves(0, low: 1, high: 3))

    private static func wah(_ address: UInt16, _ name: String, _ initial: [Int], isTouched: Bool) -> InsertionType {
        let cutoff = isTouched ? 2 : 3
        let moves: [Setting] =
            isTouched
            ? [.byte(1, 0, "range", Setting.even(0, 4.8)), .fixed(0, "depth", 0)]
            : [
                .fixed(0, "range", 0), .byte(1, 0, "rate") { min(max(YamahaEffects.hertz(UInt8($0 & 127)), 0.05), 20) },
                .byte(2, 0, "depth", Setting.even(0, 3)),
            ]
        return InsertionType(
            address, name, ["auto-wah", "equalizer"], initial,
            moves + [
                .fixed(0, "type", 1), .byte(cutoff, 0, "manual", Setting.even(100, 4_000)),
                .byte(cutoff + 1, 0, "resonance") { Float(min(max($0, 10), 120)) / 10 }, .byte(10, 0, "mix", balance),
            ] + shelves(1, low: 6, high: 8))
    }

    private static let compressor = InsertionType(
        0x5300, "Compressor", ["compressor"], [6, 2, 100, 4, 96, 0, 0, 0, 0, 127, 0, 0, 0, 0, 0, 0],
        [
            .byte(1, 0, "attack") { attacks[min(max($0, 0), attacks.count - 1)] / 1_000 },
            .byte(2, 0, "release") { releases[min(max($0, 0), releases.count - 1)] / 1_000 },
            .byte(3, 0, "threshold") { Float(min(max($0, 79), 121) - 127) },
            .byte(4, 0, "ratio") { ratios[min(max($0, 0), ratios.count - 1)] }, .byte(5, 1, "gain", Setting.level),
        ])

    private static let attacks: [Float] = [
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 30, 35, 40,
    ]
    private static let releases: [Float] = [10, 15, 25, 35, 45, 55, 65, 75, 85, 100, 115, 140, 170, 230, 340, 680]
    private static let ratios: [Float] = [1, 1.5, 2, 3, 5, 7, 10, 20]

    /// Dry and effect, as loud as each other at 64; 1...127. Unit: percent.
    @Sendable private static func balance(_ byte: Int) -> Float {
        byte <= 64 ? Float(max(byte - 1, 0)) * 50 / 63 : 50 + Float(min(byte, 127) - 64) * 50 / 63
    }

    /// Table 2. Unit: milliseconds.
    @Sendable package static func offset(_ byte: Int) -> Float {
        switch byte {
        case ...100: Float(byte) * 0.1
        case ...105: 10 + Float(byte - 100) * 1.1
        default: 15.5 + Float(min(byte, 127) - 105) * 34.5 / 22
        }
    }

    /// Table 3, between two of its places. Unit: hertz.
    @Sendable package static func hertz(_ byte: Int, _ low: Int, _ high: Int) -> Float {
        let tens: [Float] = [
            20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 70, 80, 90, 100, 110, 125, 140, 160, 180, 200, 225, 250, 280, 315,
            355, 400, 450, 500, 560, 630, 700, 800, 900, 1_000, 1_100, 1_200, 1_400, 1_600, 1_800, 2_000, 2_200, 2_500,
            2_800, 3_200, 3_600, 4_000, 4_500, 5_000, 5_600, 6_300, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000, 14_000,
            16_000, 18_000, 20_000,
        ]
        return tens[min(max(byte, low), high)]
    }
}
