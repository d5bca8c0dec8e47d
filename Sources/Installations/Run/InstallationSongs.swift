import Carillon

/// The songs of an installation: those of all its playlists, each file once, as they are requested and listed.
struct InstallationSongs {
    /// Rebuilt when a song changes.
    private(set) var listed: [ListedSong] = []
    /// Songs that can be played, as far as is known.
    private(set) var playable = 0
    private var playlists: [InstallationPlaylist] = []
    /// The songs, in the order of the list.
    private var songs: [InstallationSong] = []
    /// Seconds, by files, when they were played last.
    private var lengths: [String: Double] = [:]
    /// The reasons why songs could not be played, and their files as they were then.
    private var faults: [String: (reason: String, file: FileIdentity?)] = [:]
    /// The reasons why files could not be read when they were looked at last.
    private var missing: [String: String] = [:]
    /// The next file's place, and when the round of all of them began.
    private var next = 0, began = -Double.infinity

    init(_ playlists: [InstallationPlaylist]) { replace(playlists) }

    /// Other playlists, of which some may have the same songs.
    mutating func replace(_ playlists: [InstallationPlaylist]) {
        self.playlists = playlists
        var places: [String: Int] = [:], names: [String: Int] = [:], lists: [[String]] = []
        songs = []
        for list in playlists {
            for song in list.songs {
                if let place = places[song.path] {
                    if lists[place].last != list.name { lists[place].append(list.name) }
                } else {
                    places[song.path] = songs.count
                    songs.append(song)
                    lists.append([list.name])
                    names[song.name, default: 0] += 1
                }
            }
        }
        listed = zip(songs, lists).enumerated().map { place, song in
            let name = names[song.0.name] == 1 ? song.0.name : song.0.path
            return ListedSong(number: place + 1, name: name, playlists: song.1)
        }
        lengths = lengths.filter { places[$0.key] != nil }
        missing = missing.filter { places[$0.key] != nil }
        (next, began) = (songs.count, -.infinity)
        show()
    }

    /// The reasons why songs could not be played the last time, by their files.
    mutating func learn(faults new: [String: String]) {
        if new == faults.mapValues(\.reason) { return }
        faults = new.reduce(into: [:]) { known, fault in
            let former = faults[fault.key]
            known[fault.key] = former?.reason == fault.value ? former : (fault.value, FileIdentity(path: fault.key))
        }
        show()
    }

    /// A few files at a time, and all of them once a minute: a folder may be on another machine. Returns those of songs that
    /// could not be played and are others now, or there again.
    mutating func look(at uptime: Double) -> Set<String> {
        if next == songs.count {
            if uptime - began < InstallationTimes.repetition { return [] }
            (next, began) = (0, uptime)
        }
        var changed: Set<String> = []
        for song in songs[next...].prefix(InstallationTimes.mostLooks) {
            missing[song.path] = song.missing
            if let fault = faults[song.path], fault.file != FileIdentity(path: song.path) { changed.insert(song.path) }
        }
        next = min(next + InstallationTimes.mostLooks, songs.count)
        faults = faults.filter { !changed.contains($0.key) }
        show()
        return changed
    }

    mutating func learn(length: Double, of path: String) {
        if lengths[path] == length { return }
        lengths[path] = length
        show()
    }

    /// A song that could not be played has its reason.
    private mutating func show() {
        for (place, song) in songs.enumerated() {
            let length = lengths[song.path], fault = faults[song.path]?.reason ?? missing[song.path]
            // What has not changed stays the list that snapshots hold.
            if listed[place].length != length { listed[place].length = length }
            if listed[place].fault != fault { listed[place].fault = fault }
        }
        playable = listed.count { $0.fault == nil }
    }

    /// With or without its ending, a path or a number; a song of the playlist that plays comes first. Throws `unknown`.
    func song(called text: String, playing playlist: String?) throws(Fault) -> InstallationSong {
        let lists = playlists.filter { $0.name == playlist } + playlists, all = lists.flatMap(\.songs)
        let found =
            all.first { $0.name == text || $0.path == text } ?? all.first { ListedSong.title(of: $0.name) == text }
            ?? Int(text).flatMap { songs.indices.contains($0 - 1) ? songs[$0 - 1] : nil }
        guard let found else { throw .unknown(kind: "song", text, known: songs.map(\.name)) }
        return found
    }

    /// A song of the playlist that plays comes first.
    func song(at path: String, playing playlist: String?) -> InstallationSong? {
        let lists = playlists.filter { $0.name == playlist } + playlists
        for list in lists { if let song = list.songs.first(where: { $0.path == path }) { return song } }
        return nil
    }
}
