import Glibc
import MIDI
import Testing

@testable import SoundFonts

@Suite struct RecipeTests {
    private func list(_ font: TinySoundFont, _ requests: [PresetRequest]? = nil) throws -> RecipeList {
        try font.write { path in try SoundFontLibrary([.init(path: path)]).recipes(for: requests) }
    }

    private func value(_ list: RecipeList, _ recipe: Int, _ generator: Generator) -> Float {
        list.generators[recipe * Generator.count + generator.index]
    }

    @Test func aPresetBecomesOneRecipeForEachZone() throws {
        let list = try list(TinySoundFont())
        #expect(list.recipes.count == 2 && list.samples.map(\.sample) == [0, 1])
        let sine = list.sounds[Int(PresetRequest(bank: 0, program: 0).code)]
        #expect(sine.count == 1)
        #expect(value(list, Int(sine.first), .sampleModes) == 1)
        #expect(value(list, Int(sine.first), .filterCutoff) == 13_500)
        // What is missing is answered by what takes its place.
        #expect(list.sounds[Int(PresetRequest(bank: 0, program: 77).code)].first == sine.first)
        #expect(list.sounds[Int(PresetRequest(kit: 0).code)].first != sine.first)
    }

    @Test func onlyWhatIsAskedForIsRead() throws {
        let list = try list(TinySoundFont(), [PresetRequest(kit: 0)])
        #expect(list.recipes.count == 1 && list.samples.map(\.sample) == [1])
        #expect(list.sounds[0].count == 0)
    }

    @Test func everyGeneratorOfTheInstrumentArrives() throws {
        for generator in Generator.allCases where generator.isInstrumentValue && generator != .sampleModes {
            var font = TinySoundFont()
            font.generators = [(54, 1), (Int(generator.rawValue), 12)]
            let list = try list(font, [PresetRequest(bank: 0, program: 0)])
            let wanted: Float = generator == .attenuation ? 4.8 : 12
            #expect(value(list, 0, generator) == wanted, "\(generator)")
        }
    }

    @Test func aModulatorTakesThePlaceOfTheDefaultOnItsLine() throws {
        var font = TinySoundFont()
        // Velocity, concave and negative, to attenuation: the standard's first line, with another amount.
        font.modulators = [[0x0502, 48, 480, 0, 0], [0x0081, 6, 25, 0, 0], [0x0102, 8, -2_400, 0x0C02, 0]]
        let list = try list(font, [PresetRequest(bank: 0, program: 0)])
        let run = list.modulators[Int(list.recipes[0].firstModulator)...].prefix(Int(list.recipes[0].modulatorCount))
        let velocity = run.filter { $0.destination == .attenuation && $0.source.number == 2 && !$0.source.isController }
        #expect(velocity.map(\.amount) == [480])
        let wheel = run.filter { $0.destination == .vibratoLFOToPitch && $0.source == .controller(1) }
        #expect(wheel.map(\.amount) == [25])
        #expect(!run.contains { $0.destination == .filterCutoff && $0.source.number == 2 })
    }

    @Test func aFileHasDefaultModulatorsOfItsOwn() throws {
        var font = TinySoundFont()
        font.defaultModulators = [[0x0502, 48, 480, 0, 0], [0x0081, 6, 25, 0, 0]]
        font.modulators = [[0x0081, 6, 75, 0, 0]]
        let list = try list(font, [PresetRequest(bank: 0, program: 0)])
        let run = list.modulators[Int(list.recipes[0].firstModulator)...].prefix(Int(list.recipes[0].modulatorCount))
        // The zone's line takes the place of the file's; of the standard's only what takes back the strip's sends is left.
        #expect(run.prefix(2).map(\.amount) == [480, 75])
        #expect(run.dropFirst(2).map(\.amount) == [-200, -200])
        font.defaultModulators = []
        #expect(try self.list(font, [PresetRequest(bank: 0, program: 0)]).recipes[0].modulatorCount == 3)
    }

    @Test func sourcesThatTheStandardForbidsAreDropped() throws {
        var font = TinySoundFont()
        font.modulators = [[0x0080, 48, 480, 0, 0], [0x00E2, 48, 480, 0, 0], [7, 48, 480, 0, 0], [0x1002, 48, 480, 0, 0]]
        let list = try list(font, [PresetRequest(bank: 0, program: 0)])
        // Two of the defaults are the channel's strip's business.
        #expect(Int(list.recipes[0].modulatorCount) == Modulator.defaults.count - 2)
    }

    @Test func samplesLieInMemoryAndAreSharedByTwoStores() throws {
        try TinySoundFont().write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            let list = library.recipes(for: nil)
            let one = try SampleStore(list, from: library), two = try SampleStore(list, from: library)
            #expect(one.samples[0].data == two.samples[0].data && one.faults.isEmpty)
            let sample = one.samples[0]
            #expect(sample.frames == 1_000 && sample.loopStart == 200 && sample.loopEnd == 900 && !sample.isFloat)
            #expect(sample.rate == 50_000 && sample.rootKey == 69)
            let data = sample.data.assumingMemoryBound(to: Int16.self)
            let loudest = (200..<900).map { abs(Int(data[$0])) }.max()
            #expect(sample.loopPeak == Float(loudest ?? 0) / 32_768 && sample.loopPeak > 0.1)
        }
    }

    @Test func aFileThatIsReplacedIsNotRead() throws {
        try TinySoundFont().write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            let list = library.recipes(for: nil)
            var other = TinySoundFont()
            other.frames = 2_000
            try other.write { replacement in
                let moved = rename(replacement, path)
                #expect(moved == 0)
                #expect(throws: SoundFontError.changed(path: path)) { try SampleStore(list, from: library) }
            }
        }
    }

    @Test(arguments: ["embedded", "/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3"])
    func wholeSoundFontsBecomeRecipes(_ path: String) throws {
        guard path == "embedded" || access(path, R_OK) == 0 else { return }
        let library = try SoundFontLibrary([.init(path: path)])
        let list = library.recipes(for: nil)
        #expect(list.recipes.count > 300 && list.generators.count == list.recipes.count * Generator.count)
        #expect(list.sounds.allSatisfy { $0.count > 0 }, "every request has an answer")
        if path.hasSuffix("sf3") { return }
        let store = try SampleStore(list, from: library)
        #expect(store.faults.isEmpty && store.samples.allSatisfy { $0.frames >= 8 })
        #expect((path == "embedded") == (store.memory == 0))
    }
}
