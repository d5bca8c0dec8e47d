import MIDI
import Testing

@Suite struct InsertionTests {
    @Test func everyTypeIsThereOnceAndHasAName() {
        for types in [InsertionType.roland, InsertionType.yamaha] {
            #expect(Set(types.map { UInt16($0.high) << 8 | UInt16($0.low) }).count == types.count)
            #expect(types.allSatisfy { !$0.name.isEmpty })
        }
        // The SC-8850 has 64 types, and thru.
        #expect(InsertionType.roland.count == 65)
        #expect(InsertionType.roland.filter(\.isFollowed).count == 13)
        #expect(InsertionType.yamaha.filter(\.isFollowed).count == 26)
    }

    @Test func parametersAndNumbersBelongTogether() {
        for number in UInt8.min...UInt8.max {
            if let parameter = InsertionParameter(number) { #expect(parameter.number == number) }
        }
        #expect(InsertionParameter(23) == nil)
    }

    /// What the manual's conversion table says of a few bytes.
    @Test func bytesAreWhatTheManualsTablesSay() {
        for (byte, hertz) in [(0, 0.05), (16, 0.85), (60, 3.05), (99, 5), (100, 5.1), (119, 7), (120, 7.5), (127, 10)] {
            #expect(abs(InsertionType.rate(byte) - Float(hertz)) < 1e-4, "rate \(byte)")
        }
        for (byte, hertz) in [(0, 100), (20, 300), (36, 620), (55, 1_000), (68, 2_300), (127, 8_000)] {
            #expect(InsertionType.manual(byte) == Float(hertz), "manual \(byte)")
        }
        for (byte, time) in [(10, 1), (51, 5.5), (60, 10), (90, 40), (101, 150), (116, 300), (117, 320), (127, 500)] {
            #expect(abs(InsertionType.delay(byte) - Float(time)) < 1e-4, "delay \(byte)")
        }
        for (byte, time) in [(16, 1.6), (60, 10), (100, 50), (101, 52), (127, 100)] {
            #expect(abs(InsertionType.preDelay(byte) - Float(time)) < 1e-4, "pre-delay \(byte)")
        }
        for (byte, hertz) in [(0, 200), (8, 250), (72, 1_600), (120, 6_300)] {
            #expect(InsertionType.third(byte, from: 0) == Float(hertz))
        }
        for (byte, time) in [(100, 10), (105, 15.5), (127, 50)] {
            #expect(abs(InsertionType.offset(byte) - Float(time)) < 1e-4, "offset \(byte)")
        }
        #expect(abs(InsertionType.Setting.level(64) + 5.953) < 1e-3 && InsertionType.Setting.level(0) == -120)
    }

    @Test func aRolandTypeSetsItsParametersAndBytesChangeThem() {
        var effect = RolandInsertion()
        #expect(effect.take((0x03, 0x00), 1).isEmpty)
        let events = effect.take((0x03, 0x01), 0x22)
        let rotary = InsertionType.roland[Int(events[0].value)]
        #expect(events[0].parameter == .type && rotary.name == "Rotary" && effect.chosen.isFollowed)
        func place(_ name: String) -> UInt8 { UInt8(rotary.settings.firstIndex { $0.parameter == name }!) }
        func value(_ name: String) -> Float? { events.first { $0.parameter == .setting(place(name)) }?.value }
        #expect(value("drum-slow") == 0.35 && value("speed") == 1)
        let fast = effect.take((0x03, 0x0D), 127)
        #expect(fast.count == 1 && fast[0].parameter == .setting(place("speed")) && fast[0].value == 2)
        #expect(effect.take((0x03, 0x0D), 1).isEmpty, "it is fast already")
        let sends = effect.take((0x03, 0x17), 127)
        #expect(sends.count == 1 && sends[0].parameter == .toReverb && sends[0].value == 1)
        let part = effect.take((0x40, 0x22), 1)
        #expect(part.count == 1 && part[0].parameter == .part(9) && part[0].value == 1)
    }

    /// A parameter of a type, the setting that it becomes, and values by the manual: bytes and what they mean.
    struct Row: CustomStringConvertible, Sendable {
        let type: UInt8, parameter: UInt8, setting: String
        var element = 0, isStrip = false
        let values: [UInt8: Float]
        var description: String { "\(type) \(parameter) \(setting)" }

        static let roland: [Row] = [
            .init(type: 0x00, parameter: 1, setting: "frequency", values: [0: 200, 1: 400]),
            .init(type: 0x00, parameter: 2, setting: "gain", values: [52: -12, 64: 0, 76: 12]),
            .init(type: 0x00, parameter: 5, setting: "frequency", element: 2, values: [0: 200, 48: 800, 120: 6_300]),
            .init(type: 0x00, parameter: 6, setting: "q", element: 2, values: [0: 0.5, 2: 2, 4: 9]),
            .init(type: 0x10, parameter: 20, setting: "gain", isStrip: true, values: [127: 0, 64: -5.953, 32: -11.973]),
            .init(type: 0x11, parameter: 17, setting: "gain", values: [52: -12, 70: 6, 76: 12]),
            .init(type: 0x11, parameter: 19, setting: "pan", isStrip: true, values: [1: -100, 64: 0, 127: 100]),
            .init(type: 0x20, parameter: 1, setting: "frequency", values: [0: 100, 36: 620, 55: 1_000]),
            .init(type: 0x20, parameter: 2, setting: "rate", values: [0: 0.05, 16: 0.85, 127: 10]),
            .init(type: 0x21, parameter: 5, setting: "rate", values: [0: 0.05, 40: 2.05, 119: 7]),
            .init(type: 0x22, parameter: 1, setting: "drum-slow", values: [0: 0.05, 6: 0.35, 99: 5]),
            .init(type: 0x22, parameter: 6, setting: "horn-fast", values: [0: 0.05, 120: 7.5, 127: 10]),
            .init(type: 0x23, parameter: 3, setting: "manual", values: [16: 0.0016, 50: 0.005, 60: 0.01]),
            .init(type: 0x25, parameter: 2, setting: "rate", values: [0: 0.05, 60: 3.05, 127: 10]),
            .init(type: 0x26, parameter: 2, setting: "rate", values: [1: 0.1, 100: 5.1, 119: 7]),
            .init(type: 0x30, parameter: 3, setting: "make-up", values: [0: 0, 1: 6, 3: 18]),
            .init(type: 0x42, parameter: 3, setting: "delay", values: [10: 0.001, 60: 0.01, 100: 0.05]),
            .init(type: 0x50, parameter: 1, setting: "time", values: [60: 0.01, 101: 0.15, 127: 0.5]),
        ]
        /// The types whose lower byte is 0. Frequencies are those of table 3, rates those of table 1.
        static let yamaha: [Row] = [
            .init(type: 0x06, parameter: 13, setting: "frequency", values: [4: 32, 28: 500, 40: 2_000]),
            .init(type: 0x08, parameter: 15, setting: "frequency", element: 7, values: [28: 500, 46: 4_000, 58: 16_000]),
            .init(type: 0x41, parameter: 4, setting: "delay", values: [10: 0.001, 100: 0.01, 105: 0.0155]),
            .init(type: 0x43, parameter: 7, setting: "gain", values: [52: -12, 64: 0, 76: 12]),
            .init(type: 0x45, parameter: 9, setting: "gain", element: 7, values: [58: -6, 64: 0, 70: 6]),
            .init(type: 0x46, parameter: 6, setting: "frequency", values: [4: 32, 16: 125, 40: 2_000]),
            .init(type: 0x47, parameter: 8, setting: "frequency", element: 7, values: [28: 500, 46: 4_000, 54: 10_000]),
            .init(type: 0x48, parameter: 11, setting: "stages", values: [4: 0, 6: 1, 8: 2]),
            .init(type: 0x49, parameter: 2, setting: "frequency", values: [4: 32, 20: 200, 40: 2_000]),
            .init(type: 0x4A, parameter: 9, setting: "q", element: 3, values: [10: 1, 25: 2.5, 120: 12]),
            .init(type: 0x4C, parameter: 2, setting: "frequency", element: 3, values: [14: 100, 34: 1_000, 54: 10_000]),
            .init(type: 0x4D, parameter: 4, setting: "gain", element: 7, values: [52: -12, 64: 0, 76: 12]),
            .init(type: 0x4E, parameter: 4, setting: "resonance", values: [10: 1, 25: 2.5, 120: 12]),
            .init(type: 0x52, parameter: 3, setting: "resonance", values: [10: 1, 30: 3, 120: 12]),
            .init(type: 0x53, parameter: 1, setting: "attack", values: [0: 0.001, 10: 0.012, 19: 0.04]),
            .init(type: 0x53, parameter: 2, setting: "release", values: [0: 0.01, 9: 0.1, 15: 0.68]),
            .init(type: 0x53, parameter: 4, setting: "ratio", values: [0: 1, 2: 2, 7: 20]),
            .init(type: 0x56, parameter: 12, setting: "angle", values: [0: 0, 30: 90, 60: 180]),
        ]
    }

    @Test(arguments: Row.roland) func parametersOfGSAreWhatTheManualSays(_ row: Row) throws {
        let type = try #require(InsertionType.roland.first { $0.high == 1 && $0.low == row.type })
        try check(row, type, slot: 0) { byte in
            [[0x40, 0x03, 0x00, 1, row.type], [0x40, 0x03, row.parameter + 2, byte]].map {
                [0xF0, 0x41, 0x10, 0x42, 0x12] + $0 + [0, 0xF7]
            }
        }
    }

    /// As the second insertion, and as the variation, whose parameters have two bytes.
    @Test(arguments: Row.yamaha) func parametersOfXGAreWhatTheManualSays(_ row: Row) throws {
        let type = try #require(InsertionType.yamaha.first { $0.high == row.type && $0.low == 0 })
        try check(row, type, slot: 2) { byte in
            let low = row.parameter < 11 ? row.parameter + 1 : row.parameter + 21
            return [[0x03, 0x01, 0x00, row.type, 0], [0x03, 0x01, low, byte]].map { [0xF0, 0x43, 0x10, 0x4C] + $0 + [0xF7] }
        }
        try check(row, type, slot: 5) { byte in
            let place = row.parameter < 11 ? [0x40 + row.parameter * 2, 0] : [0x65 + row.parameter]
            return [[0x02, 0x01, 0x40, row.type, 0], [0x02, 0x01] + place + [byte]].map {
                [0xF0, 0x43, 0x10, 0x4C] + $0 + [0xF7]
            }
        }
    }

    private func check(_ row: Row, _ type: InsertionType, slot: UInt8, _ messages: (UInt8) -> [[UInt8]]) throws {
        let place = try #require(
            type.settings.firstIndex {
                ($0.parameter, $0.element, $0.unit == type.units.count) == (row.setting, row.element, row.isStrip)
            })
        for (byte, value) in row.values {
            var interpreter = SystemExclusive(), heard: Float?
            for event in messages(byte).flatMap({ interpreter.events(from: $0, port: 2) }) {
                if case .insertion(let set, of: UInt8(32 + place), slot: slot, port: 2) = event { heard = set }
            }
            #expect(abs((heard ?? .nan) - value) <= 1e-3 * max(abs(value), 1e-3), "\(byte) in slot \(slot)")
        }
    }

    /// As SpessaSynth begins it.
    @Test func theEqualizerOfGSBeginsWithItsCurve() {
        let type = InsertionType.roland[1], values = zip(type.settings, type.values(type.initial))
        #expect(type.name == "Stereo-EQ" && values.filter { $0.0.parameter == "gain" }.map(\.1) == [5, -12, 8, -8, 0])
    }

    @Test func aTypeThatIsNotFollowedHasItsNameAndNoSettings() {
        var effect = RolandInsertion()
        _ = effect.take((0x03, 0x00), 1)
        let events = effect.take((0x03, 0x01), 0x72)
        #expect(effect.chosen.name == "Lo-Fi 1" && events[0].value == 0 && !events.contains { $0.parameter == .setting(0) })
        #expect(effect.take((0x03, 0x01), 0x7E).isEmpty, "there is no such type")
    }

    @Test func yamahasValuesOfTwoBytesAndPartsAreFollowed() {
        var insertion = YamahaInsertion(isVariation: false)
        _ = insertion.take(0x00, 0x06)
        let chosen = insertion.take(0x01, 0)
        let type = InsertionType.yamaha[Int(chosen[0].value) - InsertionType.roland.count]
        #expect(type.name == "Delay L,R")
        #expect(chosen.contains { $0.parameter == .setting(0) && $0.value == 0.25 })
        // 1000 tenths of a millisecond are 7 * 128 + 104.
        _ = insertion.take(0x30, 7)
        #expect(insertion.take(0x31, 104).first?.value == 0.1)
        #expect(insertion.take(0x0C, 3).map(\.parameter) == [.part(3)])
        #expect(insertion.take(0x0C, 5).map(\.value) == [0, 1])
        #expect(insertion.take(0x0C, 127).map(\.value) == [0])
    }

    @Test func aVariationIsAnInsertionOnlyWhileItsConnectionSaysSo() {
        var variation = YamahaInsertion(isVariation: true)
        #expect(variation.take(0x5B, 2).map(\.value) == [1])
        #expect(variation.take(0x5A, 1).map(\.value) == [1, 0])
        #expect(variation.take(0x5B, 4).isEmpty)
        #expect(variation.take(0x5A, 0).map(\.parameter) == [.system, .part(4)])
        #expect(abs((variation.take(0x56, 127).first?.value ?? 0) - 5.953) < 1e-3 && variation.take(0x58, 64).first?.value == 1)
    }
}
