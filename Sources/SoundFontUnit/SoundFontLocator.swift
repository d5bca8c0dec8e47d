import Glibc

/// Finds the SoundFont to play when the caller has named none, and says where it looked.
///
/// Order: the files named by the caller, `$CARILLON_SOUNDFONT`, the system's default General MIDI SoundFont, our own
/// `soundfonts/carillon.sf2`. The own file is looked for on disk and not compiled in: 4 MB of literal would cost
/// minutes of compile time, and a resource bundle needs Foundation at every start. Control side.
public struct SoundFontLocator: Sendable {
    /// Why a file was chosen.
    public enum Origin: String, Sendable, Hashable {
        case named = "named by the caller"
        case environment = "from $CARILLON_SOUNDFONT"
        case system = "the system's default"
        case embedded = "Carillon's own"
    }

    /// A file and why it was chosen.
    public struct Choice: Sendable, Hashable {
        public let path: String
        public let origin: Origin
    }

    /// Where distributions put a default General MIDI SoundFont, the generic names first.
    public static let systemPaths = [
        "/usr/share/sounds/sf2/default-GM.sf2",
        "/usr/share/sounds/sf3/default-GM.sf3",
        "/usr/share/soundfonts/default.sf2",
        "/usr/share/sounds/sf2/FluidR3_GM.sf2",
        "/usr/share/soundfonts/FluidR3_GM.sf2",
        "/usr/share/soundfonts/FluidR3_GM2-2.sf2",
        "/usr/share/sounds/sf2/TimGM6mb.sf2",
        "/usr/share/sounds/sf3/MuseScore_General.sf3",
    ]

    /// Value of `CARILLON_SOUNDFONT`; nil or empty where unset.
    public var environment: String?
    /// Value of `CARILLON_HOME`: the folder that holds `soundfonts/`.
    public var home: String?
    /// The running program, to look beside it; nil where unknown.
    public var executable: String?
    /// The system's places.
    public var system: [String]

    /// A locator for this process.
    public init() {
        environment = getenv("CARILLON_SOUNDFONT").map { String(cString: $0) }
        home = getenv("CARILLON_HOME").map { String(cString: $0) }
        executable = realpath("/proc/self/exe", nil).map { path in
            defer { free(path) }
            return String(cString: path)
        }
        system = Self.systemPaths
    }

    /// A locator that looks only where it is told.
    public init(environment: String?, home: String?, executable: String?, system: [String]) {
        self.environment = environment
        self.home = home
        self.executable = executable
        self.system = system
    }

    /// The SoundFonts to load: `named` where that is not empty, else the first that exists. Throws `notFound` with the
    /// places searched, `cannotOpen` for a named file that is not there (a name given is never replaced by another).
    public func locate(named: [String] = []) throws(SoundFontError) -> [Choice] {
        if !named.isEmpty {
            for path in named { try Self.require(path) }
            return named.map { Choice(path: $0, origin: .named) }
        }
        if let environment, !environment.isEmpty {
            try Self.require(environment)
            return [Choice(path: environment, origin: .environment)]
        }
        for path in system where Self.exists(path) { return [Choice(path: path, origin: .system)] }
        for path in embeddedPaths where Self.exists(path) { return [Choice(path: path, origin: .embedded)] }
        throw .notFound(searched: ["--soundfont FILE", "$CARILLON_SOUNDFONT"] + system + embeddedPaths)
    }

    /// The places that are searched where the caller names no file, in order, for messages.
    public static var searchPath: [String] {
        ["$CARILLON_SOUNDFONT"] + systemPaths + ["Carillon's own carillon.sf2"]
    }

    /// Carillon's own SoundFont whatever else is installed. Throws `notFound`.
    public func embedded() throws(SoundFontError) -> Choice {
        for path in embeddedPaths where Self.exists(path) { return Choice(path: path, origin: .embedded) }
        throw .notFound(searched: embeddedPaths)
    }

    /// Where our own SoundFont may lie: `$CARILLON_HOME`; beside an installed program (`bin/../share/carillon`); in the
    /// package or checkout above a build folder (`.build/x86_64-.../release/carillon` and deeper); installed.
    public var embeddedPaths: [String] {
        let file = "soundfonts/carillon.sf2"
        var folders: [String] = []
        if let home, !home.isEmpty { folders.append(home) }
        if let executable {
            var folder = Self.parent(executable)
            folders.append(Self.parent(folder) + "/share/carillon")
            for _ in 0..<6 where folder != "" {
                folders.append(folder)
                folders.append(folder + "/checkouts/Carillon")
                folder = Self.parent(folder)
            }
        }
        folders.append("/usr/local/share/carillon")
        folders.append("/usr/share/carillon")
        var seen: Set<String> = []
        return folders.map { $0 + "/" + file }.filter { seen.insert($0).inserted }
    }

    private static func require(_ path: String) throws(SoundFontError) {
        guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, code: errno) }
    }

    private static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// The folder of a path, without a slash at its end; empty for the root.
    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
