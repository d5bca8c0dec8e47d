import Glibc
import Reports

/// A file in place of a command, as in `carillon song.mid`: what can be done with it.
enum FileForACommand {
    /// A sentence; nil for what neither is there nor has the ending of a song.
    static func hint(_ name: String) -> String? {
        let shown = ShellWord.quoted(name)
        if SongList.hasEnding(name, ["sf2", "sf3", "dls", "sfz"]) {
            return
                "\(name): is a SoundFont, not a command; write carillon play SONG --soundfont \(shown), or carillon live --soundfont \(shown)"
        }
        if SongList.hasEnding(name, SongList.namedEndings) {
            return "\(name): is a song, not a command; write carillon play \(shown), or carillon render \(shown)"
        }
        guard let kind = FileKind(name) else { return nil }
        if SongList.hasEnding(name, ["yaml", "yml"]) {
            return
                "\(name): is a file, not a command; a patch is played by carillon live --patch \(shown), an installation run by "
                + "carillon serve \(shown)"
        }
        return
            "\(name): is a \(kind.isDirectory ? "folder" : "file"), not a command; songs are played by carillon play \(shown), and "
            + "rendered by carillon render \(shown)"
    }
}
