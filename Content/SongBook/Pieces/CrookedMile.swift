import Sequencer

/// A dance of our own in 7/8, 5/8, 3/4, 11/8, 2/4 and 4/4, with ritardandos, an accelerando and a last held note.
enum CrookedMile {
    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(8, 7, 8), (8, 5, 8), (6, 3, 4), (4, 11, 8), (8, 7, 8), (4, 2, 4), (1, 4, 4)])
        let bar = meters.start(ofBar:)
        let quarter = SheetMusic.quarter
        var tempo = TempoPlan(126)
        tempo.glide(to: 108, from: bar(8), until: bar(9))
        tempo.change(to: 138, at: bar(9))
        tempo.glide(to: 84, from: bar(16), until: bar(17))
        tempo.change(to: 88, at: bar(17))
        tempo.glide(to: 52, from: bar(21), until: bar(23))
        tempo.change(to: 132, at: bar(23))
        tempo.change(to: 104, at: bar(27))
        tempo.glide(to: 208, from: bar(27), until: bar(35))
        tempo.change(to: 214, at: bar(35))
        tempo.change(to: 72, at: bar(39))
        tempo.change(to: 48, at: bar(39) + 2 * quarter)

        let clarinet = try NoteText(
            "@d5 f: " + sevens + fives + slow + elevens + "@d5 mf: < " + sevens + coda,
            meters: meters
        ).notes
        let violin =
            try NoteText("@d4 f: " + sevensBelow + sevensRest + coda, meters: meters, from: bar(27)).notes
            + NoteText(
                "@a4 mp: < f#2. | bb | mf: d4. c8 bb4 > | a2 g4 | f2 eb4 | p: d2. |", meters: meters,
                from: bar(17)
            ).notes
        let harmony = Harmony(meters: meters)
        let vibrato = Gesture.sweep(1, from: 0, to: 50, start: bar(39) + quarter, end: bar(40), step: 120)
        return SheetMusic(
            title: "The Crooked Mile", meters: meters, tempo: tempo,
            key: KeySignature(sharps: -1, isMinor: true),
            markers: [
                (0, "Sevens"), (bar(9), "Fives"), (bar(17), "Slow waltz"), (bar(23), "Elevens"),
                (bar(27), "Sevens, faster and faster"), (bar(35), "Coda"),
            ],
            parts: [
                Part(
                    "Clarinet", channel: 0, program: 71, volume: 108, pan: 52, reverb: 44,
                    touch: Touch(gate: 88, timing: 4, force: 6, seed: 7), notes: clarinet, gestures: vibrato),
                Part(
                    "Violin", channel: 1, program: 40, volume: 96, pan: 84, reverb: 48,
                    touch: Touch(gate: 92, timing: 5, force: 6, seed: 8), notes: violin,
                    gestures: [Gesture(0, .controller(11, 110))]),
                Part(
                    "Accordion", channel: 2, program: 21, volume: 78, pan: 36, reverb: 36,
                    touch: Touch(gate: 70, timing: 4, force: 5, spread: 2, seed: 9), notes: harmony.chords),
                Part(
                    "Double bass", channel: 3, program: 32, volume: 112, pan: 64, reverb: 28,
                    touch: Touch(gate: 90, timing: 4, force: 5, seed: 10), notes: harmony.bass),
                Part(
                    "Drums", channel: 9, program: 0, volume: 92, reverb: 30,
                    touch: Touch(gate: 80, timing: 3, force: 8, seed: 11), notes: harmony.drums),
            ],
            end: meters.end)
    }

    private static let sevens = """
        d8 eb f# g a16 bb a8 g | f# g f# eb d4. | d8 eb f# g a bb c | bb a16 g a8 g f#4. |
        d8 eb f# g a16 bb a8 g | f# a g f# eb4. | c8 d eb f# eb16 d c8 d | d4 d d4. |

        """
    private static let fives = """
        mf: @g5 g8 a bb a g | f# g a g4 | eb8 f g f eb | d4. d4 |
        g8 a bb c d | c16 bb a8 bb a4 | bb8 a g f# eb | d4. d4 |

        """
    private static let slow = """
        p: < d4. eb8 f#4 | g2 a4 | mf: bb4. a8 g4 > | f#2 eb4 | d c4. bb8 | p: a2. |

        """
    private static let elevens = """
        f: d8^ d f# f# a16 bb a8 g f#^ eb d d | c^ c eb eb g16 a g8 f# eb^ d c4 |
        d8^ d f# f# a16 bb a8 g f#^ eb d d | g^ f# g a bb16 a g8 f# g^ a d,4 |

        """
    private static let sevensBelow = """
        d4 d d4. | c4 c c4. | d4 d d4. | d4 d d4. |

        """
    private static let sevensRest = """
        f#'8 g a bb c16 d c8 bb | a c bb a g4. | eb8 f# g a g16 f# eb8 f# | f#4 f# f#4. |

        """
    private static let coda = """
        ff: @d5 d16 eb f# g a bb c d | c bb a g f# eb d c | d8^ d16 d d'8!^ r | d,8!^ r d'4^_ | mf: d,1_ |

        """

    private struct Harmony {
        var chords: [ScoreNote] = []
        var bass: [ScoreNote] = []
        var drums: [ScoreNote] = []

        /// Bass key and the chord above it, of bars 1...39.
        private static let bars: [Character] = Array("DDDDDDCDGDEDGCEDDGGDCDDCDGDDDDDDCDDCDDD")

        init(meters: MeterPlan) {
            let eighth = SheetMusic.quarter / 2
            for (index, name) in Self.bars.enumerated() {
                let start = meters.start(ofBar: index + 1)
                let length = (meters.start(ofBar: index + 2) - start) / eighth
                let (root, chord) = Self.chord(name)
                // Where the beats of each meter fall, in eighths: 2+2+3, 3+2, 2+2+3+2+2, or plain quarters.
                let beats: [Int] =
                    switch length {
                    case 7: [0, 2, 4]
                    case 5: [0, 3]
                    case 11: [0, 2, 4, 7, 9]
                    case 6: [0, 2, 4]
                    case 4: [0, 2]
                    default: [0]
                    }
                let isSlow = (16..<22).contains(index)
                let isLast = index == Self.bars.count - 1
                for (number, beat) in beats.enumerated() {
                    let next = number + 1 < beats.count ? beats[number + 1] : length
                    let fifth = number % 2 == 1 ? (root > 43 ? -5 : 7) : 0
                    if !isSlow || number == 0 {
                        bass.append(
                            ScoreNote(
                                start: start + beat * eighth,
                                length: (isSlow ? length : next - beat) * eighth,
                                key: root + fifth, velocity: number == 0 ? 96 : 80))
                    }
                    if isLast || (isSlow && number > 0) {
                        chords += chord.map {
                            ScoreNote(
                                start: start + beat * eighth, length: (next - beat) * eighth, key: $0,
                                velocity: isLast ? 70 : 48,
                                articulation: .tenuto)
                        }
                    } else if !isSlow {
                        for off in beat + 1..<next {
                            chords += chord.map {
                                ScoreNote(
                                    start: start + off * eighth, length: eighth, key: $0,
                                    velocity: off == beat + 1 ? 74 : 62)
                            }
                        }
                    }
                    if !isSlow && !isLast {
                        // Low conga on the beats, high bongo between them, a tambourine over all.
                        drums.append(
                            ScoreNote(
                                start: start + beat * eighth, length: eighth, key: 64,
                                velocity: number == 0 ? 108 : 86))
                        for off in beat + 1..<next {
                            drums.append(ScoreNote(start: start + off * eighth, length: eighth, key: 60, velocity: 58))
                        }
                        if next - beat == 3 {
                            drums.append(
                                ScoreNote(
                                    start: start + (beat + 2) * eighth + eighth / 2, length: eighth / 2,
                                    key: 61, velocity: 64))
                        }
                        drums.append(ScoreNote(start: start + beat * eighth, length: eighth, key: 54, velocity: 52))
                    }
                }
                if isLast { drums.append(ScoreNote(start: start, length: eighth, key: 49, velocity: 84)) }
            }
        }

        private static func chord(_ name: Character) -> (root: Int, chord: [Int]) {
            switch name {
            case "C": (36, [55, 60, 63])
            case "G": (43, [55, 58, 62])
            case "E": (39, [55, 58, 63])
            default: (38, [57, 62, 66])
            }
        }
    }
}
