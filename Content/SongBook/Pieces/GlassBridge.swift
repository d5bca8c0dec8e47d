import Sequencer

/// Our own study in everything between the notes: pitch bend over ranges of 2, 7 and 12 semitones (RPN 0), modulation,
/// portamento, channel pressure, sustain, sostenuto and soft pedal, expression, fine tuning (RPN 1).
enum GlassBridge {
    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(17, 4, 4)])
        var tempo = TempoPlan(84)
        tempo.glide(to: 60, from: meters.start(ofBar: 16), until: meters.start(ofBar: 17))
        tempo.change(to: 56, at: meters.start(ofBar: 17))
        return SheetMusic(
            title: "The Glass Bridge", meters: meters, tempo: tempo,
            key: KeySignature(sharps: 1, isMinor: true),
            markers: [
                (0, "Pedals"), (meters.start(ofBar: 5), "Glide"), (meters.start(ofBar: 9), "Sostenuto"),
                (meters.start(ofBar: 13), "Bends of an octave"),
            ],
            parts: [
                try lead(meters), try guitar(meters), try bass(meters), try piano(meters),
                try pad(meters),
            ],
            end: meters.end)
    }

    /// A synthesizer whose notes slide into each other, then bend.
    private static func lead(_ meters: MeterPlan) throws(NoteTextError) -> Part {
        let bar = meters.start(ofBar:)
        let quarter = SheetMusic.quarter
        let notes = try NoteText(
            """
            @e5 mf: r1 | r | r | r | < e4._ b8_ g'2_ | f: f#4_ e_ d_ b_ | c2._ e4_ | > mp: d2._ r4 |
            r1 | r | r | r | mf: e,1 | f: g1 | ff: b1 | > mf: a1 | p: e1 |
            """, meters: meters
        ).notes
        var gestures = Gesture.bendRange(12, at: 0)
        gestures += [
            Gesture(bar(5) - 30, .controller(5, 40)), Gesture(bar(5) - 30, .controller(65, 127)),
            Gesture(bar(9), .controller(65, 0)),
        ]
        gestures +=
            Gesture.sweep(1, from: 0, to: 90, start: bar(7) + quarter, end: bar(8))
            + [Gesture(bar(8), .controller(1, 30)), Gesture(bar(9), .controller(1, 0))]
        // An octave up, a fifth down and back, a wide shake: full range is twelve semitones.
        gestures +=
            Gesture.bend(from: 0, to: 8191, start: bar(13) + quarter, end: bar(13) + 3 * quarter)
            + [Gesture(bar(14) - 20, .bend(0))]
            + Gesture.bend(from: 0, to: -4779, start: bar(14) + quarter, end: bar(14) + 2 * quarter)
            + Gesture.bend(from: -4779, to: 0, start: bar(14) + 2 * quarter + 120, end: bar(14) + 3 * quarter)
        for shake in 0..<6 {
            let start = bar(15) + quarter + shake * quarter / 2
            gestures +=
                Gesture.bend(from: 0, to: 1365, start: start, end: start + 110)
                + Gesture.bend(from: 1365, to: 0, start: start + 120, end: start + 230)
        }
        gestures += Gesture.bend(from: 0, to: -8192, start: bar(17) + quarter, end: bar(17) + 3 * quarter, step: 30)
        gestures += Gesture.sweep(11, from: 127, to: 0, start: bar(17) + quarter, end: bar(18), step: 60)
        return Part(
            "Lead", channel: 0, program: 81, volume: 78, pan: 64, reverb: 70, chorus: 40,
            touch: Touch(gate: 103, timing: 0, force: 3, seed: 81), notes: notes, gestures: gestures.byTick)
    }

    /// A guitar that bends strings by two semitones, and lets them down.
    private static func guitar(_ meters: MeterPlan) throws(NoteTextError) -> Part {
        let bar = meters.start(ofBar:)
        let notes = try NoteText(
            """
            @b4 f: r1 | r | r | r | r | r4 b8 d e4. d8 | r1 | r4 e8 g a2 |
            r1 | r2 r8 b,8 d e | g2. f#8 e | d1 | r1 | r | r | r | r |
            """, meters: meters
        ).notes
        var gestures = Gesture.bendRange(2, at: 0)
        for (start, length) in [(bar(6) + 960, 720), (bar(8) + 960, 960), (bar(11), 1_440), (bar(12), 1_920)] {
            gestures +=
                Gesture.bend(from: 0, to: 8191, start: start + 60, end: start + 300)
                + Gesture.bend(from: 8191, to: 0, start: start + length * 2 / 3, end: start + length - 20)
            gestures +=
                Gesture.sweep(1, from: 0, to: 70, start: start + length / 3, end: start + length * 2 / 3)
                + [Gesture(start + length - 10, .controller(1, 0))]
        }
        return Part(
            "Guitar", channel: 1, program: 29, volume: 84, pan: 88, reverb: 60, chorus: 20,
            touch: Touch(gate: 98, timing: 3, force: 4, seed: 29), notes: notes, gestures: gestures.byTick)
    }

    /// A fretless bass that slides a fifth into its long notes, tuned four cents sharp.
    private static func bass(_ meters: MeterPlan) throws(NoteTextError) -> Part {
        let bar = meters.start(ofBar:)
        let notes = try NoteText(
            """
            @e2 mf: r1 | r | e2. b8 e | d1 | c2. g'4 | a2. e4 | f2. c4 | b2 b' |
            e,1 | c | a2. b4 | e1 | e2. e'4 | c,2. c'4 | a,2. a'4 | b,1 | e1 |
            """, meters: meters
        ).notes
        // RPN 1: 8192 is in tune, one semitone is 8192 more; 4 cents are 328.
        var gestures =
            Gesture.bendRange(7, at: 0)
            + [(101, 0), (100, 1), (6, 66), (38, 72), (101, 127), (100, 127)].map {
                Gesture(0, .controller($0.0, $0.1))
            }
        for number in [3, 5, 7, 9, 12, 14] {
            gestures += Gesture.bend(from: -8192, to: 0, start: bar(number), end: bar(number) + 200)
        }
        return Part(
            "Fretless bass", channel: 2, program: 35, volume: 108, pan: 60, reverb: 30,
            touch: Touch(gate: 98, timing: 3, force: 4, seed: 35), notes: notes, gestures: gestures.byTick)
    }

    /// Sustain under broken chords; then a chord caught by the sostenuto pedal while short notes above it stay dry.
    private static func piano(_ meters: MeterPlan) throws(NoteTextError) -> Part {
        let bar = meters.start(ofBar:)
        let eighth = SheetMusic.quarter / 2
        var notes: [ScoreNote] = []
        let broken: [[Int]] = [
            [40, 47, 52, 55, 59, 62, 66, 71], [36, 43, 52, 55, 59, 64, 67, 71],
            [40, 47, 52, 55, 59, 62, 66, 71], [38, 45, 50, 54, 57, 62, 66, 69],
            [36, 43, 52, 55, 59, 64, 67, 71], [45, 52, 55, 60, 64, 67, 71, 72],
            [41, 48, 52, 57, 60, 64, 69, 72], [47, 54, 57, 61, 64, 66, 69, 73],
        ]
        var pedals: [(down: Int, up: Int)] = []
        for (index, chord) in broken.enumerated() {
            for (step, key) in chord.enumerated() {
                notes.append(
                    ScoreNote(
                        start: bar(index + 1) + step * eighth, length: eighth, key: key,
                        velocity: 50 + step * 3 + index * 2))
            }
            pedals.append((bar(index + 1) + 30, bar(index + 2) - 10))
        }
        let held = [[40, 47, 52], [36, 43, 52], [45, 52, 57], [47, 54, 59]]
        var caught: [(down: Int, up: Int)] = []
        for (index, chord) in held.enumerated() {
            let start = bar(9 + index)
            notes += chord.map { ScoreNote(start: start, length: eighth, key: $0, velocity: 84) }
            for (step, key) in [71, 74, 76, 79, 78, 76, 74].enumerated() {
                notes.append(
                    ScoreNote(
                        start: start + (step + 1) * eighth, length: eighth, key: key + (index % 2) * 5,
                        velocity: 62 + step * 2,
                        articulation: .staccato))
            }
            caught.append((start + eighth / 2, start + 8 * eighth - 20))
        }
        let close = try NoteText(
            """
            @e3 p: [e b' g']1 | [c g' e'] | [a, e' c'] | [b f#' d'] | pp: [e, b' e g b e]1 |
            """, meters: meters, from: bar(13)
        ).notes
        pedals += (13...17).map { (bar($0) + 30, bar($0 + 1) - 10) }
        return Part(
            "Piano", channel: 3, program: 0, volume: 96, pan: 44, reverb: 56,
            touch: Touch(gate: 94, timing: 5, force: 3, spread: 6, seed: 88), notes: notes + close,
            gestures: (Gesture.pedal(pedals) + Gesture.pedal(caught, controller: 66)
                + Gesture.pedal([(bar(13), bar(17))], controller: 67)).byTick)
    }

    /// Long chords that channel pressure and expression let swell.
    private static func pad(_ meters: MeterPlan) throws(NoteTextError) -> Part {
        let bar = meters.start(ofBar:)
        let notes = try NoteText(
            """
            @e4 mp: r1 | r | [e g b]1~ | [e g b] | [e g b] | [e a c] | [f a c] | [f# a d] |
            [e g b] | [e g c] | [e a c] | [d# f# b] | [e g b] | [e g c] | [e a c] | [d# f# b] | [e g b e] |
            """, meters: meters
        ).notes
        var gestures: [Gesture] = []
        for number in 3...16 {
            gestures += Gesture.line(from: 0, to: 100, start: bar(number), end: bar(number) + 960, step: 80)
                .map { Gesture($0.tick, .channelPressure($0.value)) }
            gestures += Gesture.line(from: 100, to: 0, start: bar(number) + 980, end: bar(number + 1) - 20, step: 80)
                .map { Gesture($0.tick, .channelPressure($0.value)) }
            gestures +=
                Gesture.sweep(11, from: 70, to: 120, start: bar(number), end: bar(number) + 960, step: 120)
                + Gesture.sweep(11, from: 120, to: 70, start: bar(number) + 980, end: bar(number + 1) - 20, step: 120)
        }
        return Part(
            "Pad", channel: 4, program: 89, volume: 80, pan: 64, reverb: 80, chorus: 60,
            touch: Touch(gate: 100, timing: 0, force: 2, seed: 89), notes: notes, gestures: gestures.byTick)
    }
}
