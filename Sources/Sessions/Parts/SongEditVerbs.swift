import EngineCore
import Reports
import Sequencer
import SongFiles
import UnitAPI

extension SongsPart {
    /// Writes the song as it is now.
    fileprivate func saveEdited(_ asked: String?) throws(Fault) -> String {
        try core.save(.recording, as: asked) { (path) throws(Fault) in
            let path = SavingFolder.song(path, orAs: editedName)
            do throws(SongError) { try SongWriter.write(playlist.current.song, path: path) } catch { throw Fault(error) }
            return path
        }
    }

    private var editedName: String {
        let name = playlist.current.name.split(separator: "/").last.map(String.init) ?? "song"
        return (name.hasSuffix(".mid") ? String(name.dropLast(4)) : name) + "-edited"
    }
}

/// Requests that change the notes of the song that plays.
enum SongEditVerbs {
    static let all = [
        move, length, velocity, delete, add, quantise, humanise, transpose, copy, clear, undo, redo, save,
    ]

    static let move = note(
        "edit move", [.init("NEW-TIME", .number(VerbArgument.songTime)), .whole("NEW-KEY", 0...127)],
        help: "Moves the note that begins at a time to another time and key.", "edit move 1 60 12.5 12.75 62"
    ) { (edits, aim, values) throws(Fault) in try edits.move(aim, to: values.number(3), key: values.whole(4)) }
    static let length = note(
        "edit length", [.init("LENGTH", .number(VerbArgument.songTime))], help: "Sets the length of a note.",
        "edit length 1 60 12.5 0.5"
    ) { (edits, aim, values) throws(Fault) in try edits.setLength(values.number(3), of: aim) }
    static let velocity = note(
        "edit velocity", [.velocity], help: "Sets the velocity of a note.", "edit velocity 1 60 12.5 90"
    ) { (edits, aim, values) throws(Fault) in try edits.setVelocity(values.whole(3), of: aim) }
    static let delete = note("edit delete", [], help: "Takes a note out.", "edit delete 1 60 12.5") {
        (edits, aim, _) throws(Fault) in try edits.delete(aim)
    }
    static let add = note(
        "edit add", [.init("LENGTH", .number(VerbArgument.songTime)), .velocity], help: "Adds a note.",
        "edit add 1 60 12.5 0.5 90"
    ) { (edits, aim, values) throws(Fault) in try edits.add(aim, length: values.number(3), velocity: values.whole(4)) }
    static let quantise = passage(
        "edit quantise", [grid, percent],
        help: "Moves notes to the nearest line of a grid, or a part of the way; t means triplets.",
        "edit quantise 1/16 strength 80 channel 2 from 5 to 8"
    ) { (edits, passage, values) throws(Fault) in
        try edits.quantise(to: lines(values), strength: Double(values.optionalWhole(1) ?? 100) / 100, passage)
    }
    static let humanise = passage(
        "edit humanise", [.whole("MILLISECONDS", 0...100), spread],
        help: "Moves notes by chance, by up to some milliseconds, and changes their velocities.", "edit humanise 8 velocity 10"
    ) { (edits, passage, values) throws(Fault) in
        try edits.humanise(Double(values.whole(0)), velocity: values.optionalWhole(1) ?? 0, passage)
    }
    static let transpose = passage(
        "edit transpose", [.semitones], help: "Moves notes to higher or lower keys; channel 10 stays.",
        "edit transpose 12 channel 3"
    ) { (edits, passage, values) throws(Fault) in try edits.transpose(values.whole(0), passage) }
    static let copy = edit(
        "edit copy", [bar("FROM"), bar("TO"), bar("BAR"), channel],
        help: "Adds the notes of the bars from one to another again, from a bar on.", "edit copy 5 8 9 channel 2"
    ) { (edits, values) throws(Fault) in
        let passage = SongEdits.Passage(channel: values.optionalWhole(3), from: values.whole(0), to: values.whole(1))
        try edits.copy(passage, to: values.whole(2))
    }
    static let clear = passage("edit clear", [], help: "Takes notes out.", "edit clear channel 10 from 5 to 8") {
        (edits, passage, _) throws(Fault) in try edits.clear(passage)
    }
    static let undo = edit("edit undo", [], help: "Takes the last change of notes back.", "edit undo") {
        (edits, _) throws(Fault) in try edits.undo()
    }
    static let redo = edit("edit redo", [], help: "Makes the change again that was taken back last.", "edit redo") {
        (edits, _) throws(Fault) in try edits.redo()
    }
    static let save = Verb(
        "edit save", [.file], help: "Writes the song with its changes; a recording is changed by playing its file as a song.",
        "edit save evening.mid",
        saves: { (songs: SongsPart, values) throws(Fault) in try songs.saveEdited(values.optionalText(0)) }
    ).changingSetup

    /// Lines of a whole note.
    static let grids: [(name: String, lines: Int)] = [
        ("1/1", 1), ("1/2", 2), ("1/4", 4), ("1/8", 8), ("1/16", 16), ("1/32", 32), ("1/4t", 6), ("1/8t", 12), ("1/16t", 24),
    ]
    static let grid = VerbArgument("GRID", .choice(grids.map(\.name)))
    /// Those of the grid that a request names first.
    static func lines(_ values: VerbValues) -> Int { grids.first { $0.name == values.text(0) }?.lines ?? 16 }
    static let percent = labelled("strength", "PERCENT", 1...100)
    private static let channel = labelled("channel", "CHANNEL", 1...256)
    private static let bars: ClosedRange<Float> = 1...1_000_000
    static let spread = labelled("velocity", "STEPS", 0...64)

    private static func bar(_ name: String) -> VerbArgument { .whole(name, bars) }

    private static func labelled(_ word: String, _ name: String, _ range: ClosedRange<Float>) -> VerbArgument {
        VerbArgument(
            "\(word) \(name)", .labelled(word, ParameterSpec(word, range, default: range.lowerBound, help: "A whole number.")),
            isOptional: true)
    }

    private static func edit(
        _ words: String, _ arguments: [VerbArgument], help: String, _ example: String,
        _ change: @escaping @Sendable (inout SongEdits, VerbValues) throws(Fault) -> Void
    ) -> Verb {
        Verb(words, arguments, help: help, example) { (songs: SongsPart, values) throws(Fault) in
            try songs.edit { (edits) throws(Fault) in try change(&edits, values) }
        }.changingSetup
    }

    /// A verb for one note.
    private static func note(
        _ words: String, _ arguments: [VerbArgument], help: String, _ example: String,
        _ change: @escaping @Sendable (inout SongEdits, SongEdits.Aim, VerbValues) throws(Fault) -> Void
    ) -> Verb {
        let aim: [VerbArgument] = [.channel, .key, .init("TIME", .number(VerbArgument.songTime))]
        return edit(words, aim + arguments, help: help, example) { (edits, values) throws(Fault) in
            try change(
                &edits, SongEdits.Aim(channel: values.whole(0), key: values.whole(1), time: values.number(2)), values)
        }
    }

    /// A verb for the notes of a passage, whose bounds are its last arguments.
    private static func passage(
        _ words: String, _ arguments: [VerbArgument], help: String, _ example: String,
        _ change: @escaping @Sendable (inout SongEdits, SongEdits.Passage, VerbValues) throws(Fault) -> Void
    ) -> Verb {
        let bounds = [channel, labelled("from", "BAR", bars), labelled("to", "BAR", bars)], first = arguments.count
        return edit(words, arguments + bounds, help: help, example) { (edits, values) throws(Fault) in
            let passage = SongEdits.Passage(
                channel: values.optionalWhole(first), from: values.optionalWhole(first + 1), to: values.optionalWhole(first + 2))
            try change(&edits, passage, values)
        }
    }
}
