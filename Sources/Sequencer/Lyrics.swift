/// The words of a song, with the tick of every syllable.
///
/// Two customs exist, and both are read: lyric events (FF 05; RP-017, a carriage return or line feed ends a line), and
/// the karaoke files of the nineties (.kar): text events (FF 01) in a track with `@` headers (`@K` type, `@L` language,
/// `@T` title, `@I` and `@W` information, `@V` version), where `\` begins a new page and `/` a new line. A song with
/// both is read as the one that has more syllables.
package struct Lyrics: Hashable, Sendable {
    /// Title lines, as they come (`@T`): by custom title, author, arranger.
    package var titles: [String] = []
    /// `@L`, for instance ENGL.
    package var language: String?
    /// `@I` and `@W` lines.
    package var information: [String] = []
    /// The syllables that are sung, in the order of time.
    package var syllables: [Syllable] = []

    /// A piece of text that is sung at once. Spaces belong to it: syllables of one word have none between them.
    package struct Syllable: Hashable, Sendable {
        /// Unit: ticks.
        package var tick: Int64
        package var text: String
        package var begins: Begins

        package init(tick: Int64, text: String, begins: Begins) {
            (self.tick, self.text, self.begins) = (tick, text, begins)
        }
    }

    /// What a syllable begins on the screen.
    package enum Begins: Hashable, Sendable {
        case nothing, line, page
    }

    package init(_ song: Song) {
        var sung: [Syllable] = []
        var shown: [Syllable] = []
        for track in song.tracks {
            var endsLine = false
            let isKaraoke = track.events.contains { Self.text($0, .text)?.hasPrefix("@") == true }
            for event in track.events {
                if let text = Self.text(event, .lyric) {
                    Self.add(lyric: text, at: event.tick, to: &sung, endsLine: &endsLine)
                } else if isKaraoke || track.name == "Words", let text = Self.text(event, .text) {
                    if text.hasPrefix("@") { header(text) } else { Self.add(karaoke: text, at: event.tick, to: &shown) }
                }
            }
        }
        let more = shown.count > sung.count ? shown : sung
        syllables = more.enumerated().sorted { a, b in
            a.element.tick != b.element.tick ? a.element.tick < b.element.tick : a.offset < b.offset
        }.map(\.element)
    }

    private mutating func header(_ text: String) {
        let value = String(text.dropFirst(2))
        switch text.dropFirst().first {
        case "T": titles.append(value)
        case "L": language = value
        case "I", "W": information.append(value)
        default: break
        }
    }

    private static func add(karaoke text: String, at tick: Int64, to syllables: inout [Syllable]) {
        let begins: Begins = text.hasPrefix("\\") ? .page : text.hasPrefix("/") ? .line : .nothing
        syllables.append(
            Syllable(tick: tick, text: begins == .nothing ? text : String(text.dropFirst()), begins: begins))
    }

    /// A line ends with its last syllable, so the syllable after it begins the next.
    private static func add(lyric text: String, at tick: Int64, to syllables: inout [Syllable], endsLine: inout Bool) {
        let isBreak: (Character) -> Bool = { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
        let begins: Begins = endsLine || text.first.map(isBreak) == true ? .line : .nothing
        let words = String(text.drop(while: isBreak))
        endsLine = words.isEmpty ? begins == .line : words.last.map(isBreak) == true
        let sung = words.filter { !isBreak($0) }
        if !sung.isEmpty { syllables.append(Syllable(tick: tick, text: sung, begins: begins)) }
    }

    private static func text(_ event: SongEvent, _ kind: SongText.Kind) -> String? {
        guard case .text(let text) = event.kind, text.kind == kind else { return nil }
        return text.string
    }
}
