import Graphs
import UnitAPI

/// The parameters of one unit by their names as values: `engine[mixer].gain = -6`, `engine[reverb].lowCut`.
///
/// Nothing is thrown here: what is out of range is brought into it, and what is no number counts as 0 (`NonFiniteValues`). A
/// unit that was removed has no values: reading gives NaN, and setting does nothing, as for a full queue. `Engine.set` and
/// `Engine.value` throw instead.
@dynamicMemberLookup
public struct UnitValues {
    let engine: Engine
    let place: Bus
    /// nil for a parameter of all inputs or bands.
    let element: Int?

    /// The value that the parameter is set to; of each input or band, that of the first. `lowCut` is the parameter `low-cut`.
    ///
    /// Precondition: the unit has the parameter, it can be set while the unit sounds, and it has the input.
    public subscript(dynamicMember member: String) -> Float {
        get { target(member).map { $0.block.target($0.index, $0.elements.lowerBound) } ?? .nan }
        nonmutating set {
            guard let (block, index, elements) = target(member) else { return }
            for element in elements {
                let value = block.specs[index].clamped(newValue.finite)
                do {
                    try engine.set(.init(node: place.node, index: Int32(index), element: Int32(element), value: value))
                } catch { return }
            }
        }
    }

    private func target(_ member: String) -> (block: ParameterBlock, index: Int, elements: Range<Int>)? {
        guard let unit = engine.graph[place.node] else { return nil }
        let name = member.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        let block = unit.instance.parameters, index = block.specs.firstIndex { $0.name == name } ?? -1
        precondition(index >= 0 && block.specs[index].applies == .live, "\(unit.name) has no parameter \(name) to be set")
        let all = 0..<block.elementCount(of: index)
        precondition(element.map(all.contains) ?? true, "\(unit.name) has \(all.count) of \(name)")
        return (block, index, element.map { $0..<$0 + 1 } ?? all)
    }
}

extension Engine {
    /// The parameters of a unit, those of all its inputs or bands alike; of a `Bus` those of one: `engine[mixer[1]].gain`.
    public subscript(place: some BusPlace) -> UnitValues {
        UnitValues(engine: self, place: place.bus, element: (place as? Bus)?.index)
    }
}
