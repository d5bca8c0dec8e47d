import Patch

/// The content of a file before it has lines: what a patch becomes, and what two patches are compared as.
indirect enum FileTree: Equatable {
    /// Text that is read as text, whatever it says.
    case text(String)
    /// Text that would be another with quotes: `true`, `3`.
    case literal(String)
    /// Values on one line.
    case row([FileTree])
    /// One item on each line.
    case list([Item])
    case mapping([Entry])

    /// The items of a list, one after the other; nil for what is no list.
    var parts: [String]? { if case .list(let items) = self { items.flatMap(\.parts) } else { nil } }

    /// A key and its value.
    struct Entry: Equatable {
        var key: String
        var value: FileTree
        /// The meaning of the entry to a person, for comments.
        var meaning = Meaning.plain
    }

    /// The meaning by which comments know an entry.
    enum Meaning: Equatable {
        case plain
        /// A unit of this type.
        case unit(String)
    }

    /// An item of a list: what it stands for, and its text. Items with the same parts mean the same.
    struct Item: Equatable {
        var text: String
        /// The connections of a row, each by itself; the text itself elsewhere.
        var parts: [String]
    }

    /// Text that is read as text in its place, so that `3` needs no quotes.
    static func setting(_ text: String) -> FileTree {
        PropertyText.value(text) == .text(text) ? .text(text) : .literal(text)
    }

    /// The entries of a mapping; none of anything else.
    var entries: [Entry] { if case .mapping(let entries) = self { entries } else { [] } }
}
