import Graph
import UnitAPI

/// The views of a session that surfaces show and that change seldom: each has a number that rises when it is another, so that
/// nobody asks for it again and again. Control side.
struct SessionViews {
    private(set) var parameterEdition = 0
    private(set) var songEdition = 0
    private var nodes: [NodeID] = []
    private var values: [Float] = []
    private var song: Playlist.Item.ID?
    private var layers = 0
    private var sheet: SongSheet?

    /// Looks whether any value was moved, by whomever, or the graph is another.
    mutating func look(at graph: Graph) {
        var nodes: [NodeID] = [], values: [Float] = []
        for node in graph.nodes {
            nodes.append(node.id)
            let block = node.instance.parameters
            for index in block.specs.indices {
                for element in 0..<block.elementCount(of: index) { values.append(block.target(index, element)) }
            }
        }
        if nodes == self.nodes, values == self.values { return }
        (self.nodes, self.values) = (nodes, values)
        parameterEdition += 1
    }

    /// Looks whether another song plays, or something else lies over it.
    mutating func look(at playlist: Playlist?) {
        guard let playlist, playlist.currentID != song || playlist.layers.edition != layers else { return }
        (song, layers) = (playlist.currentID, playlist.layers.edition)
        sheet = nil
        songEdition += 1
    }

    /// The notes and words of the song that plays, made when they are asked for.
    mutating func sheet(of playlist: Playlist) -> SongSheet {
        look(at: playlist)
        if let sheet { return sheet }
        let made = SongSheet(playlist.current)
        sheet = made
        return made
    }
}
