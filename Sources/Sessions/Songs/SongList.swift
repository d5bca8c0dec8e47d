import Reports
import SongRendering

/// A song that can be requested by its name: in a session's list, or in the playlists of an installation.
public struct ListedSong: Sendable, Hashable {
    /// The place among all of them, from 1; `play-song` takes it, too.
    public var number: Int
    /// The name that `play-song` takes: the file's, or the whole path if several files have that name.
    public var name: String
    /// The playlists that have it; none if there is one list.
    public var playlists: [String]
    /// Seconds that it lasts as it is played here; nil until it was read.
    public var length: Double?
    /// The reason why it cannot be played; nil if none is known.
    public var fault: String?

    /// A song.
    public init(number: Int, name: String, playlists: [String] = [], length: Double? = nil, fault: String? = nil) {
        (self.number, self.name, self.playlists, self.length, self.fault) = (number, name, playlists, length, fault)
    }

    /// The name without folder and ending.
    public var title: String { Self.title(of: name) }

    /// Returns a song's name without folder and ending.
    package static func title(of name: String) -> String {
        let file = name.split(separator: "/").last ?? name[...]
        let isSong = SongFolder.endings.contains { file.lowercased().hasSuffix("." + $0) }
        guard isSong, let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    /// Returns whether `text` means this song: its name, or its title.
    package func isCalled(_ text: String) -> Bool { name == text || title == text }
}

extension ListedSong: Fielded {
    package static let fields: [Field<Self>] = [
        Field("number", \.number, "Its place among all of them, from 1; play-song accepts it, too."),
        Field("name", \.name, "The name that play-song accepts."),
        Field("title", \.title, "The name without folder and ending."),
        Field("playlists", \.playlists, "The playlists that contain it; none if there is only one list."),
        Field("length", \.length, "Its length in seconds as played here, once it has been read."),
        Field("fault", \.fault, "Why it cannot be played; null if it can."),
    ]
}

/// The songs that match a search, as many as one answer holds.
package struct SongList: Fielded {
    /// The number of songs found, including those left out of the answer.
    let count: Int
    let isWhole: Bool
    let songs: [ListedSong]

    package static let fields: [Field<Self>] = [
        Field("count", \.count, "Songs that were found."),
        Field("isWhole", \.isWhole, "Whether these are all of them; more words find the others."),
        Field("songs", \.songs, "The songs, in the order of the lists."),
    ]

    /// The most bytes of an answer: half of what a client may leave unfetched, so that other output fits beside it.
    package static let mostBytes = 500_000

    /// The songs whose title or playlist has all words of `text`, in any case; nil means every song.
    package init(_ all: [ListedSong], having text: String?) {
        let words = (text ?? "").lowercased().split(separator: " ")
        let found =
            words.isEmpty
            ? all
            : all.filter { song in
                let said = ([song.title] + song.playlists).joined(separator: "\n").lowercased()
                return words.allSatisfy { said.contains($0) }
            }
        var left = Self.mostBytes
        let page = found.prefix { song in
            left -= Self.bytes(song)
            return left > 0
        }
        (count, songs, isWhole) = (found.count, Array(page), page.count == found.count)
    }

    /// Bytes of a song in an answer, at most.
    private static func bytes(_ song: ListedSong) -> Int {
        let texts = [song.name, song.title, song.fault ?? ""] + song.playlists
        return texts.reduce(110) { sum, text in
            // In JSON a control character takes six bytes, beyond ASCII for two or more of these.
            text.utf8.reduce(sum + 3) { $0 + ($1 < 32 || $1 == 127 ? 6 : $1 == 0x22 || $1 == 0x5C || $1 > 127 ? 3 : 1) }
        }
    }
}

extension [Playlist.Item] {
    var listed: [ListedSong] {
        enumerated().map { place, item in
            ListedSong(number: place + 1, name: item.song.name, length: item.length, fault: item.fault)
        }
    }

    /// The song that people mean by its name, its title or its number; nil where there is none.
    func item(called text: String) -> Playlist.Item? {
        let listed = listed
        let place = listed.firstIndex { $0.name == text } ?? listed.firstIndex { $0.isCalled(text) } ?? Int(text).map { $0 - 1 }
        return place.flatMap { indices.contains($0) ? self[$0] : nil }
    }
}
