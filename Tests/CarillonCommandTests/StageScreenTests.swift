import Carillon
import Control
import Reports
import Testing

@testable import CarillonCommand
@testable import Sessions

/// The screen that is read from two metres.
@Suite struct StageScreenTests {
    private static let unicode = ScreenStyle(hasUnicode: true, hasColour: false)

    @Test(arguments: [(40, 20), (80, 24), (140, 40)]) func aLostCardIsSaidInLargeLetters(_ size: (columns: Int, rows: Int)) throws
    {
        var snapshot = try Self.hymn()
        #expect(!text(snapshot, size.columns, size.rows).joined().contains("sound card"))
        snapshot.device.state = "lost"
        let lines = text(snapshot, size.columns, size.rows)
        #expect(lines.count <= size.rows && lines.contains("the sound card is lost"))
        // Letters are drawn with blocks.
        #expect(size.columns < 80 || lines[0].contains("\u{2588}"), "\(lines)")
    }

    /// A hymn in its second part, over a metronome, with loops, pedals and two zones.
    static func hymn() throws -> SessionSnapshot {
        var snapshot = SnapshotSamples.live
        snapshot.patches = .init(name: "Pedal Organ", number: 3, count: 12, next: "Strings and Choir", isNextReady: true)
        snapshot.metronome = SnapshotSamples.metronome(tempo: 96)
        snapshot.tempo = 96
        snapshot.scene = "full"
        snapshot.scenes = ["soft", "full"]
        (snapshot.capture, snapshot.isLocked) = ("evening.wav", true)
        let text = """
            {title: Evening Hymn}
            [Verse]
            [C]Now the day is [F]over,
            [G]night is drawing [C]nigh

            [Chorus]
            [F]Shadows of the [C]evening
            [G7]steal across the [C]sky
            """
        let sheet = EntrySheet(try ChordSheet(text), parts: ["Verse", "Chorus", "Verse"].map { .init(name: $0) })
        snapshot.text = .init(
            title: sheet.title, part: "Verse", number: 1, parts: sheet.parts.map(\.part.name), lines: sheet.parts[0].lines,
            ahead: sheet.parts[1].lines)
        snapshot.loops = [("playing", 2.0), ("overdubbing", 6), ("empty", 0)].enumerated().map { place, loop in
            .init(
                track: place + 1, state: loop.0, seconds: 8, beats: 16, position: loop.1, layers: 1, undone: 0, isMuted: false,
                isSoloed: false)
        }
        snapshot.buttons = try [
            "controller-80=patch next", "controller-81=part next", "controller-81,hold=part previous",
        ].map { .init(try ControlGrammar.standard.button($0)) }
        snapshot.zones = [
            .init(
                name: "pedal", keys: "C-1-B3", plays: "bass", channel: 3,
                sound: .init(bank: 0, program: 32, name: "Upright Bass"), isHeard: true),
            .init(name: "manual", keys: "C4-G9", plays: nil, channel: 1, isHeard: true),
            .init(name: "strings", keys: "C4-G9", plays: nil, channel: 2, isHeard: false),
        ]
        return snapshot
    }

    private func text(_ snapshot: SessionSnapshot, _ columns: Int, _ rows: Int, _ style: ScreenStyle = unicode) -> [String] {
        StageScreen.lines(snapshot, columns: columns, rows: rows, style: style).map(\.text)
    }

    @Test(arguments: [(79, 23), (39, 19), (139, 39), (20, 8), (10, 3), (1, 1)])
    func itFitsAndKeepsWhatIsNeededFirst(_ columns: Int, _ rows: Int) throws {
        for style in [Self.unicode, ScreenStyle(hasUnicode: false, hasColour: false)] {
            let lines = text(try Self.hymn(), columns, rows, style)
            #expect(lines.count <= rows && lines.allSatisfy { TextColumns.count($0) <= columns })
            if columns < 39 { continue }
            let whole = lines.joined(separator: "\n")
            for words in ["3/12", "REC", "Verse", "Now the day is over,", "C              F", "night is drawing nigh", "96 bpm"] {
                #expect(whole.contains(words), "\(words) at \(columns):\n\(whole)")
            }
            #expect(whole.contains("next: Strings and") && whole.contains("overdubbing"), "\(whole)")
            if columns > 40 {
                for words in ["controller-80 patch next", "pedal", "Upright Bass", "then Chorus", "Shadows of the evening"] {
                    #expect(whole.contains(words), "\(words) at \(columns):\n\(whole)")
                }
            }
        }
    }

    /// A line that is too long goes on in the next one, and its chords stay above their syllables.
    @Test func longLinesAreBroken() throws {
        var snapshot = try Self.hymn()
        let sheet = EntrySheet(
            try ChordSheet("[Verse]\n[C]The day thou gavest, Lord, is [F]ended, the darkness falls at [G7]thy behest"), parts: [])
        snapshot.text?.lines = sheet.parts[0].lines
        let lines = text(snapshot, 39, 19)
        let first = try #require(lines.firstIndex { $0.hasPrefix("The day thou gavest, Lord, is ended,") })
        #expect(lines[first + 2] == "the darkness falls at thy behest", "\(lines)")
        #expect(lines[first - 1].firstRange(of: "F")?.lowerBound == lines[first].firstRange(of: "ended")?.lowerBound)
        #expect(lines[first + 1].firstRange(of: "G7")?.lowerBound == lines[first + 2].firstRange(of: "thy")?.lowerBound)
    }

    /// `PEDAL` in dots, upper and lower halves together.
    @Test func theNameIsInLargeLetters() throws {
        #expect(
            LargeLetters.lines("Öl 2", columns: 15) == [
                "\u{2584}\u{2580}\u{2584} \u{2588}       \u{2580}\u{2580}\u{2588}",
                "\u{2588} \u{2588} \u{2588}       \u{2588}\u{2580}\u{2580}",
                " \u{2580}  \u{2580}\u{2580}\u{2580}     \u{2580}\u{2580}\u{2580}",
            ])
        #expect(LargeLetters.lines("Öl 2", columns: 14) == nil && LargeLetters.lines("日本", columns: 80) == nil)
        let lines = text(try Self.hymn(), 79, 23)
        #expect(lines.contains { $0.contains("\u{2588}") } && !lines.contains { $0.contains("Pedal Organ") })
        #expect(text(try Self.hymn(), 39, 19).contains { $0.contains("Pedal Organ") })
    }

    @Test func theLogHasALineForEachPart() throws {
        var log = LiveLog(showsSong: false), snapshot = try Self.hymn()
        func parts() -> [String] { log.lines(for: snapshot, at: 0).filter { $0.hasPrefix("event=part ") } }
        #expect(parts() == ["event=part name=Verse number=1 count=3 time=480000"] && parts() == [])
        snapshot.text?.part = "Chorus"
        snapshot.text?.number = 2
        #expect(parts() == ["event=part name=Chorus number=2 count=3 time=480000"])
    }

    @Test func whatIsSungIsShownWithoutAText() {
        let lines = text(SnapshotSamples.karaoke, 79, 23).joined(separator: "\n")
        #expect(lines.contains("How I won|der what you are") && lines.contains("Up above the world"), "\(lines)")
        #expect(lines.contains("1:02 / 3:20"), "\(lines)")
    }

    /// On a small screen the help has pages; together they name every key, and each has room.
    @Test(arguments: [(39, 19), (79, 23), (139, 39)]) func helpHasPages(_ columns: Int, _ rows: Int) throws {
        let snapshot = try Self.hymn(), situation = KeyTable.Situation(snapshot)
        let pages = HelpPages(KeyTable(.live), situation, columns: columns, rows: rows).pages
        let shown = (1...pages.count).map { page in
            LiveScreen.lines(snapshot, columns: columns, rows: rows, style: Self.unicode, helpPage: page).map(\.text)
                .joined(separator: "\n")
        }
        for keys in KeyTable(.live).help(in: situation) where !keys.hasPrefix("? ") {
            #expect(shown.contains { $0.contains(String(keys.prefix(columns - Screen.label))) }, "\(keys)")
        }
        #expect(shown.allSatisfy { $0.contains("q quit") } && shown.dropLast().allSatisfy { $0.contains("? more (") })
        #expect(shown.last?.contains("? close") == true && pages.count > (columns < 79 ? 1 : 0))
    }

    /// A button whose request is wider than the screen leaves room for the number of those that are not shown.
    @Test func buttonsThatHaveNoRoomAreCounted() throws {
        var screen = Screen(columns: 39, style: Self.unicode)
        screen.add("buttons", items: (1...5).map { ScreenLine("controller-8\($0) looper record \($0) when armed") }, rank: 0)
        let lines = screen.lines().map(\.text)
        #expect(lines.count == 3 && lines[2].hasSuffix("  +2"), "\(lines)")
    }

    /// The other screen has a row for each zone, with its sound and its level, and channels only without zones.
    @Test(arguments: [79, 139, 39]) func zonesHaveRows(_ columns: Int) throws {
        var snapshot = try Self.hymn()
        let lines = LiveScreen.lines(snapshot, columns: columns, style: Self.unicode).map(\.text)
        let row = try #require(lines.first { $0.contains("pedal ") })
        #expect(row.hasPrefix("zones") && row.contains("C-1-B3") && !lines.contains { $0.hasPrefix("channels") })
        #expect(columns < 60 || row.contains("Upright Bass"), "\(row)")
        #expect(lines.contains { $0.contains("strings") && $0.contains("off") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("capture   evening.wav") })
        #expect(lines.contains { $0.hasPrefix("part") && $0.contains("1/3 Verse") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("loops") && $0.contains("1 playing") }, "\(lines)")
        // A zone of a unit without presets has the name of that, whatever its channel asks for.
        snapshot.zones[0].sound = nil
        let unit = LiveScreen.lines(snapshot, columns: columns, style: Self.unicode).map(\.text).first { $0.contains("pedal ") }
        #expect(columns < 60 || unit?.contains("bass") == true && unit?.contains("Upright") == false, "\(unit ?? "")")
        snapshot.zones = []
        #expect(LiveScreen.lines(snapshot, columns: columns, style: Self.unicode).contains { $0.text.hasPrefix("channels") })
    }
}
