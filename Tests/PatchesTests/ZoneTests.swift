import CarillonTestKit
import DSP
import Testing

@testable import Patches

/// What zones say, as values and as text.
@Suite struct ZoneTests {
    @Test func keysAreNamedAsMusiciansNameThem() {
        #expect(KeySpan.name(of: 60) == "C4" && KeySpan.name(of: 0) == "C-1" && KeySpan.name(of: 127) == "G9")
        for key in UInt8(0)...127 {
            #expect(KeySpan.key(KeySpan.name(of: key)) == key)
            #expect(KeySpan.key("\(key)") == key)
        }
        #expect(KeySpan.key("db4") == 61 && KeySpan.key("B#3") == 60 && KeySpan.key("Cb4") == 59 && KeySpan.key("F##2") == 43)
        for text in ["", "H4", "C", "C10", "Cb-1", "G#9", "128", "-1", "4C", "+60"] {
            #expect(KeySpan.key(text) == nil, "\(text)")
        }
    }

    @Test func everySpanReadsWhatItWrites() {
        for low in UInt8(0)...127 {
            for high in [low, min(low + 1, 127), 127] { #expect(KeySpan(KeySpan(low...high).description) == KeySpan(low...high)) }
        }
        #expect(KeySpan("C-1-B0") == KeySpan(0...23) && KeySpan("36-C4") == KeySpan(36...60))
        for text in ["", "-", "C4-", "-C4", "B3-C3", "C3-D3-E3", "C3 to D3"] { #expect(KeySpan(text) == nil, "\(text)") }
    }

    @Test func curvesStayInTheirBounds() {
        for value in UInt8(0)...127 {
            #expect(TouchCurve.straight.value(of: value) == value)
            #expect(TouchCurve(fixed: 90).value(of: value) == (value == 0 ? 0 : 90))
        }
        let soft = TouchCurve(exponent: 0.5, low: 20, high: 110)
        #expect(soft.value(of: 1) == 20 && soft.value(of: 127) == 110 && soft.value(of: 32) == 65)
        #expect(TouchCurve(exponent: 2).value(of: 64) == 33)
        #expect(TouchCurve(exponent: 0, low: 5, high: 70).value(of: 1) == 70)
    }

    @Test func whatControllersAndScenesCannotBeIsToldByName() {
        func fault(_ change: (inout Patch) -> Void) -> String {
            var patch = patch([Zone("left")])
            patch.controllers = [ControllerMap("hall", .controller(1), moves: ParameterAddress(unit: "piano", parameter: "x"))]
            patch.scenes = [Scene("verse")]
            change(&patch)
            do throws(PatchError) {
                try patch.check()
                return ""
            } catch { return "\(error)" }
        }
        #expect(fault { _ in } == "")
        for (part, change): (String, (inout Patch) -> Void) in [
            ("the controller hall: there is no unit a; there are piano, limiter", { $0.controllers[0].parameter.unit = "a" }),
            ("a controller is 0...119", { $0.controllers[0].control = .controller(120) }),
            ("the value is not a number", { $0.controllers[0].to = .infinity }),
            ("channels are 1-16", { $0.controllers[0].channels = PartList([16]) }),
            ("the controller hall: is given twice", { $0.controllers.append($0.controllers[0]) }),
            ("the scene verse: is given twice", { $0.scenes.append($0.scenes[0]) }),
            ("there is no zone right; there are left", { $0.scenes[0].zones = ["right"] }),
            ("a morph takes 0 s to 600 s", { $0.scenes[0].morph = .nan }), ("a key is 0...127", { $0.scenes[0].key = 128 }),
            ("a program is 0...127", { $0.scenes[0].program = -1 }),
            ("a controller is 0...119", { $0.scenes[0].controller = 120 }),
            ("a.b: the value is not a number", { $0.scenes[0].values[ParameterAddress("a.b")!] = .nan }),
            ("there is no unit a", { $0.scenes[0].values[ParameterAddress("a.b[3]")!] = 1 }),
            (
                "more than 15 keyboards",
                { patch in
                    patch.scenes = (0..<16).map {
                        var scene = Scene("\($0)"); scene.keyboard = "\($0)"; return scene
                    }
                }
            ),
            (
                "it stands in inside",
                { patch in
                    var nested = Patch()
                    nested.scenes = [Scene("a")]
                    patch.patches = [SubPatch("inside", nested)]
                }
            ),
        ] { #expect(fault(change).contains(part), "\(fault(change)): \(part)") }
    }

    private func patch(_ zones: [Zone]) -> Patch {
        var patch = Patch()
        var piano = PatchUnit("piano", "square-wave", role: .instrument)
        piano.parts = PartList(0..<2)
        patch.units = [piano, PatchUnit("limiter", "limiter", role: .master)]
        patch.zones = zones
        return patch
    }

    @Test func whatAZoneCannotBeIsToldByName() {
        func fault(_ change: (inout Zone) -> Void) -> String {
            var zone = Zone("left hand")
            zone.unit = "piano"
            change(&zone)
            do throws(PatchError) {
                try patch([zone]).check()
                return ""
            } catch { return "\(error)" }
        }
        #expect(fault { _ in } == "")
        for (part, change): (String, (inout Zone) -> Void) in [
            ("no unit pianp; there are piano, limiter", { $0.unit = "pianp" }),
            ("limiter hears no part", { $0.unit = "limiter" }),
            ("no channel 3", { $0.channel = 3 }), ("a channel is 1-16", { $0.channel = 0 }),
            ("velocities are 1-127", { $0.softest = 0 }), ("velocities are 1-127", { ($0.softest, $0.hardest) = (90, 80) }),
            ("-127...127 semitones", { $0.transpose = 200 }), ("a curve is 0...10", { $0.velocity.exponent = .nan }),
            ("controllers are 0...127", { $0.ignoredControllers = [128] }),
            ("channels are 1-16", { $0.channels = PartList([16]) }),
            ("the MIDI port", { $0.output = "" }), ("the MIDI port", { $0.output = "Any" }),
            ("the channel on which", { ($0.output, $0.bank) = ("x", 3) }),
            ("no bank 128", { ($0.unit, $0.output, $0.channel, $0.bank) = (nil, "x", 1, 128) }),
            ("a bank is", { $0.bank = 129 }), ("a program is", { $0.program = 128 }),
        ] {
            let told = fault(change)
            #expect(told.hasPrefix("the zone left hand: ") && told.contains(part), "\(told)")
        }
        #expect(throws: PatchError.duplicateZone("a")) { try patch([Zone("a"), Zone("a")]).check() }
        var outer = Patch()
        outer.patches = [SubPatch("inner", patch([Zone("a")]))]
        #expect(throws: PatchError.nestedZone("a", patch: "inner")) { try outer.check() }
        outer.patches[0].patch.zones = []
        outer.patches[0].patch.clock = ["x"]
        #expect(throws: PatchError.nestedClock(patch: "inner")) { try outer.check() }
        outer.patches = []
        outer.clock = ["x", "y", "x"]
        #expect(throws: PatchError.clock("x")) { try outer.check() }
        let many = (0..<17).map { index in
            var zone = Zone("zone \(index)")
            zone.output = "port \(index)"
            return zone
        }
        #expect(throws: PatchError.zone("zone 16", reason: "more than 16 outputs; let some zones share one")) {
            try patch(many).check()
        }
    }

    @Test func zonesAreSavedComparedAndTakenOver() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            var before = patch((0..<Int.random(in: 0...3, using: &random)).map { Zone.random("zone \($0)", using: &random) })
            var after = patch((0..<Int.random(in: 0...3, using: &random)).map { Zone.random("zone \($0)", using: &random) })
            if Bool.random(using: &random) { before.clock = ["Drums", "3"] }
            if Bool.random(using: &random) { after.clock = ["Drums"] }
            #expect(try Patch(text: before.text()) == before)
            let difference = before.difference(to: after)
            #expect(difference.isEmpty == (before == after))
            #expect(try before.applying(PatchDifference(text: difference.text())) == after)
            #expect(try before.flattened().zones == before.zones && before.flattened().clock == before.clock)
        }
    }
}

extension Zone {
    /// Any zone that can be, of a patch whose unit `piano` hears two parts.
    static func random(_ name: String, using random: inout SeededRandom) -> Zone {
        var zone = Zone(name)
        func now(_ share: Int = 2) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }
        if now() { zone.keyboard = ["Keystation", "usb:0499:1617"].randomElement(using: &random) }
        if now() { zone.channels = PartList([Int.random(in: 0...15, using: &random)]) }
        let low = UInt8.random(in: 0...127, using: &random)
        if now() { zone.keys = KeySpan(low...UInt8.random(in: low...127, using: &random)) }
        if now() { zone.softest = UInt8.random(in: 1...127, using: &random) }
        if now() { zone.hardest = UInt8.random(in: zone.softest...127, using: &random) }
        if now() { zone.transpose = Int.random(in: -24...24, using: &random) }
        if now() { zone.velocity = TouchCurve(exponent: 0.5, low: 10, high: 100) }
        if now() { zone.pressure = TouchCurve(fixed: 64) }
        if now() { zone.ignoredControllers = [1, 64] }
        zone.passesPrograms = now()
        if now() { zone.unit = "piano" }
        if now() { zone.output = ["Synth", "usb:0499:1617"].randomElement(using: &random) }
        if now() { zone.channel = Int.random(in: 1...2, using: &random) }
        if now() { zone.bank = Int.random(in: 0...128, using: &random) }
        if now() { zone.program = Int.random(in: 0...127, using: &random) }
        if zone.output != nil, zone.channel == nil || zone.unit == nil { (zone.bank, zone.program) = (nil, nil) }
        return zone
    }
}
