import ArgumentParser
import Carillon
import Document
import Glibc

/// `carillon list new`.
struct ListNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a set list of patches and songs, with comments that explain its keys.")

    @Argument(
        help: ArgumentHelp("Patches (.yaml) and songs, in their order.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "mid"]))
    var files: [String]

    @OptionGroup var output: PatchOutput

    func run() throws {
        var list = SetList(of: output.path ?? "the list")
        for file in files {
            if access(file, R_OK) != 0 {
                throw Failure.report("\(file): cannot be read: \(String(cString: strerror(errno)))", exitCode: 66)
            }
            var entry = SetList.Entry(Self.freeName(of: file, in: list))
            // Names in the list begin in its folder.
            let isAway = !list.folder.isEmpty && !file.hasPrefix("/") && !file.hasPrefix(list.folder)
            let path = isAway ? Self.absolute(file) : file
            if SongList.isNamedAsSong(file) { entry.song = path } else { entry.patch = path }
            list.entries.append(entry)
        }
        let text: String
        do throws(DocumentError) { text = try list.text() } catch { throw Failure.report(error) }
        try output.write(text)
    }

    /// The file's name without its ending, with a number if an entry has it.
    private static func freeName(of file: String, in list: SetList) -> String {
        let name = PatchLoading.name(of: file)
        var free = name, number = 2
        while list.entries.contains(where: { $0.name == free }) {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    private static func absolute(_ file: String) -> String {
        guard let path = realpath(file, nil) else { return file }
        defer { free(path) }
        return String(cString: path)
    }
}
