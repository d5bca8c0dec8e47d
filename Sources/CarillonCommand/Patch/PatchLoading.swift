import ArgumentParser
import Carillon

/// A patch that is read for a command, with every fault told.
enum PatchLoading {
    /// The file, and an engine with its graph: whatever could be wrong has been looked at.
    static func engine(_ path: String) throws -> (file: PatchFile, engine: Engine) {
        let watchdog = StuckCall(over: path, patience: StuckCall.loadPatience)
        defer { watchdog.stop() }
        let file: PatchFile, patch: Patch
        do throws(PatchFileError) {
            file = try PatchFile(path: path)
            patch = try file.located(from: path)
        } catch { throw Failure.report(error) }
        do throws(EngineError) { return (file, try Engine(patch: patch)) } catch { throw Failure.report(error, ofPatch: path) }
    }

    /// The patch for a song to be played through; nil where none is named. What in it is hardly meant so is said, unless
    /// nothing is to be said.
    static func patch(_ path: String?, isQuiet: Bool = false) throws -> Patch? {
        guard let path else { return nil }
        do throws(PatchFileError) {
            let file = try PatchFile(path: path), patch = try file.located(from: path)
            if !isQuiet { for remark in file.advice { StandardError.print(Failure.oneLine(remark)) } }
            return patch
        } catch { throw Failure.report(error) }
    }

    /// The patches of a set list, called as their files without what stands behind the last dot.
    static func list(_ paths: [String]) throws -> [ListedPatch] {
        var patches: [ListedPatch] = []
        for path in paths {
            guard let patch = try patch(path) else { continue }
            let name = RenderOutput.name(of: path), stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
            patches.append(ListedPatch(stem.isEmpty ? name : String(stem), patch, path: path))
        }
        return patches
    }
}
