import Sequencer

/// Westminster Quarters (Cambridge, 1793) for the full hour, and three o'clock from the great bell.
enum HourChime {
    /// The five changes of the quarter bells, in E major.
    static let changes = ["g#4 f# e b2.", "e4 g# f# b,2.", "e4 f# g# e2.", "g#4 e f# b,2.", "b4 f#' g# e2."]
    static let hour = 3

    static func score() throws(NoteTextError) -> SheetMusic {
        let strike = 6 * SheetMusic.quarter
        let meters = MeterPlan([(8, 3, 4), (2 * hour + 2, 3, 4)])
        // The hour takes the changes 2 to 5.
        let quarters = try NoteText(
            "mf: " + changes.dropFirst().map { "@e4 " + $0 }.joined(separator: " | ") + " |",
            meters: meters
        ).notes
        var tempo = TempoPlan(112)
        tempo.change(to: 126, at: meters.start(ofBar: 9))
        let strikes = (0..<hour).map {
            ScoreNote(start: meters.start(ofBar: 9) + $0 * strike, length: strike, key: 52, velocity: 104)
        }
        // Bells ring on over each other: they are not damped.
        let ring = { (notes: [ScoreNote]) in
            notes.map {
                ScoreNote(start: $0.start, length: $0.length + 4 * SheetMusic.quarter, key: $0.key, velocity: $0.velocity)
            }
        }
        return SheetMusic(
            title: "Three o'clock", meters: meters, tempo: tempo, key: KeySignature(sharps: 4, isMinor: false),
            markers: [(0, "Quarters"), (meters.start(ofBar: 9), "Hour")],
            parts: [
                Part(
                    "Quarter bells", channel: 0, program: 14, volume: 104, pan: 54, reverb: 88,
                    touch: Touch(gate: 100, timing: 7, force: 5, seed: 1_793), notes: ring(quarters)),
                Part(
                    "Upper partials", channel: 1, program: 9, volume: 52, pan: 60, reverb: 100,
                    touch: Touch(gate: 100, timing: 7, force: 5, seed: 1_793),
                    notes: ring(quarters).map { $0.shifted(keys: 12, velocity: -24) }),
                Part(
                    "Great bell", channel: 2, program: 14, volume: 120, pan: 70, reverb: 96,
                    touch: Touch(gate: 100, timing: 0, force: 2, seed: 1_858), notes: ring(strikes)),
            ],
            end: meters.end)
    }
}
