import Document
import UnitAPI

/// A patch as programs write it for programs: JSON, for which no catalogue is needed. Numbers have no unit, buses have numbers,
/// and names stand among the keys. Journals have it, and files of version 0.
enum PlainTables {
    static let versionKey = "carillon-patch"
    private static let players = PatchTables(units: [], shelf: PresetShelf(ofPatchAt: ""))

    /// The keys of a patch.
    static func patch(isWhole: Bool) -> FileTable<Patch> {
        FileTable(Patch(), "a mapping with units, connections, ...") {
            if isWhole { FileField.version(Patch.version, key: versionKey) }
            FileField("soundfonts", texts, \.soundFonts, "")
            FileField("units", unit.kind.list("a list of units"), \.units, "")
            FileField("patches", nested.list("a list of patches"), \.patches, "")
            FileField("connections", connection.list("a list of connections"), \.connections, "")
            FileField("inputs", ports, \.inputs, "")
            FileField("outputs", ports, \.outputs, "")
            FileField("zones", zones, \.zones, "")
            FileField("controllers", controllers, \.controllers, "")
            FileField("scenes", scenes, \.scenes, "")
            FileField("clock", texts, \.clock, "")
        }
    }

    /// The keys of an edit.
    static var difference: FileTable<PatchDifference> {
        FileTable(PatchDifference(), "a mapping with units, connections, ...") {
            FileField("renamed", ValueKind<String>.text("a name").named("a mapping of names"), \.renamed, "")
            FileField("soundFonts", texts, \.soundFonts, "")
            FileField("units", changes(unit.kind), \.units, "")
            FileField("connections", changes(connection), \.connections, "")
            FileField("inputs", ports, \.inputs, "")
            FileField("outputs", ports, \.outputs, "")
            FileField("zones", zones, \.zones, "")
            FileField("controllers", controllers, \.controllers, "")
            FileField("scenes", scenes, \.scenes, "")
            FileField("clock", texts, \.clock, "")
            FileField("patches", changes(nested), \.patches, "")
            FileField("inside", inside { Self.difference.kind }.named("a mapping of changes by patch"), \.inside, "")
        }
    }

    private static func changes<Element>(_ kind: ValueKind<Element>) -> ValueKind<ListDifference<Element>> {
        FileTable(ListDifference(), "a mapping with removed, added and order") {
            FileField("removed", kind.list("a list"), \.removed, "")
            FileField("added", kind.list("a list"), \.added, "")
            FileField("order", ValueKind<Int>.whole(0...(.max)).list("a list of places"), \.order, "")
        }.kind
    }

    private static var unit: FileTable<PatchUnit> {
        FileTable(PatchUnit("", ""), "a mapping with name, unit, values, ...") {
            name(\.name)
            FileField("unit", .text("the name of a unit"), \.component, example: "NAME", "")
            FileField("role", .choice, \.role, "")
            FileField("input-count", .whole(0...(.max)), \.inputCount, "")
            FileField("parts", .parts, \.parts, "")
            FileField("preset", preset, \.preset, "")
            FileField("values", values, \.values, "")
            FileField("properties", properties, \.properties, "")
            FileField("bypass", .flag, \.isBypassed, "")
        } finish: { (unit, _) throws(DocumentError) in
            if unit.name.isEmpty { unit.name = unit.component }
        }
    }

    private static var preset: ValueKind<UnitPreset> {
        FileTable(UnitPreset("", values: [:]), "a mapping with name and values") {
            name(\.name)
            FileField("values", values, \.values, "")
            FileField("properties", properties, \.properties, "")
        }.kind
    }

    private static var nested: ValueKind<SubPatch> {
        FileTable(SubPatch("", Patch()), "a mapping with name and patch") {
            name(\.name)
            FileField("patch", inside { patch(isWhole: false).kind }, \.patch, "")
        }.kind
    }

    private static var connection: ValueKind<PatchConnection> {
        FileTable(PatchConnection(PatchPort(""), to: PatchPort("")), "a mapping with from and to") {
            FileField("from", port, \.from, example: "reverb", "")
            FileField("to", port, \.to, example: "mixer[1]", "")
        }.kind
    }

    // MARK: - Values

    static func name<Root>(_ property: WritableKeyPath<Root, String>) -> FileField<Root> {
        FileField("name", .text("a name"), property, "")
    }

    private static var texts: ValueKind<[String]> { ValueKind<String>.text("a text").list("a list of texts") }
    private static var zones: ValueKind<[Zone]> { players.zone(in: nil).kind.list("a list of zones") }
    private static var controllers: ValueKind<[ControllerMap]> { players.controller(in: nil).kind.list("a list of controllers") }
    private static var scenes: ValueKind<[Scene]> { players.scene(in: nil).kind.list("a list of scenes") }
    private static var ports: ValueKind<[PatchPort]> { port.list("a list of buses") }
    private static var port: ValueKind<PatchPort> {
        .parsed("a bus like mixer or mixer[3]", { PatchPort(text: $0) }, \.description)
    }

    private static var properties: ValueKind<[String: PropertyValue]> { property.named("a mapping of properties") }

    /// A property; also as Swift's coding of enumerations has it, {"text": {"_0": "x"}}, which was written once.
    private static var property: ValueKind<PropertyValue> {
        let plain = UnitTables.property
        return ValueKind([]) { (cursor) throws(DocumentError) in
            guard case .mapping = cursor.node.content, let tagged = try cursor.entries("").first,
                let inside = try tagged.value.entries("").first?.value
            else { return try plain.read(cursor) }
            if tagged.name == "list" { return .list(try Self.property.list("").read(inside)) }
            let value = try plain.read(inside)
            if tagged.name == "number", case .integer(let number) = value { return .number(Double(number)) }
            return value
        } write: { (value) throws(DocumentError) in
            try plain.write(value)
        }
    }

    /// One number as a number, several as a list.
    private static var values: ValueKind<[String: [Float]]> {
        let number = ValueKind<Float>.number
        return ValueKind<[Float]>([]) { (cursor) throws(DocumentError) in
            if case .list = cursor.node.content { return try number.list("").read(cursor) }
            return [try number.read(cursor)]
        } write: { (values) throws(DocumentError) in
            values.count == 1 ? try number.write(values[0]) : try number.list("").write(values)
        }.named("a mapping of parameters")
    }

    /// A kind that is made when it is needed, for values inside others of their kind.
    private static func inside<Value>(_ kind: @escaping () -> ValueKind<Value>) -> ValueKind<Value> {
        ValueKind([]) { (cursor) throws(DocumentError) in
            try kind().read(cursor)
        } write: { (value) throws(DocumentError) in
            try kind().write(value)
        }
    }
}
