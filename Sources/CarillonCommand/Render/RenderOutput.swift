import AudioFiles
import Carillon
import DSP
import Glibc
import Reports

/// The choices of a call for its audio files.
struct OutputChoice: Sendable, Hashable {
    /// Nil names the output after the song.
    var path: String?
    /// Where files that are named after their songs go; nil means the current folder.
    var folder: String?
    /// A format's name; nil goes by the path's ending.
    var format: String?
    var bits: AudioFileFormat.Encoding?
    /// The quality that a lossy encoder is to have, 0 to 1.
    var quality: Double?
    /// Kilobits per second of a lossy encoder.
    var bitRate: Int?
    var existing = ExistingFile.refused
    /// The loudspeakers of the file, as far as they are known before the song is read.
    var layout = SpeakerLayout.stereo
    /// True if the part that exists is kept when the rest cannot be rendered.
    var keepsPartial = false
    /// The texts and places that it gets beside its sound.
    var tags = TagChoice()
    var pictures = PictureChoice()
    var labels = LabelChoice()
}

/// The audio file that a song, or a journal, becomes: everything about it that can be refused before any work is done.
struct RenderOutput: Sendable {
    let path: String
    let format: AudioFileFormat
    let sampleRate: Int
    let existing: ExistingFile
    let tags: TagChoice
    let pictures: PictureChoice
    let labels: LabelChoice
    private let keepsPartial: Bool

    /// The output of `song`. Of this song and of `others` none may be overwritten.
    init(of song: String, _ choice: OutputChoice, sampleRate: Int, others: Set<FileKind> = []) throws(Fault) {
        path = choice.path ?? Self.defaultPath(song: song, choice)
        (existing, keepsPartial) = (choice.existing, choice.keepsPartial)
        (tags, pictures, labels) = (choice.tags, choice.pictures, choice.labels)
        self.sampleRate = sampleRate
        let kind = FileKind(path)
        if kind?.isDirectory == true { throw Fault(AudioFileError.isDirectory(path: path)) }
        do {
            format = try AudioFileFormat(
                path: path, name: choice.format, bits: choice.bits, quality: choice.quality, bitRate: choice.bitRate)
        } catch { throw Fault(error) }
        try tags.check(format.container)
        if !pictures.kinds.isEmpty, path == "-" || kind?.isStream == true {
            throw .option(
                name: "picture", value: pictures.kinds[0].rawValue,
                remedy: "a drawing lies beside a file, and \(path) is none; name a file with --output")
        }
        if !labels.forms.isEmpty, path == "-" || kind?.isStream == true {
            throw .option(
                name: "labels", value: labels.forms[0].rawValue,
                remedy: "labels lie beside a file, and \(path) is none; name a file with --output")
        }
        if let kind, !kind.isStream {
            if kind == FileKind(song) || others.contains(kind) {
                throw .option(name: "output", value: path, remedy: "this is the song itself; choose another name")
            }
        }
        if Self.isTerminal(path) {
            throw .option(
                name: "output", value: path, remedy: "a terminal cannot show sound; add | aplay, or > FILE")
        }
        do {
            try format.requireSupport(layout: choice.layout)
            try format.requireSupport(channels: choice.layout.channels, sampleRate: sampleRate)
        } catch { throw Fault(error) }
    }

    /// Refuses a file that is there and is to stay.
    func requireFree() throws(Fault) {
        if existing == .replaced { return }
        let drawn = pictures.kinds.map { pictures.path($0, beside: path) }
        for path in [path] + drawn + labels.forms.map({ labels.path($0, beside: path) }) {
            if let kind = FileKind(path), !kind.isStream { throw Fault(AudioFileError.exists(path: path)) }
        }
    }

    /// Remarks on a file that is to be played round and round.
    var loopRemarks: [Remark] {
        let name = format.container.rawValue
        if format.container == .mp3 {
            return [
                Remark(
                    .substituted, path, "mp3 adds silence at both ends, so the loop has a gap",
                    remedy: "wav, flac and ogg have none")
            ]
        }
        return format.container.tellsLoop
            ? [] : [Remark(.substituted, path, "\(name) does not say that it is a loop", remedy: "play it round from end to end")]
    }

    /// The folder for frames that wait until the loudness is known: that of the file, for a stream the system's.
    var spoolFolder: String? {
        path == "-" || FileKind(path)?.isStream == true ? nil : Self.folder(of: path) ?? "."
    }

    /// The folder that a path names before its last part; nil if it names none.
    static func folder(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates the file. If the program ends before the second value is finished, the file is removed.
    func open(
        length: AudioFileLength, layout: SpeakerLayout = .stereo, tags: AudioTags, loop: Range<Int64>? = nil
    ) throws(Fault) -> (AudioFileWriter, UnfinishedOutput) {
        do {
            return try UnfinishedOutput.opening(
                { () throws(AudioFileError) in
                    try AudioFileWriter(
                        path: path, format: format, channels: layout.channels, layout: layout, sampleRate: sampleRate,
                        length: length, replaces: existing == .replaced, keepsPartial: keepsPartial, tags: tags,
                        loop: loop)
                }, path: \.unfinishedPath)
        } catch { throw Fault(error) }
    }

    /// In the folder chosen. A journal's sound is called a replay, because the capture, or the song, that it lies beside has
    /// the name without.
    private static func defaultPath(song: String, _ choice: OutputChoice) -> String {
        var name = name(of: song), replay = ""
        if name.hasSuffix(".journal") {
            name = String(name.dropLast(8))
            replay = "-replay"
            if AudioFileFormat.Container(spelling: parts(name).ending) != nil { name = parts(name).stem }
        } else {
            name = parts(name).stem
        }
        let folder = choice.folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        return "\(folder)\(name.isEmpty ? "song" : name)\(replay).\(choice.format?.lowercased() ?? "wav")"
    }

    static func stem(of song: String) -> String {
        let stem = parts(name(of: song)).stem
        return stem.isEmpty ? "song" : stem
    }

    /// The ending of files of the same format: that of the output if it is one of the format, else the format's name.
    static func ending(of output: RenderOutput) -> String {
        let ending = parts(name(of: output.path)).ending
        return AudioFileFormat.Container(spelling: ending) == nil ? output.format.container.rawValue : ending
    }

    static func trunk(of path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path.index(after: $0) } ?? path.startIndex
        return path[..<name] + parts(String(path[name...])).stem
    }

    private static func parts(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    /// Bytes are looked at, because a character can begin with a slash.
    static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "song"
    }

    private static func isTerminal(_ path: String) -> Bool {
        if path == "-" { return isatty(1) == 1 }
        guard FileKind(path)?.isCharacterDevice == true else { return false }
        let descriptor = Glibc.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        return descriptor >= 0 && isatty(descriptor) == 1
    }
}

/// The file that a path leads to: two paths may lead to one file.
struct FileKind: Hashable {
    let device: UInt64
    let number: UInt64
    let isDirectory: Bool
    /// True if the file is written to directly, such as a device or a named pipe.
    let isStream: Bool
    let isCharacterDevice: Bool

    /// Nil if there is nothing, and for `-`.
    init?(_ path: String) {
        var status = stat()
        guard path != "-", stat(path, &status) == 0 else { return nil }
        let type = status.st_mode & S_IFMT
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        isDirectory = type == S_IFDIR
        isStream = type != S_IFREG && type != S_IFDIR
        isCharacterDevice = type == S_IFCHR
    }
}
