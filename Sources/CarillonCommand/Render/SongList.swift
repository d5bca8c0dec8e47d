import ArgumentParser
import Carillon
import Document
import Glibc

/// The songs of a call's arguments: files as they are, a folder as the songs in it, a list (`.m3u`, `.m3u8`) as those that it
/// names, `-` as standard input.
struct SongList {
    /// Endings that make a file in a folder a song.
    static let endings = SongFolder.endings
    /// Endings of what may be named as songs: lists too.
    static let namedEndings = SongFolder.endings + SongListFile.endings
    /// The path that `-` is opened as.
    static let standardInput = "/dev/stdin"

    /// Returns true for a name with the ending of a song.
    static func isNamedAsSong(_ name: String) -> Bool { hasEnding(name, endings) }

    /// Returns true for a name that has one of these endings and more than the ending.
    static func hasEnding(_ name: String, _ endings: [String]) -> Bool {
        name.split(separator: ".").count > 1 && endings.contains { name.lowercased().hasSuffix("." + $0) }
    }

    static func shown(_ path: String) -> String { path == standardInput ? "standard input" : path }
    static func path(_ argument: String) -> String { argument == "-" ? standardInput : argument }

    /// `-` twice would be standard input read twice, and no song comes from a terminal.
    static func requireSong(onStandardInput arguments: [String], _ command: String) throws {
        let count = arguments.count { $0 == "-" }
        if count > 1 { throw ValidationError("-: standard input holds one song; name it once") }
        if count == 1, isatty(0) == 1 {
            throw ValidationError("-: standard input is a terminal; give a song: carillon \(command) - < song.mid")
        }
    }

    /// In the order of the arguments, those of a folder in natural order of numbers. An argument that cannot be a song fails.
    private(set) var songs: [Result<String, RenderFailure>] = []
    /// Sentences about what was left out.
    private(set) var remarks: [String] = []
    /// True if one song was named, and no folder or list.
    let isSingle: Bool

    init(_ arguments: [String]) {
        isSingle =
            arguments.count == 1 && FileKind(arguments[0])?.isDirectory != true && !SongListFile.isList(arguments[0])
        for argument in arguments {
            if argument == "-" {
                songs.append(.success(Self.standardInput))
            } else if FileKind(argument)?.isDirectory == true {
                addFolder(argument)
            } else if SongListFile.isList(argument) {
                addList(argument)
            } else {
                songs.append(.success(argument))
            }
        }
    }

    /// Adds what a list names. A song that is not there fails by itself, as one that was named here.
    private mutating func addList(_ path: String) {
        do throws(BoundedFile.Fault) {
            let list = try SongListFile(path: path)
            songs += list.paths.map(Result.success)
            remarks += list.remarks
            if !list.paths.isEmpty { return }
            addFailure(path, "names no song; write a file's name on each line")
        } catch {
            switch error {
            case .cannotRead(let code): addFailure(path, "this list cannot be read (\(String(cString: strerror(code))))")
            case .tooLarge: addFailure(path, "this list is longer than \(SongListFile.longest >> 20) MB; divide it")
            }
        }
    }

    private mutating func addFailure(_ path: String, _ reason: String) {
        songs.append(.failure(RenderFailure(song: path, reason: "\(path): \(reason)", exitCode: 66)))
    }

    /// Adds the songs of a folder. Folders in it are reported, not searched. Hidden files are left out.
    private mutating func addFolder(_ folder: String) {
        let found: SongFolder
        do { found = try SongFolder(path: folder) } catch {
            return addFailure(folder, "this folder cannot be read (\(error)); look at its permissions")
        }
        let (folders, unreadable) = (found.folders, found.unreadable)
        songs += found.paths.map(Result.success)
        for _ in 0..<unreadable {
            let reason = "\(folder): holds a song whose name is not UTF-8; rename the file, or give it as - < FILE"
            songs.append(.failure(RenderFailure(song: folder, reason: reason, exitCode: 64)))
        }
        if folders > 0 {
            remarks.append("\(folder): \(folders) folder\(folders == 1 ? "" : "s") in it not looked into; name them too")
        }
        if found.paths.isEmpty && unreadable == 0 {
            let endings = Self.endings.map { "." + $0 }.joined(separator: ", ")
            addFailure(folder, "is a folder without a song (\(endings)); name a file, or another folder")
        }
    }
}
