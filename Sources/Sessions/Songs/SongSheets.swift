/// The sheet of the song that plays, made when it is asked for, and its number, which rises when it is another.
struct SongSheets {
    private(set) var edition = 0
    private var song: Playlist.Item.ID?
    private var layers = 0, edits = 0
    private var made: SongSheet?

    /// Looks whether another song plays, its notes were changed, or something else lies over it.
    mutating func look(at playlist: Playlist) {
        guard playlist.currentID != song || playlist.layers.edition != layers || playlist.edition != edits else { return }
        (song, layers, edits) = (playlist.currentID, playlist.layers.edition, playlist.edition)
        made = nil
        edition += 1
    }

    mutating func sheet(of playlist: Playlist) -> SongSheet {
        look(at: playlist)
        if let made { return made }
        let sheet = SongSheet(playlist.current, edits: playlist.currentEdits)
        made = sheet
        return sheet
    }
}
