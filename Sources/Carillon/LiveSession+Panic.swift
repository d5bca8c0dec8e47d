import ALSA
import Graph
import MIDI
import RealtimeCore

extension LiveSession {
    /// Ends notes that hang.
    func panic(_ scope: PanicScope) throws(LiveError) {
        switch scope {
        case .source(let name):
            let sources = sequencer?.sources ?? []
            let meant = sources.filter { $0.name == name || $0.identity.description == name }
            if meant.isEmpty { throw .unknownSource(name, known: sources.map(\.name)) }
            for source in meant { sequencer?.panic(source: source.identity) }
        case .unit(let name):
            guard let node = engine.graph.nodes.first(where: { $0.name == name }) else {
                throw .journalUnit(name, known: engine.graph.nodes.map(\.name))
            }
            try silence(node.id)
        case .all:
            sequencer?.panicAll()
            for instrument in graph.instruments { try silence(instrument) }
        }
    }

    /// Pedals up, bends to the middle, notes off, and then at once, on every channel of an instrument; what is no
    /// instrument forgets its tail.
    private func silence(_ node: NodeID) throws(LiveError) {
        guard let index = graph.instruments.firstIndex(of: node) else { return try send(.reset, to: node) }
        let ports = graph.instruments.count == 1 ? Array(Set(graph.strips.map { $0.part / 16 })).sorted() : [port(index)]
        for port in ports {
            for channel in 0..<UInt8(16) {
                for (number, value) in [(64, 0), (66, 0), (123, 0), (120, 0)] as [(UInt8, UInt8)] {
                    try send(
                        .music(.message(MIDIMessage(
                            status: 0xB0 | channel, data1: number, data2: value, port: UInt8(port)))), to: node)
                }
            }
        }
    }

    /// The port that the instrument with this place in the list plays.
    private func port(_ index: Int) -> Int {
        let ports = Set(graph.strips.map { $0.part / 16 }).sorted()
        return index < ports.count ? ports[index] : 0
    }

    private func send(_ event: UnitEvent, to node: NodeID) throws(LiveError) {
        let command = RenderCommand(time: engine.renderer.sampleTime, node: node, event: event)
        if !engine.renderer.send(command) { throw .engine(.queueFull) }
    }
}
