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
                throw .unknownUnit(name, known: engine.graph.nodes.map(\.name))
            }
            try silence(node.id)
        case .all:
            sequencer?.panicAll()
            for instrument in graph.instruments { try silence(instrument) }
        }
    }

    /// Keys and pedals up everywhere, so that what sounds dies away.
    func releaseAll() throws(LiveError) {
        for instrument in graph.instruments { try tell(instrument, Self.released) }
    }

    private static let released: [(UInt8, UInt8)] = [(64, 0), (66, 0), (67, 0), (69, 0), (123, 0)]

    /// Gives every channel of an instrument these controllers.
    private func tell(_ node: NodeID, _ controllers: [(UInt8, UInt8)], bend: Bool = false) throws(LiveError) {
        guard let index = graph.instruments.firstIndex(of: node) else { return }
        let ports = graph.instruments.count == 1 ? Array(Set(graph.parts.map { $0 / 16 })).sorted() : [port(index)]
        for port in ports {
            for channel in 0..<UInt8(16) {
                func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) throws(LiveError) {
                    let message = MIDIMessage(status: status | channel, data1: data1, data2: data2, port: UInt8(port))
                    try self.send(.music(.message(message)), to: node)
                }
                for (number, value) in controllers { try send(0xB0, number, value) }
                if bend { try send(0xE0, 0, 64) }
            }
        }
    }

    /// Pedals up, bends to the middle, notes off, and then at once, on every channel of an instrument; what is no
    /// instrument forgets its tail.
    private func silence(_ node: NodeID) throws(LiveError) {
        if !graph.instruments.contains(node) { return try send(.reset, to: node) }
        try tell(node, Self.released + [(120, 0)], bend: true)
    }

    /// The port that the instrument with this place in the list plays.
    private func port(_ index: Int) -> Int {
        let ports = Set(graph.parts.map { $0 / 16 }).sorted()
        return index < ports.count ? ports[index] : 0
    }

    private func send(_ event: UnitEvent, to node: NodeID) throws(LiveError) {
        let command = RenderCommand(time: .immediately, node: node, event: event)
        if !engine.renderer.send(command) { throw .engine(.queueFull) }
    }
}
