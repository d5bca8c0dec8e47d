import AudioFiles
import Carillon
import Glibc

/// The audio file that a song, or a journal, becomes: everything about it that can be refused before any work is done.
struct RenderOutput {
    let path: String
    let format: AudioFileFormat
    private let sampleRate: Int

    /// - Parameters:
    ///   - song: what is rendered; `path` nil names the output after it, in the current folder.
    ///   - format: a format's name; nil goes by the path's ending.
    init(
        of song: String, path: String?, format: String?, bits: AudioFileFormat.Encoding?, sampleRate: Int
    ) throws(RenderError) {
        self.path = path ?? Self.defaultPath(song: song, format: format)
        self.sampleRate = sampleRate
        if Self.kind(of: self.path)?.isDirectory == true { throw .audioFile(.isDirectory(path: self.path)) }
        do { self.format = try AudioFileFormat(path: self.path, name: format, bits: bits) } catch { throw .audioFile(error) }
        try Self.requireAnotherFile(self.path, than: song)
        do { try self.format.requireSupport(channels: 2, sampleRate: sampleRate) } catch { throw .audioFile(error) }
    }

    /// Creates the file. Whatever ends the program before `UnfinishedOutput.isFinished` removes it.
    func open(length: AudioFileLength) throws(RenderError) -> AudioFileWriter {
        do {
            return try UnfinishedOutput.opening({ () throws(AudioFileError) in
                try AudioFileWriter(path: path, format: format, channels: 2, sampleRate: sampleRate, length: length)
            }, path: \.unfinishedPath)
        } catch { throw .audioFile(error) }
    }

    /// The song's name with the format's ending, in the current folder. A journal's sound is called a replay, because the
    /// capture, or the song, that it lies beside has the name without.
    private static func defaultPath(song: String, format: String?) -> String {
        var name = name(of: song), replay = ""
        if name.hasSuffix(".journal") {
            name = String(name.dropLast(8))
            replay = "-replay"
            if AudioFileFormat.Container(spelling: parts(name).ending) != nil { name = parts(name).stem }
        } else {
            name = parts(name).stem
        }
        return "\(name.isEmpty ? "song" : name)\(replay).\(format?.lowercased() ?? "wav")"
    }

    /// What stands before the last dot of a name, and behind it.
    private static func parts(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    /// The last part of a path. Bytes are looked at, because a character can begin with a slash.
    static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "song"
    }

    /// A song, or a journal, must not be overwritten by its own sound.
    private static func requireAnotherFile(_ path: String, than song: String) throws(RenderError) {
        guard let output = kind(of: path), !output.isStream, let input = kind(of: song), input == output
        else { return }
        throw .option(name: "output", value: path, remedy: "this is the song itself; choose another name")
    }

    /// What a path leads to; nil where there is nothing.
    private static func kind(of path: String) -> FileKind? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0 else { return nil }
        let type = status.st_mode & S_IFMT
        return FileKind(
            device: UInt64(status.st_dev), number: UInt64(status.st_ino), isDirectory: type == S_IFDIR,
            isStream: type != S_IFREG && type != S_IFDIR)
    }

    private struct FileKind: Equatable {
        let device: UInt64
        let number: UInt64
        let isDirectory: Bool
        let isStream: Bool
    }
}
