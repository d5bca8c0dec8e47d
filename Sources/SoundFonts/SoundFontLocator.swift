import Glibc

/// Finds the SoundFont to play when the caller has named none, and lists where it looked.
///
/// Order: the files named by the caller, `$CARILLON_SOUNDFONT`, the system's default General MIDI SoundFont, our own, which
/// is a part of the program and needs no file. Control side.
package struct SoundFontLocator: Sendable {
    /// The reasons for choosing a file.
    package enum Origin: String, Sendable, Hashable {
        case named = "named by the caller"
        case environment = "from $CARILLON_SOUNDFONT"
        case system = "the system's default"
        case embedded = "carillon.sf2"
    }

    /// A file and why it was chosen.
    package struct Choice: Sendable, Hashable {
        /// A file's path, or `embeddedName`.
        package let path: String
        package let origin: Origin
    }

    /// The name of Carillon's own SoundFont wherever a file can be named: `embedded`. A file of this name is `./embedded`.
    package static let embeddedName = SoundFontStorage.embeddedName

    /// Where distributions put a default General MIDI SoundFont, the generic names first.
    package static let systemPaths = [
        "/usr/share/sounds/sf2/default-GM.sf2",
        "/usr/share/sounds/sf3/default-GM.sf3",
        "/usr/share/soundfonts/default.sf2",
        "/usr/share/sounds/sf2/FluidR3_GM.sf2",
        "/usr/share/soundfonts/FluidR3_GM.sf2",
        "/usr/share/soundfonts/FluidR3_GM2-2.sf2",
        "/usr/share/sounds/sf2/TimGM6mb.sf2",
        "/usr/share/sounds/sf3/MuseScore_General.sf3",
    ]

    /// Value of `CARILLON_SOUNDFONT`; nil or empty if unset.
    package var environment: String?
    /// The system's places.
    package var system: [String]

    /// Creates a locator for this process.
    package init() {
        environment = getenv("CARILLON_SOUNDFONT").map { String(cString: $0) }
        system = Self.systemPaths
    }

    /// Creates a locator that looks only at the given places.
    package init(environment: String?, system: [String]) {
        self.environment = environment
        self.system = system
    }

    /// The SoundFonts to load: `named` if that is not empty, else the first that exists. Throws `cannotOpen` for a named
    /// file that is not there (a name given is never replaced by another).
    package func locate(named: [String] = []) throws(SoundFontError) -> [Choice] {
        if !named.isEmpty {
            for path in named { try Self.require(path) }
            return named.map { Choice(path: $0, origin: .named) }
        }
        if let environment, !environment.isEmpty {
            try Self.require(environment)
            return [Choice(path: environment, origin: .environment)]
        }
        for path in system where access(path, R_OK) == 0 { return [Choice(path: path, origin: .system)] }
        return [Choice(path: Self.embeddedName, origin: .embedded)]
    }

    /// The places that are searched if the caller names no file, in order, for messages.
    package static var searchPath: [String] { ["$CARILLON_SOUNDFONT"] + systemPaths + ["Carillon's own, \(embeddedName)"] }

    private static func require(_ path: String) throws(SoundFontError) {
        guard path == embeddedName || access(path, R_OK) == 0 else { throw .cannotOpen(path: path, code: errno) }
    }
}
