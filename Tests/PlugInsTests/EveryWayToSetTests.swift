import Carillon
import Foundation
import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Testing
import UnitAPI

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Every parameter of every unit, set by a patch's file, by a setting at the start, by a command, by a scene and by a
/// keyboard's controller: it sounds the same.
@Suite struct EveryWayToSetTests {
    /// The ways in which a value gets to a parameter.
    private enum Way: CaseIterable { case file, setting, command, scene, controller }

    /// A value for one parameter, or for one of its elements.
    private struct Value {
        let spec: ParameterSpec
        let element: Int?
        let text: String

        var name: String { spec.name + (element.map { "[\($0)]" } ?? "") }
    }

    private static let plugIns = ["lv2:mda-delay", "lv2:mda-epiano", "lv2:swh-plugins-sc4"]

    private static let missing: [String: String] = plugIns.reduce(into: [:]) { missing, name in
        do {
            _ = try TestPlugIns.entry(name)
            try UnitCatalog.addPlugIn(name)
        } catch { missing[name] = "\(error)" }
    }

    private static var names: [String] {
        let units = UnitCatalog.entries.map(\.name).filter { !$0.contains(":") }
        return units + plugIns.filter { missing[$0] == nil }
    }

    @Test(.enabled(if: access("/usr/lib/lv2/mda.lv2", R_OK) == 0, "mda-lv2 is not installed"))
    func plugInsAreAmongThem() { #expect(Self.missing.isEmpty, "\(Self.missing)") }

    @Test(arguments: names) func itSoundsTheSame(_ name: String) throws {
        let entry = try #require(UnitCatalog.named(name))
        let specs = entry.parameters
        /// A value that is not the default, as text has it.
        func values(_ spec: ParameterSpec) -> [Value] {
            let value: Float =
                switch spec.unit {
                case .toggle: 1 - spec.initial
                case .choice(let names): Self.choice(names, spec, entry.descriptor)
                default: spec.value(atFraction: abs(spec.value(atFraction: 0.6) - spec.initial) > 1e-3 ? 0.6 : 0.7)
                }
            let count = spec.elementCount(inputs: Self.inputCount(entry.descriptor), bands: entry.descriptor.bands)
            let elements: [Int?] = spec.scope == .global ? [nil] : count > 1 ? [0, count - 1] : [0]
            return elements.map { Value(spec: spec, element: $0, text: spec.text(value)) }
        }
        let live = specs.filter { $0.applies == .live && !$0.switchesUnit }
        // Numbers all at once; each switch and choice alone, since one may silence the rest.
        func isNumber(_ spec: ParameterSpec) -> Bool {
            switch spec.unit {
            case .toggle, .choice: false
            default: true
            }
        }
        let numbers = live.filter(isNumber).flatMap(values)
        let batches = (numbers.isEmpty ? [] : [numbers]) + live.filter { !isNumber($0) }.flatMap(values).map { [$0] }
        for batch in batches { try compare(entry, batch, Way.allCases) }
        for value in specs.filter({ $0.applies == .atStart }).flatMap(values) { try compare(entry, [value], [.file, .setting]) }
    }

    private func compare(_ entry: UnitEntry, _ batch: [Value], _ ways: [Way]) throws {
        // Foreign code may work with 16 bits, and need not forget everything.
        let rounding: Float = entry.descriptor.runsForeignCode ? 1.0 / 16_384 : 0
        let first = try heard(entry, batch, ways[0])
        for way in ways.dropFirst() {
            let other = try heard(entry, batch, way)
            for value in batch where first.values[value.name] != other.values[value.name] {
                Issue.record(
                    "\(entry.name).\(value.name)=\(value.text) is \(first.values[value.name] ?? .nan) by \(ways[0]) and \(other.values[value.name] ?? .nan) by \(way)"
                )
            }
            let difference = zip(first.sound, other.sound).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            let loudest = first.sound.reduce(Float(0)) { max($0, abs($1)) }
            #expect(
                first.sound.count == other.sound.count && difference <= rounding,
                "\(entry.name), \(batch.map { "\($0.name)=\($0.text)" }): by \(ways[0]) and by \(way) \(difference) of \(loudest)"
            )
        }
    }

    /// A choice that is not the default, and needs nothing beside it.
    private static func choice(_ names: [String], _ spec: ParameterSpec, _ descriptor: UnitDescriptor) -> Float {
        let conditions = descriptor.propertyConditions.filter { $0.parameter == spec.name }
        return names.indices.first { place in
            Float(place) != spec.initial && !conditions.contains { $0.choice == names[place] }
        }.map(Float.init) ?? spec.initial
    }

    private static func inputCount(_ descriptor: UnitDescriptor) -> Int {
        descriptor.repeatsLastInput ? 2 : descriptor.inputs.count
    }

    /// Sound of the unit that is set in one way, from a frame on at which every unit is as new; and what the values are then.
    private func heard(
        _ entry: UnitEntry, _ batch: [Value], _ way: Way
    ) throws -> (sound: [Float], values: [String: Float]) {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.ports = 1
        options.device.period = 128
        options.patch = try PatchFile(
            text: Self.file(entry, batch, way), units: UnitCatalog.entries
        ).patch
        if way == .setting { options.settings = batch.map { "under-test.\($0.name)=\($0.text)" } }
        let port = SimulatedPort()
        let session = try Session(options, on: port)
        func pass(_ seconds: Double) throws {
            for _ in 0..<Int((seconds * 100).rounded()) {
                port.advance(seconds: 0.01)
                try session.maintain()
            }
        }
        try session.start()
        try pass(0.02)
        switch way {
        case .file, .setting: break
        case .command: for value in batch { try session.perform(.set("under-test.\(value.name)=\(value.text)")) }
        case .scene: try session.perform(.scene(.named("all")))
        case .controller:
            for number in batch.indices {
                try session.receive(.message(MIDIMessage(status: 0xB0, data1: UInt8(number), data2: 127)))
            }
        }
        // Until the longest glide has arrived.
        try pass(0.1 + (batch.map(\.spec.smoothing).max() ?? 0))
        let start = SampleTime((session.sampleTime.rawValue / 4_800 + 1) * 4_800)
        for node in session.engine.graph.nodes {
            try #require(session.engine.renderer.send(RenderCommand(time: start, node: node.id, event: .reset)))
        }
        for (place, key) in [UInt8(48), 60, 67].enumerated() {
            try session.receive(.message(MIDIMessage(status: 0x90, data1: key, data2: 90)), at: start + 64 * (place + 1))
        }
        try pass(0.3)
        let values = try batch.map { ($0.name, try session.engine.value("under-test.\($0.name)")) }
        // A frame is heard a buffer later than it was rendered.
        let from = Int(start.rawValue) + (port.grant?.bufferFrames ?? 0)
        let played = port.played
        try session.finish()
        return (played.flatMap { Array($0.dropFirst(from).prefix(9_600)) }, Dictionary(uniqueKeysWithValues: values))
    }

    /// The patch: noise through an effect, keys through an instrument, keys through a MIDI unit to a square wave.
    private static func file(_ entry: UnitEntry, _ batch: [Value], _ way: Way) -> String {
        let descriptor = entry.descriptor, sounds = descriptor.outputs.contains { !$0.carriesMusic }
        var units: [String] = [], connections: [String] = []
        var values: [String] = []
        if way == .file {
            for spec in Set(batch.map(\.spec.name)) {
                let all = batch.filter { $0.spec.name == spec }
                if all[0].element == nil {
                    values.append("\(spec): \"\(all[0].text)\"")
                } else {
                    let count = all[0].spec.elementCount(inputs: inputCount(descriptor), bands: descriptor.bands)
                    let list = (0..<count).map { element in
                        all.first { $0.element == element }?.text ?? all[0].spec.text(all[0].spec.initial(of: element))
                    }
                    values.append("\(spec): [\(list.map { "\"\($0)\"" }.joined(separator: ", "))]")
                }
            }
        }
        var head = "unit: \"\(entry.name)\""
        if descriptor.repeatsLastInput { head += ", inputs: 2" }
        if descriptor.acceptsMusic { head += ", parts: 1" }
        units.append("under-test: {\(([head] + values).joined(separator: ", "))}")
        let inputs = (0..<inputCount(descriptor)).map { ($0, descriptor.inputs[min($0, descriptor.inputs.count - 1)]) }
        for (bus, input) in inputs {
            units.append("noise-\(bus): {unit: noise, seed: \(bus + 1)}")
            var source = "noise-\(bus)"
            if input.channels != 2 {
                units.append("mono-\(bus): {unit: fold-down}")
                connections.append("\(source) -> mono-\(bus)")
                source = "mono-\(bus)"
            }
            connections.append("\(source) -> under-test[\(bus)]")
        }
        units.append("sum: {unit: junction}")
        if sounds {
            connections.append("under-test -> sum")
        } else if descriptor.isMIDIUnit {
            units.append("square: {unit: square-wave}")
            connections += ["under-test -> square", "square -> sum"]
        } else {
            connections.append("noise-0 -> sum")
        }
        var text = "version: 1\nunits:\n" + units.map { "  \($0)\n" }.joined()
        text += "connections:\n" + connections.map { "  - \"\($0)\"\n" }.joined() + "outputs: sum\n"
        if way == .scene {
            text +=
                "scenes:\n  all: {values: {\(batch.map { "\"under-test.\($0.name)\": \"\($0.text)\"" }.joined(separator: ", "))}}\n"
        }
        if way == .controller {
            text += "controllers:\n"
            for (number, value) in batch.enumerated() {
                text +=
                    "  c\(number): {control: \(number), parameter: \"under-test.\(value.name)\", from: \"\(value.text)\", to: \"\(value.text)\"}\n"
            }
        }
        return text
    }
}
