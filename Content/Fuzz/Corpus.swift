import Carillon
import Glibc

/// The files that mutations start from.
struct Corpus {
    let songs: [[UInt8]]
    let patches: [[UInt8]]
    /// Tiny SoundFonts: SF2, SF3, DLS.
    let soundFonts: [[UInt8]]
    /// Tiny files with sounds in them, of every kind that is read: SF2, SF3, DLS, SFZ, RMID.
    let fonts: [FontSeed]
    let largeSoundFonts: [[UInt8]]
    /// The tiny SF2 as a file, for songs to play.
    let soundFontPath: String

    /// `folder` takes the files that trials need. Throws `FuzzError.unreadable`.
    init(songs songFolder: String, soundFont: String?, folder: String) throws(FuzzError) {
        var songs: [[UInt8]] = []
        for name in FileBytes.names(in: songFolder) where name.hasSuffix(".mid") {
            let path = "\(songFolder)/\(name)"
            guard let bytes = FileBytes.read(path) else { throw .unreadable(path) }
            songs.append(bytes)
        }
        if songs.isEmpty { throw .unreadable("\(songFolder)/*.mid") }
        self.songs = songs + OddSongs.all.map(\.bytes) + FontSeed.songs
        do { patches = try PatchExample.all.map { Array(try $0.text.utf8) } } catch { throw .unreadable("\(error)") }
        let compressed = SoundFontSeed.sf3(in: folder)
        soundFonts = [SoundFontSeed.sf2, SoundFontSeed.dls] + (compressed.map { [$0] } ?? [])
        fonts = FontSeed.all(compressed: compressed)
        if let soundFont {
            guard let bytes = FileBytes.read(soundFont) else { throw .unreadable(soundFont) }
            largeSoundFonts = [bytes]
        } else {
            largeSoundFonts = []
        }
        soundFontPath = "\(folder)/seed.sf2"
        guard FileBytes.write(SoundFontSeed.sf2, to: soundFontPath) else { throw .unwritable(soundFontPath) }
    }

    /// A song that asks a SoundFont for everything: programs, drums, banks, layers, bends, pedals, resets.
    static let exercise: [UInt8] = {
        var body: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
        for (channel, program) in [(0, 0), (1, 1), (2, 8), (9, 0)] as [(UInt8, UInt8)] {
            body += [0, 0xC0 | channel, program, 0, 0xB0 | channel, 1, 90, 0, 0xB0 | channel, 91, 80]
            for key in [0, 36, 60, 61, 96, 127] as [UInt8] { body += [0, 0x90 | channel, key, 20 + key / 2] }
            body += [10, 0xE0 | channel, 0x7F, 0x7F]
        }
        body += [0, 0xB3, 0, 8, 0, 0xC3, 0, 0, 0x93, 60, 127]
        for channel in [0, 1, 2, 9] as [UInt8] {
            for key in [0, 36, 60, 61, 96, 127] as [UInt8] { body += [2, 0x80 | channel, key, 64] }
        }
        return SongBytes.song(body + SongBytes.end)
    }()
}

/// The reason why the fuzzer itself could not work.
enum FuzzError: Error, CustomStringConvertible {
    case usage(String)
    case unreadable(String)
    case unwritable(String)
    /// A process could not be started; `code` is the system's errno.
    case cannotStart(String, code: Int32)

    var description: String {
        switch self {
        case .usage(let what): "\(what)\n\(FuzzOptions.usage)"
        case .unreadable(let path): "\(path): cannot be read"
        case .unwritable(let path): "\(path): cannot be written"
        case .cannotStart(let path, let code): "\(path): cannot be started (\(String(cString: strerror(code))))"
        }
    }
}
