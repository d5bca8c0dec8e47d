import UnitAPI

/// The edges by which a plan leads sound through a unit or around it. They are between the unit's entrance and exit,
/// and only in plans in which the unit is bypassed or has just been.
struct Bypass: Sendable {
    /// The edges from the entrance to the unit: one for each input bus.
    let taps: [Connection]
    let wets: [Connection]
    /// The edge from the entrance to the exit, as late as the unit; nil for a unit without input.
    let dry: Connection?

    /// nil for a unit that sound cannot be led around: one without outputs, or with any number of inputs; or one that closes
    /// a loop, which would be endless without it. A MIDI unit has no edges of this kind: the renderer passes music around it.
    init?(_ id: NodeID, _ instance: UnitInstance) {
        if instance.descriptor.isMIDIUnit {
            (taps, wets, dry) = ([], [], nil)
            return
        }
        let descriptor = instance.descriptor
        if descriptor.outputs.isEmpty || descriptor.repeatsLastInput || descriptor.closesLoop { return nil }
        taps = instance.inputs.indices.map {
            Connection(source: id.entrance, sourceBus: $0, destination: id, destinationBus: $0)
        }
        wets = instance.descriptor.outputs.indices.filter { !instance.descriptor.outputs[$0].carriesMusic }.map {
            Connection(source: id, sourceBus: $0, destination: id.exit, destinationBus: $0)
        }
        dry =
            instance.inputs.isEmpty
            ? nil
            : Connection(
                source: id.entrance, sourceBus: 0, destination: id.exit, destinationBus: 0, latency: instance.latency)
    }
}

extension Graph {
    /// Leads sound around a unit, or through it again, without a click.
    ///
    /// Bypassed, an effect's main input passes to its main output, channel by channel (one channel to all) and as late as
    /// the unit would be, so that nothing shifts in time; its other outputs are silent. Once faded out it rests and starts
    /// afresh: it is not rendered, but takes controllers and parameters. An instrument or generator falls silent and plays
    /// on unheard. A bypassed MIDI unit passes on what it receives, and the notes that it has begun end.
    ///
    /// - Throws: `unknownNode`; `notBypassable` for a mixer, which has no main input, for a unit without outputs, and for one
    ///   that closes a loop.
    public mutating func bypass(_ id: NodeID, _ isBypassed: Bool = true) throws(Fault) {
        let node = try node(id)
        if node.bypass == nil { throw .notBypassable(unit: node.name) }
        for index in nodes.indices where nodes[index].id == id { nodes[index].isBypassed = isBypassed }
    }
}
