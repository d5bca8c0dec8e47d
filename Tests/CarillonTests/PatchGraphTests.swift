import Carillon
import CarillonTestKit
import Patches
import Testing
import UnitAPI

@testable import Sessions

/// A patch becomes a graph and is said by it again, nested ones too; one graph becomes another by their difference.
@Suite struct PatchGraphTests {
    @Test func aThousandPatchesComeBackFromTheirGraphs() throws {
        var random = RandomUnits(seed: 4)
        var nested = 0
        for _ in 0..<1000 {
            let patch = random.patch()
            nested += patch.patches.isEmpty ? 0 : 1
            #expect(try Engine(patch: patch, maximumFrames: 16).patch == patch)
        }
        #expect(nested > 300)
    }

    @Test func oneGraphBecomesTheOtherWhateverItWasBefore() throws {
        var random = RandomUnits(seed: 5)
        let engine = Engine(maximumFrames: 1024)
        let output = try engine.offlineOutput()
        for _ in 0..<200 {
            let patch = random.patch()
            try engine.apply(patch)
            #expect(engine.patch == patch)
            output.pull(1024)
            #expect(engine.patch == patch, "what was sent has taken effect, and changed nothing")
        }
    }

    @Test func whatCannotBeChangesNothing() throws {
        var patch = Patch()
        patch.units = [PatchUnit("square", "square-wave"), PatchUnit("reverb", "reverb")]
        patch.connections = [.init(PatchPort("square"), to: PatchPort("reverb"))]
        patch.outputs = [PatchPort("reverb")]
        let engine = try Engine(patch: patch)
        let structure = engine.graph.structure
        func refused(_ change: (inout Patch) -> Void) -> String {
            var wrong = patch
            change(&wrong)
            do throws(Fault) { try engine.apply(wrong) } catch { return "\(error)" }
            return ""
        }
        let sentences = [
            refused { $0.units[1].component = "reverb-x" }, refused { $0.units[0].values["room"] = [1] },
            refused { $0.units[1].values["decay"] = [1e9] }, refused { $0.units[1].properties["file"] = .flag(true) },
            refused {
                $0.units[1].inputCount = 9_999; $0.units[1].component = "multichannel-mixer"
            },
            refused { $0.outputs = [] }, refused { $0.connections[0].to.bus = 3 },
            refused { $0.connections.append(.init(PatchPort("reverb"), to: PatchPort("square"))) },
        ]
        let words = [
            "no unit reverb-x", "no parameter", "out of range", "has no property file", "cannot have 9999 inputs", "no output",
            "no input bus 3", "square hears notes, not sound",
        ]
        for (sentence, word) in zip(sentences, words) { #expect(sentence.contains(word), "\(sentence)") }
        #expect(engine.graph.structure == structure && engine.patch == patch)
    }

    @Test func theSoundFontsOfAPatchAreThoseOfItsUnits() throws {
        var patch = Patch()
        patch.soundFonts = ["nowhere.sf2"]
        patch.units = [PatchUnit("organ", "soundfont")]
        patch.outputs = [PatchPort("organ", 0)]
        let error = #expect(throws: Fault.self) { try Engine(patch: patch) }
        #expect(error?.description.contains("nowhere.sf2") == true)
    }
}

/// Patches of real units that can sound, drawn by chance, with patches inside.
private struct RandomUnits {
    private var random: SeededRandom
    private let kinds = ["square-wave", "channel-strip", "multichannel-mixer", "chorus", "limiter", "equalizer"]

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func patch() -> Patch {
        var flat = Patch()
        for index in 0..<Int.random(in: 1...6, using: &random) {
            let nest = ["", "", "a.", "a.b.", "c."][Int.random(in: 0..<5, using: &random)]
            flat.units.append(unit("\(nest)u\(index)"))
        }
        for (place, unit) in flat.units.enumerated() {
            // Sound runs from the first to the last, so that it never runs in a circle.
            for bus in 0..<inputs(unit) {
                for source in flat.units[..<place] where Int.random(in: 0..<3, using: &random) == 0 {
                    let outputs = entry(source).descriptor.outputs.count
                    flat.connections.append(
                        .init(
                            PatchPort(source.name, Int.random(in: 0..<outputs, using: &random)), to: PatchPort(unit.name, bus)))
                }
            }
        }
        flat.outputs = [PatchPort(flat.units[flat.units.count - 1].name)]
        return flat.nested(as: PatchLayout())
    }

    private mutating func unit(_ name: String) -> PatchUnit {
        var unit = PatchUnit(name, kinds[Int.random(in: 0..<kinds.count, using: &random)])
        let entry = entry(unit)
        unit.role = (UnitRole.allCases + [nil]).randomElement(using: &random) ?? nil
        if entry.descriptor.repeatsLastInput { unit.inputCount = Int.random(in: 1...3, using: &random) }
        unit.parts = PartList((0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0...255, using: &random) })
        unit.isBypassed = !entry.descriptor.repeatsLastInput && Bool.random(using: &random)
        for spec in entry.parameters where Int.random(in: 0..<4, using: &random) == 0 {
            let count = spec.elementCount(inputs: inputs(unit), bands: entry.descriptor.bands)
            // One value for all, or one for each: never equal ones in a list.
            let values = (0..<count).map { _ in spec.value(atFraction: Float.random(in: 0...1, using: &random)) }
            unit.values[spec.name] = Set(values).count == count && Bool.random(using: &random) ? values : [values[0]]
        }
        return unit
    }

    private func entry(_ unit: PatchUnit) -> UnitEntry {
        guard let entry = UnitCatalog.named(unit.component) else { preconditionFailure("\(unit.component) is a unit") }
        return entry
    }

    private func inputs(_ unit: PatchUnit) -> Int { max(unit.inputCount, entry(unit).descriptor.inputs.count) }
}
