import Carillon
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

    let path: String
    private var files: FileWatch

    init(_ path: String) {
        self.path = path
        files = FileWatch([path] + (Self.presets(path) ?? []))
    }

    /// The files of the presets that the patch names now; nil for a text that is not YAML.
    private static func presets(_ path: String) -> [String]? {
        do throws(PatchFileError) {
            let source = try PatchFile.source(path: path)
            return PatchFile.presetFiles(source: source, path: path, units: UnitCatalog.entries)
        } catch {
            // Reading the patch will report why the file cannot be read.
            return nil
        }
    }

    mutating func news() -> News? {
        let former = files.paths, path = path
        switch files.news({ Self.presets(path).map { [path] + $0 } ?? former }) {
        case nil: return nil
        case .gone: return .gone
        case .saved:
            do throws(PatchFileError) {
                let file = try PatchFile(path: path)
                return .patch(try file.located(from: path), advice: file.advice)
            } catch { return .fault("\(error)") }
        }
    }
}
