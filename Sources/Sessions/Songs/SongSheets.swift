/// The sheet of the song that plays, made when it is asked for, and its number, which rises when it is another.
struct SongSheets {
    private(set) var edition = 0
    private var song: Playlist.Item.ID?
    private var layers = 0
    private var made: SongSheet?

    /// Looks whether another song plays, or something else lies over it.
    mutating func look(at playlist: Playlist) {
        guard playlist.currentID != song || playlist.layers.edition != layers else { return }
        (song, layers) = (playlist.currentID, playlist.layers.edition)
        made = nil
        edition += 1
    }

    mutating func sheet(of playlist: Playlist) -> SongSheet {
        look(at: playlist)
        if let made { return made }
        let sheet = SongSheet(playlist.current)
        made = sheet
        return sheet
    }
}
