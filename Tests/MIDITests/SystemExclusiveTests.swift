import MIDI
import Testing

struct SystemExclusiveTests {
    private func meaning(_ bytes: [UInt8], port: UInt8 = 0) -> [MusicEvent] {
        var interpreter = SystemExclusive()
        return interpreter.events(from: bytes, port: port)
    }

    @Test(
        arguments: [
            ([0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], SystemReset.generalMIDI),
            ([0xF0, 0x7E, 0x05, 0x09, 0x01, 0xF7], .generalMIDI),
            ([0xF0, 0x7E, 0x7F, 0x09, 0x02, 0xF7], .generalMIDIOff),
            ([0xF0, 0x7E, 0x7F, 0x09, 0x03, 0xF7], .generalMIDI2),
            ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7], .gs),
            ([0xF0, 0x41, 0x1F, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x00, 0xF7], .gs),
            ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0xF7], .gs),
            ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x00, 0x00, 0x7F, 0x01, 0x00, 0xF7], .gs),
            ([0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7], .xg),
            ([0xF0, 0x43, 0x1A, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7], .xg),
            ([0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7F, 0x00, 0xF7], .xg),
            ([0xF0, 0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], .generalMIDI),
            ([0xF0, 0x7E, 0x7F, 0x09, 0x01], .generalMIDI),
        ] as [([UInt8], SystemReset)])
    func resetsAreUnderstoodForAnyDeviceAndChecksum(_ bytes: [UInt8], _ standard: SystemReset) {
        #expect(meaning(bytes, port: 2) == [.reset(standard, port: 2)])
    }

    @Test func gsRhythmPartsNameTheirChannel() {
        for (block, channel) in [(0, 9), (1, 0), (9, 8), (10, 10), (15, 15)] as [(UInt8, UInt8)] {
            let bytes: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x10 | block, 0x15, 0x01, 0x00, 0xF7]
            #expect(meaning(bytes, port: 1) == [.partMode(.drums, port: 1, channel: channel)])
        }
        #expect(
            meaning([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x15, 0x00, 0x1B, 0xF7])
                == [.partMode(.melodic, port: 0, channel: 9)])
    }

    @Test func xgPartModesNameTheirChannel() {
        #expect(
            meaning([0xF0, 0x43, 0x10, 0x4C, 0x08, 0x03, 0x07, 0x02, 0xF7]) == [.partMode(.drums, port: 0, channel: 3)])
        #expect(
            meaning([0xF0, 0x43, 0x10, 0x4C, 0x08, 0x09, 0x07, 0x00, 0xF7]) == [
                .partMode(.melodic, port: 0, channel: 9)
            ])
    }

    @Test func masterVolumesAreTheSquareOfTheirFraction() {
        #expect(meaning([0xF0, 0x7F, 0x7F, 0x04, 0x01, 0x7F, 0x7F, 0xF7]) == [.masterVolume(1, port: 0)])
        #expect(meaning([0xF0, 0x7F, 0x7F, 0x04, 0x01, 0x00, 0x00, 0xF7]) == [.masterVolume(0, port: 0)])
        let half = Float(8_192) / 16_383
        #expect(meaning([0xF0, 0x7F, 0x00, 0x04, 0x01, 0x00, 0x40, 0xF7]) == [.masterVolume(half * half, port: 0)])
        let gs = Float(100) / 127
        #expect(
            meaning([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x04, 100, 0x00, 0xF7]) == [
                .masterVolume(gs * gs, port: 0)
            ])
        #expect(meaning([0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x04, 100, 0xF7]) == [.masterVolume(gs * gs, port: 0)])
    }

    @Test func fineAndCoarseTuningAddUpAndAResetClearsThem() {
        var interpreter = SystemExclusive()
        func tell(_ bytes: [UInt8]) -> [MusicEvent] { interpreter.events(from: [0xF0] + bytes + [0xF7], port: 3) }
        #expect(tell([0x7F, 0x7F, 0x04, 0x03, 0x00, 0x60]) == [.masterTuning(cents: 50, port: 3)])
        #expect(tell([0x7F, 0x7F, 0x04, 0x04, 0x00, 0x42]) == [.masterTuning(cents: 250, port: 3)])
        #expect(tell([0x7F, 0x7F, 0x04, 0x03, 0x00, 0x00]) == [.masterTuning(cents: 100, port: 3)])
        #expect(tell([0x7E, 0x7F, 0x09, 0x01]) == [.reset(.generalMIDI, port: 3)])
        #expect(tell([0x7F, 0x7F, 0x04, 0x04, 0x00, 0x41]) == [.masterTuning(cents: 100, port: 3)])
    }

    @Test func gsAndXGTuneInTenthsOfACent() {
        // 0x0418: 24 tenths up. 0x028: 24 semitones below 0x40.
        #expect(
            meaning([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x00, 0x00, 0x04, 0x01, 0x08, 0x00, 0xF7])
                == [.masterTuning(cents: 2.4, port: 0)])
        #expect(
            meaning([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x05, 0x28, 0x00, 0xF7])
                == [.masterTuning(cents: -2_400, port: 0)])
        #expect(
            meaning([0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x00, 0x00, 0x03, 0x0F, 0x06, 0xF7])
                == [.masterTuning(cents: -1, port: 0)])
        #expect(
            meaning([0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x06, 0x43, 0xF7]) == [.masterTuning(cents: 300, port: 0)])
    }

    @Test func aBlockOfGSParametersIsReadOneByOne() {
        let bytes: [UInt8] = [
            0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x7F, 0x41, 0x00, 0xF7,
        ]
        #expect(
            meaning(bytes) == [
                .masterTuning(cents: 0, port: 0), .masterVolume(1, port: 0),
                .masterTuning(cents: 100, port: 0),
            ])
    }

    @Test func whatSaysNothingToAnInstrumentGivesNothing() {
        let silent: [[UInt8]] = [
            [], [0xF0], [0xF0, 0xF7], [0xF7], [0xF0, 0x7E, 0x7F, 0x06, 0x01, 0xF7],
            [0xF0, 0x41, 0x10, 0x16, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7],
            [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0xF7], [0xF0, 0x43, 0x10, 0x4C, 0x00, 0xF7],
            [0xF0, 0x43, 0x30, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7],
        ]
        for bytes in silent { #expect(meaning(bytes).isEmpty) }
    }

    @Test func anyBytesAreSurvived() {
        var state: UInt64 = 1
        func random() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        let starts: [[UInt8]] = [
            [0xF0, 0x7E], [0xF0, 0x7F, 0x7F, 0x04], [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40],
            [0xF0, 0x43, 0x10, 0x4C], [0xF0], [0xF0, 0x7E, 0x7F, 0x08], [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1],
            [0xF0, 0x7F, 0x7F, 0x08, 0x09], [0xF0, 0x7F, 0x7F, 0x09], [0xF0, 0x7F, 0x7F, 0x0A, 1],
            [0xF0, 0x41, 0x10, 0x42, 0x12, 0x41], [0xF0, 0x43, 0x10, 0x4C, 8], [0xF0, 0x43, 0x10, 0x4C, 0x30],
        ]
        var interpreter = SystemExclusive()
        for round in 0..<20_000 {
            let tail = (0..<Int(random() % 48)).map { _ in random() }
            for event in interpreter.events(from: starts[round % starts.count] + tail, port: random()) {
                switch event {
                case .masterVolume(let volume, let port):
                    #expect((0...1).contains(volume) && port < 16)
                case .masterTuning(let cents, let port):
                    #expect((-6_600...6_500).contains(cents) && port < 16)
                case .masterBalance(let balance, let port): #expect((-1...1).contains(balance) && port < 16)
                case .scaleTuning(let channels, let step, let hundredths, let port):
                    #expect(channels != 0 && step < 12 && (-10_000...10_000).contains(hundredths) && port < 16)
                case .keyTuning(let change):
                    #expect(change.key < 128 && change.semitone < 128 && change.fraction < 16_384 && change.port < 16)
                case .effect(let value, _, let port): #expect((-127...20_000).contains(value) && port < 16)
                case .partMode(_, let port, let channel): #expect(port < 16 && channel < 16)
                case .reset(_, let port): #expect(port < 16)
                case .standard: Issue.record("no System Exclusive lets ring")
                case .insertion(let value, _, let slot, let port): #expect(value.isFinite && slot < 5 && port < 16)
                case .part(let parameter, let value, let key, _):
                    #expect(key < 128 && (value < 128 || parameter == .pitchOffset))
                case .message(let message):
                    #expect([0xB0, 0xC0].contains(message.status & 0xF0) && message.data1 < 128 && message.data2 < 128)
                case .time: Issue.record("no System Exclusive says where a song stands")
                }
            }
        }
    }

    @Test func timedEventsAreSmall() {
        #expect(MemoryLayout<TimedMusicEvent>.stride == 16)
        #expect(MemoryLayout<MusicEvent>.size <= 8)
        #expect(MemoryLayout<MIDIMessage>.size == 4)
    }
}
