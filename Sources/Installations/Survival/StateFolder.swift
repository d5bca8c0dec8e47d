import Carillon
import Glibc

/// The place of saved states.
public enum StateFolder {
    /// Returns the folder: the one that the file names, else the one that systemd has made (`STATE_DIRECTORY`), else
    /// `carillon/NAME` in the user's own folder of such things (XDG Base Directory Specification). nil if there is none.
    public static func path(
        of installation: Installation,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> String? {
        installation.stateFolder ?? path(named: installation.name, environment: environment)
    }

    /// Returns the folder for a name: the one that systemd has made, else one among the user's own; nil if there is none.
    package static func path(
        named name: String,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> String? {
        // Of several, which colons divide, the first is the service's own.
        if let given = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(given) }
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/carillon/\(name)" }
        if let home = environment("HOME"), home.hasPrefix("/"), SongFolder.isFolder(home) {
            return "\(home)/.local/state/carillon/\(name)"
        }
        return nil
    }

    /// Makes the folders above it; errors show when a file in it is written.
    public static func prepare(_ path: String) {
        var above = ""
        for word in path.split(separator: "/").dropLast() {
            above += (above.isEmpty && !path.hasPrefix("/") ? "" : "/") + word
            mkdir(above, 0o700)
        }
    }
}
