import Carillon
import Reports

/// A reason why an installation refuses a request.
public enum InstallationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No installation runs.
    case missing
    case unknownCue(String, known: [String])
    /// A cue that may not play now.
    case cueRefused(String, reason: String)
    /// The list was to be repeated, but the playlists decide that.
    case repeats
    /// There is no such playlist, or no such song.
    case unknown(kind: String, String, known: [String])
    /// No song of this name or number was requested, or it no longer waits.
    case notQueued(String, known: [String])
    /// The queue has its most requested songs already.
    case queueIsFull(Int)
    /// An end time cannot be read.
    case noTime(String)
    /// A song was requested while a cue's song plays in the place of the music.
    case cuePlays
    /// A command for the music was given while the installation is closed.
    case closed
    /// A question about the music was asked while there is none.
    case nothingPlays
    /// A command for the music was given while the open installation has no sound; the reason.
    case silent(String)
    /// A command for a song was given while another playlist is on its way; seconds until it plays.
    case musicChanges(seconds: Int)

    public var description: String {
        switch self {
        case .missing: "no installation runs here; see carillon serve"
        case .unknownCue(let name, let known):
            known.isEmpty
                ? "the installation has no cues; write some into its file"
                : "there is no cue \(name); there are \(known.joined(separator: ", "))"
        case .cueRefused(let name, let reason): "cue \(name) is not played: \(reason)"
        case .repeats: "playlists say what is repeated; write loops, or then: again, into the installation's file"
        case .unknown(let kind, let name, let known):
            "the installation has no \(kind) \(name)\(NearName.question(name, among: known))"
        case .notQueued(let name, let known):
            known.isEmpty
                ? "no requested song is in the queue; queue-song adds one"
                : "no requested song \(name) is in the queue; there are \(known.joined(separator: ", "))"
        case .queueIsFull(let count): "\(count) songs wait already; remove one with unqueue-song, or all with clear-queue"
        case .noTime(let text): "\(text): is not a time; say 18:00, or +1:30 for an hour and a half from now"
        case .cuePlays: "the song of a cue plays; ask again when it is over, or end it"
        case .closed: "the installation is closed: nothing plays that could be controlled; open opens it"
        case .nothingPlays: "the installation is closed: nothing plays"
        case .silent(let reason): "the installation is open and has no sound: \(reason)"
        case .musicChanges(let seconds): "the music is changing; ask again in \(seconds) s"
        }
    }
}

extension LiveError {
    static func installation(_ error: InstallationError) -> LiveError { .part(error) }
}
