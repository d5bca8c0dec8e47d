import Carillon
import Document
import MIDI
import Patches
import Reports
import Testing

@testable import Sessions

/// Set lists as files: read, changed, checked.
@Suite struct SetListFileTests {
    private static let evening = """
        # The evening.
        version: 1
        programs: {channel: 16}
        buttons:
          controller-80: patch next   # the left pedal
          key-C1: metronome on

        entries:
          opening: organ.yaml
          # Long.
          ballad:
            patch: "rhodes.yaml"
            start: soft
            tempo: 72
            meter: 7/8
            program: 3
            parts: [{name: verse, scene: soft}, chorus]
            text: |
              [C]One line
              and another
          encore: {patch: /sets/pad.yaml, skip: on, next: go on}

        """

    private func list(_ text: String = evening) throws -> SetList { try SetList(text: text, path: "sets/evening.yaml") }

    @Test func everyKeyIsRead() throws {
        let list = try list()
        #expect(list.entries.map(\.name) == ["opening", "ballad", "encore"])
        #expect(list.entries.map(\.patch) == ["sets/organ.yaml", "sets/rhodes.yaml", "/sets/pad.yaml"])
        let ballad = list.entries[1]
        #expect(ballad.start == "soft" && ballad.tempo == 72 && ballad.meter == Meter(beats: 7, unit: 3) && ballad.program == 3)
        #expect(ballad.parts.map(\.name) == ["verse", "chorus"] && ballad.parts.map(\.scene) == ["soft", nil])
        #expect(ballad.text == "[C]One line\nand another\n" && list.programs == .init(channel: 16))
        #expect(list.entries[2].isSkipped && list.entries[2].next == .goOn)
        #expect(list.buttons.map(\.control) == ["controller-80", "key-C1"] && list.buttons.map(\.line) == [5, 6])
        #expect(list.buttons.map(\.request) == ["patch next", "metronome on"])
        #expect(list.place("entries.ballad.tempo") == "sets/evening.yaml:14: entries.ballad.tempo")
    }

    @Test func anOrderIsChangedAndTheRestStays() throws {
        var list = try list()
        #expect(try list.update(source: Self.evening) == Self.evening)
        try list.move(["encore", "ballad"], to: 1)
        #expect(list.entries.map(\.name) == ["encore", "ballad", "opening"])
        let text = try list.update(source: Self.evening), again = try self.list(text)
        #expect(again.entries == list.entries && again.buttons.map(\.request) == list.buttons.map(\.request))
        // Each line is there that was there.
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n").sorted() }
        #expect(lines(text) == lines(Self.evening), "\(text)")
        try list.move(["encore"], to: 99)
        #expect(list.entries.last?.name == "encore")
        let unknown = SetList.UnknownEntry(name: "enkore", known: list.entries.map(\.name))
        #expect(throws: unknown) { try list.move(["enkore"], to: 1) }
        // A mapping on one line, too.
        let short = "version: 1\nentries: {a: x.yaml, b: y.yaml}\n"
        var pair = try self.list(short)
        try pair.move(["b"], to: 1)
        #expect(try self.list(pair.update(source: short)).entries.map(\.name) == ["b", "a"])
        // A new file means the same, with its keys explained.
        let new = try list.text()
        #expect(try self.list(new).entries == list.entries && new.contains("#   count-in: Bars that are counted"), "\(new)")
    }

    @Test(arguments: [
        ("entries: {a: {patch: x.yaml, tempo: 500}}", "2:37: entries.a.tempo: tempo: 500 is out of range; choose from 20 to 400"),
        ("entries: {a: {pach: x.yaml}}", "2:15: entries.a: there is no \"pach\" here; did you mean patch?"),
        ("entries: {a: {tempo: 90}}", "2:11: entries.a: a patch or a song is wanted here"),
        ("entries: {a: {song: x.mid, start: s}}", "start names a scene, and there is no patch; add patch"),
        ("entries: {a: {patch: x.yaml, skip: on}}", "2:1: every entry is skipped; take skip out of one"),
        ("entries: {a: x.yaml, a: y.yaml}", "2:22: a: is given twice; leave one of them out"),
        ("entries:", "entries: a mapping of entries by name is wanted here"), ("buttons: {}", "entries: is missing; add it"),
        ("entries: {a: {patch: x.yaml, meter: 7/9}}", "a meter like 3/4 or 7/8 is wanted here"),
        ("entries: {a: {patch: x.yaml, next: goon}}", "did you mean go on?"),
        ("programs: {}\nentries: {a: x.yaml}", "2:1: programs: a channel or a keyboard is wanted here"),
        ("programs: {channel: 17}\nentries: {a: x.yaml}", "a whole number from 1 to 16 is wanted here"),
        ("buttons: {key-C1: }\nentries: {a: x.yaml}", "buttons.key-C1: a request like patch next is wanted here"),
    ]) func whatIsWrongHasItsLineAndARemedy(_ text: String, _ words: String) {
        do {
            _ = try list("version: 1\n" + text + "\n")
            Issue.record("\(text) was read")
        } catch {
            let all = ([error as? DocumentError] + ((error as? DocumentError)?.others ?? [])).compactMap { $0?.description }
            #expect(all.contains { $0.contains(words) }, "\(all)")
        }
    }

    @Test func whatTwoClaimWhatIsNotThereAndWhatIsNotFollowedIsSaid() throws {
        let text = """
            version: 1
            always: pads.yaml
            buttons: {key-C4: metronome on, controller-80: patch next, program-3: tap,
              controller-81: patch won, controller-82: scene Soft, controller-83: part Verses, controller-84: set organ.drif=3,
              controller-85: set always.organ.level=3}
            entries:
              one: {patch: a.yaml, program: 3, start: loud}
              two: {patch: a.yaml, program: 3, song: s.mid, start: sofd}
              three: {patch: b.yaml, next: go on, text: words, parts: [{name: verse, marker: A}]}

            """
        var patch = Patch()
        patch.zones = [Zone("piano")]
        var scene = Scene("soft")
        scene.controller = 80
        patch.scenes = [scene]
        patch.units = [PatchUnit("organ", "polysynth")]
        var list = try list(text)
        let requests: [String: ControlCommand] = [
            "controller-81": .patch(.named("won")), "controller-82": .scene(.named("Soft")), "controller-83": .part("Verses"),
            "controller-84": .set("organ.drif=3"), "controller-85": .set("always.organ.polyphony=8"),
        ]
        for place in list.buttons.indices {
            let control = list.buttons[place].control
            list.buttons[place].made = try requests[control].map { try Button(control, .request($0)) }
        }
        func found(_ patches: [String: Patch]) throws -> [String] {
            let sheet = try EntrySheet(ChordSheet("[Verses]\nwords"), parts: [.init(name: "verse")])
            return SetListCheck(list, patches: patches, sheets: ["three": sheet], always: patch).remarks.map {
                "\($0.kind.rawValue) \($0)".replacing("sets/evening.yaml:", with: "")
            }
        }
        // What a patch has that could not be read is unknown.
        #expect(try found(["sets/a.yaml": patch]).filter { $0.hasPrefix("missing 4") }.count == 1)
        let lines = try found(["sets/a.yaml": patch, "sets/b.yaml": Patch()])
        #expect(
            lines == [
                "not-followed 2: always: its scenes and controllers are not followed; let a button set its parameters",
                "not-followed 3: buttons.key-C4: the zone piano of one uses it too, and no longer hears it",
                "not-followed 3: buttons.key-C4: the zone piano of two uses it too, and no longer hears it",
                "not-followed 3: buttons.controller-80: the scene soft of one uses it too, and no longer hears it",
                "not-followed 3: buttons.controller-80: the scene soft of two uses it too, and no longer hears it",
                "missing 4: buttons.controller-81: no entry has the patch \"won\"; choose from one, three, two",
                "missing 4: buttons.controller-82: no entry has the scene \"Soft\"; did you mean soft? Else choose from soft",
                "missing 4: buttons.controller-84: organ has no parameter \"drif\"; choose from mode, polyphony, glide, "
                    + "osc-1-shape, osc-1-octave, osc-1-semitones, osc-1-fine, osc-1-width, osc-1-level, osc-2-shape, "
                    + "osc-2-octave, osc-2-semitones and 29 more",
                "not-followed 7: entries.one.program: no program change selects it, since programs names no channel and no "
                    + "keyboard; add programs: {channel: 16}",
                "missing 7: entries.one.start: there is no scene \"loud\" in sets/a.yaml; choose from soft",
                "not-followed 8: entries.two.program: one has program 3 already; choose another number",
                "not-followed 8: entries.two.program: no program change selects it, since programs names no channel and no "
                    + "keyboard; add programs: {channel: 16}",
                "missing 8: entries.two.start: there is no scene \"sofd\" in sets/a.yaml; did you mean soft? Else choose from soft",
                "missing 9: entries.three.parts: the text has no part \"verse\"; did you mean Verses? Else choose from Verses",
                "not-followed 9: entries.three.next: it has no song at whose end the next entry would begin; add song",
                "not-followed 9: entries.three.parts: it has no song whose markers they could name; add song",
            ], "\(lines.joined(separator: "\n"))")
    }
}
