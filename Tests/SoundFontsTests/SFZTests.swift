import CarillonTestKit
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

    /// The plan of the first recipe of one region.
    private func plan(_ text: String, loop: (Int, Int)? = nil) throws -> RegionPlan {
        let read = try read(TinySFZ(text: "<region> sample=mono.wav \(text)", loop: loop))
        #expect(read.file.faults.isEmpty, "\(text)")
        return read.list.regions.plans[Int(read.list.recipes[0].plan)]
    }

    private func value(_ text: String, _ generator: Generator, loop: (Int, Int)? = nil) throws -> Float {
        try read(TinySFZ(text: "<region> sample=mono.wav \(text)", loop: loop)).list.generators[generator.index]
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
        let plans = list.recipes.map { list.regions.plans[Int($0.plan)] }
        #expect(plans.map(\.side) == [-1, 1, -1, 1] && plans.map(\.rule.region) == [0, 0, 1, 1])
        #expect(plans[0].envelope.values[5] == 1 && plans[0].pitch.tune == -5 && plans[2].pitch.tune == 0)
        let left = store.samples[0].data.assumingMemoryBound(to: Int16.self)
        let right = store.samples[1].data.assumingMemoryBound(to: Int16.self)
        #expect(!store.samples[0].isFloat && store.samples[0].frames == 1_000 && store.samples[0].rate == 44_000)
        #expect(left[25] == 16_000 && right[25] == 0)
    }

    @Test func opcodesBecomeNumbersOfAPlan() throws {
        let wanted: [(String, (RegionPlan) -> Float, Float)] = [
            ("volume=-6", \.level.volume, -6), ("volume=-6 group_volume=-2 global_volume=1", \.level.volume, -7),
            ("pan=50", \.level.pan, 0.5), ("width=-20", \.level.width, -0.2), ("tune=10 transpose=-2", \.pitch.tune, -190),
            ("amp_veltrack=50", \.level.velocityTrack, 0.5), ("offset=100", \.start.offset, 100), ("delay=2", \.start.delay, 2),
            ("ampeg_attack=2", { $0.envelope.values[1] }, 2), ("ampeg_delay=0.5", { $0.envelope.values[0] }, 0.5),
            ("ampeg_sustain=30", { $0.envelope.values[4] }, 0.3), ("ampeg_release=0", { $0.envelope.values[5] }, 0),
            ("ampeg_vel2attack=-1", { $0.envelope.byVelocity[1] }, -1), ("cutoff=440", { $0.filters[0].cutoff }, 440),
            ("cutoff=1 resonance=9", { $0.filters[0].resonance }, 9), ("eq2_gain=-3", { $0.bands[1].gain }, -3),
            ("eq2_gain=-3", { $0.bands[1].frequency }, 500), ("lorand=0.25", \.rule.lowestChance, 0.25),
            ("seq_length=3", { Float($0.rule.turns) }, 3), ("sw_last=c1", { Float($0.rule.lowestSwitch) }, 24),
            ("group=3 off_by=4", { Float($0.rule.silencer) }, 4), ("bendup=1200", \.pitch.bendUp, 1_200),
            ("loopmode=one_shot", { $0.start.isOneShot ? 1 : 0 }, 1),
            ("xfin_lovel=10 xfin_hivel=20", \.level.velocityFade.inHigh, 20),
        ]
        for (text, number, value) in wanted { #expect(abs(number(try plan(text)) - value) < 0.001, "\(text)") }
        #expect(try value("pitch_keytrack=50", .scaleTuning) == 50 && value("pitch_keycenter=a4", .rootKey) == 69)
        #expect(try value("key=c#3", .rootKey) == 49 && value("end=899", .endOffset) == -100)
        #expect(try value("effect1=50", .reverbSend) == 500 && value("effect2=20", .chorusSend) == 200)
    }

    @Test func controllersBecomeConnections() throws {
        let text = """
            <control> set_cc20=127 set_hdcc21=0.25
            <curve> curve_index=7 v000=0.5 v127=1
            <region> sample=mono.wav volume_oncc20=-6 cutoff=100 cutoff_cc21=1200 cutoff_smoothcc21=50 cutoff_curvecc21=7
            pitchlfo_depth=10 pitchlfo_depthcc1=50 pitchlfo_freq=5 ampeg_releasecc72=2
            """
        let (file, list, _) = try read(TinySFZ(text: text))
        #expect(file.faults.isEmpty)
        let plan = list.regions.plans[0], lines = list.regions.connections
        let own = lines[Int(plan.firstConnection)..<Int(plan.firstConnection + plan.connectionCount)]
        let volume = own.filter { $0.controller == 20 }
        #expect(volume.map(\.target) == [RegionTarget.volume] && volume.map(\.depth) == [-6])
        let cutoff = own.filter { $0.controller == 21 }
        #expect(cutoff.map(\.target) == [RegionTarget.cutoff] && cutoff.map(\.smooth) == [50])
        #expect(cutoff.map { list.regions.curves[Int($0.curve) * 128] } == [0.5])
        #expect(own.filter { $0.controller == 72 }.map(\.target) == [RegionTarget.envelope + 5])
        // Volume, pan and expression act as long as the file does not use them.
        #expect(own.filter { [7, 10, 11].contains($0.controller) }.count == 3)
        let values = list.regions.values
        #expect(values[20] == 1 && values[21] == 0.25 && values[10] == 0.5 && values[22] == 0)
        let vibrato = list.regions.oscillators[Int(plan.firstOscillator)]
        #expect(vibrato.frequency == 5 && own.contains { $0.controller == 1 && $0.depth == 50 })
    }

    @Test func programsAreParted() throws {
        let text = """
            <region> sample=mono.wav loprog=0 hiprog=0
            <region> sample=a b/stereo.wav loprog=3 hiprog=3
            <region> sample=mono.wav key=20
            """
        try TinySFZ(text: text).write { path in
            let library = try SoundFontLibrary([.init(path: path)])
            #expect(library.files[0].presets.map(\.program) == [0, 3])
            let counts = [0, 3].map { library.recipes(for: [PresetRequest(bank: 0, program: $0)]).recipes.count }
            #expect(counts == [2, 3])
        }
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

    @Test func textsAreIncludedAndNamesDefined() throws {
        let sfz = TinySFZ(
            text:
                "#define $KEY 64\n#define $KEYS 65\n<group> volume=-3\n#include \"part.txt\"\n<region> sample=mono.wav key=$KEYS",
            others: [("part.txt", "<region> sample=mono.wav key=$KEY")])
        let list = try read(sfz).list
        #expect(list.recipes.map(\.lowestKey) == [64, 65])
        #expect(list.regions.plans[1].level.volume == -3)
    }

    @Test func whatIsNotFollowedIsTold() throws {
        let text = """
            <control> hint_nothing=1
            <region> sample=mono.wav bitred=3 cutoff=high
            <region> sample=gone.wav
            <region> sample=mono.wav bitred=2
            <effect> type=reverb
            """
        let (file, list, _) = try read(TinySFZ(text: text))
        #expect(list.recipes.count == 2)
        #expect(
            file.faults == [
                .missingSample(name: "gone.wav", line: 3, reason: "there is no such file"),
                .unknownOpcode(name: "bitred", count: 2), .unknownOpcode(name: "cutoff", count: 1),
                .unknownOpcode(name: "hint_nothing", count: 1), .unknownOpcode(name: "type=reverb", count: 1),
            ])
    }

    @Test func modulationsBeyondTheMostAreTold() throws {
        let many = (20..<90).map { "volume_oncc\($0)=1" }.joined(separator: " ")
        let (file, list, _) = try read(TinySFZ(text: "<region> sample=mono.wav \(many)"))
        #expect(list.regions.plans[0].connectionCount == 64)
        #expect(file.faults == [.unknownOpcode(name: "a modulation beyond the most of a region", count: 9)])
    }

    @Test func commentsBetweenMarksAreNoText() throws {
        let text = """
            \u{FEFF}/* a licence
            <region> sample=a b/stereo.wav */
            <region> sample=mono.wav key=69 /* A4 */ volume=-12 // and more
            """
        let (file, list, _) = try read(TinySFZ(text: text))
        #expect(file.faults.isEmpty && list.recipes.count == 1 && list.recipes[0].lowestKey == 69)
        #expect(list.regions.plans[0].level.volume == -12)
    }

    @Test func aNameThatDiffersInCaseIsTakenAndTold() throws {
        let sfz = TinySFZ(
            text: "<region> sample=A B\\Stereo.WAV\n#include \"PART.txt\"", others: [("part.txt", "<region> sample=mono.wav")])
        let (file, list, store) = try read(sfz)
        #expect(list.recipes.count == 3 && store.samples.allSatisfy { $0.frames == 1_000 })
        #expect(
            file.faults == [
                .sampleInOtherCase(name: "PART.txt", line: 2, found: "part.txt"),
                .sampleInOtherCase(name: "A B\\Stereo.WAV", line: 1, found: "a b/stereo.wav"),
            ])
        #expect(file.faults[0].remark(on: "x.sfz").kind == .substituted)
    }

    @Test func everyOpcodeHasOneRowAndAMeaningOrAReason() {
        var seen: Set<String> = []
        for row in SFZOpcode.table {
            #expect(seen.insert(row.name).inserted, "\(row.name) has two rows")
            #expect(row.reason == nil ? !row.meaning.isEmpty : row.reason?.isEmpty == false, "\(row.name)")
            #expect(SFZOpcode.row(SFZOpcodeName.canonical(row.name))?.reason == row.reason, "\(row.name) is not found")
        }
        for (written, name) in [
            ("loopmode", "loop_mode"), ("cutoff_cc12", "cutoff_oncc12"), ("ampeg_releasecc72", "ampeg_release_oncc72"),
            ("gain_cc7", "volume_oncc7"), ("on_locc64", "start_locc64"), ("xfin_locc1", "xfin_locc1"),
            ("lfo2_cutoff_oncc1", "lfo2_cutoff1_oncc1"), ("eq1_gaincc3", "eq1_gain_oncc3"), ("tune_curvecc5", "tune_curvecc5"),
            ("lfo01_freq", "lfo1_freq"), ("eg06_time10", "eg6_time10"), ("volume_oncc07", "volume_oncc7"), ("locc100", "locc100"),
        ] {
            #expect(SFZOpcodeName.canonical(written) == name)
        }
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
            + Array(
                "<region> sample=*saw lfo1_freq=3 lfo1_pitch=9 eg2_time1=1 eg2_level1=1 seq_length=3 count=2 polyphony=1\n".utf8)
            + Array("<curve> curve_index=8 v000=1\n<region> sample=mono.wav volume_oncc7=3 xfin_locc1=2 loprog=3 /* x */\n".utf8)
        var random = SeededRandom(seed: 13)
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

    /// A key visits its own regions, however many there are.
    @Test func regionsAreFoundByTheirKeys() throws {
        let text = (0..<10_000).map { number in
            let trigger = number % 10 == 9 ? "trigger=release" : "seq_length=3 seq_position=\(number % 3 + 1)"
            return "<region> sample=*sine key=\(21 + number % 88) \(trigger) \(number == 0 ? "sw_last=5" : "")\n"
        }
        let other = "<region> sample=*sine hikey=-1 start_locc20=1 start_hicc20=127\n<region> sample=*sine"
        try TinySFZ(text: text.joined() + other).write { path in
            let list = try SoundFontLibrary([.init(path: path)]).recipes(for: [PresetRequest(bank: 0, program: 0)])
            let (_, indices, order) = list.indexedSounds
            let index = try #require(indices.first)
            #expect(indices.count == 1 && list.recipes.count == 10_002)
            for key in UInt8(0)..<128 {
                let struck = index.struck(by: key), released = index.released(by: key)
                #expect(struck.count <= 116 && released.count <= 23 && struck.count >= 1)
                for place in Int(struck.first)..<Int(struck.first + struck.count) {
                    let recipe = list.recipes[Int(order[place])]
                    #expect((recipe.lowestKey...recipe.highestKey).contains(key))
                }
            }
            #expect((0..<128).reduce(0) { $0 + Int(index.struck(by: $1).count) } == 9_000 + 128)
            #expect(index.controlled.count == 1 && index.switches.keys == [5])
        }
    }

    /// A name that is known, with a number that there is not.
    @Test(arguments: [
        "hicc512", "lfo100_freq", "lfo1_eq4freq", "eq4_freq", "eg99999_time1", "eg1_time64", "amp_velcurve_128", "on_locc128",
        "lfo1_wave5", "cutoff3", "volume_oncc512", "loop_length", "egN_points".replacing("N", with: "1"),
    ])
    func numbersBeyondThoseThatThereAreAreTold(_ name: String) throws {
        let (file, _, _) = try read(TinySFZ(text: "<region> sample=mono.wav lfo1_freq=1 eg1_time1=1 \(name)=1"))
        #expect(file.faults == [.unknownOpcode(name: name, count: 1)])
    }

    @Test func lostRegistersAreTold() throws {
        let moved = (0..<64).map { "eg1_level\($0)=1 eg1_level\($0)_oncc1=1 eg1_time\($0)_oncc1=1" }.joined(separator: " ")
        let (file, _, _) = try read(TinySFZ(text: "<region> sample=mono.wav eg1_pitch=1 \(moved)"))
        // 92 registers and 64 connections are there for 128, three of them the channel's own.
        #expect(file.faults == [.unknownOpcode(name: "a modulation beyond the most of a region", count: 67)])
    }

    @Test func aDistanceOfKeysIsInKeys() throws {
        let (_, list, _) = try read(TinySFZ(text: "<region> sample=mono.wav locc140=-3 hicc140=5 locc1=64"))
        #expect(list.regions.ranges.map(\.controller) == [1, 140] && list.regions.ranges[1].low == -3)
        #expect(list.regions.ranges[1].high == 5 && list.regions.ranges[0].low == 64.0 / 127)
    }

    @Test func switchesAreThoseOfTheirRange() throws {
        try TinySFZ(text: "<region> sample=mono.wav sw_last=25 sw_lokey=24 sw_hikey=27").write { path in
            let list = try SoundFontLibrary([.init(path: path)]).recipes(for: [PresetRequest(bank: 0, program: 0)])
            #expect(list.indexedSounds.indices[0].switches.keys == [24, 25, 26, 27])
        }
    }

    @Test func limitsOfDirectivesSayWhichTheyAre() throws {
        let names = (0...4_000).map { "#define $N\($0) 1" }.joined(separator: "\n")
        #expect(try error(TinySFZ(text: names)) == "line 4001 comes after 4000 definitions; remove some")
        let many = String(repeating: "#include \"part.txt\"\n", count: 2_001)
        #expect(
            try error(TinySFZ(text: many, others: [("part.txt", "")])) == "line 2001 comes after 2000 included files; join some")
    }

    /// A group with many opcodes is there once, however many regions share it.
    @Test func regionsShareTheirHeaders() throws {
        let group = (0..<300).map { "volume_oncc\($0)=1" }.joined(separator: " ")
        let text = "<group> \(group)\n" + String(repeating: "<region> sample=*sine\n", count: 10)
        try TinySFZ(text: text).write { path in
            let regions = try SFZText(path: path).regions
            let shared = regions[0].headers[0]
            #expect(regions.count == 10 && regions.allSatisfy { $0.headers.first === shared && $0.headers.count == 2 })
        }
    }
}
