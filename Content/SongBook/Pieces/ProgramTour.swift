import Sequencer

/// Every General MIDI program in turn, one bar each over a progression of eight bars, then every key of the drum kit.
enum ProgramTour {
    /// The sixteen families, eight programs each. Source: General MIDI System Level 1 (RP-003).
    static let families = [
        "Piano", "Chromatic percussion", "Organ", "Guitar", "Bass", "Strings", "Ensemble", "Brass",
        "Reed", "Pipe", "Synth lead", "Synth pad", "Synth effects", "Ethnic", "Percussive", "Sound effects",
    ]

    /// Bass note and triad of the eight bars: C, A minor, F, G, E minor, A minor, D minor, G.
    private static let progression = [
        [48, 60, 64, 67], [45, 57, 60, 64], [41, 57, 60, 65], [43, 59, 62, 67],
        [40, 59, 64, 67], [45, 60, 64, 69], [38, 57, 62, 65], [43, 59, 62, 67],
    ]

    static func score() throws(NoteTextError) -> SheetMusic {
        let drumBars = 4
        let meters = MeterPlan([(128 + drumBars, 4, 4)])
        let quarter = SheetMusic.quarter
        let channels: [UInt8] = [0, 1, 2, 3]
        var notes = [[ScoreNote]](repeating: [], count: channels.count)
        var gestures = [[Gesture]](repeating: [], count: channels.count)
        for program in 0..<128 {
            // A program has its channel for four bars, so that it can ring while the next ones play.
            let lane = program % channels.count
            let start = meters.start(ofBar: program + 1)
            gestures[lane].append(Gesture(start - (program == 0 ? 0 : 30), .program(program)))
            notes[lane] += phrase(program: program, start: start)
        }
        var drums: [ScoreNote] = []
        for key in 35...81 {
            drums.append(
                ScoreNote(
                    start: meters.start(ofBar: 129) + (key - 35) * quarter / 4, length: quarter / 4,
                    key: key, velocity: 100))
        }
        for bar in 1...128 {
            drums += try StepText(
                [(36, "x... .... x... ...."), (42, "g.g. o.g. g.g. o.g.")], count: 16,
                step: quarter / 4,
                from: meters.start(ofBar: bar)
            ).notes.map { $0.shifted(velocity: -30) }
        }
        drums.append(ScoreNote(start: meters.end - quarter, length: quarter, key: 49, velocity: 100))
        let parts = channels.indices.map { lane in
            Part(
                "Tour \(lane + 1)", channel: channels[lane], program: UInt8(lane), volume: 100,
                pan: [40, 88, 56, 72][lane], reverb: 40,
                touch: Touch(gate: 95, timing: 2, force: 3, seed: 128 + UInt64(lane)), notes: notes[lane],
                gestures: gestures[lane])
        }
        return SheetMusic(
            title: "A tour of 128 programs", meters: meters, tempo: TempoPlan(168),
            key: KeySignature(sharps: 0, isMinor: false),
            markers: families.enumerated().map { (meters.start(ofBar: 8 * $0.offset + 1), $0.element) }
                + [(meters.start(ofBar: 129), "Drum kit")],
            parts: parts + [
                Part(
                    "Drums", channel: 9, program: 0, volume: 84, reverb: 24,
                    touch: Touch(gate: 90, timing: 2, force: 5, seed: 132), notes: drums)
            ],
            end: meters.end)
    }

    private static func phrase(program: Int, start: Int) -> [ScoreNote] {
        let chord = progression[program % 8]
        let quarter = SheetMusic.quarter
        func note(_ position: Int, _ length: Int, _ key: Int, _ velocity: Int) -> ScoreNote {
            ScoreNote(start: start + position * quarter / 2, length: length * quarter / 2, key: key, velocity: velocity)
        }
        switch program / 8 {
        case 0, 3, 13:    // struck and plucked: bass and broken chord
            return [note(0, 8, chord[0], 88)]
                + [1, 2, 3, 2, 3, 1, 2].enumerated().map {
                    note($0.offset + 1, 2, chord[$0.element], 74 + $0.offset * 2)
                }
        case 1, 9, 10:    // bells, pipes, leads: a line above
            return [1, 2, 3, 2].enumerated().map { note($0.offset * 2, 2, chord[$0.element] + 12, 80 + $0.offset * 3) }
        case 4:    // basses: a figure below middle C
            let low = chord[0] > 40 ? chord[0] - 12 : chord[0]
            return [(0, 2, 0), (2, 1, 0), (3, 1, 12), (4, 2, 7), (6, 2, 12)].map { note($0.0, $0.1, low + $0.2, 92) }
        case 14:    // percussive: a rhythm on two notes
            return [0, 3, 4, 6].enumerated().map { note($0.element, 1, chord[1 + $0.offset % 2], 90) }
        case 15:    // effects: one long note
            return [note(0, 7, 60, 84)]
        default:    // organs, strings, brass, reeds, pads: the chord, then its top note moving
            return chord.map { note(0, 6, $0, 78) } + [note(6, 2, chord[3] + 2, 76)]
        }
    }
}
