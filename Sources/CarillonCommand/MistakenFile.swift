import Document
import Glibc
import Reports

/// A file that is whole, but of another kind than the one that was meant to be read: a song or a set list for a patch.
enum MistakenFile {
    /// What a document that cannot be read is instead, and how that is given; nil where it is not known.
    static func hint(_ error: DocumentError) -> String? {
        let shown = ShellWord.quoted(error.path)
        switch start(of: error.path) {
        case "MThd": return "\(error.path): is a song; name it without an option, as carillon live \(shown)"
        case "RIFF": return "\(error.path): is a SoundFont; write --soundfont \(shown)"
        default: break
        }
        let unknown = ([error] + error.others).compactMap { fault -> String? in
            if case .unknown(let name, kind: "", _) = fault.fault { name } else { nil }
        }
        for (key, use) in uses where unknown.contains(key) { return "\(error.path): is \(use) \(shown)" }
        return nil
    }

    /// Keys at the top that one kind of document has, and how it is given.
    private static let uses = [
        ("playlists", "an installation; write carillon serve"), ("entries", "a set list; write carillon live --list"),
        ("units", "a patch; write carillon live --patch"),
    ]

    /// The first four bytes as text; empty where they cannot be read.
    private static func start(of path: String) -> String {
        guard let file = fopen(path, "rb") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4)
        return fread(&bytes, 1, 4, file) == 4 ? String(decoding: bytes, as: UTF8.self) : ""
    }
}
