import Patches
import Testing
import UnitAPI

/// What plays and is hardly meant so is said with its line; what keeps a right text from sounding too.
@Suite struct PatchAdviceTests {
    /// An instrument, an effect and a mixer, none of which can be made.
    private static let units = [
        entry("organ", inputs: 0, acceptsMusic: true), entry("reverb", inputs: 1), entry("mixer", inputs: 1, repeats: true),
        entry("feedback", inputs: 1, closesLoop: true),
        entry("sampler", inputs: 0, acceptsMusic: true, outputs: ["channel-1", "channel-2", "channel-3"]),
    ]

    private static func entry(
        _ name: String, inputs: Int, acceptsMusic: Bool = false, repeats: Bool = false, closesLoop: Bool = false,
        outputs: [String] = ["main"]
    ) -> UnitEntry {
        UnitEntry(
            descriptor: UnitDescriptor(
                component: ComponentDescription(type: "aufx", subtype: "none", manufacturer: "Test"), name: name,
                summary: "A unit.", inputs: (0..<inputs).map { .init("in-\($0)") }, outputs: outputs.map { .init($0) },
                repeatsLastInput: repeats, acceptsMusic: acceptsMusic, closesLoop: closesLoop),
            parameters: [ParameterSpec("level", 0...4, default: 1, help: "A number.")]
        ) { _ throws(UnitError) in throw .resource(unit: name, reason: "is not there", fault: .missing) }
    }

    private static let head = "version: 1\nunits:\n  organ: {role: instrument}\n  mixer: {inputs: 2}\n"
    private static let end = "connections: [organ -> mixer]\noutputs: mixer\n"

    @Test(
        arguments: [
            ("", []),
            ("  reverb:\n", ["5: units.reverb: it is connected to nothing and not heard; connect it, or remove it"]),
            (
                "  other: {unit: organ, parts: 3}\n",
                ["5: units.other: it is connected to nothing and not heard; connect it, or remove it"]
            ),
            ("zones: {a: {channels: 4}}\n", []),
            ("scenes:\n  loud: {controller: 80, values: {organ.level: 2}}\n", []),
            (
                "scenes:\n  loud: {controller: 64, values: {organ.level: 2}}\n",
                ["6: scenes.loud: controller 64 is the sustain pedal, "]
            ),
            ("scenes:\n  none: {program: 2}\n", ["6: scenes.none: it changes nothing; give it values or zones"]),
        ] as [(String, [String])])
    func whatIsHardlyMeantIsSaid(_ text: String, _ remarks: [String]) throws {
        let file = try PatchFile(text: Self.head + text + Self.end, path: "a.yaml", units: Self.units)
        #expect(file.advice.count == remarks.count, "\(file.advice)")
        for (line, remark) in zip(file.advice.map(\.description), remarks) {
            #expect(line.hasPrefix("a.yaml:" + remark), "\(line)")
        }
        #expect(try file.playable() == file.patch)
    }

    @Test(
        arguments: [
            ("{}", ", \"organ -> duck[key]\"", "organ is connected to its side-chain, which is off; set key: on"),
            (
                "{key: on}", "",
                "its side-chain is on and nothing is connected to it; connect something to duck[key], or set key: off"
            ),
            ("{key: on}", ", \"organ -> duck[key]\"", nil), ("{auto-key: on}", ", \"organ -> duck[key]\"", nil),
            ("{auto-key: on}", "", nil),
            ("{}", "", nil),
        ] as [(String, String, String?)])
    func aSideChainThatIsNotListenedToIsNamed(_ settings: String, _ edge: String, _ remark: String?) throws {
        let switches = ["key", "auto-key"].map { ParameterSpec.toggle($0, default: false, help: "A switch.") }
        let duck = UnitEntry(
            descriptor: UnitDescriptor(
                component: ComponentDescription(type: "aufx", subtype: "duck", manufacturer: "Test"), name: "duck",
                summary: "A unit.", inputs: [.init("main"), .init("key", use: .key)], outputs: [.init("main")]),
            parameters: switches
        ) { _ throws(UnitError) in throw .resource(unit: "duck", reason: "is not there", fault: .missing) }
        func advice(_ more: String) throws -> [String] {
            let text = Self.head + "  duck: \(settings)\n\(more)connections: [organ -> duck -> mixer\(edge)]\noutputs: mixer\n"
            return try PatchFile(text: text, path: "a.yaml", units: Self.units + [duck]).advice.map(\.description)
        }
        #expect(try advice("") == (remark.map { ["a.yaml:5: units.duck: \($0)"] } ?? []))
        // A scene may switch it.
        #expect(try advice("scenes: {on: {program: 1, values: {duck.key: on}}}\n") == [])
    }

    @Test func zonesThatMeetOnOneKeyAndReachNobodyAreNamed() throws {
        let zones = """
            zones:
              low: {keys: C1-C4, unit: organ}
              high: {keys: C4-C7, unit: organ, channel: 2}
              layer: {keys: C3-C7, unit: organ, softest: 100}
              lost: {channels: 9}
              out: {channels: 9, output: Synth}

            """
        let text =
            Self.head.replacing("role: instrument", with: "parts: 1-2") + "  second: {unit: organ, parts: 5}\n"
            + zones + Self.end.replacing("[", with: "['second -> mixer[1]', ")
        let advice = try PatchFile(text: text, path: "a.yaml", units: Self.units).advice.map(\.description)
        #expect(
            advice == [
                "a.yaml:8: zones.high: it shares C4 alone with low: that key sounds in both",
                "a.yaml:10: zones.lost: it names no unit, and no unit hears its channels; add unit: NAME",
            ], "\(advice)")
        // Without the zone for everybody nobody plays the second.
        let fewer = text.split(separator: "\n").filter { !$0.contains("lost") }.joined(separator: "\n")
        #expect(
            try PatchFile(text: fewer, path: "a.yaml", units: Self.units).advice.first?.description
                == "a.yaml:5: units.second: no zone plays it: songs do, keyboards do not")
        let deaf = text.replacing(", parts: 5", with: "")
        #expect(
            try PatchFile(text: deaf, path: "a.yaml", units: Self.units).advice.first?.description
                == "a.yaml:5: units.second: it hears no part and plays nothing; give it some: parts: 1-16")
    }

    /// A SoundFont's channel sounds on a bus of its own, and its plain name is all of them until one is named.
    @Test func aPartWhoseBusLeadsNowhereIsNamed() throws {
        func advice(_ parts: String, _ rows: String, outputs: String = "mixer") throws -> [String] {
            let text =
                "version: 1\nunits:\n  piano: {unit: sampler\(parts)}\n  mixer: {inputs: 2}\nconnections: [\(rows)]\noutputs: \(outputs)\n"
            return try PatchFile(text: text, path: "a.yaml", units: Self.units).advice.map(\.description)
        }
        for parts in [", parts: 1", ", parts: 2", ", parts: 17", ", role: instrument"] {
            #expect(try advice(parts, "piano -> mixer") == [], "\(parts)")
        }
        #expect(try advice(", parts: 2", "'piano[channel-2] -> mixer'") == [])
        #expect(
            try advice(", parts: 3", "'piano[channel-2] -> mixer'") == [
                "a.yaml:3: units.piano: its part 3 sounds on the bus piano[channel-3], which is connected to nothing; connect it"
            ])
        let few = try advice(", role: instrument", "piano -> mixer, 'piano[channel-2] -> mixer[1]'")
        #expect(few.count == 1 && few[0].contains("part 3 "))
        // What leaves the patch is one bus.
        #expect(try advice(", parts: 1-3", "", outputs: "piano").first?.contains("its parts 2-3 each") == true)
    }

    @Test func whatSeveralUnitsHearIsToldByTheFile() throws {
        let text = Self.head + "  second: {unit: organ, parts: 5}\n" + Self.end.replacing("[", with: "['second -> mixer[1]', ")
        let shared = try PatchFile(text: text, path: "a.yaml", units: Self.units).sharedParts
        #expect(shared.map(\.parts) == [PartList([4])] && shared.map(\.units) == [["organ", "second"]])
        #expect(shared.map(\.description) == ["part 5 is heard by organ and second"])
    }

    @Test func whatPlayersMissIsSaid() throws {
        let text =
            Self.head.replacing("role: instrument", with: "parts: 1-2") + """
                zones: {all: {keys: C1-C7, unit: organ}, silent: {unit: mixer, keys: C8-G8}}
                controllers:
                  pedal: {control: 64, parameter: organ.level}
                  wheel: {control: 1, parameter: organ.level}
                  free: {control: 67, parameter: organ.level, passes: on}
                scenes: {here: {key: C4, values: {organ.level: 1}}, there: {key: C0, values: {organ.level: 1}}}

                """ + Self.end
        let file = try PatchFile(
            text: text.replacing("{inputs: 2}", with: "{inputs: 2, parts: 1}"), path: "a.yaml", units: Self.units)
        #expect(
            file.advice.map { String($0.description.prefix { $0 != ";" && $0 != "," }) } == [
                "a.yaml:5: zones.silent: mixer plays no notes",
                "a.yaml:7: controllers.pedal: controller 64 is the sustain pedal",
                "a.yaml:10: scenes.here: its key C4 lies in all",
            ], "\(file.advice)")
    }

    @Test func aPropertyThatAChoiceLeavesOutIsSaid() throws {
        let machine = UnitEntry(
            descriptor: UnitDescriptor(
                component: ComponentDescription(type: "augn", subtype: "none", manufacturer: "Test"), name: "machine",
                summary: "A unit.", outputs: [.init("main")], properties: ["steps"],
                propertyConditions: [.init("steps", where: "pattern", is: "own")]),
            parameters: [ParameterSpec.choice("pattern", ["own", "rock", "waltz"], default: 1, help: "A choice.")]
        ) { _ throws(UnitError) in throw .resource(unit: "machine", reason: "is not there", fault: .missing) }
        func advice(_ unit: String, _ more: String = "") throws -> [String] {
            try PatchFile(
                text: "version: 1\nunits:\n  machine: {\(unit)}\noutputs: machine\n\(more)", path: "a.yaml", units: [machine]
            ).advice.map(\.description)
        }
        let steps = "properties: {steps: x...}"
        #expect(
            try advice(steps) == [
                "a.yaml:3: units.machine: its steps are not used while pattern is rock; say pattern: own"
            ])
        #expect(try advice("pattern: waltz, \(steps)").first?.contains("while pattern is waltz") == true)
        #expect(try advice("pattern: own, \(steps)").isEmpty && advice("").isEmpty)
        // A scene or a knob may come to them.
        #expect(try advice(steps, "scenes: {a: {program: 1, values: {machine.pattern: own}}}\n").isEmpty)
        #expect(try advice(steps, "controllers: {a: {control: 20, parameter: machine.pattern}}\n").isEmpty)
    }

    @Test func unitsInsideHaveTheirOwnLine() throws {
        let text = """
            version: 1
            units: {mixer: }
            patches:
              hall:
                units:
                  organ: {parts: 1}
                  reverb: {}
                connections: [organ -> reverb]
                outputs: organ
            connections: [hall -> mixer]
            outputs: mixer
            """
        let advice = try PatchFile(text: text, path: "a.yaml", units: Self.units).advice.map(\.description)
        #expect(advice == ["a.yaml:7: units.hall.reverb: it is connected to nothing and not heard; connect it, or remove it"])
    }

    @Test func aCircleThroughAFeedbackIsNone() throws {
        let loop =
            Self.head + "  reverb:\n  back: {unit: feedback}\nconnections:\n  - organ -> mixer -> reverb -> back\n"
            + "  - back -> mixer[1]\noutputs: mixer\n"
        #expect(Self.fault(loop) == nil)
        let beside = loop.replacing("outputs:", with: "  - reverb -> mixer\noutputs:")
        #expect(Self.fault(beside)?.hasPrefix("a.yaml:10:5: sound would run in a loop: mixer -> reverb -> mixer;") == true)
    }

    @Test func aCircleAndAMissingOutputHaveTheirLine() throws {
        let circle =
            Self.head
            + "  reverb:\nconnections:\n  - organ -> mixer\n  - mixer -> reverb\n  - reverb -> mixer[1]\noutputs: mixer\n"
        #expect(
            Self.fault(circle)
                == "a.yaml:9:5: sound would run in a loop: mixer -> reverb -> mixer; remove one connection, or "
                + "lead the sound back through a unit feedback")
        let itself = Self.head + "connections: [organ -> mixer, 'mixer -> mixer[1]']\noutputs: mixer\n"
        #expect(Self.fault(itself)?.hasPrefix("a.yaml:5:31: sound would run in a loop: mixer -> mixer;") == true)
        #expect(Self.fault(Self.head) == "a.yaml:1:1: the patch has no output; name the bus whose sound leaves")
        let two = Self.head + "outputs: [organ, mixer]\n"
        #expect(Self.fault(two)?.hasPrefix("a.yaml:5:10: outputs: the patch has 2 outputs") == true)
        // Through a patch inside.
        let nested =
            "version: 1\nunits: {organ: , mixer: {inputs: 2}}\npatches:\n  hall: {units: {reverb: }, inputs: reverb, outputs: reverb}\n"
            + "connections: [organ -> mixer, mixer -> hall, 'hall -> mixer[1]']\noutputs: mixer\n"
        #expect(Self.fault(nested)?.hasPrefix("a.yaml:5:46: sound would run in a loop: mixer -> hall.reverb -> mixer;") == true)
    }

    @Test func soundForAUnitThatHearsMusicAloneIsRefusedWithWhatItHears() {
        let text = "version: 1\nunits: {organ: , mixer: {inputs: 2}}\nconnections: [mixer -> organ]\noutputs: mixer\n"
        let fault = Self.fault(text) ?? ""
        #expect(fault.contains("connections: organ hears notes and controllers, not sound; lead sound to"), "\(fault)")
    }

    /// What `playable` says of a text that is right by itself.
    private static func fault(_ text: String) -> String? {
        do {
            let file = try PatchFile(text: text, path: "a.yaml", units: units)
            do { _ = try file.playable() } catch { return "\(error)" }
            return nil
        } catch { return "not read: \(error)" }
    }
}
