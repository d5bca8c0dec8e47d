import Graphs
import UnitAPI

/// The settings of units that commands have asked for since they were made: presets and values. What music has moved, a song's
/// controllers and its System Exclusive, is not among them.
package struct AskedSettings {
    private struct Place: Hashable {
        let node: NodeID
        let index: Int
        let element: Int
    }

    package var presets: [NodeID: UnitPreset] = [:]
    private var values: [Place: Float] = [:]

    /// The value that was last asked for; nil means none.
    package internal(set) subscript(node: NodeID, index: Int, element: Int) -> Float? {
        get { values[Place(node: node, index: index, element: element)] }
        set { values[Place(node: node, index: index, element: element)] = newValue }
    }

    mutating func forgetAll(but nodes: Set<NodeID>) {
        presets = presets.filter { nodes.contains($0.key) }
        values = values.filter { nodes.contains($0.key.node) }
    }
}
