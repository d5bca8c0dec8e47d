import Carillon

/// The one rule about files that are there already, for all that Carillon writes.
///
/// **Such a file stays.** If a call names it, the call ends with 73 and nothing is written; `--force` replaces the whole file
/// at the end. If Carillon chooses the name, or a session must go on without a question (`live --capture`), it takes the next
/// free name: `evening-2.wav`. A session may save into its own file (`save-patch`).
enum ExistingFile: Sendable, Hashable {
    /// The call, or the song among several, is refused.
    case refused
    /// The song among several is left out, which is not a fault; a single one is refused.
    case skipped
    /// The new file takes its place.
    case replaced

    static func refusal(_ path: String) -> String { "\(path): already exists; choose another name, or use --force" }
}

/// The flag that allows a file to be replaced: the same for all commands that write one.
struct ForceSettings: SettingTable, SettingOwner, Hashable {
    var force = false

    static let settings: [Setting<ForceSettings>] = [
        .flag("force", \.force, "Replace an existing file; without this option nothing is replaced.")
    ]
}
