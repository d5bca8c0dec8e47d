import Sequencer

/// J. S. Bach, Prelude and Fugue in C major, BWV 846 (The Well-Tempered Clavier I, 1722): 35 and 27 bars.
///
/// Without the bar that Schwencke added to the prelude. The fugue's ornaments are written out.
enum BachPreludeAndFugue {
    static let preludeBars = 35
    static let fugueBars = 27

    /// The five notes of each of the first 32 bars, from the bass up; every half bar plays
    /// 1 2 3 4 5 3 4 5 in sixteenths and holds the lower two.
    static let preludeChords: [[Int]] = [
        [60, 64, 67, 72, 76], [60, 62, 69, 74, 77], [59, 62, 67, 74, 77], [60, 64, 67, 72, 76],
        [60, 64, 69, 76, 81], [60, 62, 66, 69, 74], [59, 62, 67, 74, 79], [59, 60, 64, 67, 72],
        [57, 60, 64, 67, 72], [50, 57, 62, 66, 72], [55, 59, 62, 67, 71], [55, 58, 64, 67, 73],
        [53, 57, 62, 69, 74], [53, 56, 62, 65, 71], [52, 55, 60, 67, 72], [52, 53, 57, 60, 65],
        [50, 53, 57, 60, 65], [43, 50, 55, 59, 65], [48, 52, 55, 60, 64], [48, 55, 58, 60, 64],
        [41, 53, 57, 60, 64], [42, 48, 57, 60, 63], [44, 53, 59, 60, 62], [43, 53, 55, 59, 62],
        [43, 52, 55, 60, 64], [43, 50, 55, 60, 65], [43, 50, 55, 59, 65], [43, 51, 57, 60, 66],
        [43, 52, 55, 60, 67], [43, 50, 55, 60, 65], [43, 50, 55, 59, 65], [36, 48, 55, 58, 64],
    ]

    /// The velocity of each prelude bar: the line rises to bar 15, sinks, and gathers over the pedal point from bar 24.
    private static let preludeVelocities = [
        66, 68, 70, 68, 72, 74, 76, 72, 70, 72, 68, 74, 70, 74, 69, 66,
        66, 68, 64, 68, 70, 74, 78, 72, 72, 74, 76, 82, 84, 80, 78, 72,
    ]

    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(preludeBars + fugueBars, 4, 4)])
        let bar = 4 * SheetMusic.quarter
        let fugueStart = preludeBars * bar
        var tempo = TempoPlan(69)
        tempo.glide(to: 52, from: 33 * bar, until: 34 * bar)
        tempo.change(to: 40, at: 34 * bar)
        tempo.change(to: 63, at: fugueStart)
        tempo.glide(to: 44, from: fugueStart + 26 * bar, until: fugueStart + 26 * bar + bar / 2)
        tempo.change(to: 38, at: fugueStart + 26 * bar + bar / 2)

        let pedal =
            (0..<64).map { (down: $0 * bar / 2 + 40, up: ($0 + 1) * bar / 2 - 10) }
            + [(32 * bar + 40, 33 * bar - 10), (33 * bar + 40, 34 * bar - 10), (34 * bar + 40, 35 * bar - 120)]
        var parts = [
            Part(
                "Prelude", channel: 0, program: 0, volume: 120, reverb: 48,
                touch: Touch(gate: 98, timing: 5, force: 3, seed: 846),
                notes: try prelude(), gestures: Gesture.pedal(pedal))
        ]
        let voices = [("Soprano", soprano, 70), ("Alto", alto, 58), ("Tenor", tenor, 66), ("Bass", bass, 62)]
        for (index, voice) in voices.enumerated() {
            let notes = try NoteText(voice.1, meters: meters, from: fugueStart).notes
            parts.append(
                Part(
                    voice.0, channel: UInt8(index + 1), program: 0, volume: 116, pan: UInt8(voice.2),
                    reverb: 48,
                    touch: Touch(gate: 93, timing: 4, force: 4, seed: 1_722 + UInt64(index)), notes: notes))
        }
        return SheetMusic(
            title: "Prelude and Fugue in C major, BWV 846", meters: meters, tempo: tempo,
            key: KeySignature(sharps: 0, isMinor: false),
            markers: [(0, "Prelude"), (fugueStart, "Fugue")], parts: parts, end: meters.end)
    }

    private static func prelude() throws(NoteTextError) -> [ScoreNote] {
        let sixteenth = SheetMusic.quarter / 4
        var notes: [ScoreNote] = []
        for (bar, chord) in preludeChords.enumerated() {
            for half in 0..<2 {
                let start = (bar * 8 + half * 4) * SheetMusic.quarter / 2
                let velocity = preludeVelocities[bar] - half * 4
                notes.append(ScoreNote(start: start, length: 8 * sixteenth, key: chord[0], velocity: velocity + 6))
                notes.append(
                    ScoreNote(
                        start: start + sixteenth, length: 7 * sixteenth, key: chord[1],
                        velocity: velocity - 4))
                for (index, voice) in [2, 3, 4, 2, 3, 4].enumerated() {
                    notes.append(
                        ScoreNote(
                            start: start + (2 + index) * sixteenth, length: sixteenth, key: chord[voice],
                            velocity: velocity + [-4, -1, 5, -6, -2, 2][index]))
                }
            }
        }
        let meters = MeterPlan([(preludeBars, 4, 4)])
        let close = 32 * 4 * SheetMusic.quarter
        for text in [
            "@c2 mf: c1~ | p: c | c |",
            "@c3 mf: r16 c8.~ c2. | p: r16 b8.~ b2. | c1 |",
            """
            @f3 mf: r8 f16 a c f c a c a f a f d f d |
            r8 g'16 b d f d b > d b g b d, f e d | p: [e g c]1 |
            """,
        ] {
            notes += try NoteText(text, meters: meters, from: close).notes
        }
        return notes
    }

    static let soprano = """
        @c4 mf: r1 | r2 r8 g' a b | c8. d32 c b8 e a, d~ d16 e d c | b g a b c b c d e d e f# g8 b, |
        c8 a d16 c b a g8. g16 f e f g | a g a b c2 b4 |
        f: r8 c d e f8. g32 f e8 a | d, g~ g16 a g f e8 a~ a16 b a g | f2 e8. f#16 g4~ |
        g4 f# g16 f e d c d c b | a c b a g8 r r16 c b a g#8 e' |
        d8 c16 b a g# a b c f#, g# a b8 a16 b | c8 f e d~ d c16 b b32 a b8 a16 | a4 r r2 |
        mf: r2 r8 g a b | < c8. d32 c b8 c d e f8. g32 f | e8 a d, g~ g16 a g f e8 a |
        f: d,8 bb' a g16 f g f g e f g g f32 g | a16 c#, d g f32 e f e16. d16 d8 r r4 |
        mf: r2 r4 r8 g, | a b c8. d32 c b8 e a, d~ | < d16 e d c b c d e f g a g f e d c |
        f: b4 c8 d g, c4 b8 | c4 b8 bb a d4 c8 | d8 e f4~ f16 a g f e f e d |
        > c2 mf: r16 g32 a b16 c d e f8~ | < f32 c d e f16 g a8. b16 f: c2 |
        """

    static let alto = """
        @c4 mf: r8 c d e f8. g32 f e8 a | d, g~ g16 a g f e f e d c d c b | a8 f#' g4~ g8 f#16 e f#8 d |
        g8 f e d c r r g'~ | g8 f16 e f4~ f16 f e8 d4 | c8 f r16 g f e f8 d g4~ | g4 r r2 | r1 |
        f: r8 g a b c8. d32 c b8 e | a, d~ d16 e d c b8 r r d, | e f# g8. a32 g f#8 b e, a~ |
        a16 b a g# f#8 f e d~ d16 e f# g# | a g# a b g# f# g# a b8 r r4 |
        mf: r8 c, d e f8. g32 f e8 a | d, g~ g16 a g f e8 e f# g~ | < g8 f# g# a~ a g a b |
        f: c8. d32 c b8 e a, d~ d16 e d c | b8 g' c#, d e c# d e | mf: a,8 r r e f# g a8. b32 a |
        g8 c f#, b~ b16 c b a g f# e d | e4 d~ d16 a' g f e g f a | < g4~ g16 a bb8 c4 d8 g, |
        f: g4. f8~ f e d4 | e8 a4 g8~ g f g a | bb8. c32 bb a8 d g, c~ c16 d c bb |
        > a16 bb a g f g f e mf: d4~ d8. g16 | < a4 r16 f' d8 f: [e g]2 |
        """

    static let tenor = """
        @c3 mf: r1 | r1 | r1 | r8 g' a b c8. d32 c b8 e | a, d~ d16 e d c b8 c~ c bb |
        a8 d g, c r16 a b c d4 | f: g,4 r8 g a b c8. d32 c | b8 e a, d~ d16 e d c b8 e~ |
        e4 d c16 b c a e' d c b | c a b c d c b a g4 r | r1 | r8 e f# g# a8. b32 a g#8 c |
        f#,8 b~ b16 c b a g#8 a4 g#8 | mf: a4 r8 g a b c8. d32 c | b8 e a, d~ d g, d'4 |
        c8 a e'4 d8 r r4 | f: r8 a b c# d8. e32 d c8 f | b, e~ e16 f e d c#8 r r4 |
        mf: r8 a b c# d8. e32 d c8 f# | b, e~ e16 f# e d c2~ | < c16 d c b a g a f# g8 b c d |
        f: e8. f32 e d8 g c, f~ f16 g f e | d4 e8 d~ d g, g4~ | g8 c, d e f8. g32 f e8 a |
        d, g~ g16 a g f e d e f g a bb g | > a e f g a b c a b2 | mf: c1 |
        """

    static let bass = """
        @c3 mf: r1 | r1 | r1 | r1 | r2 r8 c d e | f8. g32 f e8 a d, g~ g16 a g f |
        f: e16 f e d c d c b a8 d a' f# | g16 a bb g c#,8 d a'4 e | a16 b c d c b a g c8 r r4 |
        r2 r8 g, a b | c8. d32 c b8 e a, d~ d16 e d c | b8 e4 d8 c f4 e8~ | e d4 e8 f e16 d e4 |
        a,4 r r2 | mf: r8 g a b c8. d32 c b8 e | a, d~ d16 e d c b8 bb a g | < a f#' g e d4 e8 f |
        f: g8. a32 g f8 bb e, a~ a16 bb a g | f e f d g8 a d,2~ | mf: d16 e d c b a g f# e8 e' f# g~ |
        < g8 a16 g f#8 d g2~ | f: g2 a4 b8 c | f,16 a g f e d c b c d e f g8 g, | c1~ | c1~ | > c1~ | mf: c1 |
        """
}
