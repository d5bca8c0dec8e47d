import ArgumentParser

/// The one rule about files that are there already, for all that Carillon writes.
///
/// **Such a file stays.** A file that a call names is refused, with 73, and nothing is written; `--force` lets the new one take its
/// place, whole and at the end. Where Carillon chooses the name, or a session must go on without being asked (`live --capture`), it
/// takes the next that is free: `evening-2.wav`. A session's own file is what it saves into (`save-patch`).
enum ExistingFile: Sendable, Hashable {
    /// The call, or the song among several, is refused.
    case refused
    /// The song among several is left out, which is no fault; a single one is refused.
    case skipped
    /// The new file takes its place.
    case replaced

    /// Says why nothing was written to `path`, and what would do it.
    static func refusal(_ path: String) -> String { "\(path): already exists; choose another name, or use --force" }
}

/// The flag that lets a file be replaced: the same for all commands that write one.
struct ForceArgument: ParsableArguments {
    @Flag(help: "Replace an existing file; without this option nothing is replaced.")
    var force = false
}
