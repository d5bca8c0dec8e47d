import CarillonTestKit
import Patches
import Testing
import UnitAPI

@Suite struct PatchFileTests {
    static let units = TestCatalogue.units

    static func read(_ text: String) throws -> Patch { try PatchFile(text: text, path: "x.yaml", units: units).patch }

    /// What reading says, without the name of the file; "" for a patch.
    static func fault(_ text: String) -> String {
        do { _ = try PatchFile(text: text, path: "x.yaml", units: units) } catch {
            return "\(error)".replacing("x.yaml:", with: "")
        }
        return ""
    }

    @Test func aThousandPatchesComeBackFromTheirFiles() throws {
        var patches = RandomPatch(seed: 11), random = SeededRandom(seed: 12)
        for count in 0..<1000 {
            let patch = patches.nextForFiles(&random)
            let text = try PatchFile.text(of: patch, units: Self.units)
            let again = try Self.read(text)
            #expect(again == patch, "\(text)")
            if count % 10 == 0 { #expect(try PatchFile.text(of: again, units: Self.units) == text) }
        }
    }

    @Test(arguments: RandomPatch.texts) func aTextComesBackAsItIs(_ text: String) throws {
        var patch = Patch()
        patch.soundFonts = [text]
        patch.units = [PatchUnit("a", "reverb")]
        patch.units[0].properties["files"] = .list([.text(text)])
        let again = try Self.read(PatchFile.text(of: patch, units: Self.units))
        // As scalars: Swift's strings are equal where accents are composed in another way.
        #expect(again.soundFonts.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)] && again == patch)
    }

    @Test func aByteOrderMarkInATextComesBack() throws {
        var patch = Patch()
        patch.soundFonts = ["\u{FEFF}a.sf2"]
        let again = try Self.read(PatchFile.text(of: patch, units: Self.units))
        #expect(Array(again.soundFonts[0].unicodeScalars) == Array("\u{FEFF}a.sf2".unicodeScalars))
    }

    @Test func commentsDoNotChangeWhatAFileMeans() throws {
        var patches = RandomPatch(seed: 13), random = SeededRandom(seed: 14)
        for _ in 0..<100 {
            let patch = patches.nextForFiles(&random)
            let text = try PatchFile.text(of: patch, units: Self.units, heading: "For tests.\nTwo lines.", isCommented: true)
            #expect(try Self.read(text) == patch, "\(text)")
            #expect(text.hasPrefix("# For tests.\n# Two lines.\n\nversion: 1\n"))
        }
    }

    @Test func whatACommentOffersMayBeTakenAsItStands() throws {
        var patch = Patch()
        patch.units = [PatchUnit("reverb", "reverb")]
        let text = try PatchFile.text(of: patch, units: Self.units, isCommented: true)
        let offers = text.split(separator: "\n").filter { $0.hasPrefix("    #") && !$0.hasPrefix("    # ") }
        #expect(offers.count == TestCatalogue.parameters.count - 1)
        var taken = text
        for offer in offers { taken = taken.replacing(offer, with: offer.replacing("#", with: "")) }
        let unit = try #require(try Self.read(taken).units.first)
        #expect(unit.values["decay"] == [1.5] && unit.values["bands"] == [0, 0.5, 1, 0.25] && unit.values["mode"] == [0])
    }

    @Test func aFileReadsLikeWhatItMeans() throws {
        let text = """
            version: 1

            units:
              organ:
                unit: square-wave
                role: instrument
                parts: 1-16, 26
                decay: 500 ms
                mute: on
              reverb:
                role: send
                decay: 2.5 s
              mixer:
                role: master
                inputs: 3
                gain: [0 dB, -3 dB, 1.25 dB]

            connections:
              - organ -> mixer
              - organ[send] -> reverb -> mixer[1]

            outputs: mixer

            """
        let patch = try Self.read(text)
        #expect(patch.units.map(\.name) == ["organ", "reverb", "mixer"])
        #expect(patch.units[0].parts == PartList(Array(0..<16) + [25]))
        #expect(patch.units[2].values["gain"] == [0, -3, 1.25] && patch.units[2].inputCount == 3)
        #expect(
            patch.connections == [
                .init(PatchPort("organ"), to: PatchPort("mixer")), .init(PatchPort("organ", 1), to: PatchPort("reverb")),
                .init(PatchPort("reverb"), to: PatchPort("mixer", 1)),
            ])
        #expect(patch.outputs == [PatchPort("mixer")])
        #expect(try PatchFile.text(of: patch, units: Self.units) == text)
    }

    @Test func smallWaysOfWritingMeanTheSame() throws {
        let long = try Self.read(
            "version: 1\nunits:\n  reverb:\n    unit: reverb\n    decay: 2.5 s\n    bypass: on\noutputs: [reverb]\n")
        for text in [
            "{version: 1, units: {reverb: {decay: 2.5s, bypass: true}}, outputs: reverb}",
            "\u{FEFF}version: 1\r\nunits:\r\n  reverb: {decay: 2500ms, bypass: yes}\r\noutputs: reverb\r\n",
            "outputs: reverb\nunits:\n  \"reverb\":\n    'decay': '2.5'\n    values: {}\n    bypass: on\nconnections:\nversion: \"1\"",
            "version: 1\nunits: {reverb: &a {decay: 2.5s, bypass: on}}\noutputs: reverb\npatches:\n",
        ] { #expect(try Self.read(text) == long, "\(text)") }
        #expect(try Self.read("version: 1\nunits:\n  reverb:\n").units == [PatchUnit("reverb", "reverb")])
    }

    @Test func theOlderFormIsReadAndTold() throws {
        var random = SeededRandom(seed: 16), patches = RandomPatch(seed: 15)
        let patch = patches.nextForFiles(&random)
        let file = try PatchFile(text: patch.text(), path: "old.patch", units: Self.units)
        #expect(file.patch == patch && file.version == 0)
        #expect(file.remarks.map(\.description) == ["old.patch: JSON, as version 0 had it; read as version 1"])
        let new = try PatchFile(text: PatchFile.text(of: patch, units: Self.units), units: Self.units)
        #expect(new.patch == patch && new.version == 1 && new.remarks.isEmpty)
        #expect(Self.fault(#"{"carillon-patch": 1, "units": [{"unit": "revreb"}]}"#).hasSuffix("did you mean reverb?"))
        #expect(Self.fault(#"{"carillon-patch": 7}"#).hasPrefix("1:20: "))
    }
}
