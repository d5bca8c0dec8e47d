/// The choice of the next song: a walk through the playlists of an installation. A pure machine; what it walks is a value.
public struct Programme: Sendable {
    /// The place of a song.
    public struct Place: Hashable, Sendable {
        /// The playlist.
        public var playlist: String
        /// The number of times that the list has begun anew.
        public var round = 0
        /// The place in the round.
        public var step = 0

        /// The beginning of a list, or a place in it.
        public init(playlist: String, round: Int = 0, step: Int = 0) {
            (self.playlist, self.round, self.step) = (playlist, max(round, 0), max(step, 0))
        }
    }

    /// A song with its place.
    public struct Choice: Hashable, Sendable {
        public let song: InstallationSong
        public let place: Place
    }

    private let playlists: [String: InstallationPlaylist]
    /// The choice that was made last, and where the next one is looked for.
    private var last: Choice?
    private var next: Place?
    private var round: (of: String, number: Int, places: [Int])?

    /// Creates a walk that has not begun.
    public init(_ playlists: [InstallationPlaylist]) {
        self.playlists = Dictionary(playlists.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Goes to a place: what is there comes next.
    public mutating func go(to place: Place) {
        next = place
        last = nil
    }

    /// Returns the next song; nil if nothing follows.
    public mutating func take() -> Choice? {
        if let last {
            switch last.song.then {
            case .again: return last
            case .stop: return nil
            case .playlist(let name): go(to: Place(playlist: name))
            case .next: break
            }
        }
        guard var place = next, let list = playlists[place.playlist], !list.songs.isEmpty else { return nil }
        var order = self.order(of: list, place.round)
        if place.step >= order.count {
            guard list.repeats else { return nil }
            place = Place(playlist: place.playlist, round: place.round + 1)
            order = self.order(of: list, place.round)
        }
        let choice = Choice(song: list.songs[order[place.step]], place: place)
        place.step += 1
        (last, next) = (choice, place)
        return choice
    }

    /// The number of songs in the list that the walk is in.
    public var songCount: Int { (last?.place.playlist ?? next?.playlist).flatMap { playlists[$0]?.songs.count } ?? 0 }

    /// The place of a song in the round of a place: there, else the first time; nil if the round does not have it.
    func place(of song: InstallationSong, near place: Place) -> Place? { self.place(ofSongAt: song.path, near: place) }

    /// The place of the song of that file in the round of a place, as `place(of:near:)` finds it.
    func place(ofSongAt path: String, near place: Place) -> Place? {
        guard let list = playlists[place.playlist] else { return nil }
        let order = list.round(place.round)
        func isThere(_ step: Int) -> Bool { order.indices.contains(step) && list.songs[order[step]].path == path }
        let step = isThere(place.step) ? place.step : order.indices.first(where: isThere)
        return step.map { Place(playlist: place.playlist, round: place.round, step: $0) }
    }

    private mutating func order(of list: InstallationPlaylist, _ number: Int) -> [Int] {
        if let round, round.of == list.name, round.number == number { return round.places }
        let places = list.round(number)
        round = (list.name, number, places)
        return places
    }
}
