import Glibc
import MIDI
import Testing

@testable import SoundFonts

@Suite struct SFZTests {
    /// The file and its recipes.
    private func read(_ sfz: TinySFZ) throws -> (file: SoundFontFile, list: RecipeList, store: SampleStore) {
        try sfz.write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            let list = library.recipes(for: [PresetRequest(bank: 0, program: 0)])
            return (library.files[0], list, try SampleStore(list, from: library))
        }
    }

    private func value(_ text: String, _ generator: Generator, loop: (Int, Int)? = nil) throws -> Float {
        let read = try read(TinySFZ(text: "<region> sample=mono.wav \(text)", loop: loop))
        let unknown = read.file.faults.filter { if case .unknownOpcode = $0 { true } else { false } }
        #expect(unknown.isEmpty)
        return read.list.generators[generator.index]
    }

    private func error(_ sfz: TinySFZ) throws -> String {
        try sfz.write { path in
            do throws(SoundFontError) {
                _ = try SoundFontFile(path: path)
                return ""
            } catch { return String(error.description.dropFirst(path.count + 2)) }
        }
    }

    @Test func aFileIsOnePresetWithARecipeForEachChannelOfEachRegion() throws {
        let text = """
            // A piano of two keys
            <control> default_path=a b\\
            <global> ampeg_release=1 <group> lovel=1 hivel=64
            <region> sample=stereo.wav key=c4 tune=-5
            <region> hivel=100 sample=stereo.wav lokey=61 hikey=eb4 // higher
            """
        let (file, list, store) = try read(TinySFZ(text: text))
        #expect(file.format == .sfz && file.presets == [SoundFontFile.Preset(bank: 0, program: 0, name: "x")])
        #expect(file.faults.isEmpty && store.faults.isEmpty)
        #expect(list.recipes.count == 4 && list.samples.count == 2)
        #expect(list.recipes.map(\.lowestKey) == [60, 60, 61, 61] && list.recipes.map(\.highestKey) == [60, 60, 63, 63])
        #expect(list.recipes.map(\.highestVelocity) == [64, 64, 100, 100] && list.recipes.allSatisfy { $0.lowestVelocity == 1 })
        let pans = list.recipes.indices.map { list.generators[$0 * Generator.count + Generator.pan.index] }
        #expect(pans == [-500, 500, -500, 500])
        #expect(list.generators[Generator.volumeRelease.index] == 0 && list.generators[Generator.fineTune.index] == -5)
        let left = store.samples[0].data.assumingMemoryBound(to: Int16.self)
        let right = store.samples[1].data.assumingMemoryBound(to: Int16.self)
        #expect(!store.samples[0].isFloat && store.samples[0].frames == 1_000 && store.samples[0].rate == 44_000)
        #expect(left[25] == 16_000 && right[25] == 0)
    }

    @Test func opcodesBecomeGenerators() throws {
        let wanted: [(String, Generator, Float)] = [
            ("volume=-6", .attenuation, 60), ("pan=50", .pan, 250), ("tune=10 transpose=-2", .fineTune, -190),
            ("pitch_keytrack=50", .scaleTuning, 50), ("pitch_keycenter=a4", .rootKey, 69), ("key=c#3", .rootKey, 49),
            ("offset=100", .startOffset, 100), ("end=899", .endOffset, -100), ("loop_mode=loop_sustain", .sampleModes, 3),
            ("loop_mode=one_shot", .volumeRelease, 8_000), ("ampeg_attack=2", .volumeAttack, 1_200),
            ("ampeg_delay=0.5", .volumeDelay, -1_200), ("ampeg_hold=4", .volumeHold, 2_400),
            ("ampeg_release=0", .volumeRelease, -12_000), ("ampeg_sustain=0 ampeg_decay=1", .volumeDecay, 0),
            ("ampeg_sustain=0", .volumeSustain, 1_000), ("resonance=9 cutoff=1000", .filterResonance, 90),
            ("fileg_depth=1200 fileg_sustain=25 cutoff=440 fil_type=lpf_2p", .modulationSustain, 750),
            ("fileg_depth=1200 cutoff=440", .filterCutoff, 6_900), ("fileg_depth=1200", .modulationEnvelopeToCutoff, 1_200),
            ("pitcheg_depth=-600 pitcheg_attack=1", .modulationEnvelopeToPitch, -600),
            ("pitchlfo_depth=30 pitchlfo_freq=8.175798915643707", .vibratoLFOToPitch, 30),
            ("amplfo_depth=3", .modulationLFOToVolume, 30),
            ("fillfo_depth=700 fillfo_delay=1", .modulationLFODelay, 0), ("effect1=50", .reverbSend, 500),
            ("effect2=20", .chorusSend, 200), ("group=3 off_by=3", .exclusiveClass, 3),
        ]
        for (text, generator, number) in wanted {
            #expect(abs(try value(text, generator) - number) < 0.01, "\(text)")
        }
    }

    @Test func sustainAndDecayAreThoseOfTheFile() throws {
        // Half as loud is 6.02 dB, of 96; a second to fall so far is almost sixteen to the end.
        #expect(abs(try value("ampeg_sustain=50 ampeg_decay=1", .volumeSustain) - 62.7) < 0.1)
        #expect(abs(try value("ampeg_sustain=50 ampeg_decay=1", .volumeDecay) - 4_794) < 2)
    }

    @Test func aLoopIsTheFilesUnlessTheOpcodesSayElse() throws {
        #expect(try value("", .sampleModes) == 0)
        #expect(try value("", .sampleModes, loop: (100, 899)) == 1)
        #expect(try value("loop_mode=no_loop", .sampleModes, loop: (100, 899)) == 0)
        let store = try read(TinySFZ(text: "<region> sample=mono.wav", loop: (100, 899))).store
        #expect(store.samples[0].loopStart == 100 && store.samples[0].loopEnd == 900)
        let text = "loop_mode=loop_continuous loop_start=200 loop_end=799"
        #expect(try value(text, .loopStartOffset, loop: (100, 899)) == 100)
        #expect(try value(text, .loopEndOffset, loop: (100, 899)) == -100)
        #expect(try value(text, .loopEndOffset) == -200)
    }

    @Test func velocityAndBendHaveLinesOfTheirOwn() throws {
        let text = "<region> sample=mono.wav amp_veltrack=50 bend_up=1200 fil_veltrack=2400 cutoff=500"
        let list = try read(TinySFZ(text: text)).list
        let lines = list.modulators
        #expect(
            lines.filter { $0.destination == .attenuation && $0.source.number == 2 && !$0.source.isController }.map(\.amount) == [
                480
            ])
        #expect(lines.filter { $0.source == .bend } == [Modulator(.fineTune, .bend, amount: 1_200)])
        #expect(lines.contains(Modulator(.filterCutoff, .velocity, amount: Float(2_400.0 * 128 / 127))))
    }

    @Test func textsAreIncludedAndNamesDefined() throws {
        let sfz = TinySFZ(
            text:
                "#define $KEY 64\n#define $KEYS 65\n<group> volume=-3\n#include \"part.txt\"\n<region> sample=mono.wav key=$KEYS",
            others: [("part.txt", "<region> sample=mono.wav key=$KEY")])
        let list = try read(sfz).list
        #expect(list.recipes.map(\.lowestKey) == [64, 65])
        #expect(list.generators[Generator.count + Generator.attenuation.index] == 30)
    }

    @Test func whatIsNotFollowedIsTold() throws {
        let text = """
            <region> sample=mono.wav eq1_gain=3 cutoff=high
            <region> sample=gone.wav
            <region> sample=mono.wav trigger=release
            <region> sample=*sine
            <curve> curve_index=1
            """
        let (file, list, _) = try read(TinySFZ(text: text))
        #expect(list.recipes.count == 1)
        #expect(
            file.faults == [
                .missingSample(name: "gone.wav", line: 2, reason: "there is no such file"),
                .missingSample(name: "*sine", line: 4, reason: "there is no such file"),
                .silentRegions(opcode: "trigger", count: 1), .unknownOpcode(name: "<curve>", count: 1),
                .unknownOpcode(name: "cutoff", count: 1), .unknownOpcode(name: "eq1_gain", count: 1),
            ])
    }

    @Test func aNameThatDiffersInCaseIsToldWithTheFileThatIsThere() throws {
        let (file, list, _) = try read(TinySFZ(text: "<region> sample=A B\\Stereo.WAV\n<region> sample=mono.wav"))
        #expect(list.recipes.count == 1)
        #expect(file.faults == [.sampleInOtherCase(name: "A B\\Stereo.WAV", line: 1, found: "a b/stereo.wav")])
        #expect(file.faults[0].remark(on: "x.sfz").kind == .missing)
    }

    @Test func aLinkToNothingIsNoNameInOtherLetters() throws {
        try TinySFZ(text: "<region> sample=gone.wav\n<region> sample=mono.wav").write { path in
            let link = String(path.dropLast(5)) + "gone.wav"
            #expect(symlink("nothing", link) == 0)
            defer { unlink(link) }
            let faults = try SoundFontFile(path: path).faults
            #expect(faults == [.missingSample(name: "gone.wav", line: 1, reason: "there is no such file")])
        }
    }

    @Test func errorsNameTheLine() throws {
        #expect(
            try error(TinySFZ(text: "\n<region sample=mono.wav")) == "line 2 opens a header without closing it; write <region>")
        #expect(try error(TinySFZ(text: "#include x.sfz")).hasPrefix("line 1 names no file to include"))
        #expect(try error(TinySFZ(text: "#define KEY")).hasPrefix("line 1 defines nothing"))
        #expect(try error(TinySFZ(text: "#include \"x.sfz\"")).contains("include each other"))
        #expect(try error(TinySFZ(text: "hello")).contains("without a region"))
        #expect(
            try error(TinySFZ(text: "#include \"none.sfz\"")) == "line 1 includes none.sfz, which is not there; check the name")
    }

    @Test func definitionsThatGrowWithoutEndAreRefused() throws {
        let lines = (1..<40).map { "#define $A\($0) $A\($0 - 1)$A\($0 - 1)$A\($0 - 1)" }.joined(separator: "\n")
        #expect(try error(TinySFZ(text: "#define $A0 x\n\(lines)\n<region> sample=mono.wav")).contains("is longer than"))
    }

    @Test func damagedTextsAreRefusedOrPlayed() throws {
        let text =
            Array(
                "<control> default_path=\n<group> lovel=1 ampeg_attack=0.1 cutoff=900 fil_keytrack=100\n#define $X 3\n"
                    .utf8)
            + Array("<region> sample=mono.wav key=c$X loop_mode=loop_sustain loop_start=10 loop_end=900 offset=5\n".utf8)
            + Array("<region> sample=a b/stereo.wav pan=-30 end=700 bend_up=700 group=1 off_by=1 pitchlfo_freq=5\n".utf8)
        var random = SplitMix(state: 13)
        var played = 0
        for _ in 0..<300 {
            var bytes = text
            for _ in 0...Int(random.next() % 4) {
                let at = Int(random.next() % UInt64(bytes.count))
                bytes[at] = random.next() % 2 == 0 ? UInt8(random.next() % 256) : text[Int(random.next() % UInt64(text.count))]
            }
            var sfz = TinySFZ(text: "")
            sfz.text = String(decoding: bytes, as: UTF8.self)
            try sfz.write { path in
                do throws(SoundFontError) {
                    let library = try SoundFontLibrary([.init(path: path)])
                    let list = library.recipes(for: [PresetRequest(bank: 0, program: 0)])
                    _ = try SampleStore(list, from: library)
                    #expect(list.generators.allSatisfy { $0.isFinite })
                    played += list.recipes.isEmpty ? 0 : 1
                } catch { #expect(!error.description.isEmpty) }
            }
        }
        #expect(played > 150)
    }
}
