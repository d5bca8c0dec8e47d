import Glibc
import Synchronization

/// The program that is started for a plug-in in a process of its own: `carillon`, which has a hidden command for it.
public enum PlugInProgram {
    private static let chosen = Mutex<String?>(nil)

    /// Chooses the program for a host that is not `carillon` and has none beside itself or in its path.
    public static func use(_ path: String) { chosen.withLock { $0 = path } }

    /// This very program if it is `carillon`, else the one beside it, else the one in the path; nil if there is none.
    static func path() -> String? {
        if let path = chosen.withLock({ $0 }) { return path }
        // By its target's name too, as it is called if no product is built.
        let names = ["carillon", "CarillonCommand"]
        var places: [String] = []
        if let file = realpath("/proc/self/exe", nil) {
            let own = String(cString: file)
            free(file)
            let (folder, name) = split(own)
            if names.contains(name) { return own }
            places.append(folder)
        }
        if let path = getenv("PATH") { places += String(cString: path).split(separator: ":").map(String.init) }
        return places.flatMap { place in names.map { "\(place)/\($0)" } }.first { access($0, X_OK) == 0 }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}
