import DSP
import Document
import Reports
import UnitAPI

/// The keys of what a player does: zones, controllers, scenes.
extension PatchTables {
    private func keyboard<Root>(_ property: WritableKeyPath<Root, String?>) -> FileField<Root> {
        FileField(
            "keyboard", .text("a keyboard's name"), property,
            "The keyboard: a part of its name, or its identity; by default any.")
    }

    private func channels<Root>(_ property: WritableKeyPath<Root, PartList>) -> FileField<Root> {
        FileField("channels", .parts, property, "The channels that it listens to: 1-4, 10; by default all.")
    }

    /// The keys of a zone of `patch`; nil means of any, with its name among the keys.
    func zone(_ name: String = "", in patch: Patch?) -> FileTable<Zone> {
        FileTable(Zone(name), "a mapping with keys, unit, ...") {
            if patch == nil { PlainTables.name(\.name) }
            keyboard(\.keyboard)
            channels(\.channels)
            FileField(
                "keys", .parsed("a range of keys like C2-B3 or 36-59", orNumber: true, { KeySpan($0) }, \.description), \.keys,
                "Its keys: C2-B3, or 36-59; C4 is middle C.")
            FileField("softest", .whole(1...127), \.softest, "The lowest velocity that it plays.")
            FileField("hardest", .whole(1...127), \.hardest, "The highest velocity that it plays.")
            FileField("transpose", .whole(-127...127), \.transpose, "Semitones by which it plays higher.")
            FileField("velocity", curve.kind, \.velocity, "How velocities change.")
            FileField("pressure", curve.kind, \.pressure, "How pressure changes.")
            FileField(
                "ignored-controllers", ValueKind<Int>.whole(0...127).orMore.map({ Set($0) }, { $0.sorted() }),
                \.ignoredControllers,
                "Controllers that are blocked.")
            FileField("programs", .flag, \.passesPrograms, "Whether programs and banks pass.")
            FileField(
                "unit", Self.name("a unit's name", of: patch?.units.map(\.name)) { .unknownName($0, known: $1) }, \.unit,
                "The only unit that it plays; by default all units that hear the channel.")
            FileField(
                "output", .text("a part of the name of a MIDI port"), \.output,
                "The MIDI port that it plays, by a part of its name, instead of the unit or besides it.")
            FileField("channel", .whole(1...16), \.channel, "The channel of that unit, and of the MIDI port.")
            FileField("bank", .whole(0...128), \.bank, "The bank that it begins with.")
            FileField("program", .whole(0...127), \.program, "The program that it begins with.")
        } finish: { (zone, cursor) throws(DocumentError) in
            refuse(patch.flatMap { zone.fault(in: $0) }, cursor)
        }
    }

    /// Refuses an entry for what is wrong with it as a whole, unless that may be the fault of a name that could not be read.
    private func refuse(_ fault: String?, _ cursor: FileCursor) {
        // It stays, so that what names it is not refused for that.
        if let fault, !cursor.faults.hideNames { cursor.faults.add(cursor.error(.refused(fault), at: cursor.place)) }
    }

    private func zoneName(in patch: Patch?) -> ValueKind<String> {
        Self.name("a zone's name", of: patch?.zones.map(\.name)) { .unknownZone($0, known: $1) }
    }

    /// A name from elsewhere in the file.
    private static func name(
        _ expected: String, of known: [String]?, _ fault: @escaping (String, [String]) -> DocumentError.Fault
    ) -> ValueKind<String> {
        let text = ValueKind<String>.text(expected)
        guard let known else { return text }
        return ValueKind(text.schema) { (cursor) throws(DocumentError) in
            let name = try text.read(cursor)
            if !known.contains(name), !cursor.faults.hideNames { throw cursor.error(fault(name, known.sorted())) }
            return name
        } write: { (name) throws(DocumentError) in
            try text.write(name)
        }
    }

    private var curve: FileTable<TouchCurve> {
        FileTable(.straight, "a mapping with curve, low and high") {
            FileField(
                "curve", .number(0...10), \.exponent,
                "Below 1 softly played notes get louder, above 1 softer; 0 makes all as loud as `high`.")
            FileField("low", .whole(1...127), \.low, "The value of the softest touch.")
            FileField("high", .whole(1...127), \.high, "The value of the hardest touch.")
        }
    }

    /// The keys of a controller that moves a parameter of `patch`; nil means of any, with its name among the keys.
    func controller(_ name: String = "", in patch: Patch?) -> FileTable<ControllerMap> {
        FileTable(
            ControllerMap(name, .bend, moves: ParameterAddress(unit: "", parameter: "")), "a mapping with control, parameter, ..."
        ) {
            if patch == nil { PlainTables.name(\.name) }
            keyboard(\.keyboard)
            channels(\.channels)
            FileField(
                "control",
                .parsed("a controller from 0 to 119, bend or pressure", orNumber: true, { ControllerMap.Control($0) }, \.text),
                \.control, example: "1", "A controller from 0 to 119, bend or pressure.")
            FileField(
                "parameter", address(in: patch), \.parameter, example: "reverb.decay",
                "What it moves: reverb.decay, mixer.gain[1].")
            end("from", \.from, in: patch, "The value at the control's beginning.")
            end("to", \.to, in: patch, "The value at its end.")
            FileField(
                "curve",
                .parsed("linear or logarithmic", { ParameterSpec.Curve(name: $0) }, \.name)
                    .withSchema([("enum", .strings(["linear", "logarithmic"]))]),
                \.curve, "How its range maps to the values.")
            FileField("pick-up", .flag, \.picksUp, "Whether it waits until it reaches the parameter's value.")
            FileField("passes", .flag, \.passes, "Whether the instruments get it too.")
        } finish: { (map, cursor) throws(DocumentError) in
            refuse(patch.flatMap { map.fault(in: $0) }, cursor)
        }
    }

    /// A value of the parameter that a controller moves.
    private func end(
        _ name: String, _ property: WritableKeyPath<ControllerMap, Float?>, in patch: Patch?, _ help: String
    ) -> FileField<ControllerMap> {
        func known(_ address: ParameterAddress) -> ValueKind<Float>? {
            do { return try value(of: address, in: patch) } catch { return nil }
        }
        return FileField(name, help, schema: Self.anyValue) { (map, cursor) throws(DocumentError) in
            // Faults of the parameter have been reported.
            map[keyPath: property] = try known(map.parameter)?.read(cursor)
        } write: { (map, _) throws(DocumentError) in
            guard let value = map[keyPath: property], let kind = known(map.parameter) else { return nil }
            return .init(key: name, value: try kind.write(value))
        }
    }

    /// The keys of a scene of `patch`; nil means of any, with its name among the keys.
    func scene(_ name: String = "", in patch: Patch?) -> FileTable<Scene> {
        let morph = ParameterSpec(
            "morph", 0...Float(Scene.longestMorph), default: 0, unit: .seconds, help: "How long the values take to change.")
        return FileTable(Scene(name), "a mapping with morph, values, program, ...") {
            if patch == nil { PlainTables.name(\.name) }
            FileField(
                "morph", patch == nil ? .number : .quantity(morph), \.morph, "How long the values take to change: 2 s.")
            keyboard(\.keyboard)
            channels(\.channels)
            FileField("program", .whole(0...127), \.program, "The program change that calls it.")
            FileField(
                "key",
                .parsed(
                    "a key like C1 or 24", orNumber: true,
                    { KeySpan($0).flatMap { $0.keys.count == 1 ? Int($0.keys.lowerBound) : nil } },
                    { (0...127).contains($0) ? KeySpan.name(of: UInt8($0)) : "\($0)" }), \.key, "The key that calls it: C1.")
            FileField(
                "controller", .whole(0...119), \.controller,
                "The foot switch that calls it; scenes with the same one take turns.")
            FileField(
                "zones", zoneName(in: patch).list("a list of zones"), \.zones,
                "The zones that are heard in it.")
            values(in: patch)
        } finish: { (scene, cursor) throws(DocumentError) in
            refuse(patch.flatMap { scene.fault(in: $0) }, cursor)
        }
    }

    private func values(in patch: Patch?) -> FileField<Scene> {
        let schema: [(String, JSONText)] = [
            ("type", .strings(["object", "null"])), ("additionalProperties", .object(Self.anyValue)),
        ]
        return FileField("values", "Parameters and their values: reverb.decay: 2 s.", schema: schema) {
            (scene, cursor) throws(DocumentError) in
            for entry in try cursor.entries("a mapping of parameters like reverb.decay: 2 s") {
                do throws(DocumentError) {
                    guard let address = ParameterAddress(entry.name) else {
                        throw cursor.error(.wrongKind(expected: Self.addressText), at: entry.value.place)
                    }
                    let kind: ValueKind<Float>
                    do throws(DocumentError.Fault) { kind = try value(of: address, in: patch) } catch {
                        throw cursor.error(error, at: entry.value.place)
                    }
                    scene.values[address] = try kind.read(entry.value)
                } catch { cursor.faults.add(error) }
            }
        } write: { (scene, _) throws(DocumentError) in
            var values: [FileTree.Entry] = []
            for (address, value) in scene.sortedValues {
                let kind: ValueKind<Float>
                do throws(DocumentError.Fault) { kind = try self.value(of: address, in: patch) } catch {
                    throw DocumentError(error, path: "")
                }
                values.append(.init(key: address.description, value: try kind.write(value)))
            }
            return values.isEmpty ? nil : .init(key: "values", value: .mapping(values))
        }
    }

    // MARK: - Parameters

    /// A value with its unit, or a number.
    private static let anyValue: [(String, JSONText)] = [("type", .strings(["string", "number", "boolean"]))]
    private static let addressText = "a parameter like reverb.decay or mixer.gain[1]"

    private func address(in patch: Patch?) -> ValueKind<ParameterAddress> {
        let kind = ValueKind<ParameterAddress>.parsed(Self.addressText, { ParameterAddress($0) }, \.description)
        guard let patch else { return kind }
        return ValueKind(kind.schema) { (cursor) throws(DocumentError) in
            let address = try kind.read(cursor)
            do throws(DocumentError.Fault) { _ = try spec(of: address, in: patch) } catch { throw cursor.error(error) }
            return address
        } write: { (address) throws(DocumentError) in
            do throws(DocumentError.Fault) { _ = try spec(of: address, in: patch) } catch { throw DocumentError(error, path: "") }
            return try kind.write(address)
        }
    }

    /// The kind of a parameter's values.
    private func value(of address: ParameterAddress, in patch: Patch?) throws(DocumentError.Fault) -> ValueKind<Float> {
        if let patch { .quantity(try spec(of: address, in: patch)) } else { .number }
    }

    /// Finds the declaration of a parameter.
    private func spec(of address: ParameterAddress, in patch: Patch) throws(DocumentError.Fault) -> ParameterSpec {
        guard let unit = patch[unit: address.unit] else {
            throw .unknownName(address.unit, known: patch.units.map(\.name).sorted())
        }
        guard let known = units.first(where: { $0.name == unit.component }) else {
            throw .unknownUnit(unit.component, known: units.map(\.name))
        }
        guard let spec = known.parameters.first(where: { $0.name == address.parameter }) else {
            throw .unknownKey(address.parameter, known: known.parameters.map(\.name))
        }
        if spec.applies == .atStart { throw .value(.onlyAtStart(parameter: spec.name)) }
        let count = known.elements(of: spec, inputs: unit.inputCount)
        if let element = address.element, element >= count {
            throw .value(.outOfRange(parameter: spec.name, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]"))
        }
        return spec
    }
}

extension ValueKind where Value == PartList {
    /// Parts, or channels.
    static var parts: Self {
        let list = [("type", JSONText.string("string")), ("pattern", .string("^ *[0-9]+(- *[0-9]+)?(, *[0-9]+(- *[0-9]+)?)*$"))]
        let one = ValueKind<Int>.whole(1...256).schema
        return ValueKind([("anyOf", .array([.object(one), .object(list)]))]) { (cursor) throws(DocumentError) in
            let text = try cursor.text("a list like 1-4, 10")
            guard let parts = PartList(text) else { throw cursor.error(.parts(text)) }
            return parts
        } write: {
            .setting($0.description)
        }
    }
}
