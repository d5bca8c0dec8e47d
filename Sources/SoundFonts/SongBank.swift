/// The SoundFont inside a song file (RMID), checked: its presets answer that song before those of any other SoundFont.
///
/// The song file is named where a SoundFont is; which bytes of it are meant, `SoundFontStorage` finds out. Control side.
public struct SongBank: Sendable, Hashable {
    /// The song file, and the offset that the song sets for the bank's melodic presets.
    public let source: SoundFontLibrary.Source
    /// The kind of SoundFont that the song brings.
    public let format: SoundFontFile.Format
    /// The name it gives itself; empty if it gives none.
    public let title: String
    /// The presets, with its own numbers.
    public let presets: [SoundFontFile.Preset]
    /// Bytes that it takes in the song file.
    public let byteCount: Int

    /// The bank in the song file at `path`; nil if there is none, or the file is not an RMID. Throws its fault.
    public init?(song path: String) throws(SoundFontError) {
        let file: SoundFontFile, offset: Int
        do throws(SoundFontError) {
            let storage = try SoundFontStorage(path: path)
            guard storage.isInSong else { return nil }
            offset = storage.bankOffset
            file = try SoundFontFile(path: path)
        } catch {
            if case .noBank = error { return nil }
            throw error
        }
        source = SoundFontLibrary.Source(path: path, bankOffset: offset)
        (format, title, presets, byteCount) = (file.format, file.title, file.presets, file.fileSize)
    }
}
