import Sequencer

/// "Auld Lang Syne": the traditional Scottish tune, words by Robert Burns (1788), with lyrics for a karaoke display.
/// The setting for voice, guitar, strings and bass is our own.
enum AuldLangSyne {
    static func score() throws(NoteTextError) -> SheetMusic {
        let quarter = SheetMusic.quarter
        let meters = MeterPlan([(17, 4, 4)], upbeat: quarter)
        let tune = try NoteText(melody, meters: meters)
        let sung = try lyrics(for: tune.notes)
        var tempo = TempoPlan(92)
        tempo.glide(
            to: 76, from: meters.start(ofBar: 8) + 2 * quarter, until: meters.start(ofBar: 9),
            step: quarter / 4)
        tempo.change(to: 96, at: meters.start(ofBar: 9))
        tempo.glide(to: 60, from: meters.start(ofBar: 15), until: meters.start(ofBar: 17))
        tempo.change(to: 58, at: meters.start(ofBar: 17))

        var strum: [ScoreNote] = []
        var bass: [ScoreNote] = []
        var strings: [ScoreNote] = []
        for (half, name) in chords.enumerated() {
            let start = quarter + half * 2 * quarter
            let (root, keys) = Self.chord(name)
            bass.append(ScoreNote(start: start, length: 2 * quarter, key: root, velocity: half % 2 == 0 ? 82 : 72))
            for (step, voice) in [0, 2, 1, 3].enumerated() where half < 32 {
                strum.append(
                    ScoreNote(
                        start: start + step * quarter / 2, length: quarter, key: keys[voice],
                        velocity: step == 0 ? 66 : 56))
            }
            // The strings join in the chorus.
            if half >= 16 {
                strings += keys.map { ScoreNote(start: start, length: 2 * quarter, key: $0, velocity: 54 + half / 2) }
            }
        }
        strum += Self.chord("F").keys.map {
            ScoreNote(start: meters.start(ofBar: 17), length: 4 * quarter, key: $0, velocity: 58)
        }
        let doubled = try NoteText(thirds, meters: meters, from: meters.start(ofBar: 9) - quarter).notes
        return SheetMusic(
            title: "Auld Lang Syne", meters: meters, tempo: tempo,
            key: KeySignature(sharps: -1, isMinor: false),
            markers: [(0, "Verse"), (meters.start(ofBar: 9) - quarter, "Chorus")],
            texts: ["@KMIDI KARAOKE FILE", "@LENGL", "@TAuld Lang Syne", "@TRobert Burns"],
            parts: [
                Part(
                    "Words", channel: 0, program: 73, volume: 108, pan: 64, reverb: 50,
                    touch: Touch(gate: 95, timing: 4, force: 4, seed: 1_788), notes: tune.notes,
                    lyrics: sung),
                Part(
                    "Second voice", channel: 1, program: 68, volume: 82, pan: 84, reverb: 50,
                    touch: Touch(gate: 95, timing: 5, force: 4, seed: 1_789), notes: doubled),
                Part(
                    "Guitar", channel: 2, program: 24, volume: 96, pan: 40, reverb: 36, chorus: 10,
                    touch: Touch(gate: 110, timing: 4, force: 6, spread: 12, seed: 1_790), notes: strum),
                Part(
                    "Bass", channel: 3, program: 32, volume: 104, pan: 60, reverb: 24,
                    touch: Touch(gate: 92, timing: 3, force: 4, seed: 1_791), notes: bass),
                Part(
                    "Strings", channel: 4, program: 48, volume: 82, pan: 72, reverb: 64,
                    touch: Touch(gate: 101, timing: 3, force: 3, seed: 1_792), notes: strings),
            ],
            end: meters.end)
    }

    static let melody = """
        @c4 mf: c4 | f4. f8 f4 a | g4. f8 g4 a8 g | f4. f8 a4 c | d2. d4 |
        c4. a8 a4 f | g4. f8 g4 a8 g | f4. d8 d4 c | f2. f: d'4 |
        c4. a8 a4 f | g4. f8 g4 d' | c4. a8 a4 c | d2. d4 |
        c4. a8 a4 f | g4. f8 g4 a8 g | > f4. d8 d4 c | mp: f1~ | f1 |
        """

    private static let thirds = """
        @bb4 mp: bb4 | a4. f8 f4 c | e4. d8 e4 f | a4. f8 f4 a | bb2. bb4 |
        a4. f8 f4 c | e4. d8 e4 f8 e | > d4. bb8 bb4 bb | p: a1~ | a1 |
        """

    /// One word group per sung note, `_` where a syllable goes on over a further note. `/` begins a line.
    private static let words = """
        /Should auld ac- quain- tance be for- got, and _ /ne- ver brought to mind?
        /Should auld ac- quain- tance be for- got, and _ /auld _ lang _ syne?
        /For auld _ lang _ syne, my dear, /for auld _ lang _ syne,
        /we'll tak' a cup o' kind- ness yet, /for _ auld _ lang _ syne.
        """

    /// A chord for each half bar from bar 1.
    private static let chords: [String] = [
        "F", "F", "C", "C", "F", "F7", "Bb", "Bb", "F", "Dm", "C", "C", "Bb", "C", "F", "Bb",
        "F", "F", "C", "C", "F", "F7", "Bb", "Bb", "F", "Dm", "Gm", "C", "Bb", "C", "F", "F", "F", "F",
    ]

    private static func chord(_ name: String) -> (root: Int, keys: [Int]) {
        switch name {
        case "C": (36, [55, 60, 64, 67])
        case "F7": (41, [57, 60, 63, 65])
        case "Bb": (46, [58, 62, 65, 70])
        case "Dm": (38, [57, 62, 65, 69])
        case "Gm": (43, [58, 62, 67, 70])
        default: (41, [57, 60, 65, 69])
        }
    }

    /// Marked up as karaoke files do: a blank before a new word, "\r" before a line.
    private static func lyrics(for notes: [ScoreNote]) throws(NoteTextError) -> [(tick: Int, syllable: String)] {
        let words = Self.words.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == notes.count else {
            throw .steps("lyrics with \(words.count) syllables", wanted: notes.count)
        }
        var result: [(tick: Int, syllable: String)] = []
        var withinWord = true
        for (word, note) in zip(words, notes) where word != "_" {
            let line = word.hasPrefix("/")
            let breaks = word.hasSuffix("-")
            let text = word.dropFirst(line ? 1 : 0).dropLast(breaks ? 1 : 0)
            result.append((note.start, (line ? "\r" : withinWord ? "" : " ") + text))
            withinWord = breaks
        }
        return result
    }
}
