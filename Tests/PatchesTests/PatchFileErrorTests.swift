import CarillonTestKit
import Patches
import Testing

/// What is wrong is said with its line, its key, and what to do.
@Suite struct PatchFileErrorTests {
    static let head = "version: 1\nunits:\n  mixer: {inputs: 2}\n  organ:\n    unit: square-wave\n"

    @Test(arguments: [
        ("", "1:1: the file is empty"),
        ("# only a comment\n", "1:1: the file is empty"),
        ("units: {}\n", "1:1: version: 1 is missing"),
        ("version: 2\n", "1:10: version: version 2 is not known; this program reads version 1"),
        ("- a\n", "1:1: a mapping with version"),
        (
            "version: 1\nunit: {}\n",
            "2:1: there is no \"unit\" here; did you mean units? Else choose from version, soundfonts, units, "
        ),
        ("version: 1\nunit: {}\n", "; did you mean units?"),
        ("version: 1\nversion: 1\n", "2:1: version: is given twice"),
        (
            "version: 1\nunits:\n  a: {unit: revreb}\n",
            "3:13: units.a.unit: there is no unit called \"revreb\"; did you mean reverb?"
        ),
        ("version: 1\nunits:\n  revreb:\n", "3:3: units.revreb.unit: there is no unit called \"revreb\""),
        ("version: 1\nunits:\n  a b: {unit: reverb}\n", "3:3: units: \"a b\" cannot name a unit"),
        ("version: 1\nunits: [reverb]\n", "2:8: units: a mapping of units by name is wanted here"),
        ("version: 1\nunits: {[a]: b}\n", "2:9: a name is wanted here"),
        (
            "version: 1\nunits:\n  a: {unit: reverb}\n  limiter\noutputs: a\n",
            "5:1: not YAML: could not find expected ':'; check the line before"
        ),
        (
            "version: 1\nunits:\n  a: {unit: reverb}\n\tb: 1\n",
            "4:1: not YAML: found character that cannot start any token; it is a tab"
        ),
        (head + "    decai: 1 s\n", "6:5: units.organ: there is no \"decai\" here"),
        (head + "    decai: 1 s\n", "; did you mean decay?"),
        (head + "    decay: 1 Hz\n", "6:12: units.organ.decay: decay: \"1 Hz\" has the wrong unit; choose from -20 to 20 s"),
        (head + "    decay: 21 s\n", "6:12: units.organ.decay: decay: 21 s is out of range"),
        (head + "    decay: loud\n", "6:12: units.organ.decay: decay: \"loud\" is not a number"),
        (head + "    decay:\n", "units.organ.decay: a value, -20 to 20 s, is wanted here"),
        (head + "    decay: {a: b}\n", "6:12: units.organ.decay: a value"),
        (head + "    decay: [1 s, 2 s]\n", "6:12: units.organ.decay: 2 values are too many; there is one"),
        (head + "    decay: []\n", "6:12: units.organ.decay: the list is empty"),
        (head + "    mode: sofd\n", "did you mean soft?"),
        (
            head + "    role: strips\n",
            "6:11: units.organ.role: there is no role \"strips\"; did you mean strip? Else choose from instrument, midi, strip, send, "
        ),
        (head + "    parts: 0-3\n", "6:12: units.organ.parts: \"0-3\" is no list of parts"),
        (head + "    bypass: perhaps\n", "6:13: units.organ.bypass: bypass: \"perhaps\" is not one of on, off"),
        (head + "    inputs: 0\n", "6:13: units.organ.inputs: \"0\" is no number of inputs; write a whole number from 1 to 4096"),
        (
            head + "    properties: {fils: a}\n",
            "6:18: units.organ.properties: there is no \"fils\" here; did you mean files? Else choose from files"
        ),
        (head + "    properties: {files: 1e999}\n", "6:25: units.organ.properties.files: this is no number"),
        (head + "    values: {decay: 1, decay: 2}\n", "6:24: decay: is given twice"),
        (head + "    decay: 1 s\n    values: {decay: 1}\n", "7:14: units.organ.values.decay: is given twice"),
        (head + "connections:\n  - organ mixer\n", "7:5: connections: \"organ mixer\" is no connection; write it like organ -> "),
        (
            head + "connections:\n  - orgen -> mixer\n",
            "7:5: connections: there is no unit \"orgen\"; did you mean organ? Else choose from mixer, organ"
        ),
        (head + "connections:\n  - organ -> mixre\n", "7:14: connections: there is no unit \"mixre\""),
        (head + "connections:\n  - organ -> mixer[2]\n", "7:14: connections: mixer has no input [2]; it has [0], [1]"),
        (
            head + "connections:\n  - organ[snd] -> mixer\n",
            "7:5: connections: organ has no output [snd]; it has [main], [send], "
        ),
        (head + "connections:\n  - organ -> mixer[1] -> mixer\n", "7:14: connections: mixer[1] stands in the middle"),
        (head + "connections: organ -> mixer\n", "6:14: connections: a list of connections is wanted here"),
        (head + "outputs: mixer[9]\n", "6:10: outputs: mixer has no output [9]"),
        (head + "outputs: [mixer, mixer]\n", "6:18: outputs: the patch offers mixer twice"),
        (head + "patches:\n  mixer: {}\n", "7:3: patches: two units are named mixer"),
        (head + "patches:\n  a.b: {}\n", "7:3: patches: \"a.b\" cannot name"),
        (head + "patches:\n  a: {version: 1}\n", "7:7: patches.a: there is no \"version\" here"),
        (head + "soundfonts: a.sf2\n", "6:13: soundfonts: a list of SoundFont files is wanted here"),
        (
            head + "zones: {a: {kees: C4}}\n",
            "6:13: zones.a: there is no \"kees\" here; did you mean keys? Else choose from keyboard, channels, keys, "
        ),
        (head + "zones: {a: {keys: C4-H4}}\n", "6:19: zones.a.keys: a range of keys like C2-B3 or 36-59 is wanted here"),
        (head + "zones: {a: {softest: 128}}\n", "6:22: zones.a.softest: a whole number from 1 to 127 is wanted here"),
        (
            head + "zones: {a: {unit: orgn}}\n",
            "6:19: zones.a.unit: there is no unit \"orgn\"; did you mean organ? Else choose from mixer, organ"
        ),
        (head + "zones: {a: {output: any}}\n", "6:9: zones.a: name the MIDI port that it plays out to"),
        (
            head + "zones: {a: {output: x, program: 3}}\n",
            "6:9: zones.a: give the channel on which the sound is chosen outside"
        ),
        (head + "clock: [Volca, any]\n", "6:8: the clock: name the MIDI ports that get it"),
        (head + "clock: [Volca, Volca]\n", "6:8: the clock: Volca is given twice; leave one of them out"),
        (head + "clock: {a: b}\n", "6:8: clock: a part of the name of a MIDI port, or a list is wanted here"),
        (head + "controllers: {a: {parameter: organ.decay}}\n", "6:15: controllers.a: control: 1 is missing"),
        (head + "controllers: {a: {cc: 1, parameter: organ.decay}}\n", "6:19: controllers.a: there is no \"cc\" here"),
        (
            head + "controllers: {a: {control: 128, parameter: organ.decay}}\n",
            "6:28: controllers.a.control: a controller from 0 to 119"
        ),
        (
            head + "controllers: {a: {control: 1, parameter: organ}}\n",
            "6:42: controllers.a.parameter: a parameter like reverb.decay"
        ),
        (
            head + "controllers: {a: {control: 1, parameter: orgen.decay}}\n",
            "6:42: controllers.a.parameter: there is no unit \"orgen\""
        ),
        (
            head + "controllers: {a: {control: 1, parameter: organ.dacay}}\n",
            "6:42: controllers.a.parameter: there is no \"dacay\" here"
        ),
        (head + "controllers: {a: {control: 1, parameter: organ.dacay}}\n", "; did you mean decay?"),
        (head + "controllers: {a: {control: 1, parameter: \"organ.gain[9]\"}}\n", "6:42: controllers.a.parameter: "),
        (head + "controllers: {a: {control: 1, parameter: organ.mode}}\n", "6:42: controllers.a.parameter: mode"),
        (head + "controllers: {a: {control: 1, parameter: organ.decay, to: 30 s}}\n", "6:59: controllers.a.to: decay"),
        (
            head + "controllers: {a: {control: 1, parameter: organ.decay, curve: 2}}\n",
            "6:62: controllers.a.curve: linear or logarithmic"
        ),
        (head + "controllers: {a: {control: 1, parameter: organ.decay, pickup: on}}\n", "; did you mean pick-up?"),
        (head + "scenes: {a: {morph: 601 s}}\n", "6:21: scenes.a.morph: morph"),
        (head + "scenes: {a: {values: {organ.decay: 1 s, organ.dacay: 1 s}}}\n", "6:41: scenes.a.values: there is no \"dacay\""),
        (head + "scenes: {a: {values: {organ.decay: 30 s}}}\n", "6:36: scenes.a.values.organ.decay: decay"),
        (head + "scenes: {a: {key: C4-D4}}\n", "6:19: scenes.a.key: a key like C1 or 24"),
        (head + "scenes: {a: {zones: [left]}}\n", "6:22: scenes.a.zones: there is no zone \"left\"; add it to zones"),
        (
            head + "zones: {l: {}}\nscenes: {a: {zones: [left]}}\n",
            "7:22: scenes.a.zones: there is no zone \"left\"; choose from l"
        ),
        (head + "scenes: {a: {programme: 1}}\n", "; did you mean program?"),
        (head + "patches:\n  a: {zones: {}}\n", "7:7: patches.a: there is no \"zones\" here"),
        ("version: 1\nunits:\n\ta: b\n", "3:1: not YAML: found character that cannot start any token"),
        ("version: 1\nunits: {a: !!binary x}\n", "2:12: not YAML: a tag"),
        ("version: 1\nunits: {a: *b}\n", "2:12: not YAML: an alias without an anchor, *b"),
        ("version: 1\n---\nversion: 1\n", "2:1: not YAML: a second document"),
        ("version: 1\u{0}\n", "1:11: not YAML: control characters are not allowed"),
    ]) func aFaultIsNamedWithItsPlace(_ text: String, _ sentence: String) {
        let fault = PatchFileTests.fault(text)
        let beginsWithItsPlace = sentence.first?.isNumber == true
        #expect(beginsWithItsPlace ? fault.hasPrefix(sentence) : fault.contains(sentence), "\(fault)")
        #expect(!fault.contains("\n"))
    }

    @Test func everythingThatIsWrongIsToldAtOnceInTheOrderOfTheFile() {
        let text = """
            version: 1
            units:
              a: {unit: reverb, decai: 1 s, level: 5}
              b: {unit: revreb}
            connections: [b -> a]
            zones: {z: {softest: 200, unit: a}}
            outputs: a
            """
        let error = #expect(throws: PatchFileError.self) { try PatchFile(text: text, units: PatchFileTests.units) }
        let all = error.map { [$0] + $0.others } ?? []
        // What names a unit that could not be read is not refused for that.
        #expect(all.map(\.line) == [3, 3, 4, 6], "\(all)")
        #expect(all.map(\.key) == ["units.a", "units.a.level", "units.b.unit", "zones.z.softest"])
    }

    /// Each at its own line, once, with names, whatever is wrong besides.
    @Test func faultsOfZonesControllersAndScenesStandAtTheirOwnLines() {
        let text =
            Self.head + """
                    parts: 1-4
                zones:
                  a: {unit: orgn, keys: C5-C4}
                  b: {unit: organ, channel: 9}
                  c: {unit: organ}
                controllers:
                  wheel: {control: 1, parameter: organ.cutof}
                  pedal: {control: 4, parameter: organ.decay, channels: 17}
                scenes:
                  one: {program: 128, zones: [b, d], values: {orgn.decay: 1 s}}
                  two: {zones: [a, c], channels: 17}

                """
        let error = #expect(throws: PatchFileError.self) { try PatchFile(text: text, units: PatchFileTests.units) }
        let all = error.map { [$0] + $0.others } ?? []
        #expect(
            all.map { "\($0.line ?? 0) \($0.key)" } == [
                "8 zones.a.unit", "8 zones.a.keys", "9 zones.b", "12 controllers.wheel.parameter", "13 controllers.pedal",
                "15 scenes.one.program", "15 scenes.one.zones", "15 scenes.one.values", "16 scenes.two",
            ], "\(all)")
        #expect(!all.contains { "\($0)".contains("no unit ;") || "\($0)".contains("unit \"\"") }, "\(all)")
    }

    @Test func whatUnfoldsTooFarIsRefusedBeforeItDoes() {
        var bomb = "version: 1\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        for level in 1...9 {
            bomb += "a\(level): &a\(level) [" + [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ",") + "]\n"
        }
        #expect(PatchFileTests.fault(bomb).hasPrefix("8:10: its anchors and aliases might unfold"))
        // As a key.
        let few =
            "version: 1\na: &a [\(String(repeating: "x,", count: 3_000))]\nb: &b [\(String(repeating: "*a,", count: 3_000))]\n"
            + "? *b\n: 1\n"
        #expect(PatchFileTests.fault(few).hasPrefix("3:2003: its anchors and aliases might unfold"))
        // What people write is read.
        let parts = (1...16).map { "  u\($0): {unit: reverb, decay: \($0 == 1 ? "&slow 2 s" : "*slow")}\n" }.joined()
        #expect(PatchFileTests.fault("version: 1\nunits:\n\(parts)") == "")
    }

    @Test func depthIsBounded() {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("? ", "")] {
            for depth in [70, 600, 100_000] {
                let text =
                    "version: 1\nunits: " + (open == "? " ? "\n  " : "") + String(repeating: open, count: depth)
                    + String(repeating: close, count: depth)
                #expect(!PatchFileTests.fault(text).isEmpty)
            }
        }
        var nested = "", margin = ""
        for _ in 0...Patch.deepest {
            nested += "\(margin)patches:\n\(margin)  a:\n"
            margin += "    "
        }
        #expect(PatchFileTests.fault("version: 1\n\(nested)").contains("patches lie inside each other more than 16 deep"))
    }

    @Test func bytesThatAreNoTextAreNamedWithTheirLine() {
        do {
            _ = try PatchFile.text(bytes: Array("version: 1\n# caf".utf8) + [0xE9, 0x0A], path: "x.yaml")
            Issue.record("it was read")
        } catch { #expect("\(error)" == "x.yaml:2:1: the file is not UTF-8; save it as UTF-8") }
    }

    @Test func aFileThatIsNoPatchIsNotReadToItsEnd() {
        do {
            _ = try PatchFile(path: "/dev/zero", units: PatchFileTests.units)
            Issue.record("it was read")
        } catch { #expect(error.fault == .tooLarge(limit: PatchFile.largest) && error.line == nil) }
        do {
            _ = try PatchFile(path: "/proc/nowhere/x.yaml", units: PatchFileTests.units)
            Issue.record("it was read")
        } catch { #expect("\(error)" == "/proc/nowhere/x.yaml: cannot be read: No such file or directory") }
    }

    /// Two thousand files with damage, from their seeds; `tools/fuzz` has more.
    @Test func damagedFilesAreRefusedWithTheirLineOrArePatches() throws {
        var patches = RandomPatch(seed: 31), random = SeededRandom(seed: 32)
        var sources = [PatchUpdateTests.source]
        while sources.count < 20 {
            let patch = patches.nextForFiles(&random)
            if patch.unitCount < 8 { sources.append(try PatchFile.text(of: patch, units: PatchFileTests.units)) }
        }
        var refused = 0
        for count in 0..<2000 {
            var bytes = Array(sources[count % sources.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
            do throws(PatchFileError) {
                let text = try PatchFile.text(bytes: bytes, path: "x")
                let patch = try PatchFile(text: text, path: "x", units: PatchFileTests.units).patch
                #expect(throws: Never.self) { try patch.check() }
            } catch {
                refused += 1
                #expect(error.line ?? 0 > 0 && error.column ?? 0 > 0, "\(error)")
            }
        }
        #expect(refused > 500 && refused < 2000)
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        if bytes.isEmpty { bytes = [0x20] }
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert("[]{}:,-#&*!|>'\"%@`? \n\t".utf8.randomElement(using: &random) ?? 0, at: place)
        case 3: bytes.removeLast(bytes.count - place)
        default:
            var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            lines.swapAt(Int.random(in: lines.indices, using: &random), Int.random(in: lines.indices, using: &random))
            bytes = Array(lines.joined(separator: [0x0A]))
        }
    }
}
