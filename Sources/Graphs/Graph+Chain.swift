import UnitAPI

/// Edits of several edges at once. Each either happens as a whole or, on an error, not at all.
extension Graph {
    /// Leads an output bus to an input bus; of a unit it is the first.
    public mutating func connect(_ source: some BusPlace, to destination: some BusPlace) throws(Fault) {
        let (source, destination) = (source.bus, destination.bus)
        try connect(source.node, output: source.index, to: destination.node, input: destination.index)
    }

    /// Connects each place with the next. A bus in the middle names an input; what leads on is the unit's output 0. Only
    /// for the first one it names the output.
    public mutating func chain<each Place: BusPlace>(_ place: repeat each Place) throws(Fault) {
        var buses: [Bus] = []
        repeat buses.append((each place).bus)
        var next = self
        for (index, (source, destination)) in zip(buses, buses.dropFirst()).enumerated() {
            try next.connect(index == 0 ? source : source.node[0], to: destination)
        }
        self = next
    }

    /// Inserts a unit into a connection: its main input and main output take the two ends, whose bus numbers stay.
    public mutating func insert(
        _ id: NodeID, between source: Bus, and destination: Bus
    ) throws(Fault) {
        var next = self
        try next.disconnect(
            source.node, output: source.index, from: destination.node, input: destination.index)
        try next.connect(source, to: id)
        try next.connect(id, to: destination)
        self = next
    }

    /// Puts a unit into the one connection that leads from `source` to `destination`.
    ///
    /// - Throws: as `connect`; `noSuchConnection`, or `severalConnections` if more than one leads there.
    public mutating func insert(
        _ id: NodeID, between source: NodeID, and destination: NodeID
    ) throws(Fault) {
        let from = try node(source).name, to = try node(destination).name
        let edges = connections.filter { $0.source == source && $0.destination == destination }
        guard let edge = edges.first else { throw .noSuchConnection(source: from, destination: to) }
        if edges.count > 1 { throw .severalConnections(source: from, destination: to, count: edges.count) }
        try insert(id, between: source[edge.sourceBus], and: destination[edge.destinationBus])
    }

    /// Appends a unit to the present output; its main output becomes the output.
    public mutating func append(_ id: NodeID) throws(Fault) { try append(id, withMeters: false) }

    /// Appends a unit to the present output. `withMeters`: meters of that output measure the new one.
    package mutating func append(_ id: NodeID, withMeters: Bool) throws(Fault) {
        guard let output else { throw .noOutput }
        var next = self
        for edge in connections where withMeters && measuresOutput(edge) {
            try next.disconnect(edge.source, output: edge.sourceBus, from: edge.destination, input: edge.destinationBus)
            try next.connect(id, output: 0, to: edge.destination, input: edge.destinationBus)
        }
        try next.connect(output.node[output.bus], to: id)
        try next.setOutput(id)
        self = next
    }

    private func measuresOutput(_ edge: Connection) -> Bool {
        edge.source == output?.node && Self.measuresOutput(from: self[edge.source]?.role, to: self[edge.destination]?.role)
    }

    /// Whether a connection that leaves the output belongs to a meter of the output: that of a strip stays with its strip.
    package static func measuresOutput(from source: UnitRole?, to destination: UnitRole?) -> Bool {
        destination == .meter && source != .strip
    }

    /// Removes a unit and joins what led into its main input to what its main output led to; for a MIDI unit, the units that
    /// it played receive its parts from then on.
    ///
    /// - Throws: as `connect`; `noSuccessor` when the unit is the output and not exactly one connection leads to it.
    public mutating func removeClosingGap(_ id: NodeID) throws(Fault) {
        let name = try node(id).name, isMusic = try node(id).instance.descriptor.outputs.first?.carriesMusic == true
        let sources = connections.filter {
            $0.destination == id && $0.destinationBus == 0 && $0.source != id && $0.carriesMusic == isMusic
        }
        let destinations = connections.filter { $0.source == id && $0.sourceBus == 0 && $0.destination != id }
        let isOutput = output?.node == id
        var next = self
        try next.remove(id)
        for destination in destinations {
            let end = destination.destination[destination.destinationBus]
            for source in sources {
                let start = source.source[source.sourceBus]
                if !next.isConnected(start, end) { try next.connect(start, to: end) }
            }
            for part in routes.indices where isMusic && routes[part].contains(id) {
                try next.route(part: part, to: destination.destination)
            }
        }
        if isOutput {
            guard sources.count == 1 else { throw .noSuccessor(unit: name, sources: sources.count) }
            try next.setOutput(sources[0].source, bus: sources[0].sourceBus)
        }
        self = next
    }

    /// Moves the connections, the routes and the output of `old` to `new`, a unit of this graph, bus by bus, and removes
    /// `old`.
    ///
    /// - Throws: as `connect`, if `new` has fewer buses or other formats.
    public mutating func replace(_ old: NodeID, with new: NodeID) throws(Fault) {
        _ = try node(old)
        _ = try node(new)
        if old == new { return }
        var next = self
        for index in connections.indices {
            let edge = connections[index]
            if edge.source != old && edge.destination != old { continue }
            next.connections[index] = try next.edge(
                Bus(edge.source == old ? new : edge.source, edge.sourceBus),
                Bus(edge.destination == old ? new : edge.destination, edge.destinationBus))
        }
        if let output, output.node == old { try next.setOutput(new, bus: output.bus) }
        for part in routes.indices {
            if let place = routes[part].firstIndex(of: old), !routes[part].contains(new) { next.routes[part][place] = new }
        }
        try next.remove(old)
        self = next
    }

    private func isConnected(_ source: Bus, _ destination: Bus) -> Bool {
        connections.contains {
            $0.source == source.node && $0.sourceBus == source.index && $0.destination == destination.node
                && $0.destinationBus == destination.index
        }
    }
}
