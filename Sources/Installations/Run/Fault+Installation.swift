import Carillon
import Reports

/// Requests that an installation refuses.
extension Fault {
    static let noInstallation = Fault("no installation runs here", .usage, remedy: "see carillon serve")
    static func unknownCue(_ name: String, known: [String]) -> Fault {
        unknown("cue", name, known: known, none: "the installation has no cues; write some into its file")
    }
    static func cueRefused(_ name: String, reason: String) -> Fault { Fault("cue \(name) is not played: \(reason)", .usage) }
    static let repeats = Fault(
        "playlists say what is repeated", .usage, remedy: "write loops, or then: again, into the installation's file")
    static func unknown(kind: String, _ name: String, known: [String]) -> Fault {
        Fault("the installation has no \(kind) \(name)\(NearName.question(name, among: known))", .usage)
    }
    static func notQueued(_ name: String, known: [String]) -> Fault {
        known.isEmpty
            ? Fault("no requested song is in the queue", .usage, remedy: "queue-song adds one")
            : Fault(
                "no requested song \(name) is in the queue", .usage, remedy: "there are \(known.joined(separator: ", "))")
    }
    static func queueIsFull(_ count: Int) -> Fault {
        Fault("\(count) songs wait already", .usage, remedy: "remove one with unqueue-song, or all with clear-queue")
    }
    static func noTime(_ text: String) -> Fault {
        Fault("is not a time", .usage, of: text, remedy: "say 18:00, or +1:30 for an hour and a half from now")
    }
    static let cuePlays = Fault("the song of a cue plays", .usage, remedy: "ask again when it is over, or end it")
    static let closed = Fault(
        "the installation is closed: nothing plays that could be controlled", .usage, remedy: "open opens it")
    static let nothingPlays = Fault("the installation is closed: nothing plays", .usage)
    static func silent(_ reason: String) -> Fault { Fault("the installation is open and has no sound: \(reason)", .usage) }
    static func musicChanges(seconds: Int) -> Fault {
        Fault("the music is changing", .usage, remedy: "ask again in \(seconds) s")
    }
}
