import MIDI

/// Yamaha XG Specifications 2.0, tables 1 to 3 and "Drum setup parameters".
extension ExclusiveAddress {
    static let yamaha: [ExclusiveAddress] = system + effects + equalizer + parts + tones + matrix + drums

    private static let shifted = [yamaha("08 0x 08", 0x4C)]

    private static let system: [ExclusiveAddress] = [
        xg("00 00 00", .pitch, [(0, -102.4), (0x400, 0), (0x7FF, 102.3)], nibbles: 4),
        xg("00 00 04", .level, [(127, 0), (64, -11.9), (32, -23.9)]),
        // The reverse of the volume.
        xg("00 00 05", .level, [(0, 0), (63, -11.9), (127, silence)]),
        xg("00 00 06", .pitch, [(0x34, -1_200), (0x40, 0), (0x4C, 1_200)]),
        xg("00 00 7E", .pitch, [(0, 0)], before: shifted),
        xg("00 00 7F", .pitch, [(0, 0)], before: shifted),
    ]

    private static let effects: [ExclusiveAddress] = [
        // Hall 1, room 1, plate: the times of "Default values", by table 4.
        xg("02 01 00", .effect(.reverbTime), [(1, 2.1), (2, 0.8), (4, 2.8)]),
        xg("02 01 01", .effect(.reverbTime), [(0, 2.1), (1, 2.8)]),
        xg("02 01 02", .effect(.reverbTime), [(0, 0.3), (47, 5), (69, 30)]),
        xg("02 01 04", .effect(.reverbPreDelay), [(0, 0.1), (16, 25.3), (127, 200)]),
        xg("02 01 05", .effect(.reverbLowCut), [(0, 10), (12, 80), (52, 8_000)]),
        xg("02 01 06", .effect(.reverbHighCut), [(34, 1_000), (46, 4_000), (60, 20_000)]),
        xg("02 01 0C", .effect(.reverbLevel), [(0, 0), (64, 1), (127, 1.984)]),
        // Chorus 1, celeste 1, flanger 1: table 1.
        xg("02 01 20", .effect(.chorusRate), [(0x41, 0.252), (0x42, 0.505), (0x43, 0.589)]),
        xg("02 01 21", .effect(.chorusRate), [(0, 0.252), (1, 0.336), (2, 0.168)]),
        xg("02 01 22", .effect(.chorusRate), [(0, 0), (64, 2.69), (127, 39.7)]),
        xg("02 01 23", .effect(.chorusDepth), [(0, 0), (64, 11.78), (127, 23.37)]),
        xg("02 01 24", .effect(.chorusFeedback), [(1, -0.715), (64, 0), (127, 0.715)]),
        xg("02 01 2C", .effect(.chorusLevel), [(0, 0), (64, 1), (127, 1.984)]),
        xg("02 01 2E", .effect(.chorusToReverb), [(0, 0), (64, 1), (127, 1.984)]),
    ]

    /// Five bands; the first and the last have a shape.
    private static let equalizer: [ExclusiveAddress] = {
        let bands: [(Int, EffectParameter, EffectParameter, EffectParameter, [(Int, Double)])] = [
            (0x01, .lowGain, .lowFrequency, .lowQuality, [(4, 32), (12, 80), (40, 2_000)]),
            (0x05, .lowMiddleGain, .lowMiddleFrequency, .lowMiddleQuality, [(14, 100), (34, 1_000), (54, 10_000)]),
            (0x09, .middleGain, .middleFrequency, .middleQuality, [(14, 100), (34, 1_000), (54, 10_000)]),
            (0x0D, .highMiddleGain, .highMiddleFrequency, .highMiddleQuality, [(14, 100), (34, 1_000), (54, 10_000)]),
            (0x11, .highGain, .highFrequency, .highQuality, [(28, 500), (52, 8_000), (58, 16_000)]),
        ]
        // Flat, jazz, rock.
        let types = [xg("02 40 00", .decibels(.lowGain), [(0, 0), (1, -6), (3, 7)])]
        let shapes = [
            xg("02 40 04", .effect(.lowShape), [(0, 0), (1, 1)]), xg("02 40 14", .effect(.highShape), [(0, 0), (1, 1)]),
        ]
        return types + shapes
            + bands.flatMap { first, gain, frequency, quality, hertz in
                [
                    xg("02 40 \(digits(first))", .decibels(gain), [(0x34, -12), (0x40, 0), (0x4C, 12)]),
                    xg("02 40 \(digits(first + 1))", .effect(frequency), hertz),
                    xg("02 40 \(digits(first + 2))", .effect(quality), [(1, 0.1), (7, 0.7), (120, 12)]),
                ]
            }
    }()

    private static let parts: [ExclusiveAddress] =
        [
            xg("08 0x 01", .bank, [(0, 0), (8, 1_200)], events: [.raw(0xC0, 0)]),
            xg("08 0x 02", .controller(32), [(0, 0), (1, 1), (3, 3)]),
            xg("08 0x 03", .program, [(0, 0), (1, 1_200), (2, 2_400)]),
            xg("08 0x 05", .chord, [(0, 0), (1, 6.02)]),
            // Single; multi.
            xg("08 0x 06", .sameKey, [(0, 0), (1, 0.83)]),
            // Normal, drums, the first set-up.
            xg("08 0x 07", .kit, [(0, 0), (1, 1_200), (2, 1_200)]),
            xg("08 0x 08", .pitch, [(0x28, -2_400), (0x40, 0), (0x58, 2_400)]),
            xg("08 0x 09", .hertz, [(0, -12.8), (0x80, 0), (0xFF, 12.7)], nibbles: 2),
            xg("08 0x 0B", .level, [(127, 4.15), (100, 0), (64, -7.75)]),
            xg("08 0x 0C", .level, [(32, -12.04), (64, 0), (96, 7.04)], velocity: 64),
            xg("08 0x 0D", .level, [(48, -12.04), (64, 0), (80, 7.04)], velocity: 64),
            xg("08 0x 0E", .pan, [(1, -63), (64, 0), (127, 63)]),
            xg("08 0x 04", .isHeard, [(0, 1), (5, 0), (127, 0)]),
            xg("08 0x 0F", .isHeard, [(59, 1), (60, 1), (61, 0)]),
            xg("08 0x 10", .isHeard, [(59, 0), (60, 1), (61, 1)]),
            xg("08 0x 12", .send(93), [(0, silence), (64, -5.95), (127, 0)]),
            xg("08 0x 13", .send(91), [(0, silence), (64, -5.95), (127, 0)]),
            xg("08 0x 14", .send(94), [(0, silence), (64, -5.95), (127, 0)]),
            number("08 0x 59", pitch: "08 0x 5A"), number("08 0x 60", pitch: "08 0x 61"),
            xg("08 0x 67", .controller(65), [(0, 0), (1, 127)]),
            xg("08 0x 68", .controller(5), [(0, 0), (64, 64), (127, 127)]),
            xg("08 0x 6D", .isHeard, [(99, 1), (100, 1), (101, 0)], velocity: 100),
            xg("08 0x 6E", .isHeard, [(99, 0), (100, 1), (101, 1)], velocity: 100),
        ]
        + (0..<17).map { xg("08 0x \(digits(0x30 + $0))", .hears(heardMessages[$0]), [(0, 0), (1, 1)]) }

    private static func number(_ address: String, pitch: String) -> ExclusiveAddress {
        var line = xg(address, .pitch, [(2, 1_200), (16, 1_200), (95, 1_200)], before: [yamaha(pitch, 0x4C)])
        line.gestureFollowsValue = true
        return line
    }

    /// -64...63 have no unit in the specifications: less and more, by the sampler's law of the controller.
    private static let tones: [ExclusiveAddress] =
        [
            xg("08 0x 15", .rate(isSecond: false), [(0x30, 6.88), (0x40, 8.18), (0x50, 9.72)]),
            xg("08 0x 16", .vibrato, [(0x40, 0), (0x60, 25), (0x7F, 49.2)]),
            xg("08 0x 17", .vibratoDelay, [(0x30, 0.059), (0x40, 0.1), (0x50, 0.168)]),
            xg("08 0x 18", .cutoff, [(0x30, -1_500), (0x40, 0), (0x50, 1_500)]),
            xg("08 0x 19", .resonance, [(0x30, 50), (0x40, 100), (0x72, 256)]),
            xg("08 0x 1A", .attack, [(0x30, 0.042), (0x40, 0.1), (0x50, 0.238)]),
            xg("08 0x 1B", .decay, [(0x30, 0.119), (0x40, 0.2), (0x50, 0.336)]),
            xg("08 0x 1C", .release, [(0x30, 0.119), (0x40, 0.2), (0x50, 0.336)]),
        ]
        + (0..<12).map { step in
            xg("08 0x \(digits(0x41 + step))", .pitch, [(0, -64), (64, 0), (127, 63)], key: UInt8(60 + step))
        }

    private static let matrix: [ExclusiveAddress] = {
        let withoutWheel = [yamaha("08 0x 20", 0)], withoutBend = [yamaha("08 0x 23", 0x40)]
        let sources: [(first: Int, before: [[UInt8]], gesture: MusicEvent)] = [
            (0x1D, withoutWheel, .change(1, 127)), (0x23, withoutBend, .bend(8_191)), (0x4D, [], .channelPressure(127)),
            (0x53, [], .keyPressure(60, 127)), (0x5A, [], .change(16, 127)), (0x61, [], .change(17, 127)),
        ]
        var lines = [
            xg("08 0x 20", .vibrato, [(0, 0), (0x0A, 47.2), (0x7F, 600)], gesture: [.change(1, 127)]),
            xg("08 0x 23", .pitch, [(0x28, -2_400), (0x40, 0), (0x58, 2_400)], gesture: [.bend(8_191)]),
        ]
        for source in sources {
            for (place, destination) in fewDestinations.map({ destinations[$0] }).enumerated() {
                let number = source.first + place
                if number == 0x20 || number == 0x23 { continue }
                lines.append(
                    xg(
                        "08 0x \(digits(number))", destination.measure, destination.values, before: source.before,
                        gesture: [source.gesture]))
            }
        }
        return lines
    }()

    private static let drums: [ExclusiveAddress] = [
        xg("3x xx 00", .pitch, [(52, -1_200), (64, 0), (76, 1_200)], channel: 9),
        xg("3x xx 01", .pitch, [(0, -64), (64, 0), (127, 63)], channel: 9),
        xg("3x xx 02", .level, [(127, 0), (100, -4.15), (64, -11.9)], channel: 9),
        // Key 61 has group 5.
        xg("3x xx 03", .chord, [(0, 6.02), (5, 0), (6, 6.02)], before: [yamaha("30 3D 03", 5)], channel: 9),
        xg("3x xx 04", .pan, [(1, -63), (64, 0), (127, 63)], channel: 9),
        xg(
            "3x xx 05", .share(bus: 16 + 9), [(32, -11.97), (64, -5.95), (127, 0)], events: [.change(91, 100, on: 9)], channel: 9),
        xg(
            "3x xx 06", .share(bus: 32 + 9), [(32, -11.97), (64, -5.95), (127, 0)], events: [.change(93, 100, on: 9)], channel: 9),
        xg("3x xx 08", .sameKey, [(0, 0), (1, 0.83)], channel: 9),
        xg("3x xx 0A", .isHeard, [(0, 0), (1, 1)], channel: 9),
        xg("3x xx 0B", .cutoff, [(0x30, -1_500), (0x40, 0), (0x50, 1_500)], channel: 9),
        xg("3x xx 0C", .resonance, [(0x30, 50), (0x40, 100), (0x72, 256)], channel: 9),
        xg("3x xx 0D", .attack, [(0x30, 0.042), (0x40, 0.1), (0x50, 0.238)], channel: 9),
        xg("3x xx 0E", .decay, [(0x30, 0.119), (0x40, 0.2), (0x50, 0.336)], channel: 9),
    ]
}
