import AudioFiles
import Carillon
import FoundationEssentials
import Glibc

/// The lock file of a batch's folder, `carillon.lock.json`: versions and hashes of everything that makes its sound, which is
/// all that is needed to make it again.
package struct BatchLock: Codable {
    static let name = "carillon.lock.json"

    /// A SoundFont, a patch, a song on top of others.
    struct File: Codable, Hashable {
        let path: String
        let bytes: Int
        /// The state of the file in which it was hashed: device, inode, times.
        let state: [Int]
        /// The SoundFont's title and copyright, if it has them.
        var title: String?
        var copyright: String?

        init(_ path: String, _ identity: FileIdentity) {
            (self.path, bytes) = (path, identity.size)
            state = [
                Int(truncatingIfNeeded: identity.device), Int(truncatingIfNeeded: identity.inode), identity.seconds,
                identity.nanoseconds, identity.change,
            ]
        }

        /// The identity that it had; nil if its file has another one now.
        var identity: FileIdentity? {
            guard let now = FileIdentity(path: path), File(path, now).state == state, now.size == bytes else { return nil }
            return now
        }
    }

    var lockVersion = 1
    /// The version of the sound, the program's, and those of the libraries that write the files.
    var soundVersion = SoundVersion.number
    var carillon = ""
    var libraries: [String: String] = [:]
    /// The files, by the SHA-256 of their contents.
    var files: [String: File] = [:]

    init() {}

    package init(path: String) throws(Fault) {
        let text: String
        do { text = try BoundedFile.text(path: path, limit: 1 << 26) } catch {
            var why = "longer than 64 MiB"
            if case .cannotRead(let code) = error { why = "\(SystemFault(code: code))" }
            throw Fault("\(path): the lock file cannot be read (\(why))", .noInput)
        }
        do { self = try JSONDecoder().decode(BatchLock.self, from: Data(text.utf8)) } catch {
            throw Fault("\(path): is no lock file; a batch writes one as FOLDER/\(Self.name)", .data)
        }
    }

    /// The lock file of a folder; an empty one if there is none.
    init(folder: String) throws(Fault) {
        let path = "\(folder)/\(Self.name)"
        if access(path, F_OK) != 0 { self.init() } else { try self.init(path: path) }
    }

    /// Adds the files that were used to the lock file of a folder.
    ///
    /// - Parameter version: that of the program.
    static func add(_ used: [String: File], to folder: BatchFolder, version: String) throws(Fault) {
        let path = "\(folder.path)/\(name)", guardian = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if guardian >= 0 { close(guardian) } }
        // Several processes of one machine wait for each other; if there are no locks, the last one's files are added.
        if guardian >= 0 { _ = flock(guardian, LOCK_EX) }
        let before = try BatchLock(folder: folder.path)
        var lock = before
        lock.soundVersion = SoundVersion.number
        lock.carillon = version
        lock.libraries = ["libsndfile": AudioFileFormat.libraryVersion]
        for (hash, file) in used where lock.files[hash]?.identity == nil { lock.files[hash] = file.named() }
        if access(path, F_OK) == 0, before.text == lock.text { return }
        let code = WholeText.write(lock.text, toFile: path)
        if code != 0 { throw Fault("\(path): cannot be written (\(SystemFault(code: code)))", .io) }
    }

    private var text: String { JSONOutput.plain(self) + "\n" }

    /// Refuses what another lock file does not name.
    func require(_ used: [String: File], in path: String) throws(Fault) {
        if soundVersion != SoundVersion.number {
            throw Fault(
                "\(path): was made by a Carillon of sound version \(soundVersion), this one has \(SoundVersion.number); take "
                    + "version \(carillon)",
                .data)
        }
        for (hash, file) in used.sorted(by: { $0.value.path < $1.value.path }) where files[hash] == nil {
            throw Fault("\(file.path): is not what \(path) names; take the file with one of its hashes", .data)
        }
    }
}

extension BatchLock.File {
    /// A copy with the SoundFont's own texts.
    fileprivate func named() -> BatchLock.File {
        var file = self
        // Other files have none.
        do {
            let font = try SoundFontFile(path: path)
            file.title = font.title == "" ? nil : font.title
            file.copyright = font.copyright == "" ? nil : font.copyright
        } catch {}
        return file
    }
}
