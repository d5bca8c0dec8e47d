import Carillon
import Reports

/// Shapes of field values in the words of JSON Schema.
enum JSONSchema {
    static func members(_ shape: FieldShape) -> [(String, FieldValue)] {
        func type(_ name: String) -> (String, FieldValue) { ("type", .text(name)) }
        return switch shape {
        case .text: [type("string")]
        case .whole: [type("integer")]
        // JSON has no word for a number that is not finite.
        case .number: [("type", .list([.text("number"), .text("null")]))]
        case .flag: [type("boolean")]
        case .choice(let words): [type("string"), ("enum", .list(words.map { .text($0) }))]
        case .list(let item): [type("array"), ("items", .group(members(item)))]
        case .group(let fields):
            [
                type("object"),
                (
                    "properties",
                    .group(fields.map { ($0.name, .group([("description", .text($0.help))] + members($0.shape))) })
                ),
                ("required", .list(fields.map { .text($0.name) })),
            ]
        case .optional(let shape): [("anyOf", .list([.group(members(shape)), .group([type("null")])]))]
        }
    }
}
