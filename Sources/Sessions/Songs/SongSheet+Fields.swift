import Reports

extension SongSheet: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The song's name."),
        Field("length", \.length, "Its length in seconds, at its own tempo, as all times here."),
        Field("bars", \.bars, "When each bar begins."),
        Field("markers", \.markers, "The markers."),
        Field("words", \.words, "The lines that are sung."),
        Field("canUndo", \.canUndo, "Changes of its notes that edit undo can take back."),
        Field("canRedo", \.canRedo, "Changes that edit redo can make again."),
    ]
}

extension SongSheet.Mark: Fielded {
    package static let fields: [Field<Self>] = [
        Field("at", \.at, "Seconds."), Field("text", \.text, "The text."),
    ]
}

extension SongSheet {
    struct Passage: Fielded {
        let from, to: Double
        let isWhole: Bool
        let notes: [Note]

        /// The longest passage of a song in one answer, in seconds.
        static let mostSeconds = 120.0

        static let fields: [Field<Self>] = [
            Field("from", \.from, "Seconds."), Field("to", \.to, "Seconds."),
            Field("isWhole", \.isWhole, "Whether these are all of them."),
            Field("notes", \.notes, "Start and length in seconds, channel, key, velocity of each."),
        ]
    }

    /// Returns the notes between two times, as an answer.
    func passage(from start: Double, to end: Double) -> Passage {
        let (notes, isWhole) = notes(from: start, to: end)
        return Passage(from: start, to: end, isWhole: isWhole, notes: notes)
    }
}

extension SongSheet.Note: FieldConvertible {
    package static var shape: FieldShape { .list(.number) }
    package var fieldValue: FieldValue {
        .list([.number(start), .number(length), .whole(channel), .whole(key), .whole(velocity)])
    }
}
