import UnitAPI

/// One edge of a graph: from an output bus to an input bus.
public struct Connection: Sendable {
    /// The unit that sounds.
    public let source: NodeID
    /// Its output bus.
    public let sourceBus: Int
    /// The unit that listens.
    public let destination: NodeID
    /// Its input bus. Several connections into one bus add up, in the order in which they were made.
    public let destinationBus: Int
    /// Frames by which the edge itself is late: the latency of a unit that it leads around.
    let latency: Int
    /// The edge's gain on the render side: it survives from plan to plan, so that edges appear and vanish without a click.
    let gain: ConnectionGain

    init(
        source: NodeID, sourceBus: Int, destination: NodeID, destinationBus: Int, latency: Int = 0,
        gain: ConnectionGain = ConnectionGain()
    ) {
        self.source = source
        self.sourceBus = sourceBus
        self.destination = destination
        self.destinationBus = destinationBus
        self.latency = latency
        self.gain = gain
    }

    /// Whether both name the same edge.
    func joinsSame(as other: Connection) -> Bool {
        source == other.source && sourceBus == other.sourceBus && destination == other.destination
            && destinationBus == other.destinationBus
    }

    /// The same edge between other units.
    func led(from source: NodeID, to destination: NodeID) -> Connection {
        Connection(
            source: source, sourceBus: sourceBus, destination: destination, destinationBus: destinationBus,
            latency: latency, gain: gain)
    }
}
