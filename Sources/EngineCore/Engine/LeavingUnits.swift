import Graphs
import RealtimeCore

/// The units of a patch that others have replaced while they sounded: with another SoundFont, say. They end what they have
/// begun, each key when it is lifted, and go once they have rung out. Pure; control side.
package struct LeavingUnits {
    private struct Unit {
        let node: NodeID
        let left: SampleTime
        /// The time since which no key and no pedal holds it; nil while one may.
        var freeSince: SampleTime?
    }

    private var units: [Unit] = []

    package init() {}

    /// Units that go on leaving where more are replaced; the oldest go.
    static let most = 8
    /// Seconds that a unit may ring after its last key and pedal went up.
    package static let longestTail = 30

    private static let prefix = "leaving-"

    /// The name of a unit that another has replaced: `leaving-1.lead`.
    static func name(of unit: String, _ number: Int) -> String { "\(prefix)\(number).\(unit)" }

    static func owns(_ name: String) -> Bool {
        let first = name.prefix { $0 != "." }
        return first.hasPrefix(prefix) && first.count < name.count && Int(first.dropFirst(prefix.count)) != nil
    }

    /// Returns the units that ring on if another replaces them now: instruments that sound, and those that leave already. The
    /// graph shows afterwards which of them do leave.
    package static func ringing(_ graph: Graph, players: [NodeID]) -> Set<NodeID> {
        let sounding = graph.nodes.filter { node in
            players.contains(node.id) && !node.instance.isAtRest && !node.instance.descriptor.outputs.isEmpty
        }
        return Set(sounding.map(\.id) + graph.nodes.filter(\.isLeaving).suffix(Self.most).map(\.id))
    }

    /// Returns the units that have rung out by `now`. `isHeld`: a key or a pedal may hold a unit.
    package mutating func over(_ graph: Graph, now: SampleTime, rate: Int, isHeld: (NodeID) -> Bool) -> [NodeID] {
        let leaving = graph.nodes.filter(\.isLeaving), known = Set(units.map(\.node))
        units.removeAll { unit in !leaving.contains { $0.id == unit.node } }
        for node in leaving where !known.contains(node.id) { units.append(Unit(node: node.id, left: now)) }
        return units.indices.compactMap { place in
            let id = units[place].node
            units[place].freeSince = isHeld(id) ? nil : units[place].freeSince ?? now
            // Events that were sent before the change may still be on their way.
            guard now - units[place].left >= rate / 4 else { return nil }
            let isAtRest = leaving.first { $0.id == id }?.instance.isAtRest ?? true
            let hasRungLong = units[place].freeSince.map { now - $0 >= Self.longestTail * rate } ?? false
            return isAtRest || hasRungLong ? id : nil
        }
    }
}
