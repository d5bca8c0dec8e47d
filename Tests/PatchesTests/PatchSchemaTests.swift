import CarillonTestKit
import Patches
import Testing

/// The schema that an editor checks by agrees with the reader.
@Suite struct PatchSchemaTests {
    static let units = TestCatalogue.units
    private static let schema = Result { try SchemaCheck(PatchSchema.text(units: units)) }
    private let check: SchemaCheck

    init() throws { check = try Self.schema.get() }

    @Test func whatIsWrittenFits() throws {
        var patches = RandomPatch(seed: 41), random = SeededRandom(seed: 42)
        for count in 0..<40 {
            let text = try PatchFile.text(of: patches.nextForFiles(&random), units: Self.units, isCommented: count % 2 == 0)
            let fault = try check.fault(text)
            #expect(fault == nil, "\(text)")
        }
        #expect(try check.fault(PatchUpdateTests.source) == nil)
        #expect(try check.fault("version: 1\nunits: {reverb: , b: {unit: mixer, mute: yes, decay: 1m30s, gain: -6dB}}") == nil)
    }

    /// Each is refused by the reader too.
    static let broken =
        [
            "units: {}", "version: 2", "version: one", "- a", "version: 1\nunit: {}", "version: 1\nzone: []",
            "version: 1\nunits: []",
            "version: 1\nunits: reverb", "version: 1\nunits: {a: {unit: revreb}}", "version: 1\nunits: {a: {decay: 1 s}}",
            "version: 1\nunits: {a: }", "version: 1\nunits: {a: {unit: [reverb]}}", "version: 1\nunits: {reverb: {unit: revreb}}",
            "version: 1\nunits: {'a b': {unit: reverb}}", "version: 1\nunits: {'a=b': {unit: reverb}}",
            "version: 1\nunits: {'': {unit: reverb}}", "version: 1\nunits: {reverb: 3}", "version: 1\nunits: {reverb: [decay]}",
            "version: 1\npatches: []", "version: 1\npatches: {a: {version: 1}}", "version: 1\npatches: {a: {unit: reverb}}",
            "version: 1\npatches: {a: {units: {b: {unit: nothing}}}}", "version: 1\npatches: {'a b': {}}",
            "version: 1\nclock: {a: b}", "version: 1\nclock: [[a]]", "version: 1\npatches: {a: {clock: b}}",
            "version: 1\nsoundfonts: a.sf2", "version: 1\nsoundfonts: [[a.sf2]]",
        ]
        + [
            "decai: 1 s", "decay: 21", "decay: -20.5", "decay: 1 Hz", "decay: loud", "decay: {a: b}", "decay: []", "decay: true",
            "gain: 13", "gain: [0, 13]", "gain: -6 s", "level: 5", "level: 1 dB", "cutoff: 1 kHZs", "cutoff: 10", "mute: perhaps",
            "mute: 2",
            "mode: sofd", "mode: [soft, hard]", "bands: [0, 0, 0, 0, 0]", "bands: 2", "role: strips", "role: 3", "parts: 0",
            "parts: a-b",
            "parts: '1-'", "parts: [1]", "bypass: perhaps", "bypass: 3", "inputs: 0", "inputs: 5000", "inputs: two",
            "inputs: 2.5",
            "properties: {fils: a}", "properties: [files]", "properties: {files: {a: b}}", "values: {decai: 1}",
            "values: {role: 10}",
            "values: 3", "unit: mixers",
        ].map { "version: 1\nunits:\n  reverb:\n    \($0)" }
        + [
            "unit: a, split: C4", "softest: 0", "hardest: 128", "transpose: far", "velocity: 3", "velocity: {curved: 1}",
            "channel: 17", "programs: some", "keyboard: [a]", "output: [a]", "output: {a: b}",
        ].map { "version: 1\nunits: {a: {unit: reverb}}\nzones: {left: {\($0)}}" }
        + [
            "a", "a ->", "-> a", "a - > b", "a->b", "a -> b c", "[a] -> b", "a -> b[", "a -> [1]",
        ].map { "version: 1\nunits: {a: {unit: reverb}, b: {unit: reverb}}\nconnections:\n  - '\($0)'" }

    @Test(arguments: broken) func whatIsBrokenDoesNotFit(_ text: String) throws {
        #expect(try check.fault(text) != nil)
        #expect(PatchFileTests.fault(text) != "")
    }

    @Test func thereAreFiftyBrokenOnes() { #expect(Self.broken.count >= 50) }
}
