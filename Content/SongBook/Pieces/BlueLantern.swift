import Sequencer

/// A twelve-bar blues of our own for piano, double bass and drums, swung.
enum BlueLantern {
    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(28, 4, 4)])
        var tempo = TempoPlan(138)
        tempo.glide(to: 112, from: meters.start(ofBar: 27), until: meters.start(ofBar: 28))
        tempo.change(to: 80, at: meters.start(ofBar: 28))
        let right = try NoteText(head + solo + ending, meters: meters, from: meters.start(ofBar: 3)).notes
        let left = try NoteText(comping + comping + lastChords, meters: meters, from: meters.start(ofBar: 3)).notes
        let walk = try NoteText("@c3 mf: r1 | r2 f4 e | " + walking + walkingAgain + lastBass, meters: meters).notes
        var drums: [ScoreNote] = []
        for bar in 1...28 {
            drums += try StepText(kit(bar), count: 12, step: SheetMusic.quarter / 3, from: meters.start(ofBar: bar)).notes
        }
        return SheetMusic(
            title: "The Blue Lantern", meters: meters, tempo: tempo,
            key: KeySignature(sharps: -1, isMinor: false),
            markers: [
                (0, "Brushes"), (meters.start(ofBar: 3), "Head"), (meters.start(ofBar: 15), "Solo"),
                (meters.start(ofBar: 27), "Tag"),
            ],
            parts: [
                Part(
                    "Piano", channel: 0, program: 0, volume: 118, pan: 54, reverb: 44,
                    touch: Touch(gate: 90, timing: 6, force: 8, spread: 2, seed: 12),
                    notes: Self.swung(right)),
                Part(
                    "Piano, left hand", channel: 1, program: 0, volume: 108, pan: 46, reverb: 44,
                    touch: Touch(gate: 86, timing: 6, force: 6, spread: 3, seed: 13),
                    notes: Self.swung(left)),
                Part(
                    "Double bass", channel: 2, program: 32, volume: 118, pan: 68, reverb: 24,
                    touch: Touch(gate: 94, timing: 5, force: 6, seed: 14), notes: Self.swung(walk)),
                Part(
                    "Drums", channel: 9, program: 32, volume: 96, reverb: 36,
                    touch: Touch(gate: 90, timing: 3, force: 8, seed: 15), notes: drums),
            ],
            end: meters.end)
    }

    /// Eighths in triplet time: what is written on the half of a beat comes on its last third.
    static func swung(_ notes: [ScoreNote]) -> [ScoreNote] {
        func late(_ tick: Int) -> Int {
            tick % SheetMusic.quarter == SheetMusic.quarter / 2 ? tick + SheetMusic.quarter / 6 : tick
        }
        return notes.map {
            ScoreNote(
                start: late($0.start), length: late($0.start + $0.length) - late($0.start), key: $0.key,
                velocity: $0.velocity,
                articulation: $0.articulation)
        }
    }

    /// Drums in triplets: ride with the skip note, foot on two and four; brushes at first, a fill before each chorus.
    private static func kit(_ bar: Int) -> [(key: Int, steps: String)] {
        switch bar {
        case 1, 2:
            [(42, "o.. x.g o.. x.g"), (44, "... x.. ... x.."), (38, bar == 1 ? "... ... ... ..." : "... ..g .g. xox")]
        case 14, 26:
            [
                (51, "x.. x.o x.. ..."), (44, "... x.. ... x.."), (38, "..g ... .xg x.x"), (47, "... ... x.. .x."),
                (36, "g.. ... ... ..o"),
            ]
        case 28:
            [(51, "x.. ... ... ..."), (36, "x.. ... ... ..."), (49, "o.. ... ... ..."), (44, "... ... x.. ...")]
        default:
            [
                (51, "x.. x.o x.. x.o"), (44, "... x.. ... x.."), (36, "g.. g.. g.. g.."),
                (38, ["... ..g ... ...", "..g ... ... ..o", "... ... ..g .g.", "... o.. ..g ..."][bar % 4]),
                (49, bar == 3 || bar == 15 ? "o.. ... ... ..." : "... ... ... ..."),
            ]
        }
    }

    private static let head = """
        @c5 f: r4 c8 eb f4 ab8 f | r ab f eb d4! r | r c8 eb f4 ab8 f | r c' r a f eb c4 |
        r4 bb8 d f4 ab8 f | r ab f d b4! r | r c8 eb f a c a | f#^ a c eb d4! r |
        r8 bb a g f d e f | g bb db bb g e c4 | a'8^ c r f, r4 f#8 a | g4! r8 c,^ r2 |

        """
    private static let solo = """
        @f5 f: r8 a c a f eb d c | b c a4! r8 f g ab | a8 c eb f 3:2( ab8 f eb ) c4 | r8 f eb c a f eb d |
        d f ab bb c db d f | ab4. f8 d bb ab f | e f a c f4^ r8 eb | 3:2( d8 eb d ) c a f#^ a c eb |
        d bb g d' r f, a c | e,^ g bb db c bb ab g | a4! c8 f r a4 f#8~ | f#8 eb d4 3:2( c8 e g ) bb4! |

        """
    private static let ending = "@f5 f: f8 eb c ab f eb c4! | mf: [f a c eb g]1 |"

    private static let comping = """
        @eb3 mp: r4 [eb a d]8!^ r r4 r8 [eb a d] | r4 [d ab' c]4! r8 [d ab' c]4. | r8 [eb a d]4. r4 [eb a d]4! |
        r4 r8 [eb a d]8! r4 [d ab' c]4 |
        [d ab' c]4! r r8 [d ab' c] r4 | r4 [d ab' b]4. [d ab' b]8! r4 | r8 [eb a d]4. r2 |
        r4 [f# c' eb]8!^ r r8 [f# c' eb]4. |
        @f3 r4 [f bb d]4! r8 [f bb d] r4 | r8 [e bb' db]4. r4 [e bb' db]4! | [eb a d]4! r r8 [f# c' eb]4. |
        @f3 [f bb d]4! r [e bb' d]8!^ r r4 |

        """
    private static let lastChords = "@eb3 mp: r4 [eb a d]8!^ r r4 [d ab' c]4 | r1 |"

    private static let walking = """
        @f2 f4 a c d | bb d f b, | c a f g | a c eb e | bb f' d c | b d f ab | a f c f |
        d f# a ab | g, bb d g, | c e g bb | a f d f# | g d c e |

        """
    private static let walkingAgain = """
        @f2 f4 c' eb d | bb ab g gb | f g a c | f eb d b | bb c d f | b, ab' f d | c a f a |
        d c a f# | g a bb d | c bb g e | f a d, f# | g d' c e, |

        """
    private static let lastBass = "f4 a c e | f,1 |"
}
