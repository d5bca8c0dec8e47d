import AudioFiles
import Carillon
import Glibc

/// The folder that `--output-dir` names, or that of `--output`: made if it is missing, and gone again if nothing came into
/// it.
final class OutputFolder {
    private let path: String?
    private var isMade = false

    /// - Parameter path: nil means the current folder, which needs no preparation.
    init(_ path: String?) { self.path = path }

    /// Makes it if it is missing; the one that it is to lie in must be there.
    func make() throws(Fault) {
        guard let path, !isMade else { return }
        if mkdir(path, 0o777) == 0 {
            isMade = true
            return
        }
        let code = errno
        if code == EEXIST, FileKind(path)?.isDirectory == true { return }
        throw Fault(AudioFileError.cannotCreate(path: path, SystemFault(code: code == EEXIST ? ENOTDIR : code)))
    }

    func removeIfEmpty() { if isMade, let path { rmdir(path) } }
}
