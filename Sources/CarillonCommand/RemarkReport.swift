import Carillon
import Remarks

/// Remarks as every command shows them on standard error: three lines, and where the rest is read.
enum RemarkReport {
    /// - Parameters:
    ///   - song: the song that plays; nil: none, or those that the remarks name.
    ///   - soundFonts: the files that play.
    ///   - isMeasured: whether a hidden remark is found only by rendering the song.
    static func lines(
        _ remarks: [Remark], song: String? = nil, soundFonts: [String] = [], isMeasured: ([Remark]) -> Bool = { _ in false }
    ) -> [String] {
        RemarkLines(remarks).text { command($0, song, soundFonts, isMeasured: isMeasured($0)) }
    }

    /// The lines of what a session has not told yet.
    static func lines(of session: Session) -> [String] {
        lines(session.takeRemarks(), song: session.playlist?.currentPath, soundFonts: session.graph.soundFonts)
    }

    /// The lines of a patch's remarks, which `carillon patch check` lists.
    static func lines(_ remarks: [Remark], ofPatch path: String) -> [String] {
        RemarkLines(remarks).text { _ in "carillon patch check \(ShellWord.quoted(path))" }
    }

    /// The command that lists hidden remarks, to be pasted; nil where none does.
    private static func command(_ hidden: [Remark], _ song: String?, _ soundFonts: [String], isMeasured: Bool) -> String? {
        var songs: [String] = []
        for subject in hidden.map(\.subject) where !songs.contains(subject) && SongList.hasEnding(subject, SongList.endings) {
            songs.append(subject)
        }
        if songs.isEmpty, let song { songs = [song] }
        if songs.isEmpty {
            let font = hidden.map(\.subject).first { soundFonts.contains($0) }
            return font.map { "carillon soundfont \(ShellWord.quoted($0))" }
        }
        let words = songs + soundFonts.flatMap { ["--soundfont", $0] } + (isMeasured ? ["--measure"] : [])
        return "carillon inspect " + words.map(ShellWord.quoted).joined(separator: " ")
    }
}
