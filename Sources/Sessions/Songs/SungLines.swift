import RealtimeCore
import Sequencer

/// The words of a song as lines that are sung one after another, each syllable on its frame. Control side.
struct SungLines: Sendable {
    /// The part of a line that is sung at one moment.
    struct Syllable: Sendable {
        let frame: Int64
        let text: String
    }

    /// Lines in the order of time, none empty.
    private let lines: [[Syllable]]
    init(_ lyrics: Lyrics, _ map: TempoMap) {
        var lines: [[Syllable]] = []
        for syllable in lyrics.syllables {
            if lines.isEmpty || syllable.begins != .nothing { lines.append([]) }
            let text = syllable.text.filter { !$0.isNewline }
            lines[lines.count - 1].append(Syllable(frame: map.time(ofTick: syllable.tick).rawValue, text: text))
        }
        // A break without words is only a break.
        self.lines = lines.filter { $0.contains { $0.text.contains { !$0.isWhitespace } } }
    }

    /// Every line, and when it begins.
    var beginnings: [Syllable] { lines.map { Syllable(frame: $0[0].frame, text: $0.map(\.text).joined()) } }

    /// The line of a frame: the first before anything is sung, then the last that has begun; nil for a song without words.
    func line(at frame: Int64) -> SessionSnapshot.Lyrics? {
        guard !lines.isEmpty else { return nil }
        let place = lines.lastIndex { $0[0].frame <= frame } ?? 0
        let line = lines[place], count = line.prefix { $0.frame <= frame }.count
        func text(_ syllables: ArraySlice<Syllable>) -> String { syllables.map(\.text).joined() }
        let next = place + 1
        return SessionSnapshot.Lyrics(
            sung: SongSheet.shown(text(line[..<count])), toCome: SongSheet.shown(text(line[count...])),
            next: next < lines.count ? SongSheet.shown(text(lines[next][...])) : "")
    }
}
