import Carillon
import CarillonTestKit
import Foundation
import Testing

/// Where presets are found, what becomes of a patch that goes elsewhere, and of files that are none.
@Suite struct PresetPlaceTests {
    private static let units = UnitCatalog.entries
    private let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-place-\(UUID().uuidString)").path

    private static func patch(_ unit: String, type: String = "graphic-equalizer") -> String {
        "version: 1\nunits:\n  music: {unit: drum-machine}\n  sliders: {unit: \(type), \(unit)}\n"
            + "connections:\n  - music -> sliders\noutputs: sliders\n"
    }

    private func read(_ text: String, _ path: String) throws -> Patch {
        try PatchFile(text: text, path: path, units: Self.units).patch
    }

    private func fault(_ text: String, _ path: String) -> String {
        do { _ = try read(text, path) } catch { return "\(error)" }
        return ""
    }

    /// Two folders, in one of them a preset.
    private func prepare() throws {
        for name in ["here", "there"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try PatchFile.write("version: 1\nunit: graphic-equalizer\nlevel: -7 dB\n", to: folder + "/here/mine.yaml")
    }

    @Test func aPatchThatGoesWhereItsPresetIsNotHasItsValues() throws {
        try prepare()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let here = folder + "/here/patch.yaml", there = folder + "/there/patch.yaml"
        let source = Self.patch("preset: ./mine.yaml")
        let patch = try read(source, here)
        // As whoever plays it has it, found from anywhere.
        try PatchFile.write(source, to: here)
        let played = try PatchFile.playable(path: here)
        for patch in [patch, played] {
            let beside = try PatchFile.text(of: patch, path: folder + "/here/other.yaml", units: Self.units)
            #expect(beside.contains("    preset: ./mine.yaml\n") && !beside.contains("level:"), "\(beside)")
            #expect(PatchFile.lostPresets(of: patch, path: here, units: Self.units).isEmpty)
        }
        let away = try PatchFile.text(of: patch, path: there, units: Self.units)
        #expect(!away.contains("preset:") && away.contains("    level: -7 dB\n"), "\(away)")
        #expect(try read(away, there)[unit: "sliders"]?.values == patch[unit: "sliders"]?.values)
        #expect(
            PatchFile.lostPresets(of: patch, path: there, units: Self.units)
                == ["\(there): sliders: preset ./mine.yaml is not available there; its values are written out"])
        // Another preset of that name is not the one that is meant.
        try PatchFile.write("version: 1\nunit: graphic-equalizer\nlevel: 2 dB\n", to: folder + "/there/mine.yaml")
        #expect(try PatchFile.text(of: patch, path: there, units: Self.units) == away)
        // A text that is changed, too.
        let plain = Self.patch("level: 1 dB")
        let changed = try PatchFile.update(source: plain, to: patch, path: there, units: Self.units)
        #expect(changed == plain.replacing("level: 1 dB", with: "level: -7 dB"), "\(changed)")
    }

    /// A name that a program gave is nobody else's.
    @Test func aPresetThatNobodyKeepsIsWrittenOut() throws {
        let engine = try Engine(patch: read(Self.patch("level: 1 dB"), "x.yaml"))
        let node = try #require(engine.graph.node(named: "sliders")).id
        try engine.apply(preset: UnitPreset("of-tonight", values: ["level": [-3]]), to: node)
        let text = try PatchFile.text(of: engine.patch, units: Self.units)
        #expect(!text.contains("of-tonight") && text.contains("level: -3 dB"), "\(text)")
        #expect(try read(text, "x.yaml")[unit: "sliders"]?.values["level"] == [-3])
    }

    @Test func aPresetThatFindsNoRoomChangesNothing() throws {
        let engine = try Engine(patch: read(Self.patch("level: 1 dB"), "x.yaml"))
        let node = try #require(engine.graph.node(named: "sliders")).id
        try engine.start(on: .offline)
        let before = try engine.preset(of: node)
        // All but three places are taken; the preset sets eleven values.
        for _ in 0..<(engine.renderer.commandRoom - 3) { try engine.send(.controller(1, 1), to: node) }
        #expect(throws: Fault.queueFull) { try engine.apply(preset: "rock", to: node) }
        #expect(try engine.preset(of: node) == before && engine.presentPreset(of: node) == nil)
        #expect(engine.renderer.commandRoom == 3)
        #expect("\(Fault.queueFull)".contains("try again once it has rendered some frames"))
        _ = try engine.render(frames: 64)
        try engine.apply(preset: "rock", to: node)
        #expect(try engine.presentPreset(of: node)?.name == "rock")
    }

    /// Nobody waits for a pipe, and no device is read to its end.
    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        try prepare()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/here/patch.yaml"
        #expect(mkfifo(folder + "/here/pipe.yaml", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder + "/here/folder.yaml", withIntermediateDirectories: true)
        for name in ["./pipe.yaml", "./folder.yaml", "/dev/zero"] {
            let file = name.hasPrefix("/") ? name : folder + "/here/" + name.dropFirst(2)
            #expect(
                fault(Self.patch("preset: \(name)"), path)
                    == "\(path):4:46: units.sliders.preset: preset \(file): is a folder, a pipe or a device; give a file")
        }
        #expect(FileManager.default.createFile(atPath: folder + "/here/huge.yaml", contents: nil))
        #expect(truncate(folder + "/here/huge.yaml", 1 << 40) == 0)
        #expect(
            fault(Self.patch("preset: ./huge.yaml"), path).hasSuffix("huge.yaml: longer than 4 MB; this is no file of this kind"))
        #expect(
            fault(Self.patch("preset: mine.yaml"), path).hasSuffix(
                "\"mine.yaml\" is no name of a preset; write ./mine.yaml for a file beside the patch"))
    }

    /// A mixer has as many inputs as its patch says, and so has a preset with lists for them.
    @Test func aPresetOfInputsSuitsAMixerOfAsMany() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let entry = try #require(UnitCatalog.named("multichannel-mixer")), type = "multichannel-mixer"
        let engine = try Engine(patch: read(Self.patch("inputs: 2, gain: [0 dB, -6 dB]", type: type), "x.yaml"))
        let node = try #require(engine.graph.node(named: "sliders")).id
        let preset = try engine.preset(of: node, named: "./cue.yaml")
        let text = try PresetFile.text(of: preset, unit: entry)
        #expect(text.hasPrefix("version: 1\nunit: multichannel-mixer\ninputs: 2\n"), "\(text)")
        #expect(text.contains("\ngain: [0 dB, -6 dB]\n"), "\(text)")
        try PresetFile.write(preset, of: entry, to: folder + "/cue.yaml")
        let path = folder + "/patch.yaml"
        let same = try read(Self.patch("inputs: 2, preset: ./cue.yaml", type: type), path)
        #expect(same[unit: "sliders"]?.values["gain"] == [0, -6])
        #expect(try read(PatchFile.text(of: same, path: path, units: Self.units), path) == same)
        for (inputs, count) in [("", 1), ("inputs: 3, ", 3)] {
            let fault = fault(Self.patch("\(inputs)preset: ./cue.yaml", type: type), path)
            #expect(
                fault.hasPrefix("\(path):4:")
                    && fault.contains(
                        "units.sliders.preset: preset ./cue.yaml: its lists are of 2"
                            + " inputs, and the unit has \(count); "),
                "\(fault)")
            let other = try Engine(patch: read(Self.patch(inputs + "gain: -1 dB", type: type), path))
            let mixer = try #require(other.graph.node(named: "sliders")).id, before = try other.preset(of: mixer)
            #expect { try other.apply(preset: preset, to: mixer) } throws: { error in
                "\(error)".hasPrefix("sliders: preset ./cue.yaml: its lists are of 2 inputs, and the unit has \(count); ")
            }
            #expect(try other.preset(of: mixer) == before)
        }
        // By hand: without the word the list says it; with it a short list is one of so many.
        func gain(_ gain: String) throws -> [Float]? {
            try PresetFile.read(text: "version: 1\nunit: \(type)\n\(gain)\n", path: "x", name: "x", units: Self.units)
                .preset.values["gain"]
        }
        #expect(try gain("gain: [0 dB, -6 dB]") == [0, -6])
        #expect(try gain("inputs: 3\ngain: [-1 dB, -6 dB]") == [-1, -6, 0])
        #expect(try gain("inputs: 3\ngain: -6 dB") == [-6])
        #expect(throws: PatchFileError.self) { try gain("inputs: 2\ngain: [0 dB, -6 dB, 0 dB]") }
    }

    /// One value is for all inputs, however many.
    @Test func aPresetWithoutListsSuitsEveryMixer() throws {
        let entry = try #require(UnitCatalog.named("multichannel-mixer")), soft = UnitPreset("soft", values: ["gain": [-6]])
        #expect(try !PresetFile.text(of: soft, unit: entry).contains("inputs"))
        let engine = try Engine(patch: read(Self.patch("inputs: 3", type: "multichannel-mixer"), "x.yaml"))
        let node = try #require(engine.graph.node(named: "sliders")).id
        try engine.apply(preset: soft, to: node)
        #expect(try engine.preset(of: node).values["gain"] == [-6])
    }

    /// Only what may stand in a preset's file is proposed there.
    @Test func aMisspeltKeyIsToldWhatAPresetMayHave() throws {
        try prepare()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for key in ["rol: send", "role: send", "presett: rock", "bypas: on", "levle: 3 dB", "verson: 1"] {
            try PatchFile.write("version: 1\nunit: graphic-equalizer\n\(key)\n", to: folder + "/here/mine.yaml")
            let fault = fault(Self.patch("preset: ./mine.yaml"), folder + "/here/patch.yaml")
            #expect(fault.contains("/mine.yaml:3:1: there is no \""), "\(fault)")
            let choice = fault.components(separatedBy: "choose from ").last ?? fault
            #expect(choice.hasPrefix("level, ") || choice.hasPrefix("gain, "), "\(fault)")
            for word in ["role", "parts", "inputs", "bypass", "preset"] {
                #expect(!choice.contains(word) && !fault.contains("did you mean \(word)?"), "\(fault)")
            }
        }
    }

    @Test func presetsThatCannotBeUsedAreToldApart() throws {
        let shelf = PresetShelf(ofPatchAt: "", kept: folder), entry = try #require(UnitCatalog.named("reverb"))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PresetFile.keep(UnitPreset("good", values: ["decay": [3]]), of: entry, on: shelf)
        let files = [
            "bad": "version: 1\nunit: reverb\ndecya: 3 s\n", "other": "version: 1\nunit: delay\n",
            "room": "version: 1\nunit: reverb\n",
            "My Hall": "version: 1\nunit: reverb\n",
        ]
        for (name, text) in files { try PatchFile.write(text, to: "\(folder)/reverb/\(name).yaml") }
        let unusable = shelf.unusable(of: entry)
        #expect(unusable.map(\.name) == ["My Hall", "bad", "other", "room"])
        #expect(unusable[0].reason.contains("cannot name a preset"))
        #expect(unusable[1].reason.hasPrefix("\(folder)/reverb/bad.yaml:3:1: there is no \"decya\" here; did you mean decay?"))
        #expect(unusable[2].reason.contains("other.yaml:2:7: unit: this is a preset of delay, and one of reverb is wanted"))
        #expect(unusable[3].reason.contains("reverb has a preset of its own called room"))
        #expect(shelf.names(of: "reverb") == ["bad", "good", "other", "room"])
    }

    /// What stands behind a `#` is what the unit is set to: by a preset, whoever has made it, or by default.
    @Test func theCommentsOfAPatchSayWhatAPresetSets() throws {
        try prepare()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/here/patch.yaml"
        try PatchFile.write("version: 1\nunit: graphic-equalizer\ngain: [3 dB, -2 dB]\n", to: folder + "/here/mine.yaml")
        let patch = try read(Self.patch("preset: ./mine.yaml, level: -1 dB"), path)
        let text = try PatchFile.text(of: patch, path: path, units: Self.units, isCommented: true)
        #expect(text.contains("    #gain: [3 dB, -2 dB]\n") && text.contains("    level: -1 dB\n"), "\(text)")
        // Without the marks nothing has changed.
        let uncommented = text.replacing("    #gain: ", with: "    gain: ")
        #expect(try read(uncommented, path)[unit: "sliders"]?.values == patch[unit: "sliders"]?.values)
    }

    /// What the guide shows of properties is taken by the units.
    @Test func theGuidesPropertiesAreTaken() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/Carillon/Carillon.docc/Guides/PatchFiles.md")
        let section = try #require(
            try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## Properties\n").last)
        let block = try #require(
            section.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "```").first)
        let engine = try Engine(patch: read("version: 1\n\(block)connections: [drums -> hall]\noutputs: hall\n", "x.yaml"))
        #expect(engine.graph.nodes.map(\.name) == ["drums", "hall"])
        for name in ["kick", "low-kick", "wood-block", "triangle"] { #expect(section.contains("`\(name)`")) }
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 4_800)[0].contains { abs($0) > 0.001 })
    }

    /// What a watcher looks at, whether it is there or not, and whatever else is wrong with the patch.
    @Test func theFilesOfPresetsAreNamed() {
        let source = """
            version: 1
            units:
              reverb: {preset: my-hall}
              room: {unit: reverb, preset: room, decya: 1 s}
              sliders: {unit: graphic-equalizer, preset: ./mine.yaml}
              matrix: {preset: mid-side-encode}
            patches:
              inside:
                units: {reverb: {preset: /x/far.yaml}, other: {unit: reverb, preset: ./mine.yaml}}
            """
        let kept = PresetShelf.userFolder.map { [$0 + "/reverb/my-hall.yaml"] } ?? []
        #expect(
            PatchFile.presetFiles(source: source, path: "a/b.yaml", units: Self.units)
                == kept + ["a/mine.yaml", "/x/far.yaml"])
        #expect(PatchFile.presetFiles(source: "units: [", path: "a/b.yaml", units: Self.units) == nil)
    }
}
