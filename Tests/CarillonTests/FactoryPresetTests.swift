import Carillon
import Foundation
import Testing
import UnitAPI

/// The laws of factory presets, for every unit of the catalogue, and what some of them must sound like.
@Suite struct FactoryPresetTests {
    static let all = UnitCatalog.entries.flatMap { entry in
        entry.descriptor.factoryPresets.map { "\(entry.name)/\($0.name)" }
    }
    static let names = UnitCatalog.entries.filter { !$0.descriptor.factoryPresets.isEmpty }.map(\.name)

    /// The units that a player turns the knobs of have some.
    @Test func unitsWithASoundOfTheirOwnHavePresets() {
        let wanted = [
            "graphic-equalizer", "equalizer", "reverb", "chorus", "delay", "compressor", "distortion", "polysynth",
            "drum-machine", "flanger", "phaser", "tremolo", "vibrato", "filter", "gate", "widener", "arpeggiator",
            "note-echo", "noise", "oscillator", "square-wave", "drum-synth", "ring-modulator",
        ]
        #expect(wanted.filter { !Self.names.contains($0) } == [])
    }

    @Test(arguments: names) func presetsNameWhatThereIsInItsRangeAndStandOnce(_ name: String) throws {
        let entry = try #require(UnitCatalog.named(name)), presets = try entry.factoryPresets()
        #expect((3...22).contains(presets.count), "\(presets.count)")
        #expect(Set(presets.map(\.name)).count == presets.count)
        for preset in presets {
            #expect(UnitPreset.isName(preset.name), "\(preset.name)")
            for (parameter, values) in preset.values {
                let spec = try #require(entry.parameters.first { $0.name == parameter }, "\(preset.name): \(parameter)")
                #expect(spec.applies == .live && values.allSatisfy(spec.range.contains), "\(preset.name): \(parameter)")
            }
        }
        // None says what another says.
        #expect(Set(presets.map(\.values)).count == presets.count)
    }

    @Test(arguments: all) func aPresetSoundsOtherwiseThanTheDefault(_ name: String) throws {
        let words = name.split(separator: "/").map(String.init)
        let entry = try #require(UnitCatalog.named(words[0]))
        let preset = try #require(try entry.factoryPresets().first { $0.name == words[1] })
        let plain = try Self.sound(entry, nil), set = try Self.sound(entry, preset)
        let worst = zip(plain[0] + plain[1], set[0] + set[1]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect((set[0] + set[1]).allSatisfy { $0.isFinite })
        let peak = (set[0] + set[1]).reduce(Float(0)) { max($0, abs($1)) }
        #expect(peak > 1e-4 && peak < 4, "its peak is \(peak)")
        let isNeutral = preset.values.allSatisfy { parameter, values in
            entry.parameters.first { $0.name == parameter }.map { spec in values.allSatisfy { value in value == spec.initial } }
                ?? false
        }
        #expect(isNeutral ? worst == 0 : worst > 1e-4, "differs by \(worst)")
        // And it is on the way there while it sounds, without a step: applied live, it ends at the same values.
        let engine = try Engine(patch: Self.patch(entry, nil))
        let node = try #require(engine.graph.node(named: "unit")).id
        try engine.apply(preset: preset, to: node)
        let made = try Engine(patch: Self.patch(entry, preset))
        let wanted = try made.preset(of: #require(made.graph.node(named: "unit")).id)
        #expect(try engine.preset(of: node) == wanted)
        #expect(try engine.presentPreset(of: node)?.name == preset.name)
    }

    /// An author's mistake is told when a unit is made, and names the preset.
    @Test func aPresetThatItsUnitCannotBeIsRefusedByItsName() throws {
        let wrong: [([FactoryPreset], String)] = [
            ([FactoryPreset("loud", ["levle": 3])], "has no parameter \"levle\""),
            ([FactoryPreset("loud", ["level": 300])], "300 dB is out of range"),
            ([FactoryPreset("loud", ["level": "loud"])], "\"loud\" is not a number"),
            ([FactoryPreset("loud", ["gain": .list((0..<11).map { .number(Float($0)) })])], "11 values is out of range"),
            ([FactoryPreset("loud", ["gain": []])], "0 values is out of range"),
            ([FactoryPreset("Loud!", [:])], "names are in lower case"),
            ([FactoryPreset("loud", [:]), FactoryPreset("loud", ["level": 1])], "stand once"),
        ]
        for (presets, text) in wrong {
            var descriptor = GraphicEqualizer.descriptor
            descriptor.factoryPresets = presets
            let entry = UnitEntry(GraphicEqualizer.self, as: descriptor)
            #expect { try entry.make(UnitSetup(sampleRate: 48_000)) } throws: { error in
                guard case .invalidPreset("graphic-equalizer", let name, let reason)? = error as? UnitError else { return false }
                return name == presets.last?.name && reason.contains(text)
            }
        }
        // What settles when a unit is made is none of a preset that is switched to while it sounds.
        var descriptor = PolySynth.descriptor
        descriptor.factoryPresets = [FactoryPreset("solo", ["mode": "mono"])]
        #expect(throws: UnitError.self) { try UnitEntry(PolySynth.self, as: descriptor).factoryPresets() }
    }

    /// More than a second of a unit that is set by a preset, with something to work on.
    private static func sound(_ entry: UnitEntry, _ preset: UnitPreset?) throws -> [[Float]] {
        let engine = try Engine(patch: patch(entry, preset))
        for (key, second) in [(48, 0.0), (60, 0.25), (67, 0.25), (72, 1.0)] {
            let time = SampleTime(Int64(second * 48_000)), end = SampleTime(Int64((second + 0.6) * 48_000))
            try engine.send(.noteOn(UInt8(key), velocity: 110), at: time)
            try engine.send(.noteOff(UInt8(key)), at: end)
        }
        try engine.start(on: .offline)
        return try engine.render(frames: 60_000)
    }

    /// An instrument or a generator by itself, a MIDI unit before a square wave, an effect behind drums.
    private static func patch(_ entry: UnitEntry, _ preset: UnitPreset?) -> Patch {
        var unit = PatchUnit("unit", entry.name)
        if let preset { unit.set(by: preset) }
        var patch = Patch()
        let descriptor = entry.descriptor
        if descriptor.isMIDIUnit {
            unit.parts = PartList(0..<16)
            patch.units = [unit, PatchUnit("lead", "square-wave")]
            patch.connections = [PatchConnection(PatchPort("unit"), to: PatchPort("lead"))]
            patch.outputs = [PatchPort("lead")]
        } else if descriptor.inputs.isEmpty {
            if descriptor.acceptsMusic { unit.parts = PartList(0..<16) }
            patch.units = [unit]
            patch.outputs = [PatchPort("unit")]
            if entry.name == "drum-synth" { patch.units[0].parts = PartList([0]) }
        } else {
            patch.units = [PatchUnit("drums", "drum-machine"), unit]
            patch.connections = [PatchConnection(PatchPort("drums"), to: PatchPort("unit"))]
            patch.outputs = [PatchPort("unit")]
        }
        return patch
    }
}
