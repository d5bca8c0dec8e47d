import Carillon
import CarillonTestKit
import Foundation
import Testing

/// Presets in patch files, in files of their own, and on an engine that plays.
@Suite struct PresetFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-presets-\(UUID().uuidString)").path

    private static func patch(_ unit: String, type: String = "graphic-equalizer") -> String {
        """
        version: 1
        units:
          music: {unit: drum-machine}
          sliders: {unit: \(type), \(unit)}
        connections:
          - music -> sliders
        outputs: sliders

        """
    }

    private func read(_ text: String, path: String? = nil) throws -> Patch {
        try PatchFile(text: text, path: path ?? "x.yaml", units: UnitCatalog.entries).patch
    }

    private func fault(_ text: String, path: String? = nil) -> String {
        do { _ = try read(text, path: path) } catch { return "\(error)" }
        return ""
    }

    @Test func aPresetSetsAUnitAndWhatStandsBesideItGoesBefore() throws {
        let bass = try #require(try UnitCatalog.named("graphic-equalizer")?.factoryPresets().first { $0.name == "bass-booster" })
        let plain = try #require(try read(Self.patch("preset: bass-booster"))[unit: "sliders"])
        #expect(plain.preset == bass && plain.values == bass.values)
        for text in ["preset: bass-booster, level: -2 dB", "level: -2 dB, preset: bass-booster"] {
            let own = try #require(try read(Self.patch(text))[unit: "sliders"])
            #expect(own.values["level"] == [-2] && own.values["gain"] == bass.values["gain"])
        }
        // At the default all the same.
        #expect(try read(Self.patch("preset: bass-booster, level: 0 dB"))[unit: "sliders"]?.values["level"] == nil)
    }

    @Test(arguments: ["preset: rock", "preset: rock, level: 0 dB", "preset: rock, level: -3 dB", "preset: flat, gain: 2 dB"])
    func aPatchComesBackFromItsFileWithItsPreset(_ setting: String) throws {
        let patch = try read(Self.patch(setting))
        for isCommented in [false, true] {
            let text = try PatchFile.text(of: patch, units: UnitCatalog.entries, isCommented: isCommented)
            #expect(try read(text) == patch, "\(text)")
            let name = String(setting.split(separator: ",")[0])
            #expect(text.contains("    \(name)\n") && text.contains("\n    level:") == setting.contains("level"), "\(text)")
        }
        // And from an engine, whose values are those of its units.
        let engine = try Engine(patch: patch)
        #expect(
            try PatchFile.text(of: engine.patch, units: UnitCatalog.entries)
                == PatchFile.text(of: patch, units: UnitCatalog.entries))
    }

    @Test func aChangedValueIsWrittenBesideThePreset() throws {
        let source = Self.patch("preset: rock")
        let engine = try Engine(patch: read(source))
        try engine.set("sliders.level=-1 dB")
        let text = try PatchFile.update(source: source, to: engine.patch, units: UnitCatalog.entries)
        #expect(text == source.replacing("preset: rock", with: "preset: rock, level: -1 dB"), "\(text)")
        try engine.apply(preset: "jazz", to: #require(engine.graph.node(named: "sliders")).id)
        let other = try PatchFile.update(source: source, to: engine.patch, units: UnitCatalog.entries)
        #expect(other == source.replacing("preset: rock", with: "preset: jazz"), "\(other)")
    }

    /// The matrix has had a parameter of that name before there were presets.
    @Test func aParameterThatIsCalledPresetIsMeant() throws {
        let text = Self.patch("preset: mid-side-encode", type: "matrix"), patch = try read(text)
        #expect(patch[unit: "sliders"]?.preset == nil && patch[unit: "sliders"]?.values["preset"] != nil)
        #expect(try PatchFile.text(of: patch, units: UnitCatalog.entries).contains("    preset: mid-side-encode\n"))
        // Set by a preset while it plays, its file has the values.
        var set = patch
        set.units[1].preset = UnitPreset("x", values: [:])
        #expect(try read(PatchFile.text(of: set, units: UnitCatalog.entries)) == patch)
    }

    /// Whatever stands beside a preset: the preset's values, others, defaults.
    @Test func fiveHundredPatchesWithPresetsComeBackFromTheirFiles() throws {
        var random = SeededRandom(seed: 41)
        let units = UnitCatalog.entries.filter { !$0.descriptor.factoryPresets.isEmpty }
        for _ in 0..<500 {
            let entry = try #require(units.randomElement(using: &random))
            let preset = try #require(try entry.factoryPresets().randomElement(using: &random))
            var unit = PatchUnit("unit", entry.name)
            unit.set(by: preset)
            for spec in entry.parameters where Int.random(in: 0..<3, using: &random) == 0 {
                let count = spec.elementCount(inputs: max(entry.descriptor.inputs.count, 1), bands: entry.descriptor.bands)
                let value = Float.random(in: spec.range, using: &random).rounded()
                unit.values[spec.name] =
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: nil
                    case 1: [spec.clamped(value)]
                    case 2: (0..<count).map { spec.initial(of: $0) }
                    default: preset.values[spec.name].map { values in (0..<count).map { values[min($0, values.count - 1)] } }
                    }
            }
            var patch = Patch()
            patch.units = [unit]
            let text = try PatchFile.text(of: patch, units: UnitCatalog.entries), again = try read(text)
            #expect(again == patch.canonical(UnitCatalog.entries), "\(text)")
            #expect(try PatchFile.text(of: again, units: UnitCatalog.entries) == text)
            // It sounds the same: each parameter of each element is where it was.
            for spec in entry.parameters {
                func values(_ unit: PatchUnit?) -> [Float] {
                    UnitPreset.expanded(unit?.values[spec.name], spec, count: spec.scope == .band ? entry.descriptor.bands : 1)
                }
                #expect(values(again.units.first) == values(unit), "\(spec.name): \(text)")
            }
        }
    }

    @Test func anUnknownPresetIsNamedWithItsPlaceAndTheNearest() {
        #expect(
            fault(Self.patch("preset: bas-booster")).hasPrefix(
                "x.yaml:4:46: units.sliders.preset: there is no preset \"bas-booster\" of graphic-equalizer; "
                    + "did you mean bass-booster? Else choose from acoustic, bass-booster, "))
        #expect(
            fault(Self.patch("preset: warm", type: "limiter")).contains("there is no preset \"warm\" of limiter; it has none"))
        #expect(fault(Self.patch("preset: [rock]")).contains("the name of a preset, or of its file is wanted"))
        #expect(
            fault(Self.patch("preset: ./none.yaml")).hasPrefix(
                "x.yaml:4:46: units.sliders.preset: preset none.yaml: cannot be read: No such file"))
    }

    @Test func aFileOfOnesOwnStandsBesideThePatch() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let entry = try #require(UnitCatalog.named("graphic-equalizer"))
        let mine = UnitPreset("./mine.yaml", values: ["gain": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "level": [-10]])
        try PresetFile.write(mine, of: entry, to: folder + "/mine.yaml")
        #expect(
            try String(contentsOfFile: folder + "/mine.yaml", encoding: .utf8) == """
                version: 1
                unit: graphic-equalizer
                gain: [1 dB, 2 dB, 3 dB, 4 dB, 5 dB, 6 dB, 7 dB, 8 dB, 9 dB, 10 dB]
                level: -10 dB

                """)
        let path = folder + "/patch.yaml"
        let patch = try read(Self.patch("preset: ./mine.yaml"), path: path)
        #expect(patch[unit: "sliders"]?.preset == mine && patch[unit: "sliders"]?.values == mine.values)
        // Written beside it keeps its name.
        #expect(
            try PatchFile.text(of: patch, path: folder + "/other.yaml", units: UnitCatalog.entries)
                .contains("preset: ./mine.yaml\n"))
        #expect(
            fault(Self.patch("preset: ./mine.yaml", type: "reverb"), path: path)
                == "\(path):4:35: units.sliders.preset: preset \(folder)/mine.yaml:2:7: unit: "
                + "this is a preset of graphic-equalizer, and one of reverb is wanted")
        // What is wrong in it is named with its line, and with the line that names it.
        let place = "\(path):4:46: units.sliders.preset: preset \(folder)/mine.yaml:"
        try PatchFile.write("version: 1\nunit: graphic-equalizer\nlevle: 3 dB\n", to: folder + "/mine.yaml")
        #expect(
            fault(Self.patch("preset: ./mine.yaml"), path: path).hasPrefix(
                place + "3:1: there is no \"levle\" here; did you mean level?"))
        try PatchFile.write("version: 1\nunit: graphic-equalizer\nlevel: 300 dB\n", to: folder + "/mine.yaml")
        #expect(
            fault(Self.patch("preset: ./mine.yaml"), path: path).hasPrefix(
                place + "3:8: level: level: 300 dB is out of range"))
        for text in [
            "", "units: {}\n", "version: 2\n", "version: 1\n", "version: 1\nunit: none\n", "[",
            "version: 1\nunit: delay\nrole: send\n",
        ] {
            try PatchFile.write(text, to: folder + "/mine.yaml")
            let fault = fault(Self.patch("preset: ./mine.yaml"), path: path)
            #expect(fault.hasPrefix(place) && !fault.contains("\n"), "\(text): \(fault)")
        }
    }

    @Test func aPresetThatIsKeptIsFoundByItsName() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let shelf = PresetShelf(ofPatchAt: "", kept: folder + "/presets")
        let entry = try #require(UnitCatalog.named("reverb"))
        #expect(shelf.names(of: "reverb") == [])
        let engine = try Engine(patch: read(Self.patch("decay: 3.25 s", type: "reverb")))
        let node = try #require(engine.graph.node(named: "sliders")).id
        let path = try PresetFile.keep(engine.preset(of: node, named: "my-hall"), of: entry, on: shelf)
        #expect(path == folder + "/presets/reverb/my-hall.yaml" && shelf.names(of: "reverb") == ["my-hall"])
        // It is not replaced by accident, and nothing unfinished is left.
        #expect { try PresetFile.keep(UnitPreset("my-hall", values: [:]), of: entry, on: shelf) } throws: { error in
            "\(error)" == "\(path): already exists; choose another name, or let it be replaced"
        }
        try PresetFile.keep(engine.preset(of: node, named: "my-hall"), of: entry, on: shelf, replaces: true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/presets/reverb") == ["my-hall.yaml"])
        try engine.apply(preset: "room", to: node)
        #expect(try engine.value("sliders.decay") == 0.5)
        try engine.apply(preset: "my-hall", to: node, on: shelf)
        #expect(try engine.value("sliders.decay") == 3.25 && engine.presentPreset(of: node)?.name == "my-hall")
        #expect(throws: Fault.self) { try engine.apply(preset: "my-hal", to: node, on: shelf) }
        for name in ["room", "My Hall", "../x", ""] {
            #expect(throws: PatchFileError.self) { try PresetFile.keep(UnitPreset(name, values: [:]), of: entry, on: shelf) }
        }
    }

    /// What presets do not speak of is the player's.
    @Test func aPresetLeavesAloneWhatNoneNames() throws {
        let engine = try Engine(patch: read(Self.patch("mix: 30 %, decay: 9 s, damping: 1 %", type: "reverb")))
        let node = try #require(engine.graph.node(named: "sliders")).id
        let damped = UnitPreset("damped", values: ["decay": [1]])
        try engine.apply(preset: damped, to: node)
        #expect(try engine.value("sliders.mix") == 30 && engine.value("sliders.decay") == 1)
        #expect(try engine.value("sliders.damping") == 45)
    }

    @Test func whatCannotBeHadWhileItSoundsIsRefusedWhole() throws {
        let engine = try Engine(patch: read(Self.patch("decay: 9 s", type: "reverb")))
        let node = try #require(engine.graph.node(named: "sliders")).id
        for preset in [
            UnitPreset("x", values: ["decay": [1], "mix": [200]]), UnitPreset("x", values: ["decay": [1], "mixx": [20]]),
            UnitPreset("x", values: ["decay": [1, 2]]),
            UnitPreset("x", values: ["decay": [1]], properties: ["held": .text("decay")]),
        ] {
            #expect(throws: Fault.self) { try engine.apply(preset: preset, to: node) }
            #expect(try engine.value("sliders.decay") == 9)
        }
        // What is taken only when the unit is made.
        let other = try Engine(patch: read(Self.patch("ratio: 9", type: "compressor")))
        let compressor = try #require(other.graph.node(named: "sliders")).id
        let early = UnitPreset("x", values: ["ratio": [2], "look-ahead": [0.005]])
        #expect(throws: Fault.self) { try other.apply(preset: early, to: compressor) }
        #expect(try other.value("sliders.ratio") == 9)
    }

    /// Parameters glide: the change makes no larger step than the music itself.
    @Test func aPresetChangesWithoutAClick() throws {
        var patch = Patch()
        var tone = PatchUnit("tone", "oscillator")
        tone.values = ["frequency": [100], "level": [-6]]
        patch.units = [tone, PatchUnit("sliders", "graphic-equalizer")]
        patch.connections = [PatchConnection(PatchPort("tone"), to: PatchPort("sliders"))]
        patch.outputs = [PatchPort("sliders")]
        let engine = try Engine(patch: patch)
        let node = try #require(engine.graph.node(named: "sliders")).id
        try engine.start(on: .offline)
        var sound = try engine.render(frames: 9_600)[0]
        for name in ["bass-booster", "bass-reducer", "rock", "flat"] {
            try engine.apply(preset: name, to: node)
            sound += try engine.render(frames: 9_600)[0]
        }
        let steps = zip(sound.dropFirst(), sound).map { abs($0 - $1) }
        // A sine of 100 Hz at -6 dB moves 0.0066 a frame.
        #expect((steps[4_800...].max() ?? 1) < 0.0085, "\(steps[4_800...].max() ?? 1)")
    }

    @Test func aPresetIsAValueThatIsSent() throws {
        let engine = try Engine(patch: read(Self.patch("preset: rock, level: -1 dB")))
        let node = try #require(engine.graph.node(named: "sliders")).id
        let state = try engine.preset(of: node)
        let sent = try JSONDecoder().decode(UnitPreset.self, from: JSONEncoder().encode(state))
        #expect(sent == state && state.values["level"] == [-1])
        let other = try Engine(patch: read(Self.patch("level: 3 dB")))
        let there = try #require(other.graph.node(named: "sliders")).id
        try other.apply(preset: sent, to: there)
        #expect(try other.preset(of: there) == state)
        // As JSON, as journals and version 0 have it.
        #expect(try Patch(text: engine.patch.text()) == engine.patch)
    }

    /// What the guide shows plays, or is a preset.
    @Test func theGuidesExamplesAreWhatTheySay() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/Carillon/Carillon.docc/Guides/Presets.md")
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```yaml\n").dropFirst()
        #expect(blocks.count == 2)
        for block in blocks {
            let text = try #require(block.components(separatedBy: "```").first)
            if text.contains("\nunits:") {
                _ = try Engine(patch: read(text))
            } else {
                #expect(
                    try PresetFile.read(text: text, path: "x", name: "x", units: UnitCatalog.entries).component
                        == "graphic-equalizer")
            }
        }
    }
}
