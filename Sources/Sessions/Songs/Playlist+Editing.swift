import Sequencer

/// The list may be changed while it plays; segments that are posted for the time after the current song are taken back.
extension Playlist {
    /// Puts a song into the list.
    ///
    /// - Parameter place: its index, 0 for the beginning; nil, or any index past the last: the end.
    /// - Returns: the number that it has for good.
    @discardableResult
    public func insert(_ song: SessionSong, at place: Int? = nil) -> Item.ID {
        let item = Item(id: newest, song: song)
        newest += 1
        edit { items.insert(item, at: min(max(place ?? items.count, 0), items.count)) }
        isAtEnd = false
        return item.id
    }

    /// Takes a song out. The one that plays is played to its end. Returns false if there is no such song.
    @discardableResult
    public func remove(_ id: Item.ID) -> Bool {
        guard let place = place(of: id) else { return false }
        edit { items.remove(at: place) }
        return true
    }

    /// Moves a song to another place, counted without it. Returns false if there is no such song.
    @discardableResult
    public func move(_ id: Item.ID, to place: Int) -> Bool {
        guard let from = self.place(of: id) else { return false }
        edit {
            let item = items.remove(at: from)
            items.insert(item, at: min(max(place, 0), items.count))
        }
        return true
    }

    private func edit(_ change: () -> Void) {
        hasChanged = true
        let former = place(of: current.id) ?? place
        change()
        place = place(of: current.id) ?? min(former, items.count)
    }
}

extension SongPosition {
    /// The place that a transport goes to.
    package var target: TransportTarget {
        switch self {
        case .seconds(let seconds): .seconds(seconds)
        case .bySeconds(let seconds): .bySeconds(seconds)
        case .bar(let bar): .bar(bar)
        case .byBars(let bars): .byBars(bars)
        case .byMarkers(let markers): .byMarkers(markers)
        }
    }
}
