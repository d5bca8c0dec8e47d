import Carillon
import Reports

/// Remarks as every command shows them on standard error: three lines, and where the rest is read.
enum RemarkReport {
    /// Songs that one command lists at most.
    private static let mostSongs = 3

    ///   - song: the song that plays; nil means none, or those that the remarks name.
    ///   - soundFonts: the files that play.
    ///   - other: what lists hidden remarks that no command lists: on tags, stems, keyboards; nil means nothing does.
    ///   - isListed: whether `carillon inspect` finds hidden remarks on songs.
    static func lines(
        _ remarks: [Remark], song: String? = nil, soundFonts: [String] = [], other: String? = nil,
        isListed: ([Remark]) -> Bool = { _ in true }
    ) -> [String] {
        RemarkLines(remarks).text { (isListed($0) ? command($0, song, soundFonts) : nil) ?? other }
    }

    static func lines(of session: Session) -> [String] {
        lines(session.takeRemarks(), song: session.playlist?.currentPath, soundFonts: session.graph.soundFonts)
    }

    /// The lines of a patch's remarks, which `carillon patch check` lists.
    static func lines(_ remarks: [Remark], ofPatch path: String) -> [String] {
        RemarkLines(remarks).text { _ in "carillon patch check \(ShellWord.quoted(path))" }
    }

    /// The command that lists hidden remarks, to be pasted; nil if none does.
    private static func command(_ hidden: [Remark], _ song: String?, _ soundFonts: [String]) -> String? {
        var songs: [String] = [], font: String?, known: Set<String> = []
        for subject in hidden.map(\.subject) where known.insert(subject).inserted {
            if SongList.hasEnding(subject, SongList.endings) {
                songs.append(subject)
            } else if soundFonts.contains(subject) {
                font = font ?? subject
            } else {
                return nil
            }
        }
        if songs.isEmpty, let song { songs = [song] }
        if songs.isEmpty { return font.map { "carillon soundfont \(ShellWord.quoted($0))" } }
        if songs.count > mostSongs { return "carillon inspect \(ShellWord.quoted(songs[0])) lists those of one song" }
        let words = songs.map(ShellWord.quoted) + soundFonts.map { "--soundfont " + ShellWord.quoted($0) }
        return (["carillon inspect"] + words).joined(separator: " ")
    }
}
