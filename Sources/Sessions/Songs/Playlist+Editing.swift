import Sequencer

/// The list may be changed while it plays; segments that are posted for the time after the current song are taken back.
extension Playlist {
    /// Puts a song into the list.
    ///
    /// - Parameter place: its index, 0 for the beginning; nil, or any index past the last: the end.
    /// - Returns: the number that it has for good.
    @discardableResult
    public func insert(_ song: SessionSong, at place: Int? = nil) -> Item.ID {
        let item = order.made(song)
        edit { $0.insert(item, at: min(max(place ?? $0.count, 0), $0.count)) }
        isAtEnd = false
        return item.id
    }

    /// Takes a song out. The one that plays is played to its end. Returns false if there is no such song.
    @discardableResult
    public func remove(_ id: Item.ID) -> Bool {
        guard let place = order.place(of: id) else { return false }
        edit { $0.remove(at: place) }
        return true
    }

    /// Moves a song to another place, counted without it. Returns false if there is no such song.
    @discardableResult
    public func move(_ id: Item.ID, to place: Int) -> Bool {
        guard let from = order.place(of: id) else { return false }
        edit { items in
            let item = items.remove(at: from)
            items.insert(item, at: min(max(place, 0), items.count))
        }
        return true
    }

    func edit(_ change: (inout [Item]) -> Void) {
        hasChanged = true
        order.edit(around: current.id, change)
    }
}
