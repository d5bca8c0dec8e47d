import Carillon

/// The state that an installation saves as text, to resume where it was after a power cut.
///
/// It has a line for each value: `song songs/gavotte.mid`. Lines of a later version are ignored; a text that lacks a
/// necessary line is invalid.
public struct InstallationState: Hashable, Sendable {
    /// The playlist that the calendar had asked for; it may have led to another one.
    public var asked: String
    /// The song's place in its playlist.
    public var place: Programme.Place
    /// The song's file.
    public var song: String
    /// Seconds after its beginning at its own tempo, and the bar, from 1; 0 in a song that has no bars.
    public var seconds: Double
    public var bar: Int
    /// When it was written.
    public var moment: WallTime
    /// The files of the requested songs that wait, in order.
    public var requests: [String] = []

    /// Makes a state of what plays, and where.
    public init(
        asked: String, place: Programme.Place, song: String, seconds: Double, bar: Int, moment: WallTime
    ) {
        (self.asked, self.place, self.song, self.seconds) = (asked, place, song, seconds)
        (self.bar, self.moment) = (bar, moment)
    }

    /// The state as it is written.
    public var text: String {
        let lines =
            [
                "asked \(StateWord.written(asked))", "playlist \(StateWord.written(place.playlist))", "round \(place.round)",
                "step \(place.step)",
                "song \(StateWord.written(song))", "seconds \(seconds)", "bar \(bar)",
                "moment \(moment.seconds)",
            ] + requests.map { "request \(StateWord.written($0))" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Reads what was written; nil if something is missing or makes no sense.
    public init?(text: String) {
        var values: [Substring: String] = [:], requests: [String] = []
        for line in text.split(separator: "\n") {
            guard let blank = line.firstIndex(of: " ") else { continue }
            let key = line[..<blank], value = StateWord.read(line[line.index(after: blank)...])
            if key == "request" { requests.append(value) } else { values[key] = value }
        }
        guard let asked = values["asked"], let playlist = values["playlist"], let song = values["song"],
            let round = values["round"].flatMap({ Int($0) }), let step = values["step"].flatMap({ Int($0) }),
            let seconds = values["seconds"].flatMap({ Double($0) }), seconds.isFinite,
            let bar = values["bar"].flatMap({ Int($0) }), let moment = values["moment"].flatMap({ Int64($0) })
        else { return nil }
        self.init(
            asked: asked, place: Programme.Place(playlist: playlist, round: round, step: step), song: song,
            seconds: max(seconds, 0), bar: max(bar, 0), moment: WallTime(seconds: moment))
        self.requests = Array(requests.prefix(InstallationTimes.mostRequests))
    }
}
