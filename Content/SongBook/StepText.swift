/// Drum patterns as text: one row per drum, one character per step.
///
/// `x` plain, `X` accented, `o` soft, `g` a ghost note, `.` nothing; blanks are for the eye.
public struct StepText {
    /// The notes of the pattern, by row.
    public let notes: [ScoreNote]

    /// `rows`: key of the drum and its steps; `step`: the length of one; `swing`: how late every second one is. Unit: ticks.
    public init(
        _ rows: [(key: Int, steps: String)], count: Int, step: Int, from start: Int,
        swing: Int = 0
    ) throws(NoteTextError) {
        var notes: [ScoreNote] = []
        for row in rows {
            let steps = row.steps.filter { !$0.isWhitespace }
            guard steps.count == count else { throw .steps(row.steps, wanted: count) }
            for (index, mark) in steps.enumerated() where mark != "." {
                guard let velocity = Self.velocity(mark) else {
                    throw .unreadable(String(mark), atTick: start + index * step)
                }
                notes.append(
                    ScoreNote(
                        start: start + index * step + (index % 2 == 1 ? swing : 0), length: step,
                        key: row.key,
                        velocity: velocity))
            }
        }
        self.notes = notes
    }

    private static func velocity(_ mark: Character) -> Int? {
        switch mark {
        case "X": 116
        case "x": 94
        case "o": 66
        case "g": 34
        default: nil
        }
    }
}
