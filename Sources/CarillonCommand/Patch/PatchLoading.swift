import ArgumentParser
import Carillon
import Patches
import Reports

/// Reads a patch for a command and prints every fault.
enum PatchLoading {
    static func engine(_ path: String) throws -> (file: PatchFile, engine: Engine) {
        let watchdog = StuckCall(over: path, patience: StuckCall.loadPatience)
        defer { watchdog.stop() }
        let file: PatchFile, patch: Patch
        do throws(PatchFileError) {
            file = try PatchFile(path: path)
            patch = try file.located(from: path)
            try checkProperties(of: patch, in: file)
        } catch { throw Failure.report(error) }
        do throws(Fault) { return (file, try Engine(patch: patch)) } catch { throw Failure.report(error, ofPatch: path) }
    }

    struct Read {
        let path: String
        let patch: Patch
        let remarks: [Remark]

        func tell() { RemarkReport.lines(remarks, ofPatch: path).forEach { StandardError.print(OneLine.text($0)) } }
    }

    static func read(_ path: String?) throws -> Read? {
        guard let path else { return nil }
        do throws(PatchFileError) { return try readFile(path) } catch { throw Failure.report(error) }
    }

    static func readFile(_ path: String) throws(PatchFileError) -> Read {
        let file = try PatchFile(path: path), patch = try file.located(from: path)
        try checkProperties(of: patch, in: file)
        return Read(path: path, patch: patch, remarks: file.remarks(at: path))
    }

    /// The patch to be played; nil if none is named. Its remarks are shown.
    static func patch(_ path: String?) throws -> Patch? {
        let read = try read(path)
        read?.tell()
        return read?.patch
    }

    /// With the place in the file. Only a unit knows its properties, so each unit with properties is made. SoundFonts and
    /// plug-ins are not loaded twice: only their buses are checked here, their other faults when they are loaded.
    private static func checkProperties(of patch: Patch, in file: PatchFile) throws(PatchFileError) {
        let flat: Patch
        do { flat = try patch.flattened() } catch { return }
        for unit in flat.units where !unit.properties.isEmpty {
            guard let entry = UnitCatalog.named(unit.component) else { continue }
            let isLoaded = entry.descriptor.runsForeignCode || entry.descriptor.properties.contains("soundfonts")
            var setup = UnitSetup(
                sampleRate: Double(LiveOptions().sampleRate), inputCount: unit.inputCount, properties: unit.properties)
            setup.startValues = unit.values.filter { $0.value.count == 1 }.compactMapValues(\.first)
            do throws(UnitError) {
                if isLoaded { _ = try entry.descriptor.fitted(to: unit.properties) } else { _ = try entry.make(setup) }
            } catch {
                if case .invalidProperty(_, let property, let reason) = error {
                    throw file.fault(ofUnit: unit.name, property: property, reason: reason)
                }
            }
        }
    }

    /// Named after their files without what follows the last dot. A file that is not a patch keeps its place, with the reason.
    /// If no file is a patch, every reason is printed and the command ends with the code of the first.
    static func list(_ paths: [String]) throws -> [ListedPatch] {
        let patches = paths.map { path in
            let name = name(of: path)
            do throws(PatchFileError) {
                let read = try readFile(path)
                read.tell()
                return ListedPatch(name, read.patch, path: path)
            } catch {
                return ListedPatch(name, path: path, fault: error)
            }
        }
        try requireOne(patches)
        return patches
    }

    /// Ends the command with every reason if none of the patches can be played.
    static func requireOne(_ patches: [ListedPatch]) throws {
        let faults = patches.compactMap(\.fault)
        if faults.count == patches.count, let code = faults.map({ Failure.report($0) }).first { throw code }
    }

    /// The name of a patch's file without its ending.
    static func name(of path: String) -> String {
        let file = RenderOutput.name(of: path), stem = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
        return stem.isEmpty ? file : String(stem)
    }
}

extension PatchFile {
    /// Returns what in the patch is hardly meant so, and players that are silent.
    func remarks(at path: String) -> [Remark] { advice + patch.playersWithoutFile(at: path) }
}
