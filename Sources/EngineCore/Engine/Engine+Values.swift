import Graphs
import RealtimeCore
import UnitAPI
import Units

/// The values that all parameters are set to: one store, beside each unit's render memory, that start values, commands and
/// controllers write, and that any surface reads.
extension Engine {
    /// Returns the value that a parameter of a unit is set to: where it is, or where it is on its way to.
    ///
    /// - Parameter element: the input bus, for a parameter that each input has.
    /// - Throws: `ParameterError` when the unit is not there or has no such parameter or input.
    public func value<P: UnitParameter>(_ parameter: P, element: Int = 0, of node: NodeID) throws(Fault) -> Float {
        let (found, index) = try find(parameter.spec.name, of: node, element: element)
        return found.instance.parameters.target(index, element)
    }

    /// Returns the value that `reverb.decay` or `mixer.gain[3]` is set to, in the parameter's own unit.
    ///
    /// - Throws: `ParameterError` when there is no such unit, parameter or input.
    public func value(_ name: String) throws(Fault) -> Float {
        let (node, index, element) = try find(name)
        return node.instance.parameters.target(index, element)
    }

    /// Returns the value of `reverb.decay` or `mixer.gain[3]` as people write it: "2.5 s", "on".
    public func text(_ name: String) throws(Fault) -> String {
        let (node, index, element) = try find(name)
        return node.instance.parameters.specs[index].text(node.instance.parameters.target(index, element))
    }

    /// The strips that are muted, and those that are soloed, as the parameters say.
    public var mutedStrips: Set<NodeID> { graph.strips(.mute) }
    public var soloedStrips: Set<NodeID> { graph.strips(.solo) }

    /// Makes only these channel strips heard, without regard to the mute of the others; with none, all are heard.
    public func solo(_ strips: Set<NodeID>, at time: SampleTime? = nil) throws(Fault) {
        for strip in graph.channelStrips {
            let isSoloed = strips.contains(strip.id)
            if isSoloed != strip.is(.solo) { try set(ChannelStrip.Parameter.solo, isSoloed ? 1 : 0, of: strip.id, at: time) }
        }
    }

    private func find(_ name: String) throws(Fault) -> (Graph.Node, index: Int, element: Int) {
        let setting: ParameterSetting
        do { setting = try ParameterSetting(name + "=?") } catch { throw Fault(ParameterError.malformed(text: name)) }
        guard let node = graph.node(named: setting.unit) else {
            throw Fault(ParameterError.unknownUnitName(setting.unit, known: graph.knownNames))
        }
        let (found, index) = try find(setting.parameter, of: node.id, element: setting.element ?? 0)
        return (found, index, setting.element ?? 0)
    }

    private func find(_ parameter: String, of id: NodeID, element: Int) throws(Fault) -> (Graph.Node, Int) {
        guard let node = graph[id] else {
            throw Fault(ParameterError.unknownUnitName("\(id)", known: graph.knownNames))
        }
        let block = node.instance.parameters
        guard let index = block.specs.firstIndex(where: { $0.name == parameter }) else {
            throw Fault(ParameterError.unknownParameter(parameter, unit: node.name, known: block.specs.map(\.name)))
        }
        let count = block.elementCount(of: index)
        guard (0..<count).contains(element) else {
            throw Fault(ParameterError.outOfRange(parameter: parameter, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]"))
        }
        return (node, index)
    }
}

extension Graph {
    fileprivate var channelStrips: [Node] {
        nodes.filter { $0.instance.descriptor.component == ChannelStrip.descriptor.component }
    }

    fileprivate func strips(_ parameter: ChannelStrip.Parameter) -> Set<NodeID> {
        Set(channelStrips.filter { $0.is(parameter) }.map(\.id))
    }
}

extension Graph.Node {
    fileprivate func `is`(_ parameter: ChannelStrip.Parameter) -> Bool {
        instance.parameters.target(parameter.rawValue) >= 0.5
    }
}
