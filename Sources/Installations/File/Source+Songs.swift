import Carillon
import Document
import Glibc

extension Installation.Source {
    /// Songs that one source gives at most.
    private static let mostSongs = 10_000

    /// Returns what was left out, as sentences. `folder` is the installation's.
    func songs(in folder: FileFolder) -> (songs: [InstallationSong], remarks: [String]) {
        let full = folder.path(of: path)
        var paths = [full], remarks: [String] = []
        if SongFolder.isFolder(full) {
            do {
                let found = try SongFolder(path: full)
                paths = found.paths
                if found.unreadable > 0 { remarks.append("\(path): holds songs whose names are not UTF-8; rename them") }
                if found.paths.isEmpty { remarks.append("\(path): is a folder without a song; put songs into it") }
            } catch {
                remarks.append("\(path): this folder cannot be read (\(error))")
                paths = []
            }
        } else if SongListFile.isList(full) {
            do {
                let list = try SongListFile(path: full)
                (paths, remarks) = (list.paths, list.remarks)
                if paths.isEmpty { remarks.append("\(path): names no song") }
            } catch {
                remarks.append("\(path): this list cannot be read: \(Self.reason(error))")
                paths = []
            }
        }
        if paths.count > Self.mostSongs {
            remarks.append("\(path): only the first \(Self.mostSongs) of \(paths.count) songs are taken; divide it")
            paths.removeLast(paths.count - Self.mostSongs)
        }
        for missing in paths where access(missing, R_OK) != 0 {
            remarks.append("\(missing): \(String(cString: strerror(errno))); it is left out until it is there")
        }
        return (paths.map { InstallationSong(path: $0, manner: manner, weight: weight, then: then) }, remarks)
    }

    private static func reason(_ error: BoundedFile.Fault) -> String {
        switch error {
        case .cannotRead(let code): String(cString: strerror(code))
        case .tooLarge: "it is longer than \(SongListFile.longest >> 20) MB"
        }
    }
}
