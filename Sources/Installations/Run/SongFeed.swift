import Carillon

/// Keeps a session's list filled from the programme, two songs ahead, and knows which song is which.
struct SongFeed {
    /// Songs that wait after the one that plays.
    private static let ahead = 2

    private var programme: Programme
    private var choices: [Playlist.Item.ID: Programme.Choice] = [:]
    private var requested: [Playlist.Item.ID: InstallationSong] = [:]
    /// The number of successive songs that could not be played, and the time until which none is tried.
    private var failures = 0
    private var resting: Double?
    private(set) var hasEnded = false
    /// The reasons why songs could not be played, by file: reported once, until the song can be played or the reason changes.
    private(set) var faults: [String: String] = [:]
    /// Songs that were requested while a cue's song plays; and whether the song that it replaced was requested too.
    private var held: [InstallationSong] = [], hasHeldPlaying = false

    init(_ programme: Programme) { self.programme = programme }

    /// Next comes the song that follows the playing one in the new programme, or is at its place there.
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

    /// What waits is not played, but for songs that are held.
    mutating func go(to place: Programme.Place, in list: Playlist?, keepsHeld: Bool = false) {
        programme.go(to: place)
        (hasEnded, failures, resting) = (false, 0, nil)
        if !keepsHeld { (held, hasHeldPlaying) = ([], false) }
        if let list { removeWaiting(from: list) }
    }

    /// Holds a requested song beside the list, for the list that is on its way.
    mutating func hold(_ song: InstallationSong, isFirst: Bool) { held.insert(song, at: isFirst ? 0 : held.count) }

    /// Drops all requested songs that wait for the list that goes.
    mutating func clearHeld() { (held, hasHeldPlaying) = ([], false) }

    private func removeWaiting(from list: Playlist) {
        for item in list.items where item.id != list.currentID { list.remove(item.id) }
    }

    func choice(of list: Playlist) -> Programme.Choice? { choices[list.currentID] }

    /// Returns the place of the song that follows the one that plays, or that has ended.
    func coming(in list: Playlist) -> Programme.Place? {
        let next = list.items.drop { $0.id != list.currentID }.dropFirst().first
        return next.flatMap { choices[$0.id]?.place }
    }

    /// The first songs of a new list: a few, of which one may be played.
    mutating func first() -> [Programme.Choice] {
        (0..<max(min(programme.songCount, 8), Self.ahead)).compactMap { _ in programme.take() }
    }

    mutating func adopt(_ first: [Programme.Choice], in list: Playlist) {
        choices = [:]
        for (item, choice) in zip(list.items, first) { choices[item.id] = choice }
    }

    /// Removes songs that were played or cannot be, and adds those that come next.
    mutating func look(after list: Playlist, at seconds: Double) -> [InstallationEvent] {
        var events: [InstallationEvent] = []
        let here = list.items.firstIndex { $0.id == list.currentID }
        for (place, item) in list.items.enumerated() where item.id != list.currentID {
            if let fault = item.fault {
                failures += 1
                events += report(fault, item)
                list.remove(item.id)
            } else if here.map({ place < $0 }) ?? false {
                list.remove(item.id)
            }
        }
        if failures >= max(programme.songCount, 3), resting == nil { resting = seconds + InstallationTimes.patience }
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

    /// Before or after the songs that were requested earlier; the programme goes on after them.
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

    /// In order: held here while a cue's song plays, else in the list.
    func requests(in list: Playlist) -> [InstallationSong] { held + queued(in: list).compactMap { requested[$0.id] } }

    private func queued(in list: Playlist) -> [Playlist.Item] { waiting(in: list).filter { requested[$0.id] != nil } }

    mutating func withdraw(at place: Int, from list: Playlist) {
        if held.indices.contains(place) {
            held.remove(at: place)
        } else {
            list.remove(queued(in: list)[place - held.count].id)
        }
    }

    mutating func prefer(at place: Int, in list: Playlist) {
        if held.indices.contains(place) { return held.insert(held.remove(at: place), at: 0) }
        let queued = queued(in: list)
        if let first = queued.first.flatMap({ first in list.items.firstIndex { $0.id == first.id } }) {
            list.move(queued[place - held.count].id, to: first)
        }
    }

    /// In order.
    func waiting(in list: Playlist) -> [Playlist.Item] {
        let here = list.items.firstIndex { $0.id == list.currentID } ?? -1
        return Array(list.items[(here + 1)...])
    }

    func isRequested(in list: Playlist) -> Bool { requested[list.currentID] != nil }

    /// The song of the programme that follows, if it is the next one of it.
    func planned(behind list: Playlist) -> Programme.Choice? {
        waiting(in: list).first { requested[$0.id] == nil }.flatMap { choices[$0.id] }
    }

    /// What waits does so no more. Returns the song's number in the list.
    mutating func interrupt(with song: InstallationSong, in list: Playlist) -> Playlist.Item.ID {
        // One cue's song may take the place of another's.
        if choices[list.currentID] != nil { hasHeldPlaying = isRequested(in: list) }
        held = requests(in: list)
        removeWaiting(from: list)
        var song = Self.song(song)
        song.manner.takesLayers = false
        return list.insert(song)
    }

    /// The songs that followed the interrupted one follow again.
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
        // The playlist goes on after them.
        var ahead = programme
        let next = ahead.take()?.place ?? choice.place
        for song in held {
            let id = list.insert(Self.song(song))
            (requested[id], choices[id]) = (song, Programme.Choice(song: song, place: next))
        }
        (held, hasHeldPlaying) = ([], false)
    }

    /// A cue's song is over, and the one that it interrupted does not come back: requested songs go back to the queue.
    mutating func releaseHeld(in list: Playlist) {
        let songs = held
        (held, hasHeldPlaying) = ([], false)
        for song in songs { request(song, isFirst: false, in: list) }
    }

    /// A song that plays ends a row of those that could not.
    mutating func hasBegun(_ song: InstallationSong) {
        failures = 0
        faults[song.path] = nil
    }

    /// Forgets why songs could not be played if their files have changed.
    mutating func forget(faultsOf paths: Set<String>) { faults = faults.filter { !paths.contains($0.key) } }

    private mutating func report(_ fault: String, _ item: Playlist.Item) -> [InstallationEvent] {
        let path = choices[item.id]?.song.path ?? item.song.name
        if faults[path] == fault { return [] }
        if faults.count > 1000 { faults = [:] }
        faults[path] = fault
        return [.note("\(item.song.name) is left out until it can be played: \(fault)")]
    }

    static func song(_ song: InstallationSong) -> SessionSong {
        var listed = SessionSong(name: song.name, path: song.path)
        (listed.manner, listed.needsNotes) = (song.manner, true)
        return listed
    }
}
