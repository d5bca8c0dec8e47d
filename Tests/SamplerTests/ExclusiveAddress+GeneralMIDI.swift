import MIDI

/// General MIDI 2: "Global parameter control", "Controller destination setting", "Key-based instrument controllers"; MIDI 1.0
/// Detailed Specification, device control and tuning.
extension ExclusiveAddress {
    static let generalMIDI2: [ExclusiveAddress] = master + scales + effects + destinationsOfSources + keys

    private static func fourteen(_ value: Int) -> [UInt8] { [UInt8(value & 127), UInt8(value >> 7)] }

    private static let master: [ExclusiveAddress] = [
        gm2("04 01", .level, [(16_383, 0), (8_192, -12.04), (4_096, -24.08)]) { [0x7F, 0x7F, 4, 1] + fourteen($0) },
        gm2("04 02", .pan, [(0, -63), (8_192, 0), (16_383, 63)]) { [0x7F, 0x7F, 4, 2] + fourteen($0) },
        gm2("04 03", .pitch, [(0, -100), (8_192, 0), (12_288, 50)]) { [0x7F, 0x7F, 4, 3] + fourteen($0) },
        gm2("04 04", .pitch, [(0x34, -1_200), (0x40, 0), (0x4C, 1_200)]) { [0x7F, 0x7F, 4, 4, 0, UInt8($0)] },
    ]

    /// All channels, all steps.
    private static let scales: [ExclusiveAddress] = [
        gm2("08 08", .pitch, [(0, -64), (64, 0), (127, 63)]) { value in
            [0x7F, 0x7F, 8, 8, 3, 127, 127] + (0..<12).map { _ in UInt8(value) }
        },
        gm2("08 09", .pitch, [(0, -100), (8_192, 0), (12_288, 50)]) { value in
            [0x7F, 0x7F, 8, 9, 3, 127, 127] + (0..<24).map { $0 % 2 == 0 ? UInt8(value >> 7) : UInt8(value & 127) }
        },
    ]

    /// Types by the times and rates that they bring: small room, medium room, plate; chorus 1, chorus 2, flanger.
    private static let effects: [ExclusiveAddress] = {
        let lines: [(UInt8, UInt8, EffectParameter, [(Int, Double)])] = [
            (1, 0, .reverbTime, [(0, 1.105), (1, 1.284), (8, 1.284)]), (1, 1, .reverbTime, [(40, 1), (64, 1.822), (80, 2.718)]),
            (2, 0, .chorusRate, [(0, 0.366), (1, 1.098), (5, 0.122)]),
            (2, 1, .chorusRate, [(3, 0.366), (9, 1.098), (127, 15.49)]),
            (2, 2, .chorusDepth, [(5, 1.875), (19, 6.25), (127, 40)]),
            (2, 3, .chorusFeedback, [(8, 0.061), (64, 0.488), (127, 0.969)]),
            (2, 4, .chorusToReverb, [(0, 0), (64, 0.504), (127, 1)]),
        ]
        return lines.map { slot, number, parameter, values in
            gm2("04 05", .effect(parameter), values) { [0x7F, 0x7F, 4, 5, 1, 1, 1, 1, slot, number, UInt8($0)] }
        }
    }()

    private static let destinationsOfSources: [ExclusiveAddress] = {
        let sources: [(String, UInt8, [UInt8], MusicEvent)] = [
            ("09 01", 1, [0], .channelPressure(127)), ("09 02", 2, [0], .keyPressure(60, 127)),
            ("09 03", 3, [0, 18], .change(18, 127)),
        ]
        return sources.flatMap { address, kind, path, gesture in
            fewDestinations.enumerated().map { place, number in
                let (measure, values) = destinations[number]
                return gm2(address, measure, values, gesture: [gesture]) {
                    [0x7F, 0x7F, 9, kind] + path + [UInt8(place), UInt8($0)]
                }
            }
        }
    }()

    /// Of key 60 on channel 10.
    private static let keys: [ExclusiveAddress] = {
        let lines: [(UInt8, Measure, [(Int, Double)], [MusicEvent])] = [
            (7, .level, [(32, -6.02), (64, 0), (127, 5.95)], []), (10, .pan, [(1, -63), (64, 0), (127, 63)], []),
            (71, .resonance, [(0x30, 50), (0x40, 100), (0x72, 256)], []),
            (73, .attack, [(0x30, 0.042), (0x40, 0.1), (0x50, 0.238)], []),
            (74, .cutoff, [(0x30, -1_500), (0x40, 0), (0x50, 1_500)], []),
            (75, .decay, [(0x30, 0.119), (0x40, 0.2), (0x50, 0.336)], []),
            (91, .share(bus: 16 + 9), [(32, -11.97), (64, -5.95), (127, 0)], [.change(91, 127, on: 9)]),
            (93, .share(bus: 32 + 9), [(32, -11.97), (64, -5.95), (127, 0)], [.change(93, 127, on: 9)]),
            (120, .pitch, [(0, -64), (64, 0), (127, 63)], []), (121, .pitch, [(52, -1_200), (64, 0), (76, 1_200)], []),
        ]
        return lines.map { number, measure, values, events in
            gm2("0A 01", measure, values, events: events, channel: 9) { [0x7F, 0x7F, 0x0A, 1, 9, 60, number, UInt8($0)] }
        }
    }()
}
