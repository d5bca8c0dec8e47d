import DSP
import Glibc
import Patches
import TestFolders
import Testing
import UnitAPI

@Suite struct PatchTests {
    @Test func aThousandPatchesComeBackFromTheirTextAndFromTheirFlatForm() throws {
        var random = RandomPatch(seed: 1)
        var nestedCount = 0
        for _ in 0..<1000 {
            let patch = random.next()
            nestedCount += patch.patches.count
            #expect(try Patch(text: patch.text()) == patch)
            let flat = try patch.flattened()
            #expect(try flat.flattened() == flat)
            #expect(flat.patches.isEmpty && flat.unitCount == patch.unitCount)
            #expect(flat.nested(as: patch.layout) == patch)
        }
        #expect(nestedCount > 500)
    }

    @Test func theDifferenceOfTwoPatchesMakesOneTheOther() throws {
        var random = RandomPatch(seed: 2)
        var old = random.next()
        for _ in 0..<1000 {
            let new = random.next()
            let difference = old.difference(to: new)
            #expect(try old.applying(PatchDifference(text: difference.text())) == new)
            #expect(difference.isEmpty == (old == new))
            old = new
        }
    }

    @Test func aSmallChangeIsASmallDifference() throws {
        var patch = Patch()
        patch.units = ["a", "b", "c"].map { PatchUnit($0, "reverb") }
        patch.connections = [.init(PatchPort("a"), to: PatchPort("b")), .init(PatchPort("b"), to: PatchPort("c"))]
        patch.outputs = [PatchPort("c")]
        var changed = patch
        changed.units[1].values["decay"] = [2]
        changed.connections.removeLast()
        let difference = patch.difference(to: changed)
        #expect(difference.units.added == [changed.units[1]] && difference.units.removed == [patch.units[1]])
        #expect(difference.units.order == [0, 2, 1])
        #expect(difference.connections.removed.count == 1 && difference.connections.order == nil)
        #expect(throws: PatchError.differenceDoesNotFit) { try Patch().applying(difference) }
    }

    @Test(arguments: [
        ("{\n \"units\": [1,,2]}", "2:14: not YAML: did not find expected node content"),
        ("{\"a\": 1\n \"b\": 2}", "2:5: not YAML: did not find expected ',' or '}'"),
        ("{\"a\" 1}", "1:6: not YAML: did not find expected ',' or '}'"),
        ("[1, 2", "2:1: not YAML: did not find expected ',' or ']'"),
        ("{} x", "1:4: not YAML: did not find expected <document start>"),
        ("{\"\u{e4}\": \"x", "1:9: not YAML: found unexpected end of stream"),
        ("", "1:1: the file is empty; begin it with version: 1"),
        ("[]", "1:1: a mapping with carillon-patch: 1 is wanted here"),
        ("{}", "1:1: carillon-patch: 1 is missing; add it"),
        ("{ \"x\": [-1.5e-3, 0, \"\\\"\", null, [[]], {}] }", "1:1: carillon-patch: 1 is missing; add it"),
        (#"{"carillon-patch": 7}"#, "1:20: carillon-patch: version 7 is not known; this program reads version 1"),
        (#"{"carillon-patch": 1, "units": [{"name": "x"}]}"#, "1:33: units: unit: NAME is missing; add it"),
        (
            #"{"carillon-patch": 1, "units": [{"unit": "reverb", "parts": "0-3"}]}"#,
            "1:61: units.parts: \"0-3\" is no list of parts; write it like 1-16, 26"
        ),
        (
            #"{"carillon-patch": 1, "units": [{"unit": "reverb", "values": {"decay": "long"}}]}"#,
            "1:72: units.values.decay: a number is wanted here"
        ),
        (#"{"carillon-patch": 1, "outputs": ["mixer[x]"]}"#, "1:35: outputs: a bus like mixer or mixer[3] is wanted here"),
        (#"{"carillon-patch": 1, "outputs": ["mixer"]}"#, " the patch has no unit mixer; add it first"),
    ])
    func aDamagedTextIsRefusedWithItsPlace(_ text: String, _ fault: String) {
        let error = #expect(throws: PatchFileError.self) { try Patch(text: text, path: "mine") }
        #expect(error?.description == "mine:" + fault)
    }

    /// As versions before Swift's coding of these types went wrote it.
    @Test func theFormerJSONIsRead() throws {
        let text = #"""
            {"carillon-patch":1,"controllers":[{"channels":"1, 3","control":"97","from":-2.5,"name":"knob","parameter":"a.decay",\#
            "passes":true,"pick-up":true}],"outputs":["a"],"scenes":[{"key":36,"morph":45.225833892822266,"name":"verse",\#
            "values":{"a.decay":2},"zones":[]}],"units":[{"bypass":true,"input-count":3,"name":"a","parts":"2","preset":{"name":\#
            "soft","properties":{},"values":{"decay":[2]}},"properties":{"files":{"list":{"_0":[{"text":{"_0":"3"}},\#
            {"integer":{"_0":-3}},{"flag":{"_0":false}},{"number":{"_0":3}},{"list":{"_0":[]}}]}}},"role":"midi","unit":"reverb",\#
            "values":{"decay":-0.6083141,"gain":[1.5,0]}}],"zones":[{"channels":"9","ignored-controllers":[80],"keys":"36-59",\#
            "name":"left","programs":false,"velocity":{"curve":0.5,"low":21}}]}
            """#
        var unit = PatchUnit("a", "reverb", role: .midi)
        (unit.inputCount, unit.parts, unit.isBypassed) = (3, PartList([1]), true)
        unit.preset = UnitPreset("soft", values: ["decay": [2]])
        unit.values = ["decay": [-0.6083141], "gain": [1.5, 0]]
        unit.properties["files"] = .list([.text("3"), .integer(-3), .flag(false), .number(3), .list([])])
        var zone = Zone("left"), scene = Scene("verse"), patch = Patch()
        (zone.channels, zone.ignoredControllers, zone.passesPrograms) = (PartList([8]), [80], false)
        zone.keys = KeySpan(36...59)
        zone.velocity = TouchCurve(exponent: 0.5, low: 21)
        let decay = ParameterAddress(unit: "a", parameter: "decay")
        var map = ControllerMap("knob", .controller(97), moves: decay)
        (map.channels, map.from, map.passes, map.picksUp) = (PartList([0, 2]), -2.5, true, true)
        (scene.key, scene.morph, scene.values, scene.zones) = (36, 45.225833892822266, [decay: 2], [])
        (patch.units, patch.outputs) = ([unit], [PatchPort("a")])
        (patch.zones, patch.controllers, patch.scenes) = ([zone], [map], [scene])
        #expect(try Patch(text: text) == patch && Patch(text: patch.text(isReadable: false)) == patch)
        let edit = #"""
            {"connections":{"added":[{"from":"a","to":"b[1]"}],"order":[1,0],"removed":[]},"inside":{"x":{"connections":\#
            {"added":[],"removed":[]},"inside":{},"patches":{"added":[],"removed":[]},"soundFonts":[],\#
            "units":{"added":[],"removed":[]}}},"patches":{"added":[],"removed":[{"name":"y","patch":{}}]},"renamed":{"u":"v"},\#
            "units":{"added":[],"removed":[{"name":"b","unit":"reverb"}]},"zones":[]}
            """#
        var difference = PatchDifference(), inside = PatchDifference()
        inside.soundFonts = []
        difference.connections.added = [PatchConnection(PatchPort("a"), to: PatchPort("b", 1))]
        difference.connections.order = [1, 0]
        difference.patches.removed = [SubPatch("y", Patch())]
        difference.units.removed = [PatchUnit("b", "reverb")]
        (difference.inside, difference.renamed, difference.zones) = (["x": inside], ["u": "v"], [])
        #expect(try PatchDifference(text: edit) == difference && PatchDifference(text: difference.text()) == difference)
    }

    /// What ends a line in YAML ends none in JSON.
    @Test(arguments: ["\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{FFFE}", "a \u{1F3B9}"])
    func signsOfJSONAreReadAsTheyAre(_ sign: String) throws {
        let patch = try Patch(text: #"{"carillon-patch":1,"clock":["a\#(sign)b"]}"#)
        #expect(patch.clock == ["a\(sign)b"])
        let escaped = sign.utf16.map { "\\u\(String(0x1_0000 + Int($0), radix: 16).dropFirst())" }.joined()
        #expect(try Patch(text: #"{"carillon-patch":1,"clock":["a\#(escaped)b\\ud83c"]}"#).clock == ["a\(sign)b\\ud83c"])
        #expect(try Patch(text: patch.text()) == patch)
    }

    @Test func whatIsWrongIsNamed() {
        func wrong(_ change: (inout Patch) -> Void) -> PatchError? {
            var patch = Patch()
            patch.units = [PatchUnit("a", "reverb")]
            patch.patches = [SubPatch("inner", Patch())]
            change(&patch)
            do throws(PatchError) { try patch.check() } catch { return error }
            return nil
        }
        #expect(wrong { _ in } == nil)
        for name in ["", "a b", ".a", "a..b", "a.", "a[1]", "a=b", "*"] {
            #expect(wrong { $0.units[0].name = name } == .badName(name))
        }
        #expect(wrong { $0.units[0].name = "inner.a" } == .duplicateName("inner"))
        #expect(wrong { $0.patches[0].name = "in.ner" } == .badName("in.ner"))
        #expect(wrong { $0.units[0].name = "inner" } == .duplicateName("inner"))
        #expect(wrong { $0.units[0].values["decay"] = [.nan] } == .notFinite(unit: "a", parameter: "decay"))
        #expect(wrong { $0.outputs = [PatchPort("b")] } == .unknownUnit("b", within: "", known: ["a", "inner"]))
        #expect(
            wrong { $0.connections = [.init(PatchPort("inner", 1), to: PatchPort("a"))] }
                == .noSuchPort(patch: "inner", direction: "output", bus: 1, count: 0))
        #expect(wrong { $0.outputs = [PatchPort("a"), PatchPort("a")] } == .duplicatePort("a", patch: ""))
        #expect(
            wrong {
                $0.patches[0].patch.units = [PatchUnit("x", "reverb")]
                ($0.patches[0].patch.inputs, $0.patches[0].patch.outputs) = ([PatchPort("x")], [PatchPort("x")])
                $0.connections = [.init(PatchPort("inner"), to: PatchPort("inner"))]
            } == .belongsInside("inner -> inner", patch: "inner"))
        var deep = Patch()
        for _ in 0...Patch.deepest { var outer = Patch(); outer.patches = [SubPatch("x", deep)]; deep = outer }
        #expect(throws: PatchError.tooDeep(limit: Patch.deepest)) { try deep.check() }
    }

    @Test func partsAreWrittenInRangesFromOne() {
        #expect(PartList(Array(0..<16) + [25]).description == "1-16, 26")
        #expect(PartList("1-16, 26")?.sorted == Array(0..<16) + [25])
        for text in ["", "0", "1-", "5-3", "257", "a", "1,,2"] { #expect(PartList(text) == nil, "\(text)") }
        #expect(PatchPort(text: "mixer[3]") == PatchPort("mixer", 3))
        for text in ["", "[3]", "mixer[", "mixer[-1]", "mixer]"] { #expect(PatchPort(text: text) == nil, "\(text)") }
    }

    @Test func aFileIsWrittenWholeOrNotAtAll() throws {
        let folder = TemporaryFolder(), path = folder.path
        defer { withExtendedLifetime(folder) {} }
        var random = RandomPatch(seed: 3)
        let patch = random.next()
        try patch.write(to: path + "/a.patch")
        #expect(try Patch(path: path + "/a.patch") == patch)
        unlink(path + "/a.patch")
        let write = #expect(throws: PatchFileError.self) { try patch.write(to: path + "/no/a.patch") }
        let read = #expect(throws: PatchFileError.self) { try Patch(path: path + "/a.patch") }
        #expect(write?.fault == .cannotWrite(code: ENOENT) && read?.fault == .cannotRead(code: ENOENT))
    }
}
