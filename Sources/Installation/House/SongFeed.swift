import Carillon

/// Keeps a session's list filled with what the programme says, two songs ahead, and knows which song is which.
struct SongFeed {
    /// Songs that wait behind the one that plays.
    private static let ahead = 2

    private var programme: Programme
    private var choices: [Playlist.Item.ID: Programme.Choice] = [:]
    /// The songs among them that somebody has asked for.
    private var requested: [Playlist.Item.ID: InstallationSong] = [:]
    /// Songs in a row that could not be played, and until when none is tried.
    private var failures = 0
    private var resting: Double?
    /// True once the programme has come to its end.
    private(set) var hasEnded = false
    /// Reasons why songs could not be played, by their file: told once, until one can be or says something else.
    private(set) var faults: [String: String] = [:]
    /// The songs that were asked for while a cue's song plays in their place, and whether the one that it took the place of was, too.
    private var held: [InstallationSong] = [], hasHeldPlaying = false

    /// True while no song of the programme can be played.
    var isResting: Bool { resting != nil }

    init(_ programme: Programme) { self.programme = programme }

    /// Another programme, while one plays: what follows is what follows the song that plays in the new one, or stands at its
    /// place there.
    mutating func replace(_ programme: Programme, playing list: Playlist?) {
        self.programme = programme
        guard let list, let now = choices[list.currentID] else { return }
        if let place = programme.place(of: now.song, near: now.place) {
            go(to: place, in: list)
            choices[list.currentID] = self.programme.take()
        } else {
            go(to: now.place, in: list)
        }
    }

    /// The programme goes elsewhere: what waits is not played, but for songs that are held.
    mutating func go(to place: Programme.Place, in list: Playlist?, keepsHeld: Bool = false) {
        programme.go(to: place)
        (hasEnded, failures, resting) = (false, 0, nil)
        if !keepsHeld { (held, hasHeldPlaying) = ([], false) }
        if let list { removeWaiting(from: list) }
    }

    /// Lets a song that somebody wants wait beside the list, for the one that is on its way.
    mutating func hold(_ song: InstallationSong, isFirst: Bool) { held.insert(song, at: isFirst ? 0 : held.count) }

    /// Ends the wait of all songs that somebody wanted of the list that goes.
    mutating func clearHeld() { (held, hasHeldPlaying) = ([], false) }

    /// Removes what waits behind the song that plays.
    private func removeWaiting(from list: Playlist) {
        for item in list.items where item.id != list.currentID { list.remove(item.id) }
    }

    /// Returns the choice that plays now.
    func choice(of list: Playlist) -> Programme.Choice? { choices[list.currentID] }

    /// Returns the place of the song that waits behind the one that plays, or is over.
    func coming(in list: Playlist) -> Programme.Place? {
        let next = list.items.drop { $0.id != list.currentID }.dropFirst().first
        return next.flatMap { choices[$0.id]?.place }
    }

    /// The first songs of a new list: a few, of which one may be played.
    mutating func first() -> [Programme.Choice] {
        (0..<max(min(programme.songCount, 8), Self.ahead)).compactMap { _ in programme.take() }
    }

    /// Adopts what the new list has made of the first songs.
    mutating func adopt(_ first: [Programme.Choice], in list: Playlist) {
        choices = [:]
        for (item, choice) in zip(list.items, first) { choices[item.id] = choice }
    }

    /// Takes out what was played or cannot be, and puts in what comes next. Returns what there is to say.
    mutating func look(after list: Playlist, at seconds: Double) -> [HouseEvent] {
        var events: [HouseEvent] = []
        let here = list.items.firstIndex { $0.id == list.currentID }
        for (place, item) in list.items.enumerated() where item.id != list.currentID {
            if let fault = item.fault {
                failures += 1
                events += told(fault, item)
                list.remove(item.id)
            } else if here.map({ place < $0 }) ?? false {
                list.remove(item.id)
            }
        }
        if failures >= max(programme.songCount, 3), resting == nil { resting = seconds + House.patience }
        if let until = resting {
            if seconds < until { return events }
            (resting, failures) = (nil, 0)
        }
        while list.items.count(where: { $0.id != list.currentID }) < Self.ahead, !hasEnded {
            guard let choice = programme.take() else {
                hasEnded = true
                break
            }
            choices[list.insert(Self.song(choice.song))] = choice
        }
        let there = Set(list.items.map(\.id))
        choices = choices.filter { there.contains($0.key) || $0.key == list.currentID }
        requested = requested.filter { choices[$0.key] != nil }
        return events
    }

    /// A song that somebody wants behind the one that plays, and behind those that were wanted before; what the programme says
    /// follows behind it.
    mutating func request(_ song: InstallationSong, isFirst: Bool, in list: Playlist) {
        let waiting = waiting(in: list)
        let planned = waiting.first { requested[$0.id] == nil }.flatMap { choices[$0.id] }
        let songs = waiting.compactMap { requested[$0.id] }
        removeWaiting(from: list)
        if let planned { programme.go(to: planned.place) }
        hasEnded = false
        let place = planned?.place ?? choices[list.currentID]?.place ?? Programme.Place(playlist: "")
        for song in isFirst ? [song] + songs : songs + [song] {
            let id = list.insert(Self.song(song))
            (requested[id], choices[id]) = (song, Programme.Choice(song: song, place: place))
        }
    }

    /// The songs that somebody has asked for and that wait, in order: here while a cue's song plays, else in the list.
    func requests(in list: Playlist) -> [InstallationSong] { held + queued(in: list).compactMap { requested[$0.id] } }

    /// The items that somebody has asked for and that wait.
    private func queued(in list: Playlist) -> [Playlist.Item] { waiting(in: list).filter { requested[$0.id] != nil } }

    /// Takes a song out that somebody has asked for, by its place among such songs.
    mutating func withdraw(at place: Int, from list: Playlist) {
        if held.indices.contains(place) {
            held.remove(at: place)
        } else {
            list.remove(queued(in: list)[place - held.count].id)
        }
    }

    /// Lets a song that somebody has asked for be the first of them.
    mutating func prefer(at place: Int, in list: Playlist) {
        if held.indices.contains(place) { return held.insert(held.remove(at: place), at: 0) }
        let queued = queued(in: list)
        if let first = queued.first.flatMap({ first in list.items.firstIndex { $0.id == first.id } }) {
            list.move(queued[place - held.count].id, to: first)
        }
    }

    /// The songs that wait behind the one that plays, in order.
    func waiting(in list: Playlist) -> [Playlist.Item] {
        let here = list.items.firstIndex { $0.id == list.currentID } ?? -1
        return Array(list.items[(here + 1)...])
    }

    /// True where somebody has asked for the song that plays.
    func isRequested(in list: Playlist) -> Bool { requested[list.currentID] != nil }

    /// The song of the programme that follows, where it is the next one of it.
    func planned(behind list: Playlist) -> Programme.Choice? {
        waiting(in: list).first { requested[$0.id] == nil }.flatMap { choices[$0.id] }
    }

    /// A song in the place of the music: what waits does so no more. Returns its number in the list.
    mutating func interrupt(with song: InstallationSong, in list: Playlist) -> Playlist.Item.ID {
        // One cue's song may take the place of another's.
        if choices[list.currentID] != nil { hasHeldPlaying = isRequested(in: list) }
        held = requests(in: list)
        removeWaiting(from: list)
        var song = Self.song(song)
        song.manner.takesLayers = false
        return list.insert(song)
    }

    /// The song that was interrupted, behind the one that did; what followed it follows again.
    mutating func comeBack(to choice: Programme.Choice, in list: Playlist) {
        removeWaiting(from: list)
        programme.go(to: choice.place)
        hasEnded = false
        let id = list.insert(Self.song(choice.song))
        if hasHeldPlaying {
            (choices[id], requested[id]) = (choice, choice.song)
        } else {
            choices[id] = programme.take() ?? choice
        }
        // Behind them the playlist goes on.
        var ahead = programme
        let next = ahead.take()?.place ?? choice.place
        for song in held {
            let id = list.insert(Self.song(song))
            (requested[id], choices[id]) = (song, Programme.Choice(song: song, place: next))
        }
        (held, hasHeldPlaying) = ([], false)
    }

    /// No cue's song plays any more, and nobody came back to what it took the place of: songs that were asked for wait again.
    mutating func releaseHeld(in list: Playlist) {
        let songs = held
        (held, hasHeldPlaying) = ([], false)
        for song in songs { request(song, isFirst: false, in: list) }
    }

    /// A song that plays has ended a row of those that could not.
    mutating func hasBegun(_ song: InstallationSong) {
        failures = 0
        faults[song.path] = nil
    }

    /// Forgets why songs could not be played whose files are others now.
    mutating func forget(faultsOf paths: Set<String>) { faults = faults.filter { !paths.contains($0.key) } }

    private mutating func told(_ fault: String, _ item: Playlist.Item) -> [HouseEvent] {
        let path = choices[item.id]?.song.path ?? item.song.name
        if faults[path] == fault { return [] }
        if faults.count > 1000 { faults = [:] }
        faults[path] = fault
        return [.note("\(item.song.name) is left out until it can be played: \(fault)")]
    }

    /// The song as a session plays it.
    static func song(_ song: InstallationSong) -> SessionSong {
        var listed = SessionSong(name: song.name, path: song.path)
        (listed.manner, listed.needsNotes) = (song.manner, true)
        return listed
    }
}
