import Glibc
import Patches
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

    /// Whoever has written a patch by hand finds the place.
    @Test(arguments: [
        ("{\n \"units\": [1,,2]}", "line 2, column 14: a value is missing"),
        ("{\"a\": 1\n \"b\": 2}", "line 2, column 2: a comma or a closing } is missing"),
        ("{\"a\": tru}", "line 1, column 7: \"tru\" is no value"),
        ("{\"a\" 1}", "line 1, column 6: a colon is missing"),
        ("{a: 1}", "line 1, column 2: a name in quotation marks is missing"),
        ("[1, 2", "line 1, column 6: the text ends before a closing ]"),
        ("{} x", "line 1, column 4: more text follows after the end"),
        ("{\"\u{e4}\": \"x", "line 1, column 9: the text ends inside quotation marks"),
        ("", "line 1, column 1: the text ends where a value is missing"),
    ])
    func whatIsNoJSONIsToldWithItsPlace(_ text: String, _ fault: String) {
        let error = #expect(throws: PatchError.self) { try Patch(text: text, path: "mine") }
        #expect(error == .malformed(path: "mine", place: "", reason: fault))
    }

    @Test func whatIsJSONIsNotBlamedForItsForm() throws {
        let text = try Patch().text()
        #expect(try Patch(text: text) == Patch())
        let error = #expect(throws: PatchError.self) {
            try Patch(text: "{ \"x\": [-1.5e-3, 0, \"\\\"\", null, [[]], {}] }")
        }
        #expect(error?.description.contains("carillon-patch is missing") == true)
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

    @Test(arguments: [
        ("", "line 1"), ("[]", "no"), ("{}", "carillon-patch is missing"), (#"{"carillon-patch": 7}"#, "version 7 is not known"),
        (#"{"carillon-patch": 1, "units": [{"name": "x"}]}"#, "units[0]: unit is missing"),
        (#"{"carillon-patch": 1, "units": [{"unit": "reverb", "parts": "0-3"}]}"#, "no list of parts"),
        (#"{"carillon-patch": 1, "outputs": ["mixer[x]"]}"#, "outputs[0]: \"mixer[x]\" is no bus"),
    ])
    func aDamagedTextIsRefusedWithItsPlace(_ text: String, _ reason: String) {
        do {
            _ = try Patch(text: text, path: "x.patch")
            Issue.record("\(text) was read")
        } catch { #expect("\(error)".hasPrefix("x.patch: ") && "\(error)".contains(reason), "\(error)") }
    }

    @Test func partsAreWrittenInRangesFromOne() {
        #expect(PartList(Array(0..<16) + [25]).description == "1-16, 26")
        #expect(PartList("1-16, 26")?.sorted == Array(0..<16) + [25])
        for text in ["", "0", "1-", "5-3", "257", "a", "1,,2"] { #expect(PartList(text) == nil, "\(text)") }
        #expect(PatchPort(text: "mixer[3]") == PatchPort("mixer", 3))
        for text in ["", "[3]", "mixer[", "mixer[-1]", "mixer]"] { #expect(PatchPort(text: text) == nil, "\(text)") }
    }

    @Test func aFileIsWrittenWholeOrNotAtAll() throws {
        var folder = Array("/tmp/carillon-patch-XXXXXX".utf8CString)
        let path = try #require(mkdtemp(&folder).map { String(cString: $0) })
        defer { rmdir(path) }
        var random = RandomPatch(seed: 3)
        let patch = random.next()
        try patch.write(to: path + "/a.patch")
        #expect(try Patch(path: path + "/a.patch") == patch)
        unlink(path + "/a.patch")
        #expect(throws: PatchError.cannotWrite(path: path + "/no/a.patch", code: ENOENT)) {
            try patch.write(to: path + "/no/a.patch")
        }
        #expect(throws: PatchError.cannotRead(path: path + "/a.patch", code: ENOENT)) { try Patch(path: path + "/a.patch") }
    }
}
