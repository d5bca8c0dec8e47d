import Graphs
import UnitAPI

/// A unit of the current sound, with its movable parameters.
package struct SessionUnit: Sendable {
    /// A parameter with its declaration, and the value that it has or glides to.
    package struct Parameter: Sendable {
        package var spec: ParameterSpec
        /// The input bus or the band; nil where there is one value.
        package var element: Int?
        package var value: Float

        /// The name that a setting calls it by: `decay`, `gain[2]`.
        package var name: String { spec.name + (element.map { "[\($0)]" } ?? "") }
    }

    /// The name in the graph, and that of its type.
    package var name: String
    package var type: String
    /// The parameters that may be moved while it sounds.
    package var parameters: [Parameter]
}

extension SessionUnit {
    init(_ node: Graph.Node) {
        let block = node.instance.parameters
        self.init(
            name: node.name, type: node.instance.descriptor.name,
            parameters: block.specs.indices.filter { block.specs[$0].applies == .live }.flatMap { index in
                let count = block.elementCount(of: index), isOne = block.specs[index].scope == .global
                return (0..<count).map { element in
                    SessionUnit.Parameter(
                        spec: block.specs[index], element: isOne ? nil : element, value: block.target(index, element))
                }
            })
    }
}
