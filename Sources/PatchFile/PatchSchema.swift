import UnitAPI

/// The JSON Schema (draft 2020-12) of files of patches, made of a catalogue: with it an editor completes names, shows what
/// they mean and marks what cannot be. It knows less than the reader: ranges of numbers with a unit, and which names stand
/// beside a connection, only that tells.
public enum PatchSchema {
    /// The schema as JSON.
    public static func text(units: [UnitEntry]) -> String {
        var definitions: [(String, JSONText)] = [
            ("patch", .object([("type", .string("object"))] + patch(more: []))),
            ("name", .object([("type", .string("string")), ("pattern", .string("^\(name)$"))])),
            (
                "port",
                .object([
                    ("type", .string("string")), ("pattern", .string("^\(port)$")),
                    ("description", .string("A unit or nested patch; a bus other than the first in brackets: mixer[1].")),
                ])
            ),
            (
                "ports",
                .object([
                    ("anyOf", .array([reference("port"), .object([("type", .string("array")), ("items", reference("port"))])]))
                ])
            ),
            ("unit", unit(units)),
        ]
        for entry in units { definitions.append(("unit-\(entry.name)", unit(entry))) }
        return JSONText.object(
            [
                ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("title", .string("Carillon patch")),
                ("type", .string("object")), ("required", .strings([PatchKey.version])),
            ]
                + patch(
                    more: [
                        (
                            PatchKey.version,
                            .object([
                                ("const", .number(Double(PatchFile.version))),
                                ("description", .string("The version of the file's form.")),
                            ])
                        ), (PatchKey.zones, PlayerSchema.zones), (PatchKey.controllers, PlayerSchema.controllers),
                        (PatchKey.scenes, PlayerSchema.scenes), (PatchKey.clock, PlayerSchema.clock),
                    ], units: units)
                + [("$defs", .object(definitions))]
        ).written() + "\n"
    }

    private static let name = #"[^\[\]=,* \t\r\n]+"#
    private static let port = name + #"(\[[^\[\] ]+\])?"#

    private static func reference(_ name: String) -> JSONText { .object([("$ref", .string("#/$defs/\(name)"))]) }

    /// A value with a sentence.
    static func described(_ text: String, _ entries: [(String, JSONText)]) -> JSONText {
        .object([("description", .string(text))] + entries)
    }

    /// Describes what a patch may say. The units of the outermost one are written out; nested patches refer to the same.
    private static func patch(
        more: [(String, JSONText)], units: [UnitEntry] = []
    ) -> [(String, JSONText)] {
        let optional = JSONText.strings(["object", "null"])
        let unitsValue: JSONText =
            units.isEmpty
            ? .object([("$ref", .string("#/properties/units"))])
            : described(
                "The units by name, in the order in which surfaces list them.",
                [
                    ("type", optional), ("propertyNames", reference("name")),
                    // A unit that is called like a type is of this type where it says no other.
                    (
                        "properties",
                        .object(
                            units.map { entry in
                                (
                                    entry.name,
                                    .object([
                                        ("if", .object([("type", .string("object")), ("required", .strings([PatchKey.unit]))])),
                                        ("then", reference("unit")), ("else", reference("unit-\(entry.name)")),
                                    ])
                                )
                            })
                    ), ("additionalProperties", reference("unit")),
                ])
        return [
            (
                "properties",
                .object(
                    more + [
                        (
                            PatchKey.soundFonts,
                            described(
                                "SoundFont files, in order of search; from this file's folder on.",
                                [
                                    ("type", .strings(["array", "null"])), ("items", .object([("type", .string("string"))])),
                                ])
                        ),
                        (PatchKey.units, unitsValue),
                        (
                            PatchKey.patches,
                            described(
                                "Patches inside this one, by name.",
                                [
                                    ("type", optional), ("propertyNames", reference("name")),
                                    ("additionalProperties", reference("patch")),
                                ])
                        ),
                        (
                            PatchKey.connections,
                            described(
                                "What sounds into what, in rows: organ -> reverb -> mixer[1].",
                                [
                                    ("type", .strings(["array", "null"])),
                                    (
                                        "items",
                                        .object([("type", .string("string")), ("pattern", .string("^\(port)( +-> +\(port))+$"))])
                                    ),
                                ])
                        ),
                        (
                            PatchKey.inputs,
                            described(
                                "Buses that a patch around this one leads sound to.",
                                [
                                    ("$ref", .string("#/$defs/ports"))
                                ])
                        ),
                        (
                            PatchKey.outputs,
                            described(
                                "The buses whose sound leaves; one at the outermost level.",
                                [
                                    ("$ref", .string("#/$defs/ports"))
                                ])
                        ),
                    ])
            ), ("additionalProperties", .flag(false)),
        ]
    }

    /// Any unit: its type says what else.
    private static func unit(_ units: [UnitEntry]) -> JSONText {
        .object([
            ("type", .string("object")), ("required", .strings([PatchKey.unit])),
            (
                "properties",
                .object([
                    (PatchKey.unit, described("The type of the unit.", [("enum", .strings(units.map(\.name)))]))
                ])
            ),
            (
                "allOf",
                .array(
                    units.map { entry in
                        .object([
                            (
                                "if",
                                .object([
                                    ("properties", .object([(PatchKey.unit, .object([("const", .string(entry.name))]))])),
                                    ("required", .strings([PatchKey.unit])),
                                ])
                            ), ("then", reference("unit-\(entry.name)")),
                        ])
                    })
            ),
        ])
    }

    /// A preset: those of the unit are offered; others are names and files of a person's own.
    private static func preset(_ descriptor: UnitDescriptor) -> JSONText {
        let text = JSONText.object([("type", .string("string"))])
        let names = descriptor.factoryPresets.map(\.name)
        return described(
            "What it is set by; parameters beside it go before: a preset's name, or its file, ./my-bass.yaml.",
            [
                ("anyOf", .array(names.isEmpty ? [text] : [.object([("enum", .strings(names))]), text]))
            ])
    }

    /// One type of unit.
    private static func unit(_ entry: UnitEntry) -> JSONText {
        let descriptor = entry.descriptor
        let parameters = entry.parameters.map { ($0.name, ParameterSchema(spec: $0, bands: descriptor.bands).schema) }
        var keys: [(String, JSONText)] = [
            (PatchKey.unit, described("The type of the unit.", [("const", .string(entry.name))])),
            (PatchKey.role, described("What it is there for.", [("enum", .strings(UnitRole.allCases.map(\.rawValue)))])),
            (
                PatchKey.parts,
                described(
                    "The parts whose music it hears: 1-16, 26.",
                    [
                        (
                            "anyOf",
                            .array([
                                .object([("type", .string("integer")), ("minimum", .number(1)), ("maximum", .number(256))]),
                                .object([
                                    ("type", .string("string")),
                                    ("pattern", .string("^ *[0-9]+(- *[0-9]+)?(, *[0-9]+(- *[0-9]+)?)*$")),
                                ]),
                            ])
                        )
                    ])
            ),
            (PatchKey.bypass, described("Whether sound passes it by.", [("enum", ParameterSchema.switches)])),
            (
                PatchKey.values,
                described(
                    "Parameters whose names mean something else here.",
                    [
                        ("type", .strings(["object", "null"])), ("properties", .object(parameters)),
                        ("additionalProperties", .flag(false)),
                    ])
            ),
        ]
        if entry.takesPresets { keys.append((PatchKey.preset, preset(descriptor))) }
        if descriptor.repeatsLastInput {
            keys.append(
                (
                    PatchKey.inputs,
                    described(
                        "How many inputs it has.",
                        [
                            ("type", .string("integer")), ("minimum", .number(Double(max(descriptor.inputs.count, 1)))),
                            ("maximum", .number(Double(PatchFile.mostInputs))),
                        ])
                ))
        }
        if !descriptor.properties.isEmpty {
            let scalar = JSONText.strings(["string", "number", "boolean", "array"])
            keys.append(
                (
                    PatchKey.properties,
                    described(
                        "What the unit defines for itself.",
                        [
                            ("type", .strings(["object", "null"])),
                            ("properties", .object(descriptor.properties.map { ($0, .object([("type", scalar)])) })),
                            ("additionalProperties", .flag(false)),
                        ])
                ))
        }
        return described(
            descriptor.summary,
            [
                ("type", .strings(["object", "null"])),
                ("properties", .object(keys + parameters.filter { !PatchKey.of(entry).contains($0.0) })),
                ("additionalProperties", .flag(false)),
            ])
    }
}
