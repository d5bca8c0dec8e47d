import Reports
import UnitAPI

/// The content of a file before it has lines: what a value becomes, and what two are compared as.
package indirect enum FileTree: Equatable {
    /// Text that is read as text, whatever it looks like.
    case text(String)
    /// Text that would be another with quotes: `true`, `3`.
    case literal(String)
    /// Values on one line.
    case row([FileTree])
    /// One item on each line.
    case list([Item])
    case mapping([Entry])

    /// The items of a list, one after the other; nil for a value that is not a list.
    package var parts: [String]? { if case .list(let items) = self { items.flatMap(\.parts) } else { nil } }

    /// A key and its value.
    package struct Entry: Equatable {
        package var key: String
        package var value: FileTree
        /// The type by which comments know an entry, such as a unit's; empty if it has none.
        package var type: String
        /// True for a mapping in an order that matters.
        package var isOrdered: Bool

        package init(key: String, value: FileTree, type: String = "", isOrdered: Bool = false) {
            (self.key, self.value, self.type, self.isOrdered) = (key, value, type, isOrdered)
        }
    }

    /// An item of a list: its parts, and its text. Items with the same parts mean the same.
    package struct Item: Equatable {
        package var text: String
        /// The connections of a row, each by itself; the text itself elsewhere.
        package var parts: [String]

        package init(text: String, parts: [String]) { (self.text, self.parts) = (text, parts) }
    }

    /// Text that is read as text in its place, so that `3` needs no quotes.
    package static func setting(_ text: String) -> FileTree {
        PropertyText.value(text) == .text(text) ? .text(text) : .literal(text)
    }

    /// The content as JSON, its keys in the order of the alphabet.
    package var json: JSONText {
        switch self {
        case .text(let text): .string(text)
        case .literal(let text): .literal(text)
        case .row(let items): .array(items.map(\.json))
        case .list(let items): .strings(items.map(\.text))
        case .mapping(let entries): .object(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        }
    }

    /// The entries of a mapping; none of anything else.
    package var entries: [Entry] { if case .mapping(let entries) = self { entries } else { [] } }
}
