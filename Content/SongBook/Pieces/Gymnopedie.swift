import Sequencer

/// Erik Satie, Gymnopédie No. 1 (1888), both strains, 78 bars.
enum Gymnopedie {
    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(78, 3, 4)])
        var notes: [ScoreNote] = []
        for text in [
            opening + middle + firstEnding + opening + middle + secondEnding,
            chordsOpening + chordsMiddle + chordsFirstEnding + chordsOpening + chordsMiddle + chordsSecondEnding,
            bassOpening + bassMiddle + bassFirstEnding + bassOpening + bassMiddle + bassSecondEnding,
        ] {
            // The written dynamics are those of a small room; a louder hand lets the melody carry.
            notes += try NoteText(text, meters: meters).notes.map { $0.shifted(velocity: 14) }
        }
        var tempo = TempoPlan(76)
        for strain in [39, 78] {
            tempo.glide(to: 62, from: meters.start(ofBar: strain - 2), until: meters.start(ofBar: strain))
            tempo.change(to: strain == 39 ? 56 : 48, at: meters.start(ofBar: strain))
            if strain == 39 { tempo.change(to: 76, at: meters.start(ofBar: 40)) }
        }
        // One pedal a bar, caught just after the bass note.
        let pedal = (1...78).map { (down: meters.start(ofBar: $0) + 60, up: meters.start(ofBar: $0 + 1) - 6) }
        return SheetMusic(
            title: "Gymnopédie No. 1", meters: meters, tempo: tempo,
            key: KeySignature(sharps: 2, isMinor: false),
            markers: [(0, "Lent et douloureux"), (meters.start(ofBar: 40), "Second strain")],
            parts: [
                Part(
                    "Piano", channel: 0, program: 0, volume: 124, reverb: 60,
                    touch: Touch(gate: 99, timing: 7, force: 4, spread: 5, seed: 1_888), notes: notes,
                    gestures: Gesture.pedal(pedal))
            ],
            end: meters.end)
    }

    private static let opening = """
        @c5 mf: r2. | r | r | r | r4 < f# a | g f# c# | b c# f: d > | mp: a2. | pp: f#~ | f#~ | f#~ | f# |
        mf: r4 < f#' a | g f# c# | b c# f: d > | a2. | c#2. | mp: f#2. | e,2.~ | e2.~ | e2. |

        """
    private static let middle = """
        mp: < a4 b c | e d b | mf: d c b | > d2.~ | mp: d2 < d4 | e f g | mf: a c, d | > e d b | mp: d2.~ | d2 d4 |

        """
    private static let firstEnding = """
        < g2. | f: f# | b,4 a b | c# d e | c# d > e | mp: f#,2. | pp: @c4 [c e a c]2. | [d f# a d] |

        """
    private static let secondEnding = """
        < g2. | f: f | b,4 c f | e d c | e d > c | mp: f,2. | pp: @c4 [c e a c]2. | [d f a d] |
        """
    private static let chordsOpening = """
        @b3 p: r4 [b d f#]2 | r4 [a c# f#]2 | r4 [b d f#]2 | r4 [a c# f#]2 | pp: r4 [b d f#]2 | r4 [a c# f#]2 |
        r4 [b d f#]2 | r4 [a c# f#]2 | p: r4 [b d f#]2 | r4 [a c# f#]2 | r4 [b d f#]2 | r4 [a c# f#]2 |
        pp: r4 [b d f#]2 | r4 [a c# f#]2 | r4 [b d f#]2 | r4 [a c# f#]2 | r4 [a c# f#]2 | r4 [b d f#]2 |
        r4 [g b]2 | @b3 r4 [b d g]2 | @f3 r4 [f a d]2 |

        """
    private static let chordsMiddle = """
        @a3 p: r4 [a c e]2 | @g3 r4 [g b e]2 | @d3 r4 [d g b e]2 | @c3 r4 [c e a d]2 | @c3 r4 [c f# a d]2 |
        @a3 r4 [a c f]2 | @a3 r4 [a c e]2 | @d3 r4 [d g b e]2 | @c3 r4 [c e a d]2 | @c3 r4 [c f# a d]2 |

        """
    private static let chordsFirstEnding = """
        @b3 mp: r4 [b e g]2 | @a3 r4 [a c# f#]2 | @b3 r4 [b d f#]2 | @c4 r4 [c# e a]2 |
        @a3 r4 [a c# f# a]2 | p: r4 @b2 [b a' d]4 @e3 [e b' d g] | r2. | r2. |

        """
    private static let chordsSecondEnding = """
        @b3 mp: r4 [b e g]2 | @a3 r4 [a d f a]2 | @a3 r4 [a c f]2 | @c4 r4 [c e a]2 |
        @a3 r4 [a c f a]2 | p: r4 @b2 [b a' d]4 @e3 [e b' d g] | r2. | r2. |
        """
    private static let bassOpening = """
        @g2 p: g2. | d | g | d | g | d | g | d | g | d | g | d | g | d | g | d | f# | b, | e | e | d |

        """
    private static let bassMiddle = """
        @a1 p: a2. | d | d | d | d | d | d | d | d | d |

        """
    private static let bassFirstEnding = """
        @e2 p: e2. | f# | b, | e | e | [e]2. | @a2 [a g']2. | @d2 [d a' d]2. |

        """
    private static let bassSecondEnding = """
        @e2 p: e2. | e | e | e | e | [e]2. | @a2 [a g']2. | @d2 [d a' d]2. |
        """
}
