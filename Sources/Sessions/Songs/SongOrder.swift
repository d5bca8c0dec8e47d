/// The songs of a list in their order, and the place of the one that plays.
struct SongOrder {
    var items: [Playlist.Item] = []
    /// The place of the song that plays, or had before it was taken out.
    var place = 0
    private var newest = 0

    /// The songs in the order in which they will play.
    var ahead: ArraySlice<Playlist.Item> { (items[place...] + items[..<place]).prefix(SongLevels.foresight) }

    /// Returns the places of the songs after one in playing order, wrapping round the end of the list when it loops.
    func placesAhead(of id: Playlist.Item.ID, isLooping: Bool) -> [Int] {
        let first = place(of: id) == nil ? place : place + 1
        return (first..<(isLooping ? first + items.count : max(items.count, first))).map { $0 % items.count }
    }

    /// The place of a song of this number; nil once it was taken out.
    func place(of id: Playlist.Item.ID) -> Int? { items.firstIndex { $0.id == id } }

    /// Returns a song with a number of its own, which is not in the list yet.
    mutating func made(_ song: SessionSong) -> Playlist.Item {
        defer { newest += 1 }
        return Playlist.Item(id: newest, song: song)
    }

    /// Changes the list; the place stays that of the song that plays.
    mutating func edit(around playing: Playlist.Item.ID, _ change: (inout [Playlist.Item]) -> Void) {
        let former = place(of: playing) ?? place
        change(&items)
        place = place(of: playing) ?? min(former, items.count)
    }
}
