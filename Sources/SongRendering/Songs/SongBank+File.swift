import SongFiles
import SoundFonts

extension SongBank {
    /// Returns the SoundFont in a song file that was read from `path`, and a sentence if it has one that cannot be played: the
    /// song then sounds with the usual ones.
    ///
    /// - Parameter isWanted: false looks for none.
    public static func bank(
        in file: SongFile, path: String, isWanted: Bool = true
    ) -> (bank: SongBank?, remark: String?) {
        if file.container != .riff || !isWanted { return (nil, nil) }
        do throws(SoundFontError) { return (try SongBank(song: path), nil) } catch {
            if case .notAFile = error {
                return (nil, "a SoundFont in this song is only played where it is read from a file, not from \(path)")
            }
            return (nil, "the SoundFont in this song is not played: \(error)")
        }
    }

    /// `Tiny, 3 presets from bank 1 on`.
    public var summary: String {
        let name = title.isEmpty ? "" : "\(title), "
        return "\(name)\(presets.count) preset\(presets.count == 1 ? "" : "s") from bank \(source.bankOffset) on"
    }
}
