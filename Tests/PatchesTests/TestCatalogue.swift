import CarillonTestKit
import DSP
import UnitAPI

@testable import Patches

/// Units that random patches may ask for, none of which can be made: what a file needs of a catalogue is declarations.
enum TestCatalogue {
    static let parameters = [
        ParameterSpec("decay", -20...20, default: 1.5, unit: .seconds, help: "How long it takes."),
        ParameterSpec("gain", -60...12, default: 0, unit: .decibels, scope: .input, controller: 7, help: "How loud it is."),
        ParameterSpec("level", 0...4, default: 1, help: "A number."),
        ParameterSpec("cutoff", 20...20_000, default: 800, unit: .hertz, help: "Where it ends."),
        ParameterSpec.toggle("mute", default: false, help: "Silence."),
        ParameterSpec.choice("mode", ["soft", "hard", "none-of-both"], default: 0, applies: .atStart, help: "How."),
        ParameterSpec(
            "bands", 0...1, default: 0.5, unit: .ratio, scope: .band, bandDefaults: [0, 0.5, 1, 0.25], help: "Bands."),
        // A name that means something else in a unit of a file.
        ParameterSpec("role", 0...9, default: 0, help: "A number by another name."),
    ]

    static let units = ["square-wave", "reverb", "mixer"].enumerated().map { index, name in
        UnitEntry(
            descriptor: UnitDescriptor(
                component: ComponentDescription(
                    type: "aufx", subtype: FourCharCode(rawValue: UInt32(index)), manufacturer: "Test"),
                name: name, summary: "A unit.", inputs: [.init("main")],
                outputs: [.init("main"), .init("send"), .init("third")], repeatsLastInput: true, bands: 4,
                properties: ["files"]),
            parameters: parameters
        ) { _ throws(UnitError) in throw .resource(unit: name, reason: "is not there", fault: .missing) }
    }
}

extension RandomPatch {
    /// A patch that these units can be: enough inputs, and values of every kind.
    mutating func nextForFiles(_ random: inout SeededRandom) -> Patch {
        var patch = Self.fitted(next(), &random)
        for index in 0..<Int.random(in: 0...3, using: &random) { patch.zones.append(Self.zone(index, patch, &random)) }
        for index in 0..<Int.random(in: 0...3, using: &random) {
            patch.controllers.append(Self.controller(index, patch, &random))
        }
        for index in 0..<Int.random(in: 0...3, using: &random) { patch.scenes.append(Self.scene(index, patch, &random)) }
        let named = Self.texts.filter { !$0.isEmpty }
        patch.clock = Array(
            Set((0..<Int.random(in: 0...3, using: &random)).compactMap { _ in named.randomElement(using: &random) }))
        return patch
    }

    /// A parameter that can be moved, and a value of it.
    private static func parameter(_ patch: Patch, _ random: inout SeededRandom) -> (ParameterAddress, () -> Float) {
        let flat = patch.flat(prefix: ""), specs = TestCatalogue.parameters.filter { $0.applies == .live }
        let unit = flat.units[Int.random(in: 0..<flat.units.count, using: &random)].name
        let spec = specs[Int.random(in: 0..<specs.count, using: &random)]
        var address = ParameterAddress(unit: unit, parameter: spec.name)
        if spec.scope != .global, Bool.random(using: &random) { address.element = Int.random(in: 0...2, using: &random) }
        var values = random
        return (address, { Float.random(in: spec.range, using: &values).rounded() })
    }

    private static func controller(_ index: Int, _ patch: Patch, _ random: inout SeededRandom) -> ControllerMap {
        let (address, value) = parameter(patch, &random)
        let control: ControllerMap.Control =
            [.controller(Int.random(in: 0...119, using: &random)), .bend, .pressure]
            .randomElement(using: &random) ?? .bend
        var map = ControllerMap(["knob", "3", "null: # [x]"][index], control, moves: address)
        map.keyboard = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
        map.channels = PartList((0..<2).map { _ in Int.random(in: 0...15, using: &random) })
        map.from = Bool.random(using: &random) ? value() : nil
        map.to = Bool.random(using: &random) ? value() : nil
        map.curve = [.linear, .logarithmic, nil].randomElement(using: &random) ?? nil
        map.picksUp = Bool.random(using: &random)
        map.passes = Bool.random(using: &random)
        return map
    }

    private static func scene(_ index: Int, _ patch: Patch, _ random: inout SeededRandom) -> Scene {
        func some(_ range: ClosedRange<Int>) -> Int? { Bool.random(using: &random) ? Int.random(in: range, using: &random) : nil }
        var scene = Scene(["verse", "3", "null: # [x]"][index])
        scene.morph = Double(Float.random(in: 0...600, using: &random))
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let (address, value) = parameter(patch, &random)
            scene.values[address] = value()
        }
        scene.zones = Bool.random(using: &random) ? patch.zones.map(\.name).filter { _ in Bool.random(using: &random) } : nil
        scene.keyboard = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
        scene.channels = PartList((0..<2).compactMap { _ in some(0...15) })
        (scene.program, scene.key, scene.controller) = (some(0...127), some(0...127), some(0...119))
        return scene
    }

    private static func zone(_ index: Int, _ patch: Patch, _ random: inout SeededRandom) -> Zone {
        func some<T>(_ range: ClosedRange<T>) -> T? where T: FixedWidthInteger {
            Bool.random(using: &random) ? T.random(in: range, using: &random) : nil
        }
        var zone = Zone(["left hand", "3", "null: # [x]"][index])
        zone.keyboard = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
        zone.channels = PartList((0..<3).compactMap { _ in some(0...15) })
        if let low = some(0...60 as ClosedRange<UInt8>) { zone.keys = KeySpan(low...UInt8.random(in: low...127, using: &random)) }
        zone.softest = some(1...60) ?? 1
        zone.hardest = some(60...127) ?? 127
        zone.transpose = some(-127...127) ?? 0
        zone.velocity = TouchCurve(exponent: abs(random.sample()), low: some(1...60) ?? 1, high: some(60...127) ?? 127)
        if let fixed = some(1...127 as ClosedRange<UInt8>) { zone.pressure = TouchCurve(fixed: fixed) }
        zone.ignoredControllers = Set((0..<3).compactMap { _ in some(0...127) })
        zone.passesPrograms = Bool.random(using: &random)
        if let unit = patch.units.first(where: { !$0.parts.isEmpty }), Bool.random(using: &random) {
            zone.unit = unit.name
            zone.channel = Bool.random(using: &random) ? 1 : nil
        } else {
            zone.channel = some(1...16)
        }
        if let text = texts.randomElement(using: &random), !text.isEmpty, zone.channel != nil, Bool.random(using: &random) {
            zone.output = text
        }
        zone.bank = some(0...(zone.output == nil ? 128 : 127))
        zone.program = some(0...127)
        return zone
    }

    private static func fitted(_ patch: Patch, _ random: inout SeededRandom) -> Patch {
        var patch = patch
        for index in patch.units.indices {
            patch.units[index].inputCount = Int.random(in: 3...6, using: &random)
            func set(_ name: String, _ values: [Float]) {
                if Bool.random(using: &random) { patch.units[index].values[name] = values }
            }
            set("level", [Float.random(in: 0...4, using: &random)])
            set("cutoff", [Float.random(in: 20...20_000, using: &random).rounded()])
            set("mute", [[0, 1, 0.3].randomElement(using: &random) ?? 0])
            set("mode", [[0, 1, 2, 1.5].randomElement(using: &random) ?? 0])
            set("bands", (0..<4).map { _ in Float.random(in: 0...1, using: &random) })
            set("role", [Float(Int.random(in: 0...9, using: &random))])
            if Bool.random(using: &random) {
                patch.units[index].properties["files"] = .list([
                    .text(texts.randomElement(using: &random) ?? ""), .integer(-3), .flag(false), .number(0.1), .list([]),
                    .list([.text("3"), .number(3)]),
                ])
            }
        }
        if Bool.random(using: &random) { rename("u0", names.randomElement(using: &random) ?? "x", in: &patch) }
        if Bool.random(using: &random) { patch.soundFonts.append(texts.randomElement(using: &random) ?? "x") }
        for index in patch.patches.indices { patch.patches[index].patch = fitted(patch.patches[index].patch, &random) }
        return patch
    }

    private static func rename(_ old: String, _ new: String, in patch: inout Patch) {
        func renamed(_ port: PatchPort) -> PatchPort { port.unit == old ? PatchPort(new, port.bus) : port }
        for index in patch.units.indices where patch.units[index].name == old { patch.units[index].name = new }
        patch.connections = patch.connections.map { PatchConnection(renamed($0.from), to: renamed($0.to)) }
        patch.inputs = patch.inputs.map(renamed)
        patch.outputs = patch.outputs.map(renamed)
    }

    /// Names that a careless writer would spoil.
    static let names = [
        "->", "true", "3", "~", "null", "a:", ":a", "#a", "-", "- ".dropLast().description, "{a}", "é", "\"", "'a", "&a", "!a",
        "%",
        "@a", "a.b.c", "version", "reverb", "\u{1F3B9}", "a\u{A0}b",
    ]

    /// Texts that a careless writer of YAML would spoil.
    static let texts = [
        "a.sf2", "true", "3", "~", "null", "a: b", "a #b", "# a", "- a", "[a]", "{a}", "é ü.sf2", "\u{1F3B9}", "\"", "'", "\\",
        " a", "a ", "a\nb", "\t", "\u{0}", "\u{85}", "\u{2028}", "&a", "*a", "!a", "%a", "@a", "`a", "a,b", "1e3",
        "nan", "0x10", "-", "--- a", "a  b", "?", "<<", "=", "Tom & Jerry.sf2:1", "e\u{301}", "\u{FFFE}", "a\u{FEFF}", "x &a",
        "&&a", "a*b",
    ]
}
