import Carillon
import Glibc

/// A song of an installation: a file, how it is played, and what comes after it.
public struct InstallationSong: Hashable, Sendable {
    /// The successor of a song.
    public enum Successor: Hashable, Sendable {
        /// The next one, by the order of the list.
        case next
        /// The song that has just been played.
        case again
        /// Silence, until the calendar or a request changes it.
        case stop
        /// Another playlist, from its beginning.
        case playlist(String)
    }

    /// The file.
    public var path: String
    public var manner: SongManner
    /// The number of times that the song comes in a round that is shuffled, 1...100.
    public var weight: Int
    public var then: Successor

    /// A song that is played as it is written.
    public init(path: String, manner: SongManner = SongManner(), weight: Int = 1, then: Successor = .next) {
        (self.path, self.manner, self.weight, self.then) = (path, manner, weight, then)
    }

    /// The name of the song: the file's name.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Why its file cannot be read now.
    var missing: String? { access(path, R_OK) == 0 ? nil : String(cString: strerror(errno)) }

    /// Throws `songRefused`.
    func requireFile() throws(Fault) { if let missing { throw .songRefused(name, reason: missing) } }
}

/// A list of songs, and in which order they are played.
public struct InstallationPlaylist: Hashable, Sendable {
    /// The order.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        case written = "in-order"
        case shuffled = "shuffle"
    }

    /// The calendar's name for the list, its songs, and the order in which they are played.
    public var name: String
    public var songs: [InstallationSong]
    public var order: Order
    /// The seed of a shuffled order: the same seed gives the same order.
    public var seed: UInt64
    /// True if the list begins anew after its last song.
    public var repeats: Bool

    /// Creates a list.
    public init(
        name: String, songs: [InstallationSong], order: Order = .written, seed: UInt64 = 0, repeats: Bool = true
    ) {
        (self.name, self.songs, self.order, self.seed, self.repeats) = (name, songs, order, seed, repeats)
    }

    /// Returns the places of the songs in a round, which counts from 0: every song, or as often as it weighs.
    ///
    /// A round that is shuffled does not begin with the song that the round before ended with, and a song that comes several
    /// times is kept apart from itself, if there are others.
    public func round(_ number: Int) -> [Int] {
        if order == .written || songs.count < 2 { return Array(songs.indices) }
        // What the round before ended with would take all rounds to know: the first place is made so that it never matters.
        let last = number > 0 ? shuffled(number - 1).last : nil
        return spread(shuffled(number), behind: last)
    }

    var roundCount: Int {
        order == .written || songs.count < 2 ? songs.count : songs.reduce(0) { $0 + max($1.weight, 1) }
    }

    /// Source: Fisher and Yates (1938) as Durstenfeld has it (1964).
    private func shuffled(_ number: Int) -> [Int] {
        var random = RandomNumbers(seed: seed, round: number)
        var places = songs.indices.flatMap { place in Array(repeating: place, count: max(songs[place].weight, 1)) }
        for index in places.indices.dropFirst().reversed() {
            places.swapAt(index, random.below(index + 1))
        }
        return spread(places, behind: nil)
    }

    /// The last stays in its place.
    private func spread(_ places: [Int], behind first: Int?) -> [Int] {
        var places = places
        for index in places.indices.dropLast() {
            // One file may be in the list several times.
            guard let before = index == 0 ? first : places[index - 1], songs[places[index]].path == songs[before].path
            else { continue }
            let other = (index + 1..<places.count - 1).first { songs[places[$0]].path != songs[before].path }
            if let other { places.swapAt(index, other) }
        }
        return places
    }
}

/// Numbers by chance that are the same for the same seed, everywhere and for ever.
///
/// Source: SplitMix64 of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64, round: Int) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: round) &* 0xD1B5_4A32_D192_ED03
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// Below `limit`, each as likely: the upper half of the product.
    mutating func below(_ limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(max(limit, 1))).high) }
}
