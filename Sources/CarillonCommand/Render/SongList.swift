import ArgumentParser
import AudioFiles
import Carillon
import Glibc

/// The songs that a call's arguments mean: files as they are, a folder as the songs that lie in it, `-` as standard input.
struct SongList {
    /// Endings that make a file in a folder a song.
    static let endings = SongFolder.endings
    /// The path that `-` is opened as.
    static let standardInput = "/dev/stdin"

    /// Returns the name that a person gives the song at `path`.
    static func shown(_ path: String) -> String { path == standardInput ? "standard input" : path }

    /// The path that one argument means.
    static func path(_ argument: String) -> String { argument == "-" ? standardInput : argument }

    /// Refuses `-` where it cannot be a song: twice, since what was read is gone, and where somebody would have to type it.
    static func requireSong(onStandardInput arguments: [String], _ command: String) throws {
        let count = arguments.count { $0 == "-" }
        if count > 1 { throw ValidationError("-: standard input holds one song; name it once") }
        if count == 1, isatty(0) == 1 {
            throw ValidationError("-: standard input is a terminal; give a song: carillon \(command) - < song.mid")
        }
    }

    /// The songs' paths in the order of the arguments, those of a folder by their names' bytes. What cannot be one is a
    /// failure of its own.
    private(set) var songs: [Result<String, RenderFailure>] = []
    /// Sentences about what was left out.
    private(set) var remarks: [String] = []
    /// True if one song was named, and no folder.
    let isSingle: Bool

    init(_ arguments: [String]) {
        isSingle = arguments.count == 1 && FileKind(arguments[0])?.isDirectory != true
        for argument in arguments {
            if argument == "-" {
                songs.append(.success(Self.standardInput))
            } else if FileKind(argument)?.isDirectory == true {
                addFolder(argument)
            } else {
                songs.append(.success(argument))
            }
        }
    }

    /// Adds what lies in a folder itself: folders in it are told, not looked into. Hidden files are left alone.
    private mutating func addFolder(_ folder: String) {
        let found: SongFolder
        do { found = try SongFolder(path: folder) } catch {
            let reason =
                "\(folder): this folder cannot be read (\(String(cString: strerror(error.code)))); look at its permissions"
            songs.append(.failure(RenderFailure(song: folder, reason: reason, exitCode: 66)))
            return
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
            let reason = "\(folder): is a folder without a song (\(endings)); name a file, or another folder"
            songs.append(.failure(RenderFailure(song: folder, reason: reason, exitCode: 66)))
        }
    }
}
