import MIDI
import Testing

@testable import SoundFonts

@Suite struct PresetTests {
    private func message(_ status: UInt8, _ a: UInt8, _ b: UInt8 = 0) -> MusicEvent {
        .message(MIDIMessage(status: status, data1: a, data2: b))
    }

    private func request(_ events: [MusicEvent], channel: Int = 0) -> PresetRequest {
        var programs = ChannelPrograms()
        for event in events { _ = programs.apply(event) }
        return programs.request(channel)
    }

    @Test func theTenthChannelHoldsDrumsAtPowerOn() {
        #expect(request([]) == PresetRequest(bank: 0, program: 0))
        #expect(request([], channel: 9) == PresetRequest(kit: 0))
        #expect(request([message(0xC9, 16)], channel: 9) == PresetRequest(kit: 16))
    }

    @Test func aBankWaitsForItsProgramChange() {
        #expect(request([message(0xB0, 0, 8)]) == PresetRequest(bank: 0, program: 0))
        #expect(request([message(0xB0, 0, 8), message(0xC0, 4)]) == PresetRequest(bank: 8, program: 4))
        #expect(request([message(0xC0, 4), message(0xB0, 0, 8)]) == PresetRequest(bank: 0, program: 4))
    }

    @Test func eachStandardHasItsOwnBankRule() {
        let bank = [message(0xB0, 0, 3), message(0xB0, 32, 5), message(0xC0, 7)]
        #expect(request(bank) == PresetRequest(bank: 3, program: 7))
        #expect(request([.reset(.generalMIDI, port: 0)] + bank) == PresetRequest(bank: 0, program: 7))
        #expect(request([.reset(.xg, port: 0)] + bank) == PresetRequest(bank: 5, program: 7))
        #expect(request([.reset(.gs, port: 0)] + bank) == PresetRequest(bank: 3, program: 7))
        let gm2 = [message(0xB0, 0, 121), message(0xB0, 32, 2), message(0xC0, 7)]
        #expect(request([.reset(.generalMIDI2, port: 0)] + gm2) == PresetRequest(bank: 2, program: 7))
        let kit = [message(0xB0, 0, 127), message(0xC0, 8)]
        #expect(request([.reset(.xg, port: 0)] + kit) == PresetRequest(kit: 8))
        let effects: [MusicEvent] = [.reset(.xg, port: 0), message(0xB0, 0, 126), message(0xC0, 1)]
        #expect(request(effects) == PresetRequest(kit: 56))
        #expect(request(effects + [message(0xB0, 0, 127), message(0xC0, 1)]) == PresetRequest(kit: 1))
        #expect(request(effects + [.reset(.gs, port: 0), message(0xC9, 1)], channel: 9) == PresetRequest(kit: 1))
        #expect(request([.partMode(.drums, port: 0, channel: 0), message(0xC0, 24)]) == PresetRequest(kit: 24))
    }

    @Test func controller32AloneIsTheBankUntilAReset() {
        let lower = [message(0xB0, 32, 5), message(0xC0, 7)], plain = PresetRequest(bank: 0, program: 7)
        #expect(request(lower) == PresetRequest(lowerBank: 5, program: 7))
        #expect(request([message(0xB0, 0, 0)] + lower) == PresetRequest(lowerBank: 5, program: 7))
        #expect(request([message(0xB0, 32, 0), message(0xC0, 7)]) == plain)
        #expect(request([message(0xB0, 0, 3)] + lower) == PresetRequest(bank: 3, program: 7))
        #expect(request(lower + [message(0xB0, 0, 3), message(0xC0, 7)]) == PresetRequest(bank: 3, program: 7))
        #expect(request([message(0xB9, 32, 5), message(0xC9, 16)], channel: 9) == PresetRequest(kit: 16))
        for reset in [SystemReset.generalMIDI, .generalMIDI2, .gs] { #expect(request([.reset(reset, port: 0)] + lower) == plain) }
        // What a song leaves is taken back by the power-on that the next one begins with.
        let off: [MusicEvent] = [.reset(.gs, port: 0), .standard(.generalMIDIOff, port: 0)]
        #expect(request(off + lower) == PresetRequest(lowerBank: 5, program: 7))
    }

    @Test func aBankByController32PlaysWhereItIs() throws {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Piano"), (0, 40, "Violin"), (8, 0, "Other"), (8, 5, "Alone")]
        try font.write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            func name(_ bank: UInt8, _ program: UInt8) -> String? {
                library.resolve(PresetRequest(lowerBank: bank, program: program)).found?.preset.name
            }
            #expect(
                [name(8, 0), name(8, 5), name(8, 40), name(9, 0), name(9, 5)] == ["Other", "Alone", "Violin", "Piano", "Alone"])
            // Everything is loaded for a keyboard, and then these are there too.
            let all = library.recipes(for: nil).sounds
            func sound(_ request: PresetRequest) -> Int32 { all[Int(request.code)].first }
            #expect(sound(.init(lowerBank: 8, program: 0)) == sound(.init(bank: 8, program: 0)))
            #expect(sound(.init(lowerBank: 9, program: 0)) == sound(.init(bank: 0, program: 0)))
            #expect(sound(.init(bank: 8, program: 0)) != sound(.init(bank: 0, program: 0)))
            let asked = [(9, 0), (8, 5), (8, 0)].map { PresetRequest(lowerBank: $0.0, program: $0.1) }
            let remarks = library.remarks(answering: [PresetRequest(bank: 0, program: 0)] + asked, on: "x.sf2")
            #expect(remarks.map(\.count) == [2] && remarks[0].sentence.hasSuffix(": 8:5, 8:0"), "\(remarks)")
            #expect(library.answers(asked + [PresetRequest(bank: 0, program: 0)]).count == 3)
        }
    }

    @Test func aScanFindsOnlyWhatSounds() {
        var scan = PresetScan()
        let events = [
            message(0xC0, 1), message(0xC0, 2), message(0x90, 60, 90), message(0x91, 60, 0), message(0x99, 36, 1),
        ]
        for event in events {
            scan.apply(event)
        }
        #expect(scan.requests == [PresetRequest(bank: 0, program: 2), PresetRequest(kit: 0)])
        #expect(scan.usedChannels == 0b10_0000_0001)
    }

    @Test func aScanFindsThePresetOfTheZone() {
        func scan(_ events: [MusicEvent]) -> PresetScan {
            var scan = PresetScan()
            for event in events { scan.apply(event) }
            return scan
        }
        let zone = [message(0xBF, 101, 0), message(0xBF, 100, 6), message(0xBF, 6, 3), message(0xCF, 7)]
        let notes = [message(0x9E, 60, 90), message(0x90, 60, 90)]
        let inside = scan(zone + notes)
        #expect(inside.requests == [PresetRequest(bank: 0, program: 0), PresetRequest(bank: 0, program: 7)])
        #expect(inside.usedChannels == 0b1100_0000_0000_0001)
        // Gone with a reset, with a zone of no members, and never there where another parameter was meant.
        let ends = [.reset(.gs, port: 0), message(0xBF, 6, 0)] as [MusicEvent]
        for end in ends { #expect(scan(zone + [end] + notes).usedChannels == 0b0100_0000_0000_0001) }
        #expect(scan([message(0xBF, 101, 0), message(0xBF, 100, 0), message(0xBF, 6, 3)] + notes).usedChannels == 0x4001)
    }

    @Test func everySubstitutionIsNamed() throws {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Piano"), (0, 40, "Violin"), (8, 5, "Other"), (128, 0, "Kit"), (128, 24, "Electric")]
        try font.write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            func answer(_ request: PresetRequest) -> (String?, PresetChoice.Substitution) {
                let choice = library.resolve(request)
                return (choice.found?.preset.name, choice.substitution)
            }
            #expect(answer(PresetRequest(bank: 0, program: 40)) == ("Violin", .exact))
            #expect(answer(PresetRequest(bank: 9, program: 40)) == ("Violin", .otherBank))
            #expect(answer(PresetRequest(bank: 0, program: 5)) == ("Other", .otherBank))
            #expect(answer(PresetRequest(bank: 0, program: 41)) == ("Violin", .sameFamily))
            #expect(answer(PresetRequest(bank: 0, program: 90)) == ("Piano", .firstPreset))
            #expect(answer(PresetRequest(kit: 25)) == ("Electric", .sameFamily))
            #expect(answer(PresetRequest(kit: 50)) == ("Kit", .firstPreset))
            #expect(library.resolve(PresetRequest(kit: 50)).description.contains("instead"))
        }
        font.presets = [(0, 0, "Piano")]
        try font.write { path in
            let choice = try SoundFontLibrary([.init(path: path)]).resolve(PresetRequest(kit: 0))
            #expect(choice.found == nil && choice.substitution == .silence)
        }
    }

    @Test func aLaterSoundFontLiesOnTopAndAnOffsetMovesItsBanks() throws {
        var one = TinySoundFont()
        one.presets = [(0, 0, "One"), (128, 0, "Kit one")]
        var two = TinySoundFont()
        two.presets = [(0, 0, "Two"), (128, 0, "Kit two")]
        try one.write { first in
            try two.write { second in
                let stacked = try SoundFontLibrary([.init(path: first), .init(path: second)])
                #expect(stacked.resolve(PresetRequest(bank: 0, program: 0)).found?.preset.name == "Two")
                let moved = try SoundFontLibrary([.init(path: first), .init(path: second, bankOffset: 4)])
                #expect(moved.resolve(PresetRequest(bank: 0, program: 0)).found?.preset.name == "One")
                #expect(moved.resolve(PresetRequest(bank: 4, program: 0)).found?.preset.name == "Two")
                #expect(moved.resolve(PresetRequest(kit: 0)).found?.preset.name == "Kit one")
                // Of a drum channel whose bank is the offset; any other bank is none.
                #expect(moved.resolve(PresetRequest(kit: 0, bank: 4)).found?.preset.name == "Kit two")
                let other = moved.resolve(PresetRequest(kit: 0, bank: 5))
                #expect(other.found?.preset.name == "Kit one" && other.substitution == .exact)
            }
        }
    }
}
