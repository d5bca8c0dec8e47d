import Graphs
import UnitAPI

/// `unit.parameter=value` as the command line's `--set` says it, or `unit.parameter[3]=value` for the fourth input of a
/// mixer or the fourth band of an equaliser.
package struct ParameterSetting: Sendable, Hashable {
    /// A unit's name in the graph, or the name of its type.
    package let unit: String
    /// The parameter's name.
    package let parameter: String
    /// The input bus or band; nil for all.
    package let element: Int?
    /// The value's text.
    package let value: String

    /// One parameter of one unit, with its value in the parameter's own unit.
    package struct Target: Sendable, Hashable {
        package let node: NodeID
        package let index: Int32
        package let element: Int32
        package let value: Float

        package init(node: NodeID, index: Int32, element: Int32, value: Float) {
            (self.node, self.index, self.element, self.value) = (node, index, element, value)
        }
    }

    /// Reads the text's form; its names are checked against a graph by `targets`.
    package init(_ text: String) throws(ParameterError) {
        guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].lastIndex(of: ".") else {
            throw .malformed(text: text)
        }
        unit = String(text[..<dot])
        value = String(text[text.index(after: equals)...])
        var name = text[text.index(after: dot)..<equals]
        if name.last == "]", let open = name.firstIndex(of: "[") {
            guard let number = Int(name[name.index(after: open)...].dropLast()), number >= 0 else {
                throw .malformed(text: text)
            }
            element = number
            name = name[..<open]
        } else {
            element = nil
        }
        parameter = String(name)
        if unit.isEmpty || parameter.isEmpty || value.isEmpty { throw .malformed(text: text) }
    }

    /// The value of this parameter among `specs`.
    package func value(in specs: [ParameterSpec]) throws(ParameterError) -> (index: Int, value: Float) {
        guard let index = specs.firstIndex(where: { $0.name == parameter }) else {
            throw .unknownParameter(parameter, unit: unit, known: specs.map(\.name))
        }
        return (index, try specs[index].value(value))
    }

    /// Every parameter of `graph` that is meant.
    package func targets(in graph: Graph) throws(ParameterError) -> [Target] {
        var nodes = graph.nodes.filter { $0.name == unit }
        if nodes.isEmpty {
            nodes = graph.nodes.filter { $0.instance.descriptor.name == unit && !$0.owner.isApart }
        }
        if nodes.isEmpty { throw .unknownUnitName(unit, known: graph.knownNames) }
        var targets: [Target] = []
        for node in nodes {
            let parameters = node.instance.parameters
            let (index, value) = try value(in: parameters.specs)
            let count = parameters.elementCount(of: index)
            if let element {
                guard element < count else {
                    throw .outOfRange(parameter: parameter, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]")
                }
                targets.append(Target(node: node.id, index: Int32(index), element: Int32(element), value: value))
            } else {
                for element in 0..<count {
                    targets.append(Target(node: node.id, index: Int32(index), element: Int32(element), value: value))
                }
            }
        }
        return targets
    }
}
