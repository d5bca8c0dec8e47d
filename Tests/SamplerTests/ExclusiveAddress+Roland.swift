import MIDI

/// Roland SC-8850 owner's manual, "Address mapping of parameters".
extension ExclusiveAddress {
    static let roland: [ExclusiveAddress] = system + common + parts + tones + matrix + drums

    private static let shifted = [roland("40 1x 16", 0x4C)]

    private static let system: [ExclusiveAddress] = [
        // Modes 1 and 2; after it the key shift is gone.
        gs("00 00 7F", .pitch, [(0, 0), (1, 0)], before: shifted),
        gs("40 00 7F", .pitch, [(0, 0)], before: shifted),
        gs("40 00 00", .pitch, [(0x018, -100), (0x400, 0), (0x7E8, 100)], nibbles: 4),
        gs("40 00 04", .level, [(127, 0), (64, -11.9), (32, -23.9)]),
        gs("40 00 05", .pitch, [(0x34, -1_200), (0x40, 0), (0x4C, 1_200)]),
        gs("40 00 06", .pan, [(1, -63), (64, 0), (127, 63)]),
    ]

    private static let isDelay = [roland("40 01 30", 6)]
    private static let common: [ExclusiveAddress] = [
        // Room 1, hall 2, plate; by GM2's numbers.
        gs("40 01 30", .effect(.reverbType), [(0, 0), (4, 4), (5, 8)]),
        gs("40 01 31", .effect(.reverbTime), [(0, 0.741), (3, 1.492), (4, 1.822)]),
        gs("40 01 32", .effect(.reverbHighCut), [(0, 20_000), (3, 2_000), (7, 315)]),
        gs("40 01 33", .effect(.reverbLevel), [(0, 0), (64, 1), (127, 1.984)]),
        gs("40 01 34", .effect(.reverbTime), [(24, 0.670), (64, 1.822), (104, 4.953)]),
        gs("40 01 35", .effect(.echoLeftFeedback), [(0, 0), (64, 0.532), (127, 0.73)], before: isDelay),
        gs("40 01 37", .effect(.reverbPreDelay), [(0, 0), (40, 40), (127, 127)]),
        gs("40 01 38", .effect(.chorusDepth), [(0, 1.875), (1, 6.25), (3, 5.313)]),
        gs("40 01 39", .effect(.chorusHighCut), [(0, 20_000), (3, 2_000), (7, 315)]),
        gs("40 01 3A", .effect(.chorusLevel), [(0, 0), (64, 1), (96, 1.5)]),
        gs("40 01 3B", .effect(.chorusFeedback), [(0, 0), (64, 0.488), (127, 0.969)]),
        gs("40 01 3C", .effect(.chorusDelay), [(0, 0), (80, 1.125), (127, 1.786)]),
        gs("40 01 3D", .effect(.chorusRate), [(3, 0.366), (9, 1.098), (127, 15.49)]),
        gs("40 01 3E", .effect(.chorusDepth), [(0, 0.313), (19, 6.25), (127, 40)]),
        gs("40 01 3F", .effect(.chorusToReverb), [(0, 0), (64, 0.504), (127, 1)]),
        gs("40 01 40", .effect(.chorusToDelay), [(0, 0), (64, 0.504), (127, 1)]),
        // Delay 1, 2 and 4; then the table of delay times.
        gs("40 01 50", .effect(.delayLeftSecondTime), [(0, 340), (1, 550), (3, 130)]),
        gs("40 01 51", .effect(.delayHighCut), [(0, 20_000), (1, 5_040), (7, 315)]),
        gs("40 01 52", .effect(.delayLeftSecondTime), [(0x14, 2), (0x50, 100), (0x73, 1_000)]),
        gs("40 01 53", .effect(.delayLeftTime), [(12, 100), (24, 200), (120, 1_000)], before: [roland("40 01 52", 0x5A)]),
        gs("40 01 54", .effect(.delayRightTime), [(12, 100), (24, 200), (120, 1_000)], before: [roland("40 01 52", 0x5A)]),
        gs("40 01 55", .effect(.delaySecondLevel), [(0, 0), (64, 0.504), (127, 1)]),
        gs("40 01 56", .effect(.delayLeftLevel), [(0, 0), (64, 0.504), (127, 1)]),
        gs("40 01 57", .effect(.delayRightLevel), [(0, 0), (64, 0.504), (127, 1)]),
        gs("40 01 58", .effect(.delayLevel), [(0, 0), (32, 0.5), (64, 1)]),
        gs("40 01 59", .effect(.delayLeftFeedback), [(0, -0.977), (64, 0), (127, 0.961)]),
        gs("40 01 5A", .effect(.delayToReverb), [(0, 0), (64, 0.504), (127, 1)]),
        gs("40 02 00", .effect(.lowFrequency), [(0, 200), (1, 400)]),
        gs("40 02 01", .decibels(.lowGain), [(0x34, -12), (0x40, 0), (0x4C, 12)]),
        gs("40 02 02", .effect(.highFrequency), [(0, 3_000), (1, 6_000)]),
        gs("40 02 03", .decibels(.highGain), [(0x34, -12), (0x40, 0), (0x4C, 12)]),
    ]

    private static let parts: [ExclusiveAddress] =
        [
            gs("40 1x 00", .bank, [(0, 0), (8, 1_200)], events: [.raw(0xC0, 0)]),
            gs("40 1x 01", .program, [(0, 0), (1, 1_200), (2, 2_400)]),
            gs("40 1x 13", .chord, [(0, 0), (1, 6.02)]),
            gs("40 1x 14", .sameKey, [(0, 0), (1, 0.83), (2, 6.02)]),
            gs("40 1x 15", .kit, [(0, 0), (1, 1_200), (2, 1_200)]),
            gs("40 1x 16", .pitch, [(0x28, -2_400), (0x40, 0), (0x58, 2_400)]),
            gs("40 1x 17", .hertz, [(0x08, -12), (0x80, 0), (0xF8, 12)], nibbles: 2),
            // As controller 7, which begins with 100: 40 log10.
            gs("40 1x 02", .isHeard, [(0, 1), (5, 0), (16, 0)]),
            gs("40 1x 19", .level, [(127, 4.15), (100, 0), (64, -7.75)]),
            // Velocity 64 becomes 32, 64 and 96.
            gs("40 1x 1A", .level, [(32, -12.04), (64, 0), (96, 7.04)], velocity: 64),
            gs("40 1x 1B", .level, [(48, -12.04), (64, 0), (80, 7.04)], velocity: 64),
            gs("40 1x 1C", .pan, [(1, -63), (64, 0), (127, 63)]),
            gs("40 1x 1D", .isHeard, [(59, 1), (60, 1), (61, 0)]),
            gs("40 1x 1E", .isHeard, [(59, 0), (60, 1), (61, 1)]),
            number("40 1x 1F", pitch: "40 2x 40"), number("40 1x 20", pitch: "40 2x 50"),
            gs("40 1x 21", .send(93), [(0, silence), (64, -5.95), (127, 0)]),
            gs("40 1x 22", .send(91), [(0, silence), (64, -5.95), (127, 0)]),
            gs("40 1x 2C", .send(94), [(0, silence), (64, -5.95), (127, 0)]),
            gs("40 1x 2A", .pitch, [(0, -100), (0x40, 0), (0x60, 50)]),
            gs("40 1x 2B", .pitch, [(0, 0), (64, 0.78), (127, 1.55)]),
            gs("40 4x 00", .controller(32), [(1, 1), (2, 2), (3, 3)]),
        ]
        + (0..<18).map { gs("40 1x \(digits($0 < 16 ? 0x03 + $0 : 0x13 + $0))", .hears(heardMessages[$0]), [(0, 0), (1, 1)]) }

    private static func number(_ address: String, pitch: String) -> ExclusiveAddress {
        var line = gs(address, .pitch, [(2, 1_200), (16, 1_200), (95, 1_200)], before: [roland(pitch, 0x4C)])
        line.gestureFollowsValue = true
        return line
    }

    /// Steps of tone modify have no unit in the manual: less and more, by the sampler's law of the controller.
    private static let tones: [ExclusiveAddress] =
        [
            gs("40 1x 30", .rate(isSecond: false), [(0x30, 6.88), (0x40, 8.18), (0x50, 9.72)]),
            gs("40 1x 31", .vibrato, [(0x40, 0), (0x60, 25), (0x72, 39.1)]),
            gs("40 1x 32", .cutoff, [(0x30, -1_500), (0x40, 0), (0x50, 1_500)]),
            gs("40 1x 33", .resonance, [(0x30, 50), (0x40, 100), (0x72, 256)]),
            gs("40 1x 34", .attack, [(0x30, 0.042), (0x40, 0.1), (0x50, 0.238)]),
            gs("40 1x 35", .decay, [(0x30, 0.119), (0x40, 0.2), (0x50, 0.336)]),
            gs("40 1x 36", .release, [(0x30, 0.119), (0x40, 0.2), (0x50, 0.336)]),
            gs("40 1x 37", .vibratoDelay, [(0x30, 0.059), (0x40, 0.1), (0x50, 0.168)]),
        ]
        + (0..<12).map { step in
            gs("40 1x \(digits(0x40 + step))", .pitch, [(0, -64), (64, 0), (127, 63)], key: UInt8(60 + step))
        }

    private static let matrix: [ExclusiveAddress] = {
        let withoutWheel = [roland("40 2x 04", 0)], withoutBend = [roland("40 2x 10", 0x40)]
        let sources: [(first: Int, before: [[UInt8]], gesture: MusicEvent)] = [
            (0x00, withoutWheel, .change(1, 127)), (0x10, withoutBend, .bend(8_191)), (0x20, [], .channelPressure(127)),
            (0x30, [], .keyPressure(60, 127)), (0x40, [], .change(16, 127)), (0x50, [], .change(17, 127)),
        ]
        var lines = [
            gs("40 2x 04", .vibrato, [(0, 0), (0x0A, 47.2), (0x7F, 600)], gesture: [.change(1, 127)]),
            gs("40 2x 10", .pitch, [(0x40, 0), (0x42, 200), (0x58, 2_400)], gesture: [.bend(8_191)]),
        ]
        for source in sources {
            for (place, destination) in destinations.enumerated() {
                let number = source.first + place
                if number == 0x04 || number == 0x10 { continue }
                lines.append(
                    gs(
                        "40 2x \(digits(number))", destination.measure, destination.values, before: source.before,
                        gesture: [source.gesture]))
            }
        }
        return lines
    }()

    private static let drums: [ExclusiveAddress] = [
        gs("41 x1 xx", .pitch, [(48, -600), (60, 0), (72, 600)], channel: 9),
        gs("41 x2 xx", .level, [(127, 0), (100, -4.15), (64, -11.9)], channel: 9),
        // Key 61 has group 5.
        gs("41 x3 xx", .chord, [(0, 6.02), (5, 0), (6, 6.02)], before: [roland("41 03 3D", 5)], channel: 9),
        gs("41 x4 xx", .pan, [(1, -63), (64, 0), (127, 63)], channel: 9),
        gs(
            "41 x5 xx", .share(bus: 16 + 9), [(32, -11.97), (64, -5.95), (127, 0)], events: [.change(91, 100, on: 9)], channel: 9),
        gs(
            "41 x6 xx", .share(bus: 32 + 9), [(32, -11.97), (64, -5.95), (127, 0)], events: [.change(93, 100, on: 9)], channel: 9),
        gs("41 x8 xx", .isHeard, [(0, 0), (1, 1)], channel: 9),
    ]
}
