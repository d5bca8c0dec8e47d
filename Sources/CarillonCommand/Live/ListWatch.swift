import Carillon
import Document
import Patches
import Reports

/// Follows the files of a session: a set list, and its patches. What is saved is applied.
struct ListWatch {
    /// The list; nil where patches alone were named.
    private var list: (path: String, file: FileWatch)?
    /// The patches at their places, nil for an entry without a file.
    private var patches: [PatchWatch?]
    /// The patch that stays through all entries.
    private var always: PatchWatch?
    private let song: (String) -> SessionSong

    /// Watches a list, or without one these patch files. `song`: a song of the session, by its path.
    init(_ list: SetList?, _ files: [String], song: @escaping (String) -> SessionSong) {
        self.song = song
        self.list = list.map { ($0.path, FileWatch([$0.path])) }
        patches = (list?.entries.map(\.patch) ?? files).map { $0.map(PatchWatch.init) }
        always = list?.always.map(PatchWatch.init)
    }

    /// The entries that play, once they were read.
    mutating func know(_ read: ListLoading) {
        let former = patches
        if always?.path != read.list.always { always = read.list.always.map(PatchWatch.init) }
        patches = read.patches.map { entry in
            entry.path.map { path in former.lazy.compactMap(\.self).first { $0.path == path } ?? PatchWatch(path) }
        }
    }

    /// Applies what was saved. Returns what is to be said.
    mutating func follow(_ session: Session) -> [String] {
        var lines: [String] = []
        if let path = list?.path, let news = list?.file.news({ [path] }) {
            lines = news == .saved ? exchange(path, session) : ["\(path): is missing; the list stays until it is back"]
        }
        for place in patches.indices {
            guard let news = patches[place]?.news(), let path = patches[place]?.path else { continue }
            lines += apply(news, of: path, number: place + 1, session)
        }
        if let news = always?.news(), let path = always?.path { lines += apply(news, of: path, number: nil, session) }
        return lines
    }

    private mutating func exchange(_ path: String, _ session: Session) -> [String] {
        let stays = "the list has not changed"
        do throws(DocumentError) {
            let read = ListLoading(try SetList(path: path), song: song)
            do throws(Fault) {
                try session.exchange(list: read.patches, songs: read.songs, changes: read.list.changes)
            } catch { return ["\(path): \(error); \(stays)"] }
            session.exchange(buttons: read.list.buttons)
            know(read)
            // One that cannot be read is a remark.
            let isLost = read.list.always != nil && read.always == nil
            let always = isLost ? [] : exchange(always: read.always, of: path, session)
            return ["\(path): reloaded"] + always + read.remarks.map(\.description)
        } catch { return ["\(error); \(stays)"] }
    }

    /// The patch that stays through all entries.
    private func exchange(always patch: Patch?, of path: String, _ session: Session) -> [String] {
        do throws(Fault) { try session.exchange(always: patch) } catch { return ["\(path): \(error); it sounds as before"] }
        return []
    }

    /// - Parameter number: the place of the patch; nil: it is the one that stays.
    private func apply(_ news: PatchWatch.News, of path: String, number: Int?, _ session: Session) -> [String] {
        switch news {
        case .patch(let patch, let advice):
            do throws(Fault) {
                if let number {
                    if session.snapshot.patches == nil {
                        try session.apply(patch)
                    } else {
                        try session.replace(patch: number, by: patch)
                    }
                } else {
                    try session.exchange(always: patch)
                }
                return ["\(path): reloaded"] + RemarkReport.lines(advice, ofPatch: path)
            } catch { return ["\(path): \(error); the sound has not changed"] }
        case .fault(let text): return ["\(text); the sound has not changed"]
        case .gone: return ["\(path): is missing; the sound stays until it is back"]
        }
    }
}
