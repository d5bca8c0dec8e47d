import Carillon
import Glibc
import Patches
import Reports

/// Watches a patch file and the files of the presets that it names: when one of them is saved, the patch is read again.
struct PatchWatch {
    enum News {
        /// The patch, and remarks on probable mistakes in it.
        case patch(Patch, advice: [Remark])
        /// The file is not a patch; the text is the reason.
        case fault(String)
        case gone
    }

    /// A file as the system knows it: a save changes at least one of these.
    private struct Mark: Equatable {
        var seconds = 0, nanoseconds = 0, size: Int64 = 0, file: UInt64 = 0

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            (size, file) = (Int64(status.st_size), UInt64(status.st_ino))
        }
    }

    let path: String
    /// The files of its presets, those too that are not there yet.
    private var presets: [String] = []
    /// Marks of the last read and of the last look, for each file that was there: it is read once all look the same twice, and
    /// so not while one is being written.
    private var read: [String: Mark] = [:]
    private var seen: [String: Mark] = [:]
    /// Looks in a row at which a file was not there.
    private var absences: [String: Int] = [:]

    init(_ path: String) {
        self.path = path
        findPresets()
        read = marks()
        seen = read
    }

    /// A file that is gone is waited for: editors that write a new one in its place take it away for a moment.
    mutating func news() -> News? {
        for file in [path] + presets { absences[file] = Mark(file) == nil ? absences[file, default: 0] + 1 : 0 }
        if let looks = absences[path], looks > 0 { return looks == Self.patience ? .gone : nil }
        let now = marks()
        defer { seen = now }
        if now == read || now != seen { return nil }
        findPresets()
        // Before it is read: what is saved from here on is news.
        read = marks()
        for file in read.keys { read[file] = now[file] ?? read[file] }
        do throws(PatchFileError) {
            let file = try PatchFile(path: path)
            return .patch(try file.located(from: path), advice: file.advice)
        } catch { return .fault("\(error)") }
    }

    /// One that has just gone is as it was.
    private func marks() -> [String: Mark] {
        var marks: [String: Mark] = [:]
        for file in [path] + presets {
            marks[file] = Mark(file) ?? (absences[file, default: Self.patience] < Self.patience ? seen[file] : nil)
        }
        return marks
    }

    /// Looks the presets up that the patch names now; those of a text that is not YAML are unknown, and stay.
    private mutating func findPresets() {
        do throws(PatchFileError) {
            let source = try PatchFile.source(path: path)
            presets = PatchFile.presetFiles(source: source, path: path, units: UnitCatalog.entries) ?? presets
        } catch {
            // Reading the patch will report why the file cannot be read.
            return
        }
    }

    /// Looks, ten a second, until a file that is not there is gone.
    private static let patience = 10
}
