import Graphs
import RealtimeCore
import SongRendering
import UnitAPI

/// The units that others have replaced while they sounded: a patch of a set list that was left, an instrument that was saved
/// with another SoundFont. They end what they have begun, each key when it is lifted, and ring out. Control side.
struct RingingUnits {
    /// Units that go together.
    struct Group {
        let owner: NodeOwner
        let nodes: [NodeID]
        /// Its instruments and MIDI units.
        let instruments: [NodeID]
        let instances: [UnitInstance]
        /// The engine's ports that its keys were played on, and how its patch numbers them.
        let ports: Set<UInt8>
        let places: PartPorts
        let left: SampleTime
        /// The patch that was left; nil for a single unit.
        let graph: SongGraph?
        /// The time since which no key, no pedal and no loop holds it; nil while one does.
        fileprivate var freeSince: SampleTime?

        /// True if MIDI loops play it on these ports; a single unit gets no new keys.
        fileprivate func isPlayed(on loops: Set<UInt8>) -> Bool { owner != .leaving && !ports.isDisjoint(with: loops) }

        fileprivate init(
            _ owner: NodeOwner, _ own: [Graph.Node], ports: Set<UInt8>, places: PartPorts, left: SampleTime,
            graph: SongGraph? = nil
        ) {
            (self.owner, self.ports, self.places, self.left, self.graph) = (owner, ports, places, left, graph)
            (nodes, instances) = (own.map(\.id), own.map(\.instance))
            instruments = own.filter { owner == .leaving || $0.role?.isPlayed == true }.map(\.id)
        }
    }

    /// Patches, and single units, that may ring at once; the oldest fade when another comes.
    static let mostPatches = 4, mostUnits = 8
    /// Seconds that anything may ring after its last key and pedal went up.
    static let longestTail = 30

    /// In the order in which they were replaced.
    private(set) var groups: [Group] = []

    /// The patches that were left, without those that MIDI loops play on these ports.
    func patches(besides loops: Set<UInt8>) -> Int { groups.count { $0.owner != .leaving && !$0.isPlayed(on: loops) } }

    /// Takes in units that ring in the graph, `former`, `ports` and `places` being those of the patch that was there until `now`,
    /// and forgets those that are gone.
    mutating func update(_ graph: Graph, former: SongGraph, ports: Set<UInt8>, places: PartPorts, now: SampleTime) {
        let ringing = graph.nodes.filter(\.owner.isRinging), there = Set(ringing.map(\.id))
        groups.removeAll { there.isDisjoint(with: $0.nodes) }
        let known = Set(groups.flatMap(\.nodes)), new = ringing.filter { !known.contains($0.id) }
        for node in new where node.isLeaving {
            let heard = graph.routes.indices.filter { graph.routes[$0].contains(node.id) }.map { UInt8($0 / 16) }
            groups.append(Group(.leaving, [node], ports: Set(heard), places: places, left: now))
        }
        let patches = Dictionary(grouping: new.filter { !$0.isLeaving }, by: \.owner)
        for (owner, units) in patches {
            groups.append(Group(owner, units, ports: ports, places: places, left: now, graph: former))
        }
    }

    /// Takes out the patch that was left first, or, without one, the unit; none that MIDI loops play on these ports.
    mutating func removeOldest(besides loops: Set<UInt8>) -> Group? {
        let free = groups.indices.filter { !groups[$0].isPlayed(on: loops) }
        return (free.first { groups[$0].owner != .leaving } ?? free.first).map { groups.remove(at: $0) }
    }

    /// Takes out what no key and no pedal holds any more, once it is silent, or has rung for the longest time allowed.
    /// `isHeld`: one holds anything on these ports. `loops`: the ports of MIDI loops. `rate`: frames per second.
    mutating func removeSilent(now: SampleTime, rate: Int, loops: Set<UInt8>, isHeld: (Set<UInt8>) -> Bool) -> [Group] {
        for index in groups.indices {
            let isHeld = groups[index].isPlayed(on: loops) || isHeld(groups[index].ports)
            groups[index].freeSince = isHeld ? nil : groups[index].freeSince ?? now
        }
        let over = groups.filter { group in
            guard let since = group.freeSince else { return false }
            if now - since >= Self.longestTail * rate { return true }
            // Events that were sent before the change may still be on their way.
            guard now - group.left >= rate / 4 else { return false }
            // A meter falls for a long time after the sound.
            return group.instances.allSatisfy { $0.isAtRest || $0.descriptor.outputs.isEmpty }
        }
        groups.removeAll { group in over.contains { $0.nodes == group.nodes } }
        return over
    }
}
