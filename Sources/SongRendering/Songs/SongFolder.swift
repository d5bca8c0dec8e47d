import Document
import Glibc
import Reports

/// The songs that lie in a folder itself, in natural order (`NaturalOrder`): song-2 before song-10; hidden files are left out.
package struct SongFolder: Sendable {
    /// Endings that make a file in a folder a song.
    package static let endings = ["mid", "midi", "rmi", "kar"]

    /// The paths of the songs.
    package let paths: [String]
    /// Folders in it, which are not looked into.
    package let folders: Int
    /// Songs whose names are no UTF-8.
    package let unreadable: Int

    /// Reads a folder. - Throws: `Fault` where it cannot be read.
    package init(path folder: String) throws(Fault) {
        guard let names = FolderNames(in: folder) else { throw Fault(String(cString: strerror(errno)), .noInput) }
        let stem = folder.hasSuffix("/") ? folder : folder + "/"
        var paths: [String] = [], folders = 0, unreadable = 0
        for bytes in names.bytes where bytes.first != UInt8(ascii: ".") {
            let name = String(decoding: bytes, as: UTF8.self)
            if Self.isFolder(stem + name) {
                folders += 1
            } else if Self.isSong(name), String(validating: bytes, as: UTF8.self) == nil {
                unreadable += 1
            } else if Self.isSong(name) {
                paths.append(stem + name)
            }
        }
        self.paths = paths.sorted(by: NaturalOrder.precedes)
        (self.folders, self.unreadable) = (folders, unreadable)
    }

    /// Returns whether a name ends as songs do.
    package static func isSong(_ name: String) -> Bool {
        endings.contains(name.split(separator: ".").last.map { $0.lowercased() } ?? "")
    }

    /// Returns true if there is a folder at the path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
