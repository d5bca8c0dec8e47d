import UnitAPI

/// One edge of a graph: from an output bus to an input bus.
public struct Connection: Sendable {
    /// The change that a sound undergoes if its format is not that of the bus that it is led to.
    public enum Conversion: String, Codable, CaseIterable, Sendable {
        /// Nothing: the formats are the same.
        case none
        /// The one channel is heard on every channel of the bus, as loud on each.
        case monoToAll = "mono-to-all"
    }

    /// The unit that sounds.
    public let source: NodeID
    /// The output bus.
    public let sourceBus: Int
    /// The unit that listens.
    public let destination: NodeID
    /// The input bus. Several connections into one bus add up, in the order in which they were made. 0 if music is led to the
    /// unit, for any number of inputs.
    public let destinationBus: Int
    /// True if notes and controllers go along the edge, and no sound.
    public let carriesMusic: Bool
    /// The change that the sound's format undergoes on the way.
    public let conversion: Conversion
    /// Frames by which the edge itself is late: the latency of a unit that it leads around.
    let latency: Int
    /// The edge's gain on the render side: it survives from plan to plan, so that edges appear and vanish without a click.
    let gain: ConnectionGain

    init(
        source: NodeID, sourceBus: Int, destination: NodeID, destinationBus: Int, conversion: Conversion = .none,
        carriesMusic: Bool = false, latency: Int = 0, gain: ConnectionGain = ConnectionGain()
    ) {
        (self.source, self.sourceBus, self.destination) = (source, sourceBus, destination)
        (self.destinationBus, self.conversion, self.carriesMusic) = (destinationBus, conversion, carriesMusic)
        (self.latency, self.gain) = (latency, gain)
    }

    func joinsSame(as other: Connection) -> Bool {
        source == other.source && sourceBus == other.sourceBus && destination == other.destination
            && destinationBus == other.destinationBus
    }

    func led(from source: NodeID, to destination: NodeID) -> Connection {
        Connection(
            source: source, sourceBus: sourceBus, destination: destination, destinationBus: destinationBus,
            conversion: conversion, carriesMusic: carriesMusic, latency: latency, gain: gain)
    }
}

extension Connection.Conversion {
    /// Finds the conversion that leads from one format to the other; nil if none does.
    init?(from source: StreamFormat, to destination: StreamFormat) {
        if source == destination {
            self = .none
        } else if source.sampleRate == destination.sampleRate && source.channels == 1 {
            self = .monoToAll
        } else {
            return nil
        }
    }
}
