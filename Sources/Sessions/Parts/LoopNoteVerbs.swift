import Reports
import UnitAPI

/// Requests that change the notes of MIDI loops.
enum LoopNoteVerbs {
    static let all = [quantise, humanise, transpose]

    static let quantise = notes(
        "quantise", [SongEditVerbs.grid], [SongEditVerbs.percent],
        "Moves the notes of a MIDI loop to the nearest line of a grid, or a part of the way, as a layer.",
        "looper quantise 1/16 2 strength 80"
    ) { (edits, values) throws(Fault) in
        let strength = Double(values.optionalWhole(2) ?? 100) / 100
        try edits.quantise(to: SongEditVerbs.lines(values), strength: strength, SongEdits.Passage())
    }
    static let humanise = notes(
        "humanise", [.whole("MILLISECONDS", 0...100)], [SongEditVerbs.spread],
        "Moves the notes of a MIDI loop by chance, and changes their velocities, as a layer.",
        "looper humanise 8 2 velocity 10"
    ) { (edits, values) throws(Fault) in
        try edits.humanise(Double(values.whole(0)), velocity: values.optionalWhole(2) ?? 0, SongEdits.Passage())
    }
    static let transpose = notes(
        "transpose", [.semitones], [], "Moves the notes of a MIDI loop to other keys, as a layer; channel 10 stays.",
        "looper transpose 12 2"
    ) { (edits, values) throws(Fault) in try edits.transpose(values.whole(0), SongEdits.Passage()) }
    private static func notes(
        _ word: String, _ first: [VerbArgument], _ last: [VerbArgument], _ help: String, _ example: String,
        _ change: @escaping @Sendable (inout SongEdits, VerbValues) throws(Fault) -> Void
    ) -> Verb {
        let track = VerbArgument("TRACK", .whole(Verb.loopTrack), isOptional: true)
        return Verb("looper \(word)", first + [track] + last, help: help, example) {
            (looper: LooperPart, values) throws(Fault) in
            try looper.edit(track: values.optionalWhole(1)) { (edits) throws(Fault) in try change(&edits, values) }
        }
    }
}
