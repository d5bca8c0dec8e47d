import Testing

@testable import MIDI

struct PartTuningTests {
    @Test func theWheelBendsByItsRange() {
        var part = Part(mode: .melodic)
        part.bend = 8_191
        #expect(part.cents == 8_191.0 / 8_192 * 200)
        part.bend = -8_192
        #expect(part.cents == -200 && part.tuningCents == 0)
        part.registered(0, 12, 50)
        #expect(part.bendRange == 1_250 && part.cents == -1_250)
        part.controls((96, 0))
        #expect(part.bendRange == 1_350)
        part.bendRange = 4_800
        #expect(part.bendRange == 4_800 && part.cents == -4_800)
        part.bend = -10_000
        #expect(part.bend == -8_192)
    }

    @Test func fineAndCoarseTuningAddUp() {
        var part = Part(mode: .melodic)
        part.registered(1, 96, 0)
        #expect(part.cents == 50 && part.fineCents == 50)
        part.registered(2, 52)
        #expect(part.cents == -1_150 && part.coarseSemitones == -12)
        part.bend = 4_096
        #expect(part.cents == -1_050 && part.tuningCents == -1_150)
        part.registered(1, 64, 1)
        #expect(part.fineCents == 100.0 / 8_192)
    }

    @Test func modulationHasARange() {
        var part = Part(mode: .melodic)
        #expect(part.modulationDepth == 50)
        part.registered(5, 2, 0)
        #expect(part.modulationDepth == 200)
    }

    @Test func stepsOfTheOctaveMoveAllTheirKeys() {
        var part = Part(mode: .melodic)
        part.tune(step: 4, cents: -13.5)
        part.tune(step: 200, cents: 50)
        for key in UInt8(0)...127 { #expect(part.cents(of: key) == (key % 12 == 4 ? -13.5 : 0)) }
    }

    @Test func aChannelFollowsTheTuningProgramThatItChose() {
        var part = Part(mode: .melodic), tables = TuningTables(ports: 2)
        func change(_ key: UInt8, _ semitone: UInt8, _ fraction: UInt16, _ program: UInt8, bank: UInt8 = 0) {
            let change = KeyTuning(
                key: key, semitone: semitone, fraction: fraction, program: program, bank: bank, port: 1)
            tables.write(change)
            part.tune(change, by: tables, port: 1)
        }
        change(60, 61, 8_192, 0)    // the program of the start
        #expect(part.cents(of: 60) == 150)
        change(60, 50, 0, 5)
        #expect(part.cents(of: 60) == 150)    // another's
        #expect(part.registered(3, 5) == .tuningChosen)
        part.tune(by: tables, port: 1)
        #expect(part.cents(of: 60) == -1_000)
        change(62, 62, 4_096, 5)    // a single note, as it sounds
        #expect(part.cents(of: 62) == 25)
        part.tune(step: 2, cents: 10)
        #expect(part.cents(of: 62) == 35)
        change(60, 127, 0, 5, bank: 3)
        #expect(part.registered(4, 3) == .tuningChosen)
        part.tune(by: tables, port: 1)
        #expect(part.cents(of: 60) == 6_700 && part.cents(of: 62) == 10)
        part.tune(by: tables, port: 0)    // another port knows nothing of it
        #expect(part.cents(of: 60) == 0)
        #expect(part.controls((97, 0)) == .tuningChosen)    // a step down: bank 2, which is nobody's
        part.tune(by: tables, port: 1)
        #expect(part.cents(of: 60) == 0)
        tables.reset(port: 1)
        #expect(tables.cents(of: 60, program: 5, bank: 0, port: 1) == 0)
    }

    @Test func tablesHaveRoomForSixteenProgramsOfAPortAndCountTheRest() {
        var tables = TuningTables(ports: 1)
        for program in UInt8(0)..<20 { tables.write(KeyTuning(key: 0, semitone: 1, program: program, port: 0)) }
        #expect(tables.refused == 4)
        #expect(
            (0..<20).map { tables.cents(of: 0, program: $0, bank: 0, port: 0) }
                == (0..<20).map { $0 < 16 ? 100 : 0 })
        tables.write(KeyTuning(key: 0, semitone: 2, program: 15, port: 0))
        #expect(tables.refused == 4 && tables.cents(of: 0, program: 15, bank: 0, port: 0) == 200)
        tables.reset(port: 0)
        tables.write(KeyTuning(key: 0, semitone: 3, program: 19, port: 0))
        #expect(tables.cents(of: 0, program: 19, bank: 0, port: 0) == 300)
    }
}
