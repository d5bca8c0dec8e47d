import Carillon
import Document
import Glibc
import Reports

/// A file that is whole, but of another kind than the one that was meant to be read: a song or a set list for a patch.
enum MistakenFile {
    /// What a document that cannot be read is instead, and how that is given; nil where it is not known.
    static func hint(_ error: DocumentError) -> String? {
        let start = beginning(of: error.path)
        if isSong(start) {
            return "\(error.path): is a song; name it without an option, as carillon live \(ShellWord.quoted(error.path))"
        }
        guard let (use, key) = use(of: error.path, start) else { return nil }
        let unknown = ([error] + error.others).compactMap { fault -> String? in
            if case .unknown(let name, kind: "", _) = fault.fault { name } else { nil }
        }
        return key.map(unknown.contains) ?? true ? use : nil
    }

    /// The same for what is no song.
    static func hint(ofSong path: String) -> String? {
        let start = beginning(of: path)
        return isSong(start) ? nil : use(of: path, start)?.text
    }

    private static func isSong(_ start: [UInt8]) -> Bool {
        start.starts(with: "MThd".utf8) || form(of: start) == "RMID"
    }

    /// The form of a RIFF file.
    private static func form(of start: [UInt8]) -> String? {
        start.starts(with: "RIFF".utf8) ? String(decoding: start.dropFirst(8).prefix(4), as: UTF8.self) : nil
    }

    /// What a file is, with the key of a document that it has at its top.
    private static func use(of path: String, _ start: [UInt8]) -> (text: String, key: String?)? {
        let shown = ShellWord.quoted(path)
        if ["sfbk", "DLS "].contains(form(of: start)) { return ("\(path): is a SoundFont; write --soundfont \(shown)", nil) }
        if Journal.isJournal(path: path) { return ("\(path): is a journal; write carillon render \(shown)", nil) }
        // A file with the keys of two kinds has a fault inside.
        let lines = start.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        let kinds = uses.filter { key, _ in lines.contains { $0.hasPrefix(key + ":") } }
        return kinds.count == 1 ? ("\(path): is \(kinds[0].use) \(shown)", kinds[0].key) : nil
    }

    /// Keys at the top that one kind of document has, and how it is given.
    private static let uses: [(key: String, use: String)] = [
        ("playlists", "an installation; write carillon serve"), ("entries", "a set list; write carillon live --list"),
        ("units", "a patch; write carillon live --patch"),
    ]

    /// The first bytes of a file; none where they cannot be read at once.
    private static func beginning(of path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file < 0 { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }
}
