import EngineCore
import Glibc
import Patches

/// The folder for the files that an unattended session saves, under names that it chooses itself. Each kind has a limit of
/// files and bytes, beyond which the oldest go. Session's thread.
package struct SavingFolder: Sendable {
    /// A kind of thing that is saved, in a folder of its own.
    package enum Kind: String, CaseIterable, Sendable {
        /// A song with its journal.
        case recording
        /// A patch as it is played.
        case patch
        /// A preset of a unit, in a folder for each unit, under the name given by the user.
        case preset

        var folder: String {
            switch self {
            case .recording: "recordings"
            case .patch: "patches"
            case .preset: "presets"
            }
        }
        var ending: String { self == .recording ? ".mid" : ".yaml" }
        /// Things that are kept.
        package var most: Int { self == .preset ? 100 : 20 }
        /// Bytes that they have together; a thing that alone has more is kept until the next.
        package var bytes: Int { self == .recording ? 64 << 20 : 16 << 20 }
    }

    /// The path of a song that is saved under a name, or without one under another: a free one, since no file is replaced, and no
    /// journal beside it.
    static func song(_ asked: String?, orAs usual: @autoclosure () -> String) -> String {
        let path = asked ?? usual(), ending = Kind.recording.ending
        return NumberedName.free(path.hasSuffix(ending) ? path : path + ending) {
            access($0, F_OK) == 0 || access(journal(of: $0), F_OK) == 0
        }
    }

    /// The path of the journal beside a song.
    static func journal(of song: String) -> String { song.dropLast(Kind.recording.ending.count) + ".journal" }

    private let path: String?

    /// Creates a folder, which is made when it is needed; nil means there is none, and nothing is saved.
    package init(_ path: String?) { self.path = path }

    /// A free name. - Throws: `option` if the request `asked` for a name, or if there is no folder.
    func place(for kind: Kind, asked: String?) throws(Fault) -> String {
        if let asked {
            throw .option(name: "save", value: asked, remedy: "an installation names what it saves itself; leave the name out")
        }
        return NumberedName.free("\(try folder(of: kind))/\(kind.rawValue)-\(NumberedName.now)\(kind.ending)")
    }

    /// The shelf of the presets that are saved here; nil where nothing is.
    var shelf: PresetShelf? { path.map { PresetShelf(ofPatchAt: "", kept: "\($0)/\(Kind.preset.folder)") } }

    /// Returns the folder of a kind, and makes it if missing; faults of the folder show when a file is written to it.
    func folder(of kind: Kind) throws(Fault) -> String {
        guard let path else {
            throw .option(name: "save", value: "no folder", remedy: "name one with state: in the installation's file")
        }
        let folder = "\(path)/\(kind.folder)"
        mkdir(path, 0o700)
        mkdir(folder, 0o700)
        return folder
    }

    /// Returns notices. `kept` is the path of the file saved just now.
    func thin(_ kind: Kind, keeping kept: String) -> [String] {
        guard let path else { return [] }
        let folder = "\(path)/\(kind.folder)", folders = kind == .preset ? KeptFiles.folders(in: folder) : [folder]
        let (gone, faults) = KeptFiles(in: folders).thin(most: kind.most, bytes: kind.bytes, keeping: kept)
        return gone.map {
            "\($0)\(kind.ending) is gone: of its kind the newest \(kind.most) are kept, \(kind.bytes >> 20) MB at most"
        }
            + faults
    }
}

extension SessionCore {
    /// Saves something under the requested name, nil for none. If there is a `savingFolder`, the name is chosen there, and the
    /// `write` writes it, and returns its path.
    func save(_ kind: SavingFolder.Kind, as asked: String?, _ write: (String?) throws(Fault) -> String) throws(Fault) -> String {
        guard let savingFolder else { return try write(asked) }
        let path = try write(try savingFolder.place(for: kind, asked: asked))
        tell(savingFolder.thin(kind, keeping: path))
        return path
    }
}
