import Graphs
import Patches
import RealtimeCore
import UnitAPI

/// A parameter of a unit in a graph, as the target of a controller's value. Keeps the unit alive.
struct ControlTarget: Sendable {
    let node: NodeID
    let index: Int
    let elements: Range<Int>
    let spec: ParameterSpec
    private let instance: UnitInstance

    /// The parameter of that address in `graph`; nil where there is none that can be moved.
    init?(_ address: ParameterAddress, in graph: Graph) {
        guard let node = graph.node(named: address.unit) else { return nil }
        self.init(node, address.parameter, element: address.element)
    }

    init?(_ node: Graph.Node, _ parameter: String, element: Int? = nil) {
        let block = node.instance.parameters
        guard let index = block.specs.firstIndex(where: { $0.name == parameter && $0.applies == .live }) else { return nil }
        let count = block.elementCount(of: index)
        if let element, element >= count { return nil }
        self.node = node.id
        self.index = index
        elements = element.map { $0..<$0 + 1 } ?? 0..<count
        spec = block.specs[index]
        instance = node.instance
    }

    /// The value that the parameter is set to; the first of several. Any thread.
    var value: Float { instance.parameters.target(index, elements.lowerBound) }

    /// True if the parameter has steps instead of a continuous range.
    var steps: Bool {
        switch spec.unit {
        case .toggle, .choice: true
        default: false
        }
    }

    /// Makes commands that set the parameter over `frames` frames; 0 means as declared. The sender sets their times.
    func commands(_ value: Float, overFrames frames: Int32 = 0) -> [RenderCommand] {
        elements.map { element in
            let (index, element) = (Int32(index), Int32(element))
            let event: UnitEvent =
                frames > 0 && !steps
                ? .ramp(
                    index: index, element: element, value: value, frames: frames,
                    curve: spec.curve == .logarithmic ? .exponential : .linear)
                : .parameter(index: index, element: element, value: value)
            return RenderCommand(time: .inTurn, node: node, event: event)
        }
    }
}
