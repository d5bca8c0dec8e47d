import Graph
import Patch
import Units

/// A session that gets another patch in the place of its own.
extension LiveSession {
    /// Makes the patch another one while it sounds, in one edit: values glide, edges fade, units that stay sound on with the
    /// notes that they have; a key that is held ends where it began, whatever its zone is by then.
    ///
    /// What was set by hand stays where the new patch says of it what the former one said.
    ///
    /// In a set list it takes the place of the one that sounds, which rings on as it does with any other change.
    ///
    /// - Throws: what is wrong with the patch, as where its zones name a keyboard that was not connected at the start. Nothing
    ///   has changed then; `bankOutOfReach` for a sound that a channel cannot be given, while all else has changed.
    public func apply(_ patch: Patch) throws(LiveError) {
        if let patches { return try replace(patch: patches.list.current + 1, by: patch) }
        var wanted = options
        wanted.patch = patch
        let zones = try Self.zones(patch, inputs, outputs.names), former = liveFilter.zones
        // One that could not play out at the start was told so then.
        if outputs.outlet == nil, port.hasOwnThread, outputs.isNeeded(by: patch), !outputs.isNeeded(by: options.patch) {
            throw .nothingPlaysOut
        }
        let before = engine.graph, units = before.nodes
        graph = try LiveGraph.change(engine, wanted, songs: playlist == nil ? nil : demand, insteadOf: graph)
        options = wanted
        saved = nil
        outputs.open(zones, patch)
        liveFilter.zones = zones
        renewControls()
        engine.midi.filter = liveFilter.player
        try endWhatNobodyHears(since: before)
        for sound in zones?.sounds ?? [] {
            // A unit that was made anew knows nothing of what the one before was told.
            let isNew =
                sound.unit.map { name in
                    engine.graph.node(named: name)?.id != units.first { $0.name == name }?.id
                } ?? false
            if isNew || former?.sounds.contains(sound) != true { try set(sound) }
        }
    }

    /// Ends the keys that units which stay were given on parts that they do not hear any more: their note-offs would not
    /// arrive.
    private func endWhatNobodyHears(since before: Graph) throws(LiveError) {
        let now = engine.graph, players = Set(graph.players)
        for part in before.routes.indices {
            for node in before.routes[part] where players.contains(node) && !now.routes[part].contains(node) {
                try desk.lift(keys.keys(on: part), part: part, of: node)
            }
        }
    }

    /// The patch of the options is another from now on.
    func adopt(_ listed: ListedPatch) { (options.patch, options.patchPath) = (listed.patch, listed.path) }
}
