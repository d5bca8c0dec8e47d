import Sequencer

/// Our own page for sixteen channels of orchestra: tremolos, runs, harp glissandos under the pedal, full brass.
enum SeaWall {
    /// Chords of the 36 bars: bass key, then the pitch classes.
    static let progression: [(bass: Int, classes: [Int])] = [
        "d", "d", "B", "d", "d", "B", "g", "A", "d", "F", "g", "A",
        "d", "C", "B", "F", "g", "d", "e", "A", "B", "C", "a", "d", "g", "C", "F", "7",
        "d", "B", "F", "C", "g", "B", "D", "D",
    ].map(chord)

    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(progression.count, 4, 4)])
        let bar = meters.start(ofBar:)
        var tempo = TempoPlan(126)
        tempo.glide(to: 144, from: bar(1), until: bar(5))
        tempo.glide(to: 156, from: bar(21), until: bar(29))
        tempo.change(to: 132, at: bar(29))
        tempo.glide(to: 92, from: bar(33), until: bar(35))
        tempo.change(to: 84, at: bar(35))

        let theme = """
            @d4 f: d2 f4. e8 | d2 bb | g'4. a8 bb4 a8 g | a2. r8 a | d2 c4 bb | a4. f8 a4 c | bb a g f | e2 a |
            """
        let answer = """
            @d5 ff: d4. e8 f4 g | e2 g4. f8 | d4. c8 bb4 d | c4. a8 f2 | bb'4. a8 g4 bb | a4. g8 f4 d | g4. f8 e4 bb |
            a2 a'8 g f e |
            """
        let sequence = """
            @d5 f: < d4. c8 bb4 d | e4. d8 c4 e | c4. b8 a4 c | f4. e8 d4 f | d4. c8 bb4 d | g4. f8 e4 g |
            a4. g8 f4 a | ff: g2 c#, |
            """
        let chorale = """
            @a5 fff: d2_ f_ | d4._ c8 bb2_ | a2_ c4 f | e2._ c4 | d4. c8 bb4 d | f4. e8 d4 f | f#1~ | f# |
            """
        func tune(_ text: String, _ first: Int, _ keys: Int = 0) throws(NoteTextError) -> [ScoreNote] {
            try NoteText(text, meters: meters, from: bar(first)).notes.map { $0.shifted(keys: keys) }
        }
        let page = OrchestralPage(meters: meters, chords: progression)

        let horns =
            try tune(theme, 5) + page.held(13...28, low: 53, high: 69, voices: 3, velocity: 70)
            + page.held(29...36, low: 53, high: 70, voices: 4, velocity: 104)
        let violins =
            try tune(answer, 13) + tune(sequence, 21, 12) + tune(chorale, 29) + tune(chorale, 29, -12)
            + tune(theme, 5, 12).filter { $0.start >= bar(9) }
            + page.held(29...36, low: 62, high: 76, voices: 4, velocity: 92)
        let trumpets =
            try tune(sequence, 21) + tune(chorale, 29, -12)
            + page.held(29...36, low: 60, high: 76, voices: 4, velocity: 98)
            + page.pulses(18...20, low: 62, high: 76, voices: 3, velocity: 84)
        let flutes =
            page.runs(13...28, low: 74, high: 93, velocity: 78)
            + page.held(29...36, low: 74, high: 93, voices: 4, velocity: 96)
        let piccolo =
            page.runs(21...28, low: 86, high: 101, velocity: 70)
            + (try tune(chorale, 29, 12)).filter { $0.key <= 103 }
        let cellos =
            try tune(theme, 5, -12) + page.held(1...4, low: 45, high: 58, voices: 2, velocity: 60)
            + tune(sequence, 21, -24) + page.held(13...20, low: 46, high: 60, voices: 3, velocity: 84)
            + page.held(29...36, low: 45, high: 60, voices: 4, velocity: 106)

        let stage: [(String, UInt8, UInt8, UInt8, [ScoreNote])] = [
            ("Piccolo", 72, 52, 58, piccolo),
            ("Flutes", 73, 58, 50, flutes),
            (
                "Oboes", 68, 56, 56,
                page.held(9...12, low: 67, high: 81, voices: 2, velocity: 66)
                    + page.pulses(13...28, low: 67, high: 82, voices: 2, velocity: 70)
                    + page.held(29...36, low: 69, high: 84, voices: 3, velocity: 92)
            ),
            (
                "Clarinets", 71, 58, 72,
                page.held(5...12, low: 60, high: 76, voices: 2, velocity: 58)
                    + page.runs(17...28, low: 60, high: 82, velocity: 70)
                    + page.held(29...36, low: 62, high: 80, voices: 4, velocity: 92)
            ),
            (
                "Bassoons", 70, 61, 78,
                page.pulses(5...28, low: 41, high: 56, voices: 2, velocity: 74)
                    + page.held(29...36, low: 41, high: 58, voices: 3, velocity: 96)
            ),
            ("Horns", 60, 69, 42, horns),
            ("Trumpets", 56, 63, 84, trumpets),
            (
                "Trombones", 57, 63, 94,
                page.held(20...20, low: 45, high: 62, voices: 3, velocity: 90)
                    + page.pulses(21...28, low: 45, high: 62, voices: 3, velocity: 78)
                    + page.held(29...36, low: 45, high: 62, voices: 4, velocity: 108)
            ),
            (
                "Tuba", 58, 66, 90,
                page.roots(13...28, octave: 0, length: 960, velocity: 84)
                    + page.roots(29...36, octave: 0, length: 1_920, velocity: 106)
            ),
            ("Percussion", 0, 63, 64, page.percussion()),
            ("Timpani", 47, 74, 64, page.timpani()),
            (
                "Harp", 46, 63, 24,
                page.glissandos([4, 8, 12, 20, 28, 29, 31, 33, 34, 35, 36])
                    + page.arpeggios(5...12, velocity: 64)
            ),
            ("Violins", 48, 71, 34, violins),
            ("Tremolo", 44, 61, 44, page.tremolo(1...36)),
            ("Violoncellos", 42, 66, 92, cellos),
            (
                "Double basses", 43, 71, 104,
                page.roots(1...12, octave: 0, length: 1_920, velocity: 76)
                    + page.roots(13...36, octave: 0, length: 480, velocity: 92)
                    + page.roots(29...36, octave: 1, length: 480, velocity: 84)
            ),
        ]
        let pedal = Gesture.pedal((1...36).map { (down: bar($0) + 10, up: bar($0 + 1) - 4) })
        let parts = stage.enumerated().map { index, player in
            var gestures = player.0 == "Harp" || player.0 == "Tremolo" ? pedal : []
            if player.0 == "Tremolo" {
                // The sea rises, twice.
                gestures +=
                    Gesture.sweep(11, from: 60, to: 118, start: 0, end: bar(5), step: 120)
                    + Gesture.sweep(11, from: 84, to: 127, start: bar(21), end: bar(29), step: 240)
            }
            return Part(
                player.0, channel: UInt8(index), program: player.1, volume: player.2, pan: player.3, reverb: 60,
                chorus: player.1 == 48 || player.1 == 44 ? 16 : 0,
                touch: Touch(gate: 96, timing: index == 9 ? 2 : 5, force: 5, seed: 3_600 + UInt64(index)),
                notes: player.4, gestures: gestures.byTick)
        }
        return SheetMusic(
            title: "Spring Tide at the Sea Wall", meters: meters, tempo: tempo,
            key: KeySignature(sharps: -1, isMinor: true),
            markers: [
                (0, "Swell"), (bar(5), "Horns"), (bar(13), "Tutti"), (bar(21), "Rising"),
                (bar(29), "Flood"),
            ],
            parts: parts, end: meters.end)
    }

    /// Lower case is minor, `e` diminished, `7` the dominant seventh on A.
    private static func chord(_ name: String) -> (bass: Int, classes: [Int]) {
        switch name {
        case "d": (38, [2, 5, 9])
        case "D": (38, [2, 6, 9])
        case "B": (34, [10, 2, 5])
        case "g": (43, [7, 10, 2])
        case "A": (33, [9, 1, 4])
        case "7": (33, [9, 1, 4, 7])
        case "F": (41, [5, 9, 0])
        case "C": (36, [0, 4, 7])
        case "a": (33, [9, 0, 4])
        default: (40, [4, 7, 10])
        }
    }
}
