import CarillonTestKit
import Patches
import UnitAPI

/// A patch drawn by chance, valid, with patches inside it: no unit of it has to exist.
struct RandomPatch {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next() -> Patch { patch(depth: 0) }

    private mutating func patch(depth: Int) -> Patch {
        var patch = Patch()
        for index in 0..<Int.random(in: 1...5, using: &random) { patch.units.append(unit("u\(index)")) }
        if Bool.random(using: &random) { patch.soundFonts = ["a.sf2", "b.sf2"] }
        if depth < 3 {
            for index in 0..<Int.random(in: 0...2, using: &random) {
                patch.patches.append(SubPatch("p\(index)", self.patch(depth: depth + 1)))
            }
        }
        patch.connections = some(0...8) { .init($0.port(of: patch, \.outputs), to: $0.port(of: patch, \.inputs)) }
        let names = patch.patches.map(\.name)
        patch.connections.removeAll { $0.from.unit == $0.to.unit && names.contains($0.to.unit) }
        patch.inputs = some(0...3) { $0.port(of: patch, \.inputs) }
        patch.outputs = some(1...3) { $0.port(of: patch, \.outputs) }
        return patch
    }

    /// Different elements.
    private mutating func some<T: Hashable>(_ count: ClosedRange<Int>, _ make: (inout Self) -> T) -> [T] {
        var seen: Set<T> = []
        return (0..<Int.random(in: count, using: &random)).map { _ in make(&self) }.filter { seen.insert($0).inserted }
    }

    private mutating func unit(_ name: String) -> PatchUnit {
        var unit = PatchUnit(name, ["square-wave", "reverb", "mixer"].randomElement(using: &random) ?? "reverb")
        unit.role = (UnitRole.allCases + [nil]).randomElement(using: &random) ?? nil
        unit.inputCount = Int.random(in: 0...3, using: &random)
        unit.parts = PartList((0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0...255, using: &random) })
        if Bool.random(using: &random) { unit.values["decay"] = [random.sample()] }
        if Bool.random(using: &random) { unit.values["gain"] = [random.sample(), random.sample()] }
        if Bool.random(using: &random) { unit.properties["files"] = .list([.text("x.sf2"), .integer(3), .flag(true)]) }
        unit.isBypassed = Bool.random(using: &random)
        return unit
    }

    /// Buses of nested patches as far as these have any.
    private mutating func port(of patch: Patch, _ side: KeyPath<Patch, [PatchPort]>) -> PatchPort {
        let nested = patch.patches.filter { !$0.patch[keyPath: side].isEmpty }
        if let chosen = nested.randomElement(using: &random), Bool.random(using: &random) {
            return PatchPort(chosen.name, Int.random(in: 0..<chosen.patch[keyPath: side].count, using: &random))
        }
        let unit = patch.units[Int.random(in: 0..<patch.units.count, using: &random)]
        return PatchPort(unit.name, Int.random(in: 0...2, using: &random))
    }
}
