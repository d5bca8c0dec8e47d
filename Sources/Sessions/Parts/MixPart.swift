import EngineCore
import Graph
import RealtimeCore
import UnitAPI

/// The mix, as one turns it: channels, volume, parameters and presets of units, and the ends of notes that hang.
final class MixPart: LonePart {
    let core: SessionCore
    private var complaints = UnitComplaints()
    private var values = ValueEdition()

    static let verbs = Verb.sounds + Verb.presetFiles + [.unitList, .presets]

    init(_ core: SessionCore) { self.core = core }

    func turn() {
        core.tell(complaints.look(core.engine.graph))
        values.look(at: core.engine.graph)
    }

    func silence() throws(LiveError) {
        try core.mix.silenceAll()
        for former in core.stage?.formers ?? [] { try core.mix.silence(former) }
    }

    func release(at stop: SampleTime) throws(LiveError) {
        try core.mix.releaseAll()
        for former in core.stage?.formers ?? [] { try core.mix.release(former) }
    }

    /// The number of the values that units have; it rises when any was moved.
    var edition: Int { values.number }
    var control: MixControl { core.mix }
    var units: [SessionUnit] {
        core.engine.graph.nodes.filter { !ReservedNames.owns($0.name) }.map(SessionUnit.init)
    }

    /// Sets a parameter, as text such as `reverb.decay=2.5s`.
    func set(_ text: String) throws(LiveError) {
        do { try core.engine.set(text) } catch { throw .engine(error) }
    }
}

/// The number of the values that a graph's units have: it rises when any has changed, from any source, or units came and went.
struct ValueEdition {
    private(set) var number = 0
    private var nodes: [NodeID] = []
    private var values: [Float] = []

    mutating func look(at graph: Graph) {
        var nodes: [NodeID] = [], values: [Float] = []
        for node in graph.nodes {
            nodes.append(node.id)
            let block = node.instance.parameters
            for index in block.specs.indices {
                for element in 0..<block.elementCount(of: index) { values.append(block.target(index, element)) }
            }
        }
        if nodes == self.nodes, values == self.values { return }
        (self.nodes, self.values) = (nodes, values)
        number += 1
    }
}

extension Session {
    /// The units of the current sound, by name.
    public var unitNames: [String] { engine.graph.knownNames }

    /// The units of the current sound, with the values of their parameters.
    public var units: [SessionUnit] { self[MixPart.self]?.units ?? [] }
}
