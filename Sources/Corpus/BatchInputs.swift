import AudioFiles
import Carillon
import Glibc
import Reports

/// The files that jobs use besides their songs, by their contents: the SoundFonts, patches and songs that options name. Each
/// file is hashed once, or not at all if the lock file of the folder has it unchanged.
final class BatchInputs {
    private var hashes: [FileIdentity: String] = [:]
    private var found: [String: Result<SoundFiles, Fault>] = [:]
    /// The files that make the sound of this batch, for the lock file.
    private(set) var used: [String: BatchLock.File] = [:]

    init(_ lock: BatchLock) {
        // Carillon's own SoundFont is another one in another program.
        for (hash, file) in lock.files where file.path != SoundFontLocator.embeddedName {
            if let identity = file.identity { hashes[identity] = hash }
        }
    }

    /// The hash of a file's contents; songs are not kept in mind.
    func hash(_ path: String, isSong: Bool = false) throws(Fault) -> String {
        guard let identity = FileIdentity(path: path) else { throw Fault("\(path): no such file", .noInput) }
        if isSong {
            if identity.size <= Self.longestSong { return try Self.read(path) }
            throw Fault("\(path): is longer than \(Self.longestSong >> 20) MiB, and no song", .data)
        }
        // Large files are hashed once for all batches.
        let isLarge = identity.size > 1 << 20 && path != SoundFontLocator.embeddedName, state = "hash of \(identity)\n"
        let hash: String
        if let known = hashes[identity] ?? (isLarge ? Self.cache?.text(for: state) : nil), known.utf8.count == 64 {
            hash = known
        } else {
            hash = try Self.read(path)
            // If nothing can be kept it is hashed anew each time, which costs a moment.
            if isLarge { _ = Self.cache?.keep(hash, for: state) }
        }
        hashes[identity] = hash
        if used[hash] == nil { used[hash] = BatchLock.File(path, identity) }
        return hash
    }

    private static func read(_ path: String) throws(Fault) -> String {
        do { return try ContentHash.ofFile(path) } catch {
            guard case .cannotRead(let code) = error, code != EINVAL else {
                throw Fault("\(path): is no file; name a file", .noInput)
            }
            throw Fault("\(path): cannot be read (\(SystemFault(code: code)))", .noInput)
        }
    }

    private static let longestSong = 1 << 30
    private static let cache = UserCache(named: "hashes")

    /// All that decides a job's sound but its song and the options that name no file: contents, as text, and the files.
    func sound(_ options: BatchOptions) throws(Fault) -> (text: String, paths: [String]) {
        var text = "", paths: [String] = []
        let named = options.values("soundfont"), patch = options.values("patch").last
        if let patch {
            let found = try files("patch \(named.isEmpty) \(patch)") { try SoundFiles(patch: patch, searches: named.isEmpty) }
            text += try described(found)
            // The key has its contents; a lock file has the file.
            _ = try hash(patch)
            paths += [patch] + found.paths
        }
        if !named.isEmpty || patch == nil && options.values("instrument").last != "square-wave" {
            let found = try files("fonts \(named)") { try SoundFiles(soundFonts: named) }
            text += try described(found)
            paths += found.paths
        }
        for layer in options.values("layer") {
            text += "layer \(try hash(layer))\n"
            paths.append(layer)
        }
        return (text, paths)
    }

    private func described(_ files: SoundFiles) throws(Fault) -> String {
        var text = files.text
        for path in files.paths { text += "file \(try hash(path))\n" }
        return text
    }

    /// The files that were found under a name before, else what `find` finds.
    private func files(_ name: String, _ find: () throws -> SoundFiles) throws(Fault) -> SoundFiles {
        let result =
            found[name]
            ?? Result(catching: find).mapError { Fault("\($0)", .init("input", ($0 as? any ClassifiedError)?.exit ?? .data)) }
        found[name] = result
        return try result.get()
    }
}
