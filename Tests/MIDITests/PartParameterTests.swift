import Testing

@testable import MIDI

struct PartParameterTests {
    @Test func soundControllersHaveTwoNames() {
        let names: [(SoundControl, lower: UInt8, controller: UInt8)] = [
            (.vibratoRate, 0x08, 76), (.vibratoDepth, 0x09, 77), (.vibratoDelay, 0x0A, 78), (.cutoff, 0x20, 74),
            (.resonance, 0x21, 71), (.attack, 0x63, 73), (.decay, 0x64, 75), (.release, 0x66, 72),
        ]
        #expect(names.count == SoundControl.allCases.count)
        for (control, lower, controller) in names {
            var part = Part(mode: .melodic)
            #expect(part.soundControl(control) == 0)
            part.nonRegistered(1, lower, 0x0E)
            #expect(part.soundControl(control) == -50, "01 \(lower)")
            part.controls((97, 0))
            #expect(part.soundControl(control) == -51)
            part.controls((controller, 127))
            #expect(part.soundControl(control) == 63, "controller \(controller)")
            for (other, _, _) in names where other != control { #expect(part.soundControl(other) == 0) }
        }
    }

    @Test func theBytesOfAParameterComeInEitherOrder() {
        var part = Part(mode: .melodic)
        part.controls((98, 0x20), (99, 1), (6, 70))
        #expect(part.soundControl(.cutoff) == 6)
        part.controls((100, 2), (101, 0), (6, 65))
        #expect(part.coarseSemitones == 1)
    }

    @Test func drumsAreChangedOneByOne() {
        var part = Part(mode: .drums)
        let uppers: [(DrumControl, UInt8)] = [
            (.cutoff, 0x14), (.resonance, 0x15), (.attack, 0x16), (.decay, 0x17), (.pitch, 0x18), (.finePitch, 0x19),
            (.level, 0x1A), (.pan, 0x1C), (.reverb, 0x1D), (.chorus, 0x1E), (.delay, 0x1F),
        ]
        #expect(uppers.count == DrumControl.allCases.count { $0.rawValue < 0x20 })
        for (index, (_, upper)) in uppers.enumerated() {
            part.nonRegistered(upper, 36, UInt8(index))
            part.nonRegistered(upper, 127, 100 + UInt8(index))
        }
        for (index, (control, _)) in uppers.enumerated() {
            #expect(part.drumControl(control, of: 36) == UInt8(index))
            #expect(part.drumControl(control, of: 127) == 100 + UInt8(index))
            #expect(part.drumControl(control, of: 37) == nil)
        }
        part.nonRegistered(0x1B, 36, 9)
        part.resetDrums()
        for control in DrumControl.allCases { #expect(part.drumControl(control, of: 36) == nil) }
    }

    /// Upper byte 120, the generator's number digit by digit, the data's lower byte, then its upper.
    private func generator(_ digits: [UInt8], _ data: Int, _ part: inout Part) {
        part.controls((99, 120))
        for digit in digits { part.controls((98, digit)) }
        part.controls((38, UInt8(data & 127)), (6, UInt8(data >> 7)))
    }

    @Test func soundFontGeneratorsMoveInTheirOwnSteps() {
        // SoundFont 2.04, section 8.1.3: cents and timecents by 2, frequencies by 4, the rest by 1; indices not at all.
        let cases: [(UInt8, Float)] = [
            (5, 2), (8, 2), (9, 1), (13, 1), (15, 1), (16, 1), (17, 1), (21, 2), (22, 4), (23, 2), (24, 4), (26, 2),
            (29, 1), (34, 2), (36, 2), (37, 1), (38, 2), (41, 0), (43, 0), (44, 0), (46, 0), (48, 1), (51, 1), (52, 1),
            (53, 0), (54, 0), (56, 1), (57, 0), (58, 0),
        ]
        for (number, step) in cases {
            var part = Part(mode: .melodic)
            generator([number], 8_192 + 100, &part)
            #expect(part.generatorOffset(number) == 100 * step, "generator \(number)")
            generator([number], 0, &part)
            #expect(part.generatorOffset(number) == -8_192 * step, "generator \(number)")
            for other in UInt8(0)..<64 where other != number { #expect(part.generatorOffset(other) == 0) }
        }
    }

    @Test func aGeneratorsNumberIsSpeltInDigitsAndEndsWithItsValue() {
        var part = Part(mode: .melodic)
        // 100 + 0: beyond the last generator.
        generator([100, 8], 9_000, &part)
        for number in UInt8(0)...127 { #expect(part.generatorOffset(number) == 0) }
        // Digits add up; the value ends the number, so that the next one begins at 0.
        generator([4, 4], 8_193, &part)
        #expect(part.generatorOffset(8) == 2)
        part.controls((98, 9), (38, 0), (6, 65))
        #expect(part.generatorOffset(9) == 128 && part.generatorOffset(17) == 0)
        // The upper byte begins a number, whatever stood before it.
        part.controls((99, 120), (98, 4), (99, 120), (98, 10), (6, 65))
        #expect(part.generatorOffset(10) == 256 && part.generatorOffset(14) == 0 && part.generatorOffset(4) == 0)
        part.controls((98, 103), (99, 120), (6, 65))
        #expect(part.generatorOffset(0) == 128)
        // A registered parameter takes data entry away.
        part.controls((99, 120), (98, 8), (101, 0), (100, 0), (6, 64))
        #expect(part.generatorOffset(8) == 2 && part.bendRange == 6_400)
    }

    @Test func dataEntryMeansTheParameterChosenLast() {
        var part = Part(mode: .melodic)
        #expect(part.parameter.registered == nil && part.parameter.nonRegistered == nil)
        part.controls((6, 20))
        #expect(part.bendRange == 200)
        part.controls((101, 0), (100, 0), (6, 20))
        #expect(part.bendRange == 2_000 && part.parameter.registered == 0)
        part.controls((99, 1), (98, 2), (6, 30))
        #expect(part.bendRange == 2_000 && part.parameter.registered == nil && part.parameter.nonRegistered == 130)
        part.controls((101, 127), (100, 127), (6, 40))
        #expect(part.bendRange == 2_000 && part.parameter.registered == nil)
    }

    @Test func anMPEZoneIsAConsequence() {
        var part = Part(mode: .melodic)
        #expect(part.registered(6, 7) == .zone(members: 7))
        #expect(part.registered(6, 100) == .zone(members: 15))
        #expect(part.controls((38, 3)) == .none)
    }
}
