import CarillonTestKit
import Glibc
import MIDI
import Testing

@testable import SoundFonts

@Suite struct DLSRecipeTests {
    private func list(_ dls: TinyDLS) throws -> RecipeList {
        try dls.write { path in
            try SoundFontLibrary([.init(path: path)]).recipes(for: [PresetRequest(bank: 0, program: 0)])
        }
    }

    private func value(_ dls: TinyDLS, _ generator: Generator) throws -> Float {
        try list(dls).generators[generator.index]
    }

    private func lines(_ dls: TinyDLS) throws -> [Modulator] {
        let list = try list(dls)
        return Array(list.modulators[Int(list.recipes[0].firstModulator)...].prefix(Int(list.recipes[0].modulatorCount)))
    }

    @Test func aRegionBecomesARecipe() throws {
        var dls = TinyDLS()
        (dls.keys, dls.velocities, dls.keyGroup) = ((24, 60), (10, 90), 3)
        let list = try list(dls)
        #expect(list.recipes.count == 1)
        let recipe = list.recipes[0]
        #expect((recipe.lowestKey, recipe.highestKey) == (24, 60))
        #expect((recipe.lowestVelocity, recipe.highestVelocity) == (10, 90))
        #expect(try value(dls, .exclusiveClass) == 3)
        #expect(try value(dls, .rootKey) == 69)
        #expect(try value(dls, .sampleModes) == 1)
    }

    @Test func levelOneRegionsMayLeaveVelocitiesEmpty() throws {
        var dls = TinyDLS()
        dls.velocities = (0, 0)
        #expect(try list(dls).recipes[0].highestVelocity == 127)
    }

    /// MobileBAE's chunk: a table of the kit's keys, and other places for melodic instruments.
    @Test(arguments: [true, false]) func aliasesNameKeysAndPlaces(hasVersion: Bool) throws {
        var keys = Array(UInt8(0)..<128)
        (keys[40], keys[81]) = (38, 41)
        var dls = TinyDLS()
        (dls.instruments, dls.keys) = ([(0, 5), (0x8000_0000, 0)], (38, 40))
        // Bank 8, program 7 is bank 0, program 5.
        dls.aliases = (hasVersion ? [1, 0, 0, 0] : []) + keys + [1, 0, 0, 0, 0, 4, 7, 0, 0, 0, 5, 0]
        try TinySoundFont.write(dls.bytes) { path in
            let library = try SoundFontLibrary([.init(path: path)])
            let other = library.resolve(PresetRequest(bank: 8, program: 7))
            #expect(other.substitution == .exact && other.found?.preset.name == "Tone0")
            #expect(library.recipes(for: [PresetRequest(bank: 8, program: 7)]).recipes.count == 1)
            let kit = library.recipes(for: [PresetRequest(kit: 0)])
            let sounding = kit.recipes.indices.map { kit.generators[$0 * Generator.count + Generator.fixedKey.index] }
            #expect(kit.recipes.map(\.lowestKey) == [38, 39, 40] && sounding == [38, 39, 38])
        }
        dls.aliases?.removeLast()
        try TinySoundFont.write(dls.bytes) { path in #expect(throws: SoundFontError.self) { try SoundFontFile(path: path) } }
    }

    @Test func theRegionsTuningGoesOverTheWaves() throws {
        var dls = TinyDLS()
        dls.waveTuning = (60, 5, -6, (10, 700), 0)
        #expect(try value(dls, .attenuation) == 60 && value(dls, .fineTune) == 5)
        dls.regionTuning = (72, -20, -12.5, (100, 800), 1)
        #expect(try value(dls, .attenuation) == 125 && value(dls, .fineTune) == -20 && value(dls, .rootKey) == 72)
        #expect(try value(dls, .sampleModes) == 3)
        // Both ends move as frames from those of the wave's own loop, 10...710.
        #expect(try value(dls, .loopStartOffset) == 90 && value(dls, .loopEndOffset) == 190)
        dls.regionTuning = (72, 0, 0, nil, 0)
        #expect(try value(dls, .sampleModes) == 0)
    }

    @Test func aFineTuneAboveItsKeyIsAddedToThePitch() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(0, 0, 3, 0, 50)]
        dls.regionTuning = (69, 7, 0, nil, 0)
        #expect(try value(dls, .fineTune) == 57)
    }

    /// Destinations with a number of their own, in the units of the SoundFont's generator.
    private static let numbers: [(Int, Generator, Float)] = [
        (0x206, .volumeAttack, -1_200), (0x207, .volumeDecay, 2_400), (0x209, .volumeRelease, 600),
        (0x20B, .volumeDelay, -3_000), (0x20C, .volumeHold, -4_000), (0x30A, .modulationAttack, -1_201),
        (0x30B, .modulationDecay, 2_401), (0x30D, .modulationRelease, 601), (0x30F, .modulationDelay, -3_001),
        (0x310, .modulationHold, -4_001), (0x104, .modulationLFORate, -100), (0x105, .modulationLFODelay, -900),
        (0x114, .vibratoLFORate, -101), (0x115, .vibratoLFODelay, -901), (0x500, .filterCutoff, 8_000),
        (0x501, .filterResonance, 90), (4, .pan, -250), (0x80, .chorusSend, 300), (0x81, .reverbSend, 400),
        (3, .fineTune, 25),
    ]

    @Test func numbersOfAnArticulationArriveInTheirUnits() throws {
        var dls = TinyDLS()
        dls.regionConnections = Self.numbers.map { (0, 0, $0.0, 0, Double($0.2)) }
        for (_, generator, wanted) in Self.numbers { #expect(try value(dls, generator) == wanted, "\(generator)") }
    }

    @Test func whatNothingSaysIsWhatDLSSays() throws {
        let dls = TinyDLS()
        // 5 Hz is 851.3 cents below key 0, 10 ms are -7972.6 timecents.
        #expect(abs(try value(dls, .vibratoLFORate) - Float(1_200 * log2(5 / 8.175798915643707))) < 0.001)
        #expect(abs(try value(dls, .modulationLFODelay) - Float(1_200 * log2(0.01))) < 0.001)
        let lines = try lines(dls)
        #expect(!lines.contains { $0.source == .controller(1) }, "no wheel moves a vibrato")
        #expect(lines.contains { $0.destination == .attenuation && $0.source.number == 2 && $0.amount == 960 })
    }

    @Test func sustainIsWhatIsLeftOfTheEnvelope() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(0, 0, 0x20A, 0, 750), (0, 0, 0x30E, 0, 100)]
        #expect(try value(dls, .volumeSustain) == 250 && value(dls, .modulationSustain) == 900)
    }

    @Test func noTimeAtAllIsTheShortest() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(0, 0, 0x206, 0, nil)]
        #expect(try value(dls, .volumeAttack) == -32_768)
    }

    @Test func theRegionsBlocksGoOverTheInstruments() throws {
        var dls = TinyDLS()
        dls.instrumentConnections = [(0, 0, 0x209, 0, 100), (0, 0, 0x206, 0, -500)]
        dls.regionConnections = [(0, 0, 0x209, 0, 900)]
        #expect(try value(dls, .volumeRelease) == 900 && value(dls, .volumeAttack) == -500)
    }

    @Test func depthsOfOscillatorsAndEnvelopes() throws {
        var dls = TinyDLS()
        dls.regionConnections = [
            (1, 0, 3, 0, 11), (1, 0, 1, 0, 12), (1, 0, 0x500, 0, 13), (9, 0, 3, 0, 14), (5, 0, 3, 0, 15), (5, 0, 0x500, 0, 16),
            (1, 0x81, 3, 0, 21), (9, 8, 3, 0, 22), (9, 0x81, 3, 0, 23),
        ]
        #expect(try value(dls, .modulationLFOToPitch) == 11 && value(dls, .modulationLFOToVolume) == 12)
        #expect(try value(dls, .modulationLFOToCutoff) == 13 && value(dls, .vibratoLFOToPitch) == 14)
        #expect(try value(dls, .modulationEnvelopeToPitch) == 15 && value(dls, .modulationEnvelopeToCutoff) == 16)
        let lines = try lines(dls)
        #expect(lines.contains(Modulator(.modulationLFOToPitch, .controller(1), amount: 21)))
        #expect(lines.contains(Modulator(.vibratoLFOToPitch, ModulatorSource(13), amount: 22)))
        #expect(lines.contains(Modulator(.vibratoLFOToPitch, .controller(1), amount: 23)))
    }

    @Test func keysAndVelocitiesScaleTimes() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(2, 0, 0x206, 0, -2_000), (3, 0, 0x207, 0, -4_000), (3, 0, 0x20A, 0, 100)]
        let lines = try lines(dls)
        #expect(lines.contains(Modulator(.volumeAttack, .velocity, amount: -2_000)))
        #expect(lines.contains(Modulator(.volumeDecay, ModulatorSource(3), amount: -4_000)))
        #expect(lines.contains(Modulator(.volumeSustain, ModulatorSource(3), amount: -100)))
    }

    @Test func whatRepeatsADefaultAddsNothing() throws {
        var dls = TinyDLS()
        let plain = try lines(dls)
        dls.regionConnections = [
            (2, 0, 1, 0x8400, -960), (0x87, 0, 1, 0x8400, -960), (0x8A, 0, 4, 0x4000, 508), (0xDB, 0, 0x81, 0, 1_000),
            (6, 0x100, 3, 0x4000, 12_800),
        ]
        #expect(try lines(dls) == plain)
        // Level 1 has one curve for the whole line.
        (dls.name, dls.regionConnections) = ("art1", [(2, 0, 1, 1, -960)])
        #expect(try lines(dls) == plain)
    }

    @Test func whatADefaultIsGivenAnewTakesItsPlace() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(2, 0, 1, 0x8400, -480), (0xDB, 0, 0x81, 0, 500)]
        let lines = try lines(dls)
        let velocity = lines.filter { $0.destination == .attenuation && $0.source.number == 2 && !$0.source.isController }
        #expect(velocity.map(\.amount) == [480])
        // Half a send: the strip sends a whole one, 200 of the model's.
        #expect(lines.filter { $0.destination == .reverbSend }.map(\.amount) == [-100])
    }

    @Test func keysThatAddNoPitchCountFromKeyZero() throws {
        var dls = TinyDLS()
        dls.regionConnections = [(3, 0, 3, 0, 0), (0, 0, 3, 0, 6_900)]
        #expect(try value(dls, .scaleTuning) == 0 && value(dls, .fineTune) == 0)
    }

    @Test(arguments: [(16, 1), (8, 1), (16, 2), (8, 2)])
    func wavesOfEitherSizeBecomeSixteenBits(_ bits: Int, _ channels: Int) throws {
        var dls = TinyDLS()
        (dls.bits, dls.channels) = (bits, channels)
        try dls.write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            let store = try SampleStore(library.recipes(for: nil), from: library)
            #expect(store.faults.isEmpty && store.samples.count == 1)
            let sample = store.samples[0]
            #expect(sample.frames == 1_000 && sample.rate == 44_000 && !sample.isFloat)
            let data = sample.data.assumingMemoryBound(to: Int16.self)
            for frame in 0..<100 {
                let wanted = (frame < 25 ? frame : frame < 75 ? 50 - frame : frame - 100) * 640
                #expect(abs(Int(data[frame]) - wanted) < (bits == 8 ? 256 : 1))
            }
        }
    }

    @Test func wavesThatCannotBePlayedAreTold() throws {
        var dls = TinyDLS()
        (dls.format, dls.bits) = (17, 4)
        try dls.write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            #expect(library.files[0].faults == [.waveEncoding(wave: 0, format: 17, bits: 4)])
            #expect(library.recipes(for: nil).recipes.isEmpty)
        }
        dls = TinyDLS()
        dls.frames = 5
        try dls.write { path in
            let faults = try SoundFontFile(path: path).faults
            #expect(faults == [.sampleTooShort(sample: "0", frames: 5)])
        }
    }

    @Test func banksAreThoseOfControllersZeroAndThirtyTwo() throws {
        var dls = TinyDLS()
        dls.instruments = [
            (1 << 8, 1), (3, 2), (121 << 8, 3), (121 << 8 | 5, 4), (1 << 31 | 2 << 8, 8), (120 << 8 | 1, 9), (5 << 8 | 7, 10),
        ]
        try dls.write { path in
            let places = try SoundFontFile(path: path).presets.map { [$0.bank, $0.program] }
            #expect(places == [[0, 3], [1, 1], [3, 2], [5, 4], [5, 10], [120, 9], [128, 8]])
        }
    }

    @Test func twoInstrumentsAtOnePlaceAreTold() throws {
        var dls = TinyDLS()
        dls.instruments = [(0, 3), (0, 3)]
        try dls.write { path in
            let faults = try SoundFontFile(path: path).faults
            #expect(faults == [.duplicatePreset(bank: 0, program: 3, name: "Tone1")])
        }
    }

    @Test func anArticulationHasNoMoreBlocksThanCanBeJoined() throws {
        var dls = TinyDLS()
        dls.regionConnections = (0..<300).map { (0, 0, $0, 0, 0) }
        try dls.write { path in
            _ = #expect(throws: SoundFontError.self) { try SoundFontFile(path: path) }
        }
    }

    @Test func damagedFilesAreRefusedOrPlayed() throws {
        var dls = TinyDLS()
        dls.regionTuning = (57, 30, 3, (200, 600), 1)
        dls.regionConnections = [(9, 0x81, 3, 0, 100), (0, 0, 0x206, 0, -500), (2, 0, 1, 0x8400, -960)]
        let whole = dls.bytes
        let head = whole.count - 2 * dls.frames
        var random = SeededRandom(seed: 13)
        var played = 0
        for _ in 0..<1_000 {
            var bytes = whole
            for _ in 0...Int(random.next() % 3) {
                bytes[8 + Int(random.next() % UInt64(head - 8))] = UInt8(truncatingIfNeeded: random.next() >> 20)
            }
            try TinySoundFont.write(bytes) { path in
                do throws(SoundFontError) {
                    let library = try SoundFontLibrary([.init(path: path)])
                    let list = library.recipes(for: [PresetRequest(bank: 0, program: 0)])
                    let store = try SampleStore(list, from: library)
                    #expect(
                        store.samples.allSatisfy { $0.loopStart >= 0 && $0.loopStart <= $0.loopEnd && $0.loopEnd <= $0.frames })
                    #expect(list.generators.allSatisfy { $0.isFinite })
                    played += list.recipes.isEmpty ? 0 : 1
                } catch { #expect(!error.description.isEmpty) }
            }
        }
        #expect(played > 200, "some numbers are only numbers")
    }
}
