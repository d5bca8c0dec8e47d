import Reports

/// The part of a song that is played from its beginning to its end, and the way: from where to where, how fast, how high, how
/// often its loop. Without a change it is the whole song.
public struct SongPassage: Hashable, Sendable {
    /// The one track to play, counted from 1; nil plays all.
    public var track: Int?
    /// The place where it begins, with programs, controllers and all else as if the song had been played up to there; nil means
    /// the song's beginning.
    public var from: TransportTarget?
    /// The place where it ends: keys and pedals go up, and what rings rings on. Relative ones count from `from`. nil means the
    /// song's end.
    public var to: TransportTarget?
    /// True if notes that keys hold where it begins are struck there, drums left out.
    public var chasesNotes = false
    /// Factor of the tempo, 0.1...10.
    public var tempo = 1.0
    /// Semitones, -48...48; drums stay.
    public var transpose = 0
    /// The number of times that the loop is played: from `from` to `to` if `to` is given, else what the song asks for
    /// (`LoopPoints`), else all of it; 1...1000.
    public var loops = 1
    /// Seconds in which the sound fades after the last loop, while it goes on, and after `to` while the song goes on; nil means
    /// it goes on to its end.
    public var fade: Double?
    /// Seconds in which the sound fades in where it begins.
    public var fadeIn: Double?
    /// True if the loop alone is heard, once, so that its end joins its beginning.
    public var isLoop = false

    /// The whole song.
    public init() {}

    /// Returns the frames of a timeline at which it begins and ends; no end if none is asked for.
    package func frames(in timeline: Timeline) throws(Fault) -> (from: Int64, to: Int64?) {
        let begin = try from.map { (place) throws(Fault) in try Self.frame(of: place, from: -1, in: timeline) } ?? 0
        if from != nil, begin >= timeline.length {
            throw .afterEnd(seconds: Double(timeline.length) / Double(timeline.sampleRate))
        }
        guard let to else { return (begin, nil) }
        let end = try Self.frame(of: to, from: begin, in: timeline)
        if end <= begin { throw .emptyPassage(from: begin, to: end, sampleRate: timeline.sampleRate) }
        return (begin, end)
    }

    private static func frame(
        of place: TransportTarget, from here: Int64, in timeline: Timeline
    ) throws(Fault) -> Int64 {
        if let frame = timeline.frame(of: place, from: here) { return frame }
        switch place {
        case .marker(let name): throw .noMarker(name, known: timeline.markers.map(\.text))
        case .byMarkers(let count): throw .noMarker("\(count) on", known: timeline.markers.map(\.text))
        case .bar, .byBars, .seconds, .bySeconds: throw .noBars
        }
    }
}

/// Kinds of passages that a song does not have.
extension Fault.Kind {
    /// The place is not in the song.
    public static let noPlace = Self("noPlace", .usage)
    /// The passage would begin where the song has ended.
    public static let afterEnd = Self("afterEnd", .usage)
    /// The passage would end where it begins, or before.
    public static let emptyPassage = Self("emptyPassage", .usage)
}

extension Fault {
    package static let noBars = Fault(
        "the song counts film frames and has no bars", .noPlace, remedy: "choose a time, such as 1m30s")
    package static func noMarker(_ name: String, known: [String]) -> Fault {
        var seen: Set<String> = []
        let all = known.filter { seen.insert($0).inserted }
        if all.isEmpty {
            return Fault(
                "the song has no markers, and none called \(name)", .noPlace, remedy: "choose a time, or bar 17")
        }
        let names = all.prefix(12).joined(separator: ", ") + (all.count > 12 ? " and \(all.count - 12) more" : "")
        return Fault(
            "the song has no marker \(name)", .noPlace, remedy: "it has \(names)\(NearName.question(name, among: known))")
    }
    package static func afterEnd(seconds: Double) -> Fault {
        Fault("the song ends at \(time(seconds))", .afterEnd, remedy: "choose a place before")
    }
    package static func emptyPassage(from: Int64, to: Int64, sampleRate: Int) -> Fault {
        let rate = Double(sampleRate)
        return Fault(
            "the passage would begin at \(time(Double(from) / rate)) and end at \(time(Double(to) / rate))", .emptyPassage,
            remedy: "choose an end after the beginning")
    }

    private static func time(_ seconds: Double) -> String {
        let tenths = Int64((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
