import Carillon

/// Something that happens in an installation, for a log and for a dry run.
public enum InstallationEvent: Hashable, Sendable {
    case opened(playlist: String)
    /// The installation closes, or is closed at the start; what the clocks show when it opens again.
    case closed(until: LocalTime?)
    case changed(playlist: String)
    case paused
    case wentOn
    /// Decibels.
    case level(Double)
    /// A song begins; its duration in seconds as it is played here, nil if it is not known.
    case song(name: String, playlist: String, seconds: Double?)
    /// A song goes on where it was when it was ended from outside.
    case resumed(song: String, bar: Int)
    /// Nothing follows until the calendar changes it.
    case ended(playlist: String)
    /// A cue begins, and ends.
    case cue(String)
    case cueEnded(String)
    /// A cue that has its time, or has waited for the music, is not played.
    case cueRefused(String, reason: String)
    /// A request, in the words of a surface.
    case asked(String, by: Asker?)
    /// A fault has lasted for half a minute, or has passed; the reason is that of the health report.
    case trouble(reason: String, since: String)
    case well
    /// Something that the operator should know.
    case note(String)

    /// The event's name in a log, and its values.
    public var fields: (name: String, values: [(String, String)]) {
        switch self {
        case .opened(let playlist): ("opened", [("playlist", playlist)])
        case .closed(let until): ("closed", until.map { [("until", $0.stamp)] } ?? [])
        case .changed(let playlist): ("changed", [("playlist", playlist)])
        case .paused: ("paused", [])
        case .wentOn: ("went-on", [])
        case .level(let decibels): ("level", [("decibels", Self.number(decibels))])
        case .song(let name, let playlist, let seconds):
            ("song", [("name", name), ("playlist", playlist)] + (seconds.map { [("length", Self.duration($0))] } ?? []))
        case .resumed(let song, let bar): ("resumed", [("song", song), ("bar", "\(bar)")])
        case .ended(let playlist): ("ended", [("playlist", playlist)])
        case .cue(let name): ("cue", [("name", name)])
        case .cueEnded(let name): ("cue-ended", [("name", name)])
        case .cueRefused: ("message", [("text", sentence)])
        case .asked(let request, let asker): ("asked", [("request", request)] + (asker.map(Self.fields) ?? []))
        case .trouble(let reason, let since): ("trouble", [("reason", reason), ("since", since)])
        case .well: ("well", [])
        case .note(let text): ("message", [("text", text)])
        }
    }

    /// The event as a sentence.
    public var sentence: String {
        switch self {
        case .opened(let playlist): "opens: \(playlist)"
        case .closed(let until): "closes" + (until.map { " until \($0)" } ?? "")
        case .changed(let playlist): "changes to \(playlist)"
        case .paused: "stands still"
        case .wentOn: "goes on"
        case .level(let decibels): "level \(Self.number(decibels)) dB"
        case .song(let name, _, let seconds): "  \(name)" + (seconds.map { " (\(Self.duration($0)))" } ?? "")
        case .resumed(let song, let bar): "resumes \(song) at bar \(bar)"
        case .ended(let playlist): "\(playlist) has ended"
        case .cue(let name): "cue \(name)"
        case .cueEnded(let name): "cue \(name) has ended"
        case .cueRefused(let name, let reason): "\(Fault.cueRefused(name, reason: reason))"
        case .asked(let request, let asker): (asker.map { "\($0) " } ?? "") + "asked for: \(request)"
        case .trouble(let reason, let since): "something is wrong since \(since): \(reason)"
        case .well: "all is well again"
        case .note(let text): text
        }
    }

    private static func fields(_ asker: Asker) -> [(String, String)] {
        [("surface", asker.surface)] + (asker.address.map { [("address", $0)] } ?? []) + (asker.role.map { [("role", $0)] } ?? [])
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\((value * 100).rounded() / 100)"
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.rounded(), 0), 1e9))
        return whole >= 3600
            ? "\(whole / 3600):\(Padded(whole / 60 % 60)):\(Padded(whole % 60))" : "\(whole / 60):\(Padded(whole % 60))"
    }
}
