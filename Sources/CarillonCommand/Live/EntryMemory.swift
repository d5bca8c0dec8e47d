import Carillon
import Document
import Glibc
import Installations

/// Keeps which entry of a set list plays, so that `--resume` goes on with it when the program was killed. An ordinary end forgets
/// it. What is kept is kept whole or not at all, and written on a thread of its own.
final class EntryMemory {
    private let store: StateFile
    private let keeper: StateKeeper
    private var kept: String?
    private var hasFailed = false

    /// For the set list of these files; nil if the user has no folder for such things.
    init?(_ files: [String]) {
        guard let folder = StateFolder.path(named: "live") else { return nil }
        let paths = files.map { path in
            guard let whole = realpath(path, nil) else { return path }
            defer { free(whole) }
            return String(cString: whole)
        }
        store = StateFile(folder: folder, name: Checksum.text(paths.joined(separator: "\n").utf8))
        keeper = StateKeeper(store, isThreaded: true)
        StateFolder.prepare(folder)
    }

    /// The entry that played when the program was killed; nil after an ordinary end.
    func entry() throws(Fault) -> String? { try store.read().flatMap { $0.isEmpty ? nil : $0 } }

    /// Keeps the entry that plays. Returns what is to be said: once, that it cannot be kept.
    func follow(_ snapshot: SessionSnapshot) -> [String] {
        guard let name = snapshot.patches?.name, name != kept else { return [] }
        kept = name
        guard let fault = keeper.keep(name), !hasFailed else { return [] }
        hasFailed = true
        return ["--resume will not find this entry: \(fault)"]
    }

    func end() {
        if kept != nil { _ = keeper.keep("") }
        keeper.finish()
    }
}
