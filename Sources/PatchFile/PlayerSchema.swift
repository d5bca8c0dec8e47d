/// The part of the schema that says what a player does: zones, controllers, scenes.
enum PlayerSchema {
    private static func whole(_ low: Double, _ high: Double) -> [(String, JSONText)] {
        [("type", .string("integer")), ("minimum", .number(low)), ("maximum", .number(high))]
    }
    private static var text: [(String, JSONText)] { [("type", .string("string"))] }
    private static var many: [(String, JSONText)] { [("type", .strings(["string", "integer", "array"]))] }
    /// A value with its unit, or a number.
    private static var value: [(String, JSONText)] { [("type", .strings(["string", "number", "boolean"]))] }
    private typealias Key = (String, [(String, JSONText)], String)
    private static var keyboard: Key {
        ("keyboard", text, "The keyboard: a part of its name, or its identity; any where it is left out.")
    }
    private static var channels: Key {
        ("channels", many, "The channels that it listens to: 1-4, 10; all where it is left out.")
    }

    /// The description of the MIDI ports that get the beat.
    static var clock: JSONText {
        PatchSchema.described(
            "MIDI ports that get the beat (MIDI clock), by a part of the name: one, or a list.",
            [
                ("type", .strings(["string", "array", "null"])), ("items", .object(text)),
            ])
    }

    /// The description of the zones that keyboards play.
    static var zones: JSONText {
        let curve: [(String, JSONText)] = [
            ("type", .strings(["object", "null"])),
            (
                "properties",
                .object([
                    (
                        "curve",
                        PatchSchema.described(
                            "Below 1 softly played notes get louder, above 1 softer; 0 makes all equal.",
                            [
                                ("type", .string("number")), ("minimum", .number(0)), ("maximum", .number(10)),
                            ])
                    ),
                    ("low", PatchSchema.described("The softest that comes out.", whole(1, 127))),
                    ("high", PatchSchema.described("The loudest that comes out.", whole(1, 127))),
                ])
            ), ("additionalProperties", .flag(false)),
        ]
        let zone: [Key] = [
            keyboard, channels,
            ("keys", [("type", .strings(["string", "integer"]))], "The keys that it has: C2-B3, or 36-59; C4 is middle C."),
            ("softest", whole(1, 127), "How hard a key must be struck for it."),
            ("hardest", whole(1, 127), "How hard a key may be struck for it."),
            ("transpose", whole(-127, 127), "Semitones by which it plays higher."),
            ("velocity", curve, "What becomes of velocities."), ("pressure", curve, "What becomes of pressure."),
            ("ignored-controllers", many, "Controllers that do not get through."),
            ("programs", [("enum", ParameterSchema.switches)], "Whether programs and banks get through."),
            ("unit", text, "The unit that it plays, and no other; whoever hears the channel where it is left out."),
            ("output", text, "The MIDI port that it plays out to, by a part of its name, beside the unit or alone."),
            ("channel", whole(1, 16), "The channel of that unit, and outside."),
            ("bank", whole(0, 128), "The bank that it begins with."),
            ("program", whole(0, 127), "The program that it begins with."),
        ]
        return mapping("What keyboards play, by name: splits and layers.", zone)
    }

    /// The description of the controllers that move parameters.
    static var controllers: JSONText {
        mapping(
            "Controls of keyboards that move parameters, by name.",
            [
                ("control", [("type", .strings(["string", "integer"]))], "A controller from 0 to 119, bend or pressure."),
                ("parameter", text, "What it moves: reverb.decay, mixer.gain[1]."),
                ("from", value, "The value at the control's beginning."), ("to", value, "The value at its end."),
                ("curve", [("enum", .strings(["linear", "logarithmic"]))], "How its way spreads over the values."),
                ("pick-up", [("enum", ParameterSchema.switches)], "Whether it waits until it comes to where the parameter is."),
                ("passes", [("enum", ParameterSchema.switches)], "Whether the instruments hear it too."),
                keyboard, channels,
            ], required: ["control", "parameter"])
    }

    /// The description of the scenes, sets of values that are called together.
    static var scenes: JSONText {
        mapping(
            "Values that are called together, by name.",
            [
                ("morph", value, "How long values take to their targets: 2 s."),
                (
                    "values",
                    [
                        ("type", .strings(["object", "null"])), ("additionalProperties", .object(value)),
                    ], "Parameters and what they become: reverb.decay: 2 s."
                ),
                ("zones", [("type", .strings(["array", "null"])), ("items", .object(text))], "The zones that are heard then."),
                ("program", whole(0, 127), "The program change that calls it."),
                ("key", [("type", .strings(["string", "integer"]))], "The key that calls it: C1."),
                ("controller", whole(0, 119), "The foot switch that calls it; scenes with the same one take turns."),
                keyboard, channels,
            ])
    }

    private static func mapping(
        _ sentence: String, _ keys: [Key], required: [String] = []
    ) -> JSONText {
        PatchSchema.described(
            sentence,
            [
                ("type", .strings(["object", "null"])),
                (
                    "additionalProperties",
                    .object(
                        [
                            ("type", required.isEmpty ? .strings(["object", "null"]) : .string("object")),
                            ("properties", .object(keys.map { ($0.0, PatchSchema.described($0.2, $0.1)) })),
                        ] + (required.isEmpty ? [] : [("required", .strings(required))]) + [
                            ("additionalProperties", .flag(false))
                        ])
                ),
            ])
    }
}
