import Graphs
import Patches
import UnitAPI

/// The changes that an edit has made, as the journal writes them, and the names of units from then on: edits may follow each
/// other before the first has happened.
package struct JournalledEdit {
    package let difference: PatchDifference
    /// The names of units that came, or are called otherwise.
    package let names: [NodeID: String]
    /// The MIDI units that came, with the music that they play.
    package let players: [NodeID: PlayedMusic]
    package let gone: [NodeID]

    init(from old: Graph, to new: Graph) {
        let former = Dictionary(uniqueKeysWithValues: old.nodes.map { ($0.id, $0.name) })
        let stays = Set(new.nodes.map(\.id))
        var names: [NodeID: String] = [:], renamed: [String: String] = [:]
        for node in new.nodes where former[node.id] != node.name {
            names[node.id] = node.name
            if let name = former[node.id] { renamed[name] = node.name }
        }
        var difference = old.structure.renaming(renamed).difference(to: new.structure)
        difference.renamed = renamed.isEmpty ? nil : renamed
        (self.difference, self.names, gone) = (difference, names, former.keys.filter { !stays.contains($0) })
        let came = new.nodes.filter { former[$0.id] == nil }
        players = Dictionary(uniqueKeysWithValues: came.compactMap { node in node.instance.played.map { (node.id, $0) } })
    }
}
