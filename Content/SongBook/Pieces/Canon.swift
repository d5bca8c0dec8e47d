import Sequencer

/// Johann Pachelbel, Canon in D (about 1690), the first 22 bars, for eight channels: six voices where Pachelbel has
/// three, over his ground and a continuo of our own.
enum Canon {
    static let voices = 6
    /// Each voice enters two bars, one statement of the ground, after the one before. Unit: ticks.
    static let delay = 8 * SheetMusic.quarter
    /// Statements of the ground before the last chord.
    static let statements = 11
    /// Name, program, pan and transposition of the six voices.
    static let stage: [(name: String, program: UInt8, pan: UInt8, keys: Int)] = [
        ("Violin", 40, 30, 0), ("Flute", 73, 92, 0), ("Oboe", 68, 46, 0),
        ("Strings", 48, 78, 0), ("Viola", 41, 18, -12), ("Clarinet", 71, 108, -12),
    ]

    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(2 * statements + 1, 4, 4)])
        let close = statements * delay
        let leader = try NoteText(melody, meters: meters, from: delay).notes
        var tempo = TempoPlan(60)
        tempo.glide(to: 44, from: close - 2 * SheetMusic.quarter, until: close)
        tempo.change(to: 42, at: close)

        var parts: [Part] = []
        let lastKeys = [86, 78, 74, 81, 66, 69]
        for (index, voice) in stage.enumerated() {
            var notes = leader.map { $0.shifted(ticks: index * delay, keys: voice.keys) }.filter { $0.start < close }
            notes.append(ScoreNote(start: close, length: 4 * SheetMusic.quarter, key: lastKeys[index], velocity: 68))
            parts.append(
                Part(
                    voice.name, channel: UInt8(index), program: voice.program,
                    volume: [98, 96, 84, 84, 100, 92][index], pan: voice.pan, reverb: 64,
                    chorus: index == 3 ? 20 : 0,
                    touch: Touch(gate: 97, timing: 6, force: 4, seed: 1_690 + UInt64(index)), notes: notes))
        }
        let ground = try NoteText("@d3 mp: d4 a b f# | g d g a |", meters: meters).notes
        let continuo = try NoteText(
            """
            @d4 mp: [d f# a]4 [c# e a] [d f# b] [c# f# a] | [b d g] [a d f#] [b d g] [c# e a] |
            """, meters: meters
        ).notes
        var bass: [ScoreNote] = []
        var chords: [ScoreNote] = []
        for statement in 0..<statements {
            // The ground grows with the voices above it.
            let louder = min(statement * 3, 24)
            bass += ground.map { $0.shifted(ticks: statement * delay, velocity: louder) }
            chords += continuo.map { $0.shifted(ticks: statement * delay, velocity: louder - 8) }
        }
        bass.append(ScoreNote(start: close, length: 4 * SheetMusic.quarter, key: 38, velocity: 76))
        chords += [50, 57, 62, 66, 69, 74].map {
            ScoreNote(start: close, length: 4 * SheetMusic.quarter, key: $0, velocity: 66)
        }
        parts.append(
            Part(
                "Violoncello", channel: 6, program: 42, volume: 108, pan: 64, reverb: 56,
                touch: Touch(gate: 96, timing: 5, force: 3, seed: 96), notes: bass))
        parts.append(
            Part(
                "Harpsichord", channel: 7, program: 6, volume: 84, pan: 56, reverb: 48,
                touch: Touch(gate: 88, timing: 3, force: 3, spread: 9, seed: 97), notes: chords))
        return SheetMusic(
            title: "Canon in D", meters: meters, tempo: tempo, key: KeySignature(sharps: 2, isMinor: false),
            markers: (0..<voices).map { ((1 + $0) * delay, "\(stage[$0].name) enters") } + [(close, "Close")],
            parts: parts, end: meters.end)
    }

    /// Ten statements of two bars each.
    static let melody = """
        @c5 mf: f#4 e d c# | b a b c# |
        d4 c# b a | g f# g e |
        d8 f# a g f# d f# e | d b d a' g b a g |
        f#8 d e c#' d f# a a, | b g a f# d d' d8. c#16 |
        d16 c# d d, c# a' e f# d d' c# b c# f# a b | g f# e g f# e d c# b a g f# e g f# e |
        d16 e f# g a e a g f# b a g a g f# e | d b b' c# d c# b a g f# e b' a b a g |
        f#8 f#' e4 r8 d f#4 | b a b c# |
        d8 d, c#4 r8 b d4 | d4. d8 d g e a |
        f: a16 f#32 g a16 f#32 g a a, b c# d e f# g f#16 d32 e f#16 f#,32 g a b a g a f# g a |
        g16 b32 a g16 f#32 e f# e d e f# g a b g16 b32 a b16 c#32 d a b c# d e f# g a |
        f#16 d32 e f#16 e32 d e c# d e f# e d c# d16 b32 c# d16 d,32 e f# g f# e f# d' c# d |
        b16 d32 c# b16 a32 g a g f# g a b c# d b16 d32 c# d16 c#32 b c# d e d c# d b c# |
        """
}
