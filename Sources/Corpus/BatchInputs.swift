import Carillon
import Glibc

/// The files that jobs use besides their songs, by their contents: the SoundFonts, patches and songs that options name. Each
/// file is hashed once, or not at all if the lock file of the folder has it unchanged.
final class BatchInputs {
    private var hashes: [FileIdentity: String] = [:]
    private var found: [String: Result<SoundFiles, BatchFault>] = [:]
    /// The files that make the sound of this batch, for the lock file.
    private(set) var used: [String: BatchLock.File] = [:]

    private let code: (any Error) -> BatchFault.Code

    /// - Parameters:
    ///   - lock: the lock file of the folder, as it was found.
    ///   - code: the code of an error of a SoundFont or a patch.
    init(_ lock: BatchLock, code: @escaping (any Error) -> BatchFault.Code) {
        self.code = code
        // Carillon's own SoundFont is another one in another program.
        for (hash, file) in lock.files where file.path != SoundFontLocator.embeddedName {
            if let identity = file.identity { hashes[identity] = hash }
        }
    }

    /// The hash of a file's contents.
    ///
    /// - Throws: exit code 66.
    func hash(_ path: String, isSong: Bool = false) throws(BatchFault) -> String {
        guard let identity = FileIdentity(path: path) else {
            throw BatchFault("\(path): no such file", .noInput)
        }
        if !isSong, let known = hashes[identity] {
            note(known, path, identity)
            return known
        }
        if isSong, identity.size > Self.longestSong {
            throw BatchFault("\(path): is longer than \(Self.longestSong >> 20) MiB, and no song", .data)
        }
        // Large files are hashed once for all batches.
        let isLarge = !isSong && identity.size > 1 << 20 && path != SoundFontLocator.embeddedName, state = "hash of \(identity)\n"
        if isLarge, let known = Self.cache?.text(for: state), known.utf8.count == 64 {
            hashes[identity] = known
            note(known, path, identity)
            return known
        }
        let hash: String
        do { hash = try ContentHash.ofFile(path) } catch {
            guard case .cannotRead(let code) = error, code != EINVAL else {
                throw BatchFault("\(path): is no file; name a file", .noInput)
            }
            throw BatchFault("\(path): cannot be read (\(SystemCode.text(code)))", .noInput)
        }
        if !isSong {
            hashes[identity] = hash
            note(hash, path, identity)
            // If nothing can be kept it is hashed anew each time, which costs a moment.
            if isLarge { _ = Self.cache?.keep(hash, for: state) }
        }
        return hash
    }

    private static let longestSong = 1 << 30
    private static let cache = UserCache(named: "hashes")

    private func note(_ hash: String, _ path: String, _ identity: FileIdentity) {
        if used[hash] == nil { used[hash] = BatchLock.File(path, identity) }
    }

    /// All that decides a job's sound but its song and the options that name no file: contents, as text, and the files.
    func sound(_ options: BatchOptions) throws(BatchFault) -> (text: String, paths: [String]) {
        var text = "", paths: [String] = []
        let named = options.values("soundfont"), patch = options.values("patch").last
        if let patch {
            let found = try files(ofPatch: patch, searches: named.isEmpty)
            text += try described(found)
            // The key has its contents; a lock file has the file.
            _ = try hash(patch)
            paths += [patch] + found.paths
        }
        if !named.isEmpty || patch == nil && options.values("instrument").last != "square-wave" {
            let found = try files(ofSoundFonts: named)
            text += try described(found)
            paths += found.paths
        }
        for layer in options.values("layer") {
            text += "layer \(try hash(layer))\n"
            paths.append(layer)
        }
        return (text, paths)
    }

    private func described(_ files: SoundFiles) throws(BatchFault) -> String {
        var text = files.text
        for path in files.paths { text += "file \(try hash(path))\n" }
        return text
    }

    private func files(ofSoundFonts names: [String]) throws(BatchFault) -> SoundFiles {
        try files("fonts \(names)") { () throws(BatchFault) in
            do throws(SoundFontError) { return try SoundFiles(soundFonts: names) } catch {
                throw BatchFault("\(error)", code(error))
            }
        }
    }

    private func files(ofPatch path: String, searches: Bool) throws(BatchFault) -> SoundFiles {
        try files("patch \(searches) \(path)") { () throws(BatchFault) in
            do throws(PatchFileError) { return try SoundFiles(patch: path, searches: searches) } catch {
                throw BatchFault("\(error)", code(error))
            }
        }
    }

    /// The files that were found under a name before, else what `find` finds.
    private func files(
        _ name: String, _ find: () throws(BatchFault) -> SoundFiles
    ) throws(BatchFault) -> SoundFiles {
        if let known = found[name] { return try known.get() }
        let result = Result { () throws(BatchFault) in try find() }
        found[name] = result
        return try result.get()
    }
}
