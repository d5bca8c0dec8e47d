import Glibc

/// Finds the SoundFont to play when the caller has named none.
///
/// Order: the files named by the caller, `$CARILLON_SOUNDFONT`, the best General MIDI SoundFont that is installed
/// (`installed`), our own, which is a part of the program and needs no file. Control side.
package struct SoundFontLocator: Sendable {
    /// The reasons for choosing a file.
    package enum Origin: String, Sendable, Hashable {
        case named = "named by the caller"
        case environment = "from $CARILLON_SOUNDFONT"
        case system = "the system's default"
        case installed = "the best that is installed"
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

    /// Value of `CARILLON_SOUNDFONT`; nil or empty if unset.
    package var environment: String?
    /// Links that a distribution or the user points to a default General MIDI SoundFont.
    package var defaults = [
        "/usr/share/sounds/sf2/default-GM.sf2", "/usr/share/sounds/sf3/default-GM.sf3", "/usr/share/soundfonts/default.sf2",
    ]
    /// Folders with the files of `KnownSoundFont`, the first one that has a file counts.
    package var folders = [
        "/usr/share/sounds/sf2", "/usr/share/sounds/sf3", "/usr/share/soundfonts", "/usr/local/share/sounds/sf2",
        "/usr/local/share/sounds/sf3", "/usr/local/share/soundfonts",
    ]

    /// Creates a locator for this process.
    package init() { environment = getenv("CARILLON_SOUNDFONT").map { String(cString: $0) } }

    /// Creates a locator that looks only at the given places.
    package init(environment: String?, defaults: [String] = [], folders: [String] = []) {
        (self.environment, self.defaults, self.folders) = (environment, defaults, folders)
    }

    /// The SoundFonts to load: `named` if that is not empty, else the first of the search. Throws `cannotOpen` for a named
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
        return [installed[0]]
    }

    /// The General MIDI SoundFonts that are there, the best first: a default that the table does not know, since that is
    /// the user's own choice, then those of `KnownSoundFont` by their rank, whatever the defaults point to; our own is the last.
    package var installed: [Choice] {
        let targets = defaults.compactMap(Self.target)
        let chosen = targets.filter { KnownSoundFont.named($0) == nil }.prefix(1).map { Choice(path: $0, origin: .system) }
        return chosen
            + KnownSoundFont.ranked.compactMap { font in
                if font == .own { return Choice(path: Self.embeddedName, origin: .embedded) }
                let paths = font.files.flatMap { file in folders.map { "\($0)/\(file)" } }
                let path = paths.first(where: Self.isReadable) ?? targets.first { KnownSoundFont.named($0) == font }
                return path.map { Choice(path: $0, origin: .installed) }
            }
    }

    /// The file that a link leads to; nil where it cannot be read.
    private static func target(of link: String) -> String? {
        guard isReadable(link), let path = realpath(link, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    private static func require(_ path: String) throws(SoundFontError) {
        guard path == embeddedName || isReadable(path) else { throw .cannotOpen(path: path, code: errno) }
    }
}
