import DSP

/// Orders of the songs of a list: what is queued, and chance.
extension [Playlist.Item] {
    /// Moves a song after the one that plays and those that were queued before, `queued`, of which some may have played.
    ///
    /// - Parameter place: that of the song that plays, or had before it was taken out.
    mutating func queue(
        _ id: Playlist.Item.ID, after playing: Playlist.Item.ID, at place: Int, _ queued: inout [Playlist.Item.ID]
    ) {
        guard id != playing, let from = firstIndex(where: { $0.id == id }) else { return }
        let item = remove(at: from)
        let next = firstIndex { $0.id == playing }.map { $0 + 1 } ?? Swift.min(place, count)
        queued = self[next...].prefix { [queued] in queued.contains($0.id) }.map(\.id)
        insert(item, at: next + queued.count)
        queued.append(id)
    }

    /// Brings the songs into an order by chance, that of `playing` first. The same seed gives the same order.
    mutating func shuffle(seed: UInt64, from playing: Playlist.Item.ID) {
        let noise = CounterNoise(seed: seed)
        let chance = Dictionary(map { ($0.id, $0.id == playing ? -2 : noise.pair(at: Int64($0.id)).0) }) { $1 }
        sort { (chance[$0.id] ?? 0, $0.id) < (chance[$1.id] ?? 0, $1.id) }
    }
}
