import Graphs

/// The way in which a patch takes the place of another in a graph that sounds.
package struct PatchTakeover {
    /// Units that end what they have begun, under another name, when another takes their place.
    package var ringing: Set<NodeID> = []
    /// The owners whose units go where the patch has no use for them; nil: all. Units of others stay, and what leads to the
    /// end of the graph leads to its new end.
    package var replaced: Set<NodeOwner>?
    /// Units that were made before, by their names.
    package var made: [String: Graph.Node] = [:]
    /// A change of the graph before that, in the same edit.
    package var first: (inout Graph) throws(Fault) -> Void = { _ in }

    /// The patch replaces all.
    package init() {}

    func replaces(_ node: Graph.Node) -> Bool { replaced?.contains(node.owner) ?? true }
}
