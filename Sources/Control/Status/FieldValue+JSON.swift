import Carillon
import Reports

/// Field values as JSON on one line.
extension FieldValue {
    /// The line of JSON, without its end; keys in the order in which they are given.
    package var json: String { tree.text }

    private var tree: JSONText {
        switch self {
        case .none: .null
        case .flag(let flag): .flag(flag)
        case .whole(let number): .whole(number)
        case .number(let number): .number(number)
        case .text(let text): .string(text)
        case .list(let items): .array(items.map(\.tree))
        case .object(let members): .object(members.map { ($0.name, $0.value.tree) })
        }
    }
}
