import FoundationEssentials

/// The part of a session that OSC sends: a few of the values of its status, by their names.
///
/// The status is decoded as JSON: keys may be added, moved and nested, and these few stay what they are.
struct OSCPosition: Decodable {
    struct Song: Decodable {
        var name: String
        var isPlaying: Bool
        var seconds: Double
        var length: Double
        var bar: Int
        var factor: Double
    }

    struct Level: Decodable {
        var peak: Double?
    }

    /// nil means none is played.
    var song: Song?
    var levels: [Level]
    var volume: Double?
    var voices: Int
    var load: Double

    /// Decibels of silence, for which JSON has no number.
    static let silence = -144.0

    /// Reads a line of the session's. - Throws: `status` if it is something else.
    init(status line: String) throws(OSCError) {
        do { self = try JSONDecoder().decode(OSCPosition.self, from: Data(line.utf8)) } catch { throw .status("\(error)") }
    }

    var messages: [OSCMessage] {
        [
            OSCMessage(address: "/carillon/song", arguments: [.text(song?.name ?? "")]),
            OSCMessage(address: "/carillon/playing", arguments: [playing]),
            OSCMessage(address: "/carillon/position", arguments: place),
            OSCMessage(
                address: "/carillon/levels", arguments: levels.map { .single(Float($0.peak ?? Self.silence)) }),
        ]
    }

    /// Returns the answer to `/carillon/status`, with the number of datagrams that were dropped.
    func status(dropped: Int) -> OSCMessage {
        OSCMessage(
            address: "/carillon/status",
            arguments: [playing] + place + [
                .double(song?.factor ?? 1), .double(volume ?? Self.silence), .whole(Int32(clamping: voices)), .double(load),
                .wide(Int64(dropped)),
            ])
    }

    private var playing: OSCMessage.Argument { .whole(song?.isPlaying == true ? 1 : 0) }
    private var place: [OSCMessage.Argument] {
        [.double(song?.seconds ?? 0), .double(song?.length ?? 0), .whole(Int32(clamping: song?.bar ?? 0))]
    }
}
