import Document
import Glibc

/// A folder into which files are dropped: one that is called like a cue asks for it, and is taken away.
struct DropFolder {
    enum Found: Hashable {
        case cue(String)
        /// A file that means nothing, or cannot be taken away.
        case left(String, reason: String)
    }

    let path: String
    /// Each file is reported once.
    private var reported: Set<String> = []
    private static let most = 256

    init(_ path: String) { self.path = path }

    mutating func look(for cues: [String]) -> [Found] {
        guard let names = FolderNames(in: path, most: Self.most) else {
            return tell(path, "it cannot be read: \(String(cString: strerror(errno)))")
        }
        let files = names.sorted.filter { !$0.hasPrefix(".") }
        reported.formIntersection(files + [path])
        var found: [Found] = []
        for file in files {
            let stem = file.prefix { $0 != "." }
            guard let name = cues.first(where: { $0 == stem }) else {
                found += tell(file, "no cue is called \(stem)")
                continue
            }
            if unlink(path + "/" + file) == 0 {
                found.append(.cue(name))
            } else {
                found += tell(file, "it cannot be removed: \(String(cString: strerror(errno)))")
            }
        }
        return found
    }

    private mutating func tell(_ file: String, _ reason: String) -> [Found] {
        reported.insert(file).inserted ? [.left(file, reason: reason)] : []
    }
}
