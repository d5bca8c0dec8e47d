import Graphs
import UnitAPI
import Units

extension Engine {
    /// Taps the output of a unit's bus, all of its channels, without an effect on the sound; the unit that does it is called
    /// `tap-1`, `tap-2`, ...
    ///
    /// - Parameter seconds: the most sound that may wait to be read, 0.01...600.
    /// - Throws: as an `edit`.
    public func tap(_ node: NodeID, bus: Int = 0, seconds: Double = 1) throws(Fault) -> TapReader {
        try tap(node, bus: bus, name: "tap", properties: ["seconds": .number(seconds)])
    }

    /// Adds a tap that is called after `name`.
    func tap(_ node: NodeID, bus: Int, name: String, properties: [String: PropertyValue]) throws(Fault) -> TapReader {
        var properties = properties
        let width = try graph.channels(of: node, bus: bus)
        // Stereo is the default.
        if width != 2 { properties[UnitDescriptor.widthProperty] = .integer(width) }
        return try edit { (graph) throws(Fault) in
            var number = 1
            while graph.node(named: "\(name)-\(number)") != nil { number += 1 }
            let tap = try graph.add(Tap.self, name: "\(name)-\(number)", properties: properties)
            try graph.connect(node, output: bus, to: tap)
            guard let reader = try graph.node(tap).instance.companion as? TapReader else {
                preconditionFailure("a tap's companion is its reader")
            }
            return reader
        }
    }

    /// Takes a tap away; a loop over it ends when it has read what waits.
    ///
    /// - Throws: as an `edit`; a tap that is not there any more only ends.
    public func remove(_ tap: TapReader) throws(Fault) {
        if let node = graph.nodes.first(where: { $0.instance.companion === tap }) {
            try edit { (graph) throws(Fault) in try graph.remove(node.id) }
        }
        tap.end()
    }
}

extension Graph {
    /// Channels of an audio bus; 2 for a music bus, which cannot be tapped.
    func channels(of node: NodeID, bus: Int) throws(Fault) -> Int {
        let node = try self.node(node), buses = node.instance.descriptor.outputs
        guard buses.indices.contains(bus) else {
            throw .noSuchBus(unit: node.name, direction: "output", bus: bus, count: buses.count)
        }
        return buses[bus].carriesMusic ? 2 : buses[bus].channels
    }
}
