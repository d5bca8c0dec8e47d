import MIDI
import Testing

/// The MIDI Tuning Standard and GM2's effects, from bytes to events.
struct TuningStandardTests {
    private func meaning(_ bytes: [UInt8], port: UInt8 = 0) -> [MusicEvent] {
        var interpreter = SystemExclusive()
        return interpreter.events(from: bytes, port: port)
    }

    @Test func anEventTakesEightBytes() {
        #expect(MemoryLayout<MusicEvent>.stride == 8)
    }

    @Test(arguments: [0x7E, 0x7F] as [UInt8])
    func scalesOfOneByteMoveByCents(_ kind: UInt8) {
        let steps: [UInt8] = [64, 0, 127, 65, 63, 64, 64, 64, 64, 64, 64, 50]
        let events = meaning([0xF0, kind, 0x7F, 0x08, 0x08, 0x03, 0x00, 0x41] + steps + [0xF7], port: 5)
        let hundredths: [Int16] = [0, -6_400, 6_300, 100, -100, 0, 0, 0, 0, 0, 0, -1_400]
        #expect(
            events
                == hundredths.enumerated().map {
                    .scaleTuning(channels: 0b1100_0000_0100_0001, step: UInt8($0), hundredths: $1, port: 5)
                })
    }

    @Test(arguments: [0x7E, 0x7F] as [UInt8])
    func scalesOfTwoBytesMoveByASemitoneAtMost(_ kind: UInt8) {
        let steps: [UInt8] = [0x40, 0, 0, 0, 0x7F, 0x7F, 0x60, 0, 0x3F, 0x7F] + [UInt8](repeating: 0x40, count: 14)
        let events = meaning([0xF0, kind, 0x00, 0x08, 0x09, 0x00, 0x7F, 0x00] + steps + [0xF7])
        let first: [Int16] = [0, -10_000, 9_999, 5_000, -1]
        #expect(
            events.prefix(5)
                == first.enumerated().map {
                    .scaleTuning(channels: 0b0011_1111_1000_0000, step: UInt8($0), hundredths: $1, port: 0)
                }[...])
        #expect(events.count == 12)
        // Cut short, or for no channel, it says nothing.
        #expect(meaning([0xF0, kind, 0x00, 0x08, 0x09, 0x00, 0x7F, 0x00] + steps.dropLast() + [0xF7]) == [])
        #expect(meaning([0xF0, kind, 0x00, 0x08, 0x09, 0x00, 0x00, 0x00] + steps + [0xF7]) == [])
    }

    @Test func singleNotesAreToldByKeySemitoneAndFraction() {
        let notes: [UInt8] = [60, 61, 0x40, 0x00, 62, 0x7F, 0x7F, 0x7F, 64, 0x7F, 0x7F, 0x7E, 9, 9]
        #expect(
            meaning([0xF0, 0x7F, 0x7F, 0x08, 0x02, 5, 3] + notes + [0xF7], port: 2) == [
                .keyTuning(KeyTuning(key: 60, semitone: 61, fraction: 8_192, program: 5, port: 2)),
                .keyTuning(KeyTuning(key: 64, semitone: 127, fraction: 16_382, program: 5, port: 2)),
            ])
        for kind in [0x7E, 0x7F] as [UInt8] {
            #expect(
                meaning([0xF0, kind, 0x7F, 0x08, 0x07, 2, 5, 1] + notes + [0xF7]) == [
                    .keyTuning(KeyTuning(key: 60, semitone: 61, fraction: 8_192, program: 5, bank: 2, port: 0))
                ])
        }
        #expect(KeyTuning(key: 60, semitone: 61, fraction: 8_192, program: 0, port: 0).cents == 150)
        #expect(KeyTuning(key: 60, semitone: 48, program: 0, port: 0).cents == -1_200)
    }

    @Test func bulkDumpsTuneEveryKeyWhateverTheirChecksum() {
        let name = [UInt8](repeating: 0x41, count: 16)
        let keys: [UInt8] = (0..<128).flatMap { (key: UInt8) -> [UInt8] in [127 - key, 0x20, 0x00] }
        let expected = (0..<128).map {
            KeyTuning(key: UInt8($0), semitone: UInt8(127 - $0), fraction: 4_096, program: 9, bank: 0, port: 1)
        }
        #expect(
            meaning([0xF0, 0x7E, 0x7F, 0x08, 0x01, 9] + name + keys + [0x55, 0xF7], port: 1)
                == expected.map { .keyTuning($0) })
        let banked = expected.map { change in
            var change = change
            change.bank = 4
            return MusicEvent.keyTuning(change)
        }
        #expect(meaning([0xF0, 0x7E, 0x7F, 0x08, 0x04, 4, 9] + name + keys + [0x55, 0xF7], port: 1) == banked)
    }

    @Test func dumpsOfAnOctaveTuneEveryKey() {
        let name = [UInt8](repeating: 0x41, count: 16)
        func cents(_ sub: UInt8, _ steps: [UInt8]) -> [Float] {
            let events = meaning([0xF0, 0x7E, 0x7F, 0x08, sub, 4, 9] + name + steps + [0x00, 0xF7])
            return events.enumerated().map { index, event in
                guard case .keyTuning(let change) = event else { return .nan }
                #expect(change.bank == 4 && change.program == 9 && change.key == UInt8(index))
                return change.cents
            }
        }
        let one = cents(0x05, [54] + [UInt8](repeating: 64, count: 10) + [84])
        let two = cents(0x06, [0x40, 0x00, 0x60, 0x00] + [UInt8](repeating: 0, count: 20))
        #expect(one.count == 128 && two.count == 128)
        for key in 1..<127 {
            #expect(abs(one[key] - [0: -10, 11: 20][key % 12, default: 0]) < 0.01)
            // Below the lowest key there is nothing.
            if key >= 3 { #expect(abs(two[key] - [0: 0, 1: 50][key % 12, default: -100]) < 0.01) }
        }
        #expect(one[0] == 0)
    }

    @Test func gsAndXGScalesAreOfOneChannel() {
        let gs = meaning([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x40, 0x00, 0x7F, 0x00, 0xF7], port: 1)
        #expect(
            gs == [
                .scaleTuning(channels: 1 << 9, step: 0, hundredths: -6_400, port: 1),
                .scaleTuning(channels: 1 << 9, step: 1, hundredths: 6_300, port: 1),
            ])
        #expect(
            meaning([0xF0, 0x43, 0x10, 0x4C, 0x08, 0x03, 0x4C, 0x41, 0xF7]) == [
                .scaleTuning(channels: 1 << 3, step: 11, hundredths: 100, port: 0)
            ])
    }

    @Test func masterBalanceRunsFromLeftToRight() {
        for (value, balance) in [(0, -1), (8_192, 0), (16_383, 1), (1, -1)] as [(Int, Float)] {
            let bytes: [UInt8] = [0xF0, 0x7F, 0x7F, 0x04, 0x02, UInt8(value & 127), UInt8(value >> 7), 0xF7]
            #expect(meaning(bytes, port: 3) == [.masterBalance(balance, port: 3)])
        }
    }

    private func effects(_ slot: UInt8, _ pairs: UInt8...) -> [(EffectParameter, Float)] {
        meaning([0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, slot] + pairs + [0xF7], port: 2).map { event in
            guard case .effect(let value, let parameter, 2) = event else { return (.reverbType, .nan) }
            return (parameter, value)
        }
    }

    private func isNear(_ a: [(EffectParameter, Float)], _ b: [(EffectParameter, Float)]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.0 == $1.0 && abs($0.1 - $1.1) < 0.01 }
    }

    @Test func generalMIDI2SaysReverbAndChorusInTheirUnits() {
        #expect(isNear(effects(1, 1, 40), [(.reverbTime, 1)]))
        #expect(isNear(effects(1, 1, 64), [(.reverbTime, 1.822)]))
        #expect(isNear(effects(1, 1, 0), [(.reverbTime, 0.368)]))
        #expect(isNear(effects(1, 1, 127), [(.reverbTime, 8.802)]))
        #expect(isNear(effects(1, 0, 8), [(.reverbTime, 1.284), (.reverbType, 8)]))
        #expect(
            isNear(
                effects(2, 1, 9, 2, 19, 3, 64, 4, 127),
                [
                    (.chorusRate, 1.098), (.chorusDepth, 6.25), (.chorusFeedback, 0.488), (.chorusToReverb, 0.999),
                ]))
        #expect(
            isNear(
                effects(2, 0, 5),
                [
                    (.chorusFeedback, 0.855), (.chorusRate, 0.122), (.chorusDepth, 1.875), (.chorusToReverb, 0),
                    (.chorusDelay, 0.203),
                    (.chorusType, 5),
                ]))
        // Parameters and slots that there are not, and half a pair.
        #expect(effects(3, 0, 1).isEmpty && effects(1, 7, 1).isEmpty && effects(1, 1).isEmpty)
        #expect(isNear(effects(1, 0, 99), [(.reverbType, 99)]))
    }

    @Test func aByteIsFoundAgainFromWhatItMeans() {
        for parameter in EffectParameter.allCases {
            for byte in UInt8(0)...127 { #expect(parameter.byte(of: parameter.value(of: byte)) == byte) }
        }
        #expect(EffectParameter.reverbTime.initialValue == EffectParameter.reverbTime.value(of: 64))
        #expect(EffectParameter.chorusRate.initialValue == EffectParameter.chorusRate.value(of: 3))
    }

    @Test func anotherPortIsAllThatMovingChanges() {
        let events: [MusicEvent] = [
            .masterBalance(0.5, port: 1), .scaleTuning(channels: 3, step: 4, hundredths: -7, port: 1),
            .keyTuning(KeyTuning(key: 1, semitone: 2, fraction: 3, program: 4, bank: 5, port: 1)),
            .effect(2, of: .chorusRate, port: 1),
        ]
        for event in events {
            #expect(event.port == 1 && event.moved(toPort: 9).port == 9)
            #expect(event.moved(toPort: 9).moved(toPort: 1) == event)
        }
    }
}
