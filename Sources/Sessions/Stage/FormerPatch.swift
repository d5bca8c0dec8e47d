import EngineCore
import Graphs
import RealtimeCore
import SongRendering
import UnitAPI

/// A patch that another has replaced: its keys may still be down, and its tail rings on. Control side.
struct FormerPatch {
    /// The name that the group of its units has in the graph: `former-3`, and its reverb `former-3.reverb`.
    let group: String
    let nodes: [NodeID]
    /// The instruments and MIDI units.
    let instruments: [NodeID]
    let instances: [UnitInstance]
    /// The engine's ports that are its own, and how it numbers them.
    let granted: [UInt8]
    let ports: PartPorts
    let left: SampleTime
    /// The time since which no key and no pedal holds it; nil while one does.
    private var freeSince: SampleTime?

    init(
        _ group: String, _ graph: Graph, nodes: Set<NodeID>, granted: [UInt8], ports: PartPorts, left: SampleTime
    ) {
        let own = graph.nodes.filter { nodes.contains($0.id) }
        (self.group, self.granted, self.ports, self.left) = (group, granted, ports, left)
        (self.nodes, instances) = (own.map(\.id), own.map(\.instance))
        instruments = own.filter { $0.role?.isPlayed == true }.map(\.id)
    }

    /// No key or pedal holds it and it is silent, or it has rung for the longest time allowed. `rate`: frames per second.
    mutating func isOver(now: SampleTime, isHeld: Bool, rate: Int) -> Bool {
        if isHeld {
            freeSince = nil
            return false
        }
        let since = freeSince ?? now
        freeSince = since
        if now - since >= LeavingUnits.longestTail * rate { return true }
        // Events that were sent before the change may still be on their way.
        guard now - left >= rate / 4 else { return false }
        // A meter falls for a long time after the sound.
        return instances.allSatisfy { $0.isAtRest || $0.descriptor.outputs.isEmpty }
    }
}
