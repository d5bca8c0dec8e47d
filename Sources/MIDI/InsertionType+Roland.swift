// The types of the SC-8850's insertion effect. Sources: Roland SC-8850 owner's manual, "Insertion effect list" and "Effect
// parameter value conversion table", from which the rates, times and frequencies are; initial bytes as TiMidity++
// (`effect_parameter_gs`) and SpessaSynth (`insertion`) have them, the latter where they differ. What the manual leaves open
// is ours: decibels of drive, octaves of a phaser and a wah, seconds of a rotor's acceleration, a compressor's threshold.
// Not followed within a type: kinds of amplifier, pre-filters, a right delay of its own, phases of repeats.

extension InsertionType {
    /// All types, those that are followed first.
    package static let roland: [InsertionType] =
        [
            InsertionType(0x0000, "Thru"), rolandEqualizer, rolandDrive(0x0110, "Overdrive", curve: 3, [48, 1, 1], 64, 96),
            rolandDrive(0x0111, "Distortion", curve: 1, [76, 3, 1], 56, 84), rolandPhaser, rolandWah, rolandRotary,
            rolandFlanger, rolandTremolo(0x0125, "Tremolo", 0), rolandTremolo(0x0126, "Auto Pan", 180), rolandCompressor,
            rolandChorus, rolandDelay,
        ]
        + unfollowed(
            """
            0101 Spectrum
            0102 Enhancer
            0103 Humanizer
            0124 Step Flanger
            0131 Limiter
            0140 Hexa Chorus
            0141 Tremolo Chorus
            0143 Space D
            0144 3D Chorus
            0151 Mod Delay
            0152 3 Tap Delay
            0153 4 Tap Delay
            0154 Tm Ctrl Delay
            0155 Reverb
            0156 Gate Reverb
            0157 3D Delay
            0160 2 Pitch Shifter
            0161 Fb P.Shifter
            0170 3D Auto
            0171 3D Manual
            0172 Lo-Fi 1
            0173 Lo-Fi 2
            0200 OD>Chorus
            0201 OD>Flanger
            0202 OD>Delay
            0203 DS>Chorus
            0204 DS>Flanger
            0205 DS>Delay
            0206 EH>Chorus
            0207 EH>Flanger
            0208 EH>Delay
            0209 Cho>Delay
            020A FL>Delay
            020B Cho>Flanger
            0300 Rotary Multi
            0400 GTR Multi 1
            0401 GTR Multi 2
            0402 GTR Multi 3
            0403 Clean Gt Multi 1
            0404 Clean Gt Multi 2
            0405 Bass Multi
            0406 Rhodes Multi
            0500 Keyboard Multi
            1100 Cho/Delay
            1101 FL/Delay
            1102 Cho/Flanger
            1103 OD1/OD2
            1104 OD/Rotary
            1105 OD/Phaser
            1106 OD/Auto Wah
            1107 PH/Rotary
            1108 PH/Auto Wah
            """)

    private static func bytes(_ first: [Int], _ last: [Int]) -> [Int] {
        first + [Int](repeating: 0, count: 20 - first.count - last.count) + last
    }

    /// What most types end with: an equalizer at place `unit` (17: low, 18: high), then the level (20) of the strip.
    private static func end(_ unit: Int, hasPan: Bool = false) -> [Setting] {
        Setting.shelf(17, unit, band: 0, hertz: 200) + Setting.shelf(18, unit, band: 7, hertz: 4_000)
            + [.byte(20, unit + 1, "gain", Setting.level)]
            + (hasPan ? [.byte(19, unit + 1, "pan") { Float(min(max($0 - 64, -63), 63)) * 100 / 63 }] : [])
    }

    private static let rolandEqualizer = InsertionType(
        0x0100, "Stereo-EQ", ["equalizer"], bytes([1, 69, 1, 52, 72, 0, 72, 56, 0, 56], [127]),
        [
            .byte(1, 0, "frequency", element: 0) { $0 == 0 ? 200 : 400 }, .gain(2, 0, band: 0),
            .byte(3, 0, "frequency", element: 7) { $0 == 0 ? 4_000 : 8_000 }, .gain(4, 0, band: 7),
            .byte(5, 0, "frequency", element: 2) { third($0, from: 0) }, .byte(6, 0, "q", element: 2, width),
            .gain(7, 0, band: 2), .byte(8, 0, "frequency", element: 4) { third($0, from: 0) },
            .byte(9, 0, "q", element: 4, width), .gain(10, 0, band: 4), .byte(20, 1, "gain", Setting.level),
        ])

    private static func rolandDrive(
        _ address: UInt16, _ name: String, curve: Float, _ first: [Int], _ high: Int, _ level: Int
    ) -> InsertionType {
        InsertionType(
            address, name, ["distortion", "equalizer"], bytes(first, [64, high, 64, level]),
            [
                .fixed(0, "curve", curve), .byte(1, 0, "drive", Setting.even(0, 36)),
                .byte(3, 0, "tone") { $0 == 0 ? 20_000 : 5_000 },
            ] + end(1, hasPan: true))
    }

    private static let rolandPhaser = InsertionType(
        0x0120, "Phaser", ["phaser", "equalizer"], bytes([36, 16, 64, 16, 127], [64, 64, 0, 127]),
        [
            .fixed(0, "stages", 2), .fixed(0, "stereo-phase", 0), .byte(1, 0, "frequency") { min(manual($0), 4_000) },
            .byte(2, 0, "rate", rate), .byte(3, 0, "depth", Setting.even(0, 2)),
            .byte(4, 0, "feedback", Setting.even(0, 90)), .byte(5, 0, "mix", Setting.even(0, 50)),
        ] + end(1))

    private static let rolandWah = InsertionType(
        0x0121, "Auto Wah", ["auto-wah", "equalizer"], bytes([1, 0, 68, 62, 40, 72, 1], [64, 64, 64, 96]),
        [
            .byte(1, 0, "type") { $0 == 0 ? 0 : 1 }, .fixed(0, "attack", 0.1), .fixed(0, "release", 0.1),
            // The polarity is the direction of the range.
            Setting(unit: 0, parameter: "range", element: 0) { Setting.even(0, 4.8)($0[1]) * ($0[6] == 0 ? -1 : 1) },
            // Lower than the manual's frequency, by an octave at 100: heard by both sources.
            .byte(3, 0, "manual") { max(manual($0) * Float(Setting.power(0.993092495, $0)), 50) },
            // 28 dB over all bytes.
            .byte(4, 0, "resonance") { min(Float(Setting.power(1.025708, $0)), 20) },
            .byte(5, 0, "rate", rate), .byte(6, 0, "depth", Setting.even(0, 1.3)),
        ] + end(1, hasPan: true))

    private static let rolandRotary = InsertionType(
        0x0122, "Rotary", ["rotary-speaker", "equalizer"],
        bytes([6, 113, 24, 127, 17, 120, 88, 64, 96], [64, 64, 0, 127]),
        [
            .byte(1, 0, "drum-slow", rate), .byte(2, 0, "drum-fast", rate), .byte(3, 0, "drum-ramp", ramp),
            .byte(4, 0, "drum-level", Setting.level), .byte(5, 0, "horn-slow", rate), .byte(6, 0, "horn-fast", rate),
            .byte(7, 0, "horn-ramp", ramp), .byte(8, 0, "horn-level", Setting.level),
            .byte(9, 0, "angle", Setting.even(0, 180)), .byte(11, 0, "speed") { $0 == 0 ? 1 : 2 },
        ] + end(1))

    private static let rolandFlanger = InsertionType(
        0x0123, "Stereo Flanger", ["flanger", "equalizer"],
        bytes([0, 0, 16, 11, 24, 115, 90], [64, 64, 64, 0, 104]),
        [
            .byte(3, 0, "manual") { min(max(preDelay($0), 0.1), 10) / 1_000 }, .byte(4, 0, "rate", rate),
            .byte(5, 0, "depth", Setting.even(0, 100)), .byte(6, 0, "feedback") { min(max(Float($0 - 64) * 1.526, -90), 90) },
            .byte(7, 0, "stereo-phase") { Float(min($0, 90) * 2) }, .byte(16, 0, "mix", balance),
        ] + end(1))

    private static func rolandTremolo(_ address: UInt16, _ name: String, _ phase: Float) -> InsertionType {
        InsertionType(
            address, name, ["tremolo", "equalizer"], bytes([1, 60, 96], [64, 64, 0, 127]),
            [
                // Saw teeth are played as triangles.
                .byte(1, 0, "shape") { $0 == 1 ? 2 : $0 == 2 ? 0 : 1 }, .byte(2, 0, "rate", rate),
                .byte(3, 0, "depth", Setting.even(0, 100)), .fixed(0, "stereo-phase", phase),
            ] + end(1))
    }

    private static let rolandCompressor = InsertionType(
        0x0130, "Compressor", ["compressor", "equalizer"], bytes([70, 100], [64, 64, 64, 104]),
        [
            .byte(1, 0, "attack", Setting.even(0.001, 0.1)), .byte(2, 0, "threshold", Setting.even(-10, -40)),
            .fixed(0, "ratio", 4), .byte(3, 0, "make-up") { Float(min($0, 3) * 6) },
        ] + end(1, hasPan: true))

    private static let rolandChorus = InsertionType(
        0x0142, "Stereo Chorus", ["chorus", "equalizer"], bytes([0, 0, 10, 8, 111, 0, 90], [64, 64, 64, 0, 104]),
        [
            .fixed(0, "level", 0), .byte(3, 0, "delay") { min(max(preDelay($0), 1), 50) / 1_000 },
            .byte(4, 0, "rate") { min(rate($0), 5) }, .byte(5, 0, "depth", Setting.even(0, 0.005)),
            .byte(16, 0, "mix", balance),
        ] + end(1))

    private static let rolandDelay = InsertionType(
        0x0150, "Stereo Delay", ["delay", "equalizer"], bytes([101, 116, 94, 1, 0, 0, 127], [74, 64, 64, 0, 127]),
        [
            .byte(1, 0, "time") { max(delay($0), 10) / 1_000 },
            .byte(3, 0, "feedback") { Float(min(max(($0 - 64) * 2, 0), 90)) },
            .byte(7, 0, "high-cut") { $0 >= 120 ? 20_000 : third($0, from: 2) }, .fixed(0, "low-cut", 10),
            .byte(16, 0, "mix", balance),
        ] + end(1))

    /// Dry and effect, as loud as each other at 64. Unit: percent.
    @Sendable private static func balance(_ byte: Int) -> Float {
        byte <= 64 ? Float(byte) * 50 / 64 : 50 + Float(min(byte, 127) - 64) * 50 / 63
    }

    /// Rate 1. Unit: hertz.
    @Sendable package static func rate(_ byte: Int) -> Float {
        switch byte {
        case ...99: Float(byte + 1) * 0.05
        case ...119: 5 + Float(byte - 99) * 0.1
        default: 7 + Float(min(byte, 125) - 119) * 0.5
        }
    }

    /// Manual. Unit: hertz.
    @Sendable package static func manual(_ byte: Int) -> Float {
        switch byte {
        case ...20: Float(100 + byte * 10)
        case ...55: Float(300 + (byte - 20) * 20)
        default: Float(1_000 + (min(byte, 125) - 55) * 100)
        }
    }

    /// Pre delay time. Unit: milliseconds.
    @Sendable package static func preDelay(_ byte: Int) -> Float {
        switch byte {
        case ...50: Float(byte) * 0.1
        case ...60: 5 + Float(byte - 50) * 0.5
        case ...100: Float(byte - 50)
        default: Float(50 + (min(byte, 125) - 100) * 2)
        }
    }

    /// Delay time 3. Unit: milliseconds.
    @Sendable package static func delay(_ byte: Int) -> Float {
        switch byte {
        case ...50: Float(byte) * 0.1
        case ...60: 5 + Float(byte - 50) * 0.5
        case ...90: Float(byte - 50)
        case ...116: Float(40 + (byte - 90) * 10)
        default: Float(300 + (min(byte, 126) - 116) * 20)
        }
    }

    /// A frequency in thirds of an octave, a step for eight bytes: 200 Hz and up, from the place `start`. Unit: hertz.
    @Sendable package static func third(_ byte: Int, from start: Int) -> Float {
        let thirds: [Float] = [
            200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150, 4_000, 5_000, 6_300, 8_000,
        ]
        return thirds[min(max(byte, 0) / 8 + start, thirds.count - 1)]
    }

    @Sendable private static func width(_ byte: Int) -> Float { ([0.5, 1, 2, 4, 9] as [Float])[min(max(byte, 0), 4)] }

    /// A step of Accl for eight bytes, as seconds of a rotor's way: 4.5 s at 3 and 1 s at 11, as in real cabinets.
    @Sendable private static func ramp(_ byte: Int) -> Float { Float(4.5 * Setting.power(0.828617, byte / 8 - 3)) }
}
