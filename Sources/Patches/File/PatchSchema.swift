import Document
import Reports
import UnitAPI

/// The JSON Schema (draft 2020-12) of files of patches, made of a catalogue: with it an editor completes names, shows their
/// meaning and marks faults. It knows less than the reader: only the reader checks ranges of numbers with a unit, and the
/// names in a connection.
package enum PatchSchema {
    /// The schema as JSON.
    package static func text(units: [UnitEntry]) -> String {
        let tables = PatchTables(units: units, shelf: PresetShelf(ofPatchAt: ""))
        let ports = JSONText.object([("type", .string("array")), ("items", reference("port"))])
        let definitions: [(String, JSONText)] =
            [
                ("patch", .object(tables.patch(depth: 2).schema)),
                ("name", .object([("type", .string("string")), ("pattern", .string("^\(name)$"))])),
                (
                    "port",
                    .object([
                        ("type", .string("string")), ("pattern", .string("^\(port)$")),
                        ("description", .string("A unit or nested patch; a bus other than the first in brackets: mixer[1].")),
                    ])
                ), ("ports", .object([("anyOf", .array([reference("port"), ports]))])), ("unit", unit(units)),
            ]
            + units.map { entry in
                let words = UnitTables(units: units, shelf: tables.shelf).unit(entry, name: entry.name).schema
                return ("unit-\(entry.name)", .object([("description", .string(entry.descriptor.summary))] + words))
            }
        return tables.patch().document(title: "Carillon patch", definitions: definitions)
    }

    private static let name = #"[^\[\]=,* \t\r\n]+"#
    static let port = name + #"(\[[^\[\] ]+\])?"#

    static func reference(_ name: String) -> JSONText { .object([("$ref", .string("#/$defs/\(name)"))]) }

    /// The words of the units of the outermost patch. A unit that is called like a type is of this type unless it names
    /// another.
    static func units(_ units: [UnitEntry]) -> [(String, JSONText)] {
        let typed = JSONText.object([("type", .string("object")), ("required", .strings([PatchKey.unit]))])
        let named = units.map { entry in
            (
                entry.name,
                JSONText.object([("if", typed), ("then", reference("unit")), ("else", reference("unit-\(entry.name)"))])
            )
        }
        return [
            ("type", .strings(["object", "null"])), ("propertyNames", reference("name")), ("properties", .object(named)),
            ("additionalProperties", reference("unit")),
        ]
    }

    /// Any unit: the rest depends on its type.
    private static func unit(_ units: [UnitEntry]) -> JSONText {
        let required = ("required", JSONText.strings([PatchKey.unit]))
        let types = units.map { entry in
            let type = JSONText.object([(PatchKey.unit, .object([("const", .string(entry.name))]))])
            return JSONText.object([
                ("if", .object([("properties", type), required])), ("then", reference("unit-\(entry.name)")),
            ])
        }
        let type = JSONText.object([
            ("description", .string("The type of the unit.")), ("enum", .strings(units.map(\.name))),
        ])
        return .object([
            ("type", .string("object")), required, ("properties", .object([(PatchKey.unit, type)])), ("allOf", .array(types)),
        ])
    }
}
