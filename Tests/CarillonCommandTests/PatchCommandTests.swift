import Carillon
import Foundation
import TestFolders
import Testing

/// `carillon patch`, as somebody calls it.
@Suite struct PatchCommandTests {
    private let folder = TemporaryFolder()

    init() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        folder.add("old.patch", Array(PatchSamples.older.utf8))
        folder.add("broken.yaml", Array(PatchSamples.organ.replacing("sustain", with: "sustian").utf8))
    }

    private func run(_ arguments: String...) -> ProgramRun { Program.run(arguments, in: folder) }

    @Test func theExamplesAreListedWrittenAndPlay() {
        let names = run("patch", "new").text.split(separator: "\n").compactMap { $0.split(separator: " ").first }.map(String.init)
        #expect(names == PatchExample.all.map(\.name))
        let text = run("patch", "new", "organ-with-pedal").text
        #expect(text.hasPrefix("# organ-with-pedal: ") && text.contains("    #pulse-width: 50 %\n"))
        let written = run("patch", "new", "organ-with-pedal", "-o", "pedal.yaml")
        #expect(written.exitCode == 0 && written.text.isEmpty)
        #expect(String(decoding: bytes(folder.file("pedal.yaml")), as: UTF8.self) == text)
        #expect(run("patch", "check", "pedal.yaml").text == "pedal.yaml: it plays: 7 units, 8 connections\n")
        let unknown = run("patch", "new", "organ-with-pedals")
        #expect(
            unknown.exitCode == 64 && unknown.errors.contains("; did you mean organ-with-pedal? Else choose from "),
            "\(unknown.errors)")
    }

    @Test func nothingIsReplaced() {
        let run = run("patch", "new", "square-lead", "--output", "organ.yaml")
        #expect(
            run.exitCode == 73 && run.errors == "carillon: organ.yaml: already exists; choose another name, or use --force\n",
            "\(run.errors)")
        #expect(bytes(folder.file("organ.yaml")) == Array(PatchSamples.organ.utf8))
        #expect(self.run("patch", "new", "square-lead", "--output", "no/organ.yaml").exitCode == 73)
        #expect(self.run("patch", "new", "--output", "x.yaml").exitCode == 64)
    }

    @Test func whatIsWrongIsNamedWithItsLine() {
        for command in [["patch", "check"], ["patch", "show"], ["patch", "convert"], ["render", "one.mid", "--patch"]] {
            let run = Program.run(command + ["broken.yaml"], in: folder)
            #expect(run.exitCode == 78 && run.text.isEmpty && run.errorLines.count == 1)
            #expect(
                run.errors.hasPrefix(
                    "carillon: broken.yaml:4:48: units.organ: there is no \"sustian\" here; did you mean sustain? Else choose from "
                        + "pulse-width, "), "\(run.errors)")
        }
        #expect(run("patch", "check", "nowhere.yaml").exitCode == 66)
        folder.add(
            "loop.yaml",
            Array("version: 1\nunits: {chorus: , reverb: }\nconnections: [chorus -> reverb -> chorus]\noutputs: reverb\n".utf8))
        folder.add("mute.yaml", Array("version: 1\nunits: {chorus: }\n".utf8))
        let faults = [
            ("loop.yaml", "carillon: loop.yaml:3:15: sound would run in a loop: chorus -> reverb -> chorus; remove one"),
            ("mute.yaml", "carillon: mute.yaml:1:1: the patch has no output; name the bus whose sound leaves"),
        ]
        for (name, fault) in faults {
            for command in [["patch", "check"], ["patch", "show"], ["render", "one.mid", "--patch"]] {
                let run = Program.run(command + [name], in: folder)
                #expect(run.exitCode == 78 && run.errorLines.count == 1 && run.errors.hasPrefix(fault), "\(run.errors)")
            }
        }
        #expect(access(folder.file("one.wav"), F_OK) != 0)
    }

    @Test func severalAreChecked() {
        folder.add("lost.yaml", Array(PatchSamples.organ.replacing("units:", with: "units:\n  lost: {unit: reverb}").utf8))
        let run = run("patch", "check", "broken.yaml", "lost.yaml", "organ.yaml")
        #expect(run.exitCode == 78 && run.text.split(separator: "\n").count == 2, "\(run.text)")
        #expect(
            run.errorLines.count == 2 && run.errors.contains("lost.yaml:4: units.lost: it is connected to nothing"),
            "\(run.errors)")
        // Whoever plays it is told too, unless nothing is to be told.
        let played = self.run("render", "one.mid", "--patch", "lost.yaml", "-o", "lost.wav")
        #expect(played.exitCode == 0 && played.errors.contains("lost.yaml:4: units.lost: it is connected"), "\(played.errors)")
        let quiet = self.run("render", "one.mid", "--patch", "lost.yaml", "-o", "lost.wav", "--quiet", "--force")
        #expect(quiet.exitCode == 0 && quiet.errors.isEmpty)
        #expect(self.run("patch", "check").exitCode == 64)
    }

    @Test func whoHearsWhatTogetherIsSaid() throws {
        let example = try #require(PatchExample.named("split-two-soundfonts")), text = try example.text
        folder.add("two.yaml", Array(text.utf8))
        let shared = try PatchFile(text: text, units: UnitCatalog.entries).sharedParts
        let lines = run("patch", "check", "two.yaml").text.split(separator: "\n").map(String.init)
        #expect(shared.count == 1 && lines.dropFirst() == shared.map { "two.yaml: \($0)" }[...], "\(lines)")
    }

    @Test func aPatchIsDrawn() {
        #expect(run("patch", "show", "organ.yaml").text.hasPrefix("48 kHz, 3 units, 2 connections"))
        #expect(run("patch", "show", "organ.yaml", "--dot").text.hasPrefix("digraph carillon {\n"))
        #expect(run("patch", "show", "organ.yaml", "--svg").text.hasPrefix("<svg xmlns="))
        #expect(run("patch", "show", "organ.yaml", "--svg", "--dot").exitCode == 64)
    }

    @Test func whatPlaysOutIsShown() {
        let zones = "zones:\n  strings: {unit: organ, output: Fantom, channel: 3}\n  thru: {output: UM-ONE}\nclock: Volca\n"
        folder.add(
            "out.yaml",
            Array((PatchSamples.organ.replacing("role: instrument", with: "role: instrument, parts: 1-16") + zones).utf8))
        let shown = run("patch", "show", "out.yaml")
        #expect(
            shown.text.hasSuffix(
                """


                zone strings: unit organ and MIDI port Fantom, channel 3
                zone thru: MIDI port UM-ONE, the keyboard's channel
                beat: MIDI port Volca

                """), "\(shown.text)\(shown.errors)")
        #expect(!run("patch", "show", "out.yaml", "--dot").text.contains("Volca"))
    }

    @Test func aClockNeedsAName() {
        for name in ["", "any", "usb:1"] {
            let refused = run("live", "--device", "null", "--clock", name)
            #expect(refused.exitCode == 64 && refused.errors.contains("--clock"), "\(name): \(refused.errors)")
            let deaf = run("play", "song.mid", "--device", "null", "--follow", name)
            #expect(deaf.exitCode == 64 && deaf.errors.contains("--follow"), "\(name): \(deaf.errors)")
        }
    }

    @Test func theSchemaIsJSON() throws {
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(run("patch", "schema").output)) as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func anOlderPatchIsConvertedAndTold() {
        let converted = run("patch", "convert", "old.patch")
        #expect(converted.exitCode == 0 && converted.errors == "old.patch: JSON, as version 0 had it; read as version 1\n")
        #expect(converted.text == "version: 1\n\nunits:\n  lead:\n    unit: square-wave\n    role: instrument\n\noutputs: lead\n")
        let kept = run("patch", "convert", "organ.yaml")
        #expect(kept.text == PatchSamples.organ && kept.errors.hasPrefix("organ.yaml: has version 1 already"))
    }

    /// A preset's file is named from the patch's folder on.
    @Test func aPatchThatIsConvertedIntoAnotherFolderHasItsPresetsValues() {
        folder.add("pl.yaml", Array("version: 1\nunit: square-wave\ngain: -9 dB\n".utf8))
        let source = "# mine\nversion: 1\nunits:\n  lead:\n    unit: square-wave  # loud\n    preset: ./pl.yaml\noutputs: lead\n"
        folder.add("pp.yaml", Array(source.utf8))
        mkdir(folder.file("sub"), 0o700)
        let beside = run("patch", "convert", "pp.yaml", "--output", "x.yaml")
        #expect(beside.exitCode == 0 && beside.errors == "pp.yaml: has version 1 already; written as it is\n", "\(beside.errors)")
        #expect(String(decoding: bytes(folder.file("x.yaml")), as: UTF8.self) == source)
        let away = run("patch", "convert", "pp.yaml", "--output", "sub/x.yaml")
        #expect(
            away.exitCode == 0
                && away.errors == "pp.yaml: has version 1 already\n"
                    + "sub/x.yaml: lead: preset ./pl.yaml is not available there; its values are written out\n",
            "\(away.errors)")
        #expect(
            String(decoding: bytes(folder.file("sub/x.yaml")), as: UTF8.self)
                == source.replacing("preset: ./pl.yaml", with: "gain: -9 dB"))
        #expect(run("patch", "check", "sub/x.yaml").exitCode == 0)
    }

    /// What an example has is kept with its lists.
    @Test func aMixersPresetIsKeptWithTheValuesOfItsInputs() {
        #expect(run("patch", "new", "cue-mix", "-o", "cue.yaml").exitCode == 0)
        let preset = run("patch", "preset", "cue.yaml", "cue")
        #expect(preset.exitCode == 0 && preset.errors.isEmpty, "\(preset.errors)")
        #expect(preset.text.contains("\ninputs: 2\n") && preset.text.contains("\ngain: [0 dB, -6 dB]\n"), "\(preset.text)")
    }

    @Test func aSongPlaysThroughAPatch() {
        let played = run("render", "one.mid", "--patch", "organ.yaml", "-o", "patch.wav", "--json")
        #expect(played.exitCode == 0 && played.text.contains("\"soundFonts\":[]"), "\(played.errors)\(played.text)")
        let louder = run(
            "render", "one.mid", "--patch", "organ.yaml", "-o", "louder.wav", "--gain", "3dB", "--set", "organ.gain=-30dB")
        #expect(louder.exitCode == 0 && bytes(folder.file("louder.wav")) != bytes(folder.file("patch.wav")))
        #expect(run("render", "one.mid", "--patch", "old.patch", "-o", "old.wav").exitCode == 0)
        let turned = run("render", "one.mid", "--patch", "old.patch", "-o", "turned.wav", "--gain", "3dB")
        #expect(
            turned.exitCode == 64 && turned.errors.contains("--gain: 3 dB: the patch has no multichannel-mixer"),
            "\(turned.errors)")
        for option in [["--dry"], ["--instrument", "square-wave"]] {
            #expect(Program.run(["render", "one.mid", "--patch", "organ.yaml"] + option, in: folder).exitCode == 64)
        }
    }
}

/// Presets, and properties that a unit refuses, as somebody at a command line meets them.
@Suite struct PatchPresetCommandTests {
    private let folder = TemporaryFolder()

    init() {
        folder.add("one.mid", SongBytes.oneNote)
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
    }

    private func run(_ arguments: String...) -> ProgramRun {
        Program.run(arguments, in: folder, environment: ["XDG_CONFIG_HOME": folder.file("config")])
    }

    @Test func aUnitsSettingIsKeptAndNamedByOtherPatches() {
        let printed = run("patch", "preset", "organ.yaml", "organ")
        #expect(printed.exitCode == 0 && printed.text.hasPrefix("version: 1\nunit: square-wave\n"), "\(printed.errors)")
        #expect(printed.text.contains("\nsustain: 100 %\n"))
        let kept = run("patch", "preset", "organ.yaml", "organ", "--keep", "my-organ")
        #expect(kept.text == folder.file("config/carillon/presets/square-wave/my-organ.yaml") + "\n", "\(kept.errors)")
        // It is not replaced by accident.
        let again = run("patch", "preset", "organ.yaml", "organ", "--keep", "my-organ")
        let path = folder.file("config/carillon/presets/square-wave/my-organ.yaml")
        #expect(
            again.exitCode == 73 && again.errors == "carillon: \(path): already exists; choose another name, or use --force\n")
        #expect(run("patch", "preset", "organ.yaml", "organ", "--keep", "my-organ", "--force").exitCode == 0)
        #expect(run("patch", "preset", "organ.yaml", "organ", "--force").exitCode == 64)
        #expect(run("units", "square-wave").text.contains("\n  presets of yours: my-organ\n"))
        // One that cannot be used is told apart, with the reason.
        folder.add("config/carillon/presets/square-wave/bad.yaml", Array("version: 1\nunit: square-wave\nsustian: 1 %\n".utf8))
        let listed = run("units", "square-wave").text
        #expect(listed.contains("\n  presets of yours: my-organ\n"), "\(listed)")
        #expect(
            listed.contains(
                "\n  cannot be used: bad: \(folder.file("config/carillon/presets/square-wave/bad.yaml")):3:1: there is no"))
        #expect(run("units", "square-wave").text.contains("\n  presets: chip-lead, "))
        folder.add("other.yaml", Array(PatchSamples.organ.replacing("sustain: 100 %", with: "preset: my-organ").utf8))
        #expect(run("patch", "check", "other.yaml").exitCode == 0)
        #expect(run("render", "one.mid", "--patch", "organ.yaml", "-o", "a.wav").exitCode == 0)
        #expect(run("render", "one.mid", "--patch", "other.yaml", "-o", "b.wav").exitCode == 0)
        #expect(folder.bytes(of: "a.wav") == folder.bytes(of: "b.wav"))
        for name in ["organ", "My Organ", "a/b"] {
            let refused = run("patch", "preset", "organ.yaml", "organ", "--keep", name)
            #expect(refused.exitCode == 64 && refused.errors.contains("--keep"), "\(refused.errors)")
        }
        #expect(run("patch", "preset", "organ.yaml", "orgn").errors.contains("did you mean organ?"))
    }

    @Test func anUnknownPresetEndsWith78AndItsPlace() {
        folder.add("bad.yaml", Array(PatchSamples.organ.replacing("sustain: 100 %", with: "preset: orgna").utf8))
        for command in [
            ["patch", "check"], ["patch", "show"], ["render", "one.mid", "--patch"], ["live", "--device", "null", "--patch"],
        ] {
            let run = Program.run(command + ["bad.yaml"], in: folder)
            #expect(run.exitCode == 78, "\(command)")
            #expect(
                run.errors.hasPrefix(
                    "carillon: bad.yaml:4:56: units.organ.preset: there is no preset \"orgna\" of square-wave; did you mean organ?"
                ),
                "\(run.errors)")
        }
    }

    @Test func aPropertyThatAUnitRefusesEndsWith78AndItsPlace() {
        folder.add(
            "bad.yaml",
            Array(
                """
                version: 1
                units:
                  beat:
                    unit: drum-machine
                    properties: {steps: "kick: x..y"}
                outputs: beat

                """.utf8))
        for command in [
            ["patch", "check"], ["patch", "show"], ["render", "one.mid", "--patch"], ["live", "--device", "null", "--patch"],
        ] {
            let run = Program.run(command + ["bad.yaml"], in: folder)
            #expect(run.exitCode == 78, "\(command)")
            #expect(run.errors.hasPrefix("carillon: bad.yaml:5:25: units.beat.properties.steps: "), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
    }
}
