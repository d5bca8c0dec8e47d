import Document
import Reports
import UnitAPI

/// The keys of a unit: its own, and one for each parameter that its type declares.
struct UnitTables {
    let units: [UnitEntry]
    let shelf: PresetShelf

    func unit(_ entry: FileCursor.Entry) throws(DocumentError) -> PatchUnit {
        let cursor = entry.value
        let entries = try cursor.entries("a mapping with unit, role, parameters, ...")
        let named = entries.first { $0.name == PatchKey.unit }?.value
        let component = try named?.text("the name of a unit") ?? entry.name
        guard let known = units.first(where: { $0.name == component }) else {
            throw DocumentError(
                .unknownUnit(component, known: units.map(\.name)), path: cursor.faults.path,
                key: "\(cursor.key).\(PatchKey.unit)", at: named?.node ?? cursor.place)
        }
        return unit(known, name: entry.name).read(cursor) ?? PatchUnit(entry.name, component)
    }

    /// The entries of a unit.
    func settings(_ unit: PatchUnit) throws(DocumentError) -> [FileTree.Entry] {
        guard let known = units.first(where: { $0.name == unit.component }) else {
            throw DocumentError(.unknownUnit(unit.component, known: units.map(\.name)), path: "")
        }
        try checkNames(unit, known)
        return try self.unit(known, name: unit.name).entries(unit)
    }

    /// The entries of the file of a preset that sets a unit so.
    func presetSettings(_ unit: PatchUnit, _ known: UnitEntry) throws(DocumentError) -> [FileTree.Entry] {
        try checkNames(unit, known)
        return try preset(known).entries(unit)
    }

    /// Throws if the unit has something that its type does not declare.
    private func checkNames(_ unit: PatchUnit, _ known: UnitEntry) throws(DocumentError) {
        let names = known.parameters.map(\.name), properties = known.descriptor.properties
        if let name = unit.values.keys.sorted().first(where: { !names.contains($0) }) {
            throw DocumentError(.unknownKey(name, known: names), path: "")
        }
        if let name = unit.properties.keys.sorted().first(where: { !properties.contains($0) }) {
            throw DocumentError(.unknownKey(name, known: properties), path: "", key: PatchKey.properties)
        }
    }

    /// The keys of a unit of a patch.
    func unit(_ known: UnitEntry, name: String) -> FileTable<PatchUnit> {
        let own = own(known), reserved = own.map(\.name)
        return FileTable(PatchUnit(name, known.name), known.descriptor.summary) {
            own.filter { !Self.behind.contains($0.name) }
            parameters(known) { !reserved.contains($0) }
            own.filter { Self.behind.contains($0.name) }
        } finish: { (unit, _) throws(DocumentError) in
            guard let preset = unit.preset else { return }
            // Entries beside it take precedence.
            let (values, properties) = (unit.values, unit.properties)
            unit.set(by: preset)
            unit.values.merge(values) { $1 }
            unit.properties.merge(properties) { $1 }
            unit = unit.canonical(known)
        }
    }

    /// The keys of a preset's file: those of a unit without its place in a patch; and the number of inputs that its lists are
    /// for, if a patch sets that number.
    func preset(_ known: UnitEntry) -> FileTable<PatchUnit> {
        let own = own(known, isPreset: true), reserved = self.own(known).map(\.name)
        var plain = PatchUnit(known.name, known.name)
        // Without the word the lists themselves give the number.
        if known.descriptor.repeatsLastInput { plain.inputCount = PatchFile.mostInputs }
        return FileTable(plain, "a mapping with version, unit and parameters") {
            FileField.version(PresetFile.version)
            own.filter { !Self.behind.contains($0.name) }
            parameters(known) { !reserved.contains($0) }
            own.filter { Self.behind.contains($0.name) }
        }
    }

    private static let behind = [PatchKey.values, PatchKey.properties]

    /// The keys that a type of unit may have beside its parameters. A parameter of such a name goes below `values`. If a
    /// parameter is called preset, as the matrix's is, the word is the parameter's.
    func own(_ known: UnitEntry, isPreset: Bool = false) -> [FileField<PatchUnit>] {
        let descriptor = known.descriptor
        @FieldList<PatchUnit> var ahead: [FileField<PatchUnit>] {
            FileField(
                PatchKey.unit, "The type of the unit.", schema: [("const", .string(known.name))],
                write: { (unit, _) throws(DocumentError) in
                    isPreset || unit.component != unit.name ? .init(key: PatchKey.unit, value: .text(unit.component)) : nil
                })
            if !isPreset {
                FileField(
                    PatchKey.role,
                    .choice(UnitRole.allCases.map(\.rawValue), "role", { UnitRole(rawValue: $0) }, \.rawValue), \.role,
                    "Its role.")
                FileField(PatchKey.parts, .parts, \.parts, "The parts whose music it hears: 1-16, 26.")
            }
            if !isPreset || descriptor.repeatsLastInput { inputs(descriptor) }
            if !isPreset {
                FileField(PatchKey.bypass, .flag, \.isBypassed, "Whether it is bypassed.")
                if known.takesPresets { preset(of: known) }
            }
        }
        let first = ahead, reserved = isPreset ? own(known).map(\.name) : first.map(\.name) + Self.behind
        return first + [apart(known, reserved), properties(descriptor.properties)]
    }

    private func inputs(_ descriptor: UnitDescriptor) -> FileField<PatchUnit> {
        let range = max(descriptor.inputs.count, 1)...PatchFile.mostInputs
        return FileField(
            PatchKey.inputs, "How many inputs it has.",
            schema: descriptor.repeatsLastInput ? ValueKind<Int>.whole(range).schema : []
        ) { (unit, cursor) throws(DocumentError) in
            let text = try cursor.text("a number of inputs")
            guard descriptor.repeatsLastInput, let count = Int(text), range.contains(count) else {
                throw cursor.error(.inputCount(text, descriptor))
            }
            unit.inputCount = count
        } write: { (unit, _) throws(DocumentError) in
            if unit.inputCount == 0 { return nil }
            guard descriptor.repeatsLastInput, range.contains(unit.inputCount) else {
                throw DocumentError(.inputCount("\(unit.inputCount)", descriptor), path: "")
            }
            return .init(key: PatchKey.inputs, value: .literal("\(unit.inputCount)"))
        }
    }

    private func preset(of known: UnitEntry) -> FileField<PatchUnit> {
        let help = "Its preset: a name, or a file, ./my-bass.yaml; parameters beside it take precedence."
        let text = JSONText.object([("type", .string("string"))]), names = known.descriptor.factoryPresets.map(\.name)
        return FileField(
            PatchKey.preset, help,
            schema: [("anyOf", .array(names.isEmpty ? [text] : [.object([("enum", .strings(names))]), text]))]
        ) { (unit, cursor) throws(DocumentError) in
            let name = try cursor.text("the name of a preset, or of its file")
            // A foreign unit knows its presets itself.
            if known.descriptor.properties.contains(PatchKey.preset) {
                unit.properties[PatchKey.preset] = .text(name)
                return
            }
            let preset: UnitPreset
            do throws(PresetShelf.Missing) { preset = try shelf.found(name, of: known) } catch {
                switch error {
                case .here(let fault): throw cursor.error(fault)
                case .there(let error): throw cursor.error(.inside(error, kind: "preset"))
                }
            }
            let count = max(unit.inputCount, known.descriptor.inputs.count)
            if let misfit = preset.misfit(inputs: count, known.descriptor, known.parameters) {
                throw cursor.error(.refused("preset \(name): \(misfit)"))
            }
            unit.preset = preset
        } write: { (unit, _) throws(DocumentError) in
            unit.preset.map { .init(key: PatchKey.preset, value: .text($0.name)) }
        }
    }

    // MARK: - Parameters and properties

    /// The keys of the parameters with the wanted names.
    private func parameters(_ known: UnitEntry, _ isWanted: (String) -> Bool) -> [FileField<PatchUnit>] {
        known.parameters.filter { isWanted($0.name) }.map { spec in
            var field = parameter(spec, of: known)
            field.isForemost = true
            return field
        }
    }

    /// One value, or one for each input or band.
    private func parameter(_ spec: ParameterSpec, of known: UnitEntry) -> FileField<PatchUnit> {
        let words = ParameterSchema(spec: spec, bands: known.descriptor.bands), kind = ValueKind<Float>.quantity(spec)
        return FileField(spec.name, words.sentence, schema: words.schema) { (unit, cursor) throws(DocumentError) in
            if unit.values[spec.name] != nil { throw cursor.error(.duplicateKey, at: cursor.place) }
            let most = known.elements(of: spec, inputs: unit.inputCount), items = cursor.items
            if items.isEmpty || items.count > most { throw cursor.error(.valueCount(items.count, most: most)) }
            unit.values[spec.name] = try items.map(kind.read)
        } write: { (unit, _) throws(DocumentError) in
            if unit.isAsPreset(spec, known) { return nil }
            // A value that the preset has, but that is at its default, is written.
            let initial = unit.preset?.values[spec.name].map { _ in
                spec.bandInitials.isEmpty ? [spec.initial] : spec.bandInitials
            }
            guard let values = unit.values[spec.name] ?? initial else { return nil }
            let most = known.elements(of: spec, inputs: unit.inputCount)
            if values.isEmpty || values.count > most { throw DocumentError(.valueCount(values.count, most: most), path: "") }
            let trees = try values.map(kind.write)
            return .init(key: spec.name, value: trees.count == 1 ? trees[0] : .row(trees))
        }
    }

    /// Parameters whose names have another meaning as keys of a unit; other parameters may be set there too.
    private func apart(_ known: UnitEntry, _ reserved: [String]) -> FileField<PatchUnit> {
        func table(_ isWanted: @escaping (String) -> Bool = { _ in true }) -> FileTable<PatchUnit> {
            FileTable(PatchUnit("", known.name), "a mapping of parameters") { parameters(known, isWanted) }
        }
        return FileField(
            PatchKey.values, "Parameters whose names mean something else here.", schema: table().schema
        ) { (unit, cursor) throws(DocumentError) in
            try table().read(cursor, into: &unit)
        } write: { (unit, _) throws(DocumentError) in
            let entries = try table(reserved.contains).entries(unit)
            return entries.isEmpty ? nil : .init(key: PatchKey.values, value: .mapping(entries))
        }
    }

    private func properties(_ names: [String]) -> FileField<PatchUnit> {
        let table = FileTable(PatchUnit("", ""), "a mapping of properties") {
            for name in names.sorted() { property(name) }
        }
        return FileField(
            PatchKey.properties, "Properties that the unit defines itself.", schema: names.isEmpty ? [] : table.schema
        ) { (unit, cursor) throws(DocumentError) in
            try table.read(cursor, into: &unit)
        } write: { (unit, _) throws(DocumentError) in
            let entries = try table.entries(unit)
            return entries.isEmpty ? nil : .init(key: PatchKey.properties, value: .mapping(entries))
        }
    }

    private func property(_ name: String) -> FileField<PatchUnit> {
        FileField(name, "", schema: Self.property.schema) {
            (unit, cursor) throws(DocumentError) in
            let value = try Self.property.read(cursor)
            if let other = unit.properties[name], other != value { throw cursor.error(.duplicateKey) }
            unit.properties[name] = value
        } write: { (unit, _) throws(DocumentError) in
            guard let value = unit.properties[name], unit.preset?.properties[name] != value else { return nil }
            return .init(key: name, value: try Self.property.write(value))
        }
    }

    /// true, 3, 3.5, text or a list of them; what has quotes is text.
    static var property: ValueKind<PropertyValue> {
        ValueKind([("type", .strings(["string", "number", "boolean", "array"]))]) { (cursor) throws(DocumentError) in
            switch cursor.node.content {
            case .list: return .list(try Self.property.list("").read(cursor))
            case .mapping: throw cursor.error(.wrongKind(expected: "a value or a list"))
            case .scalar(let text, isPlain: false): return .text(text)
            case .scalar(let text, isPlain: true):
                guard let value = PropertyText.value(text) else {
                    throw cursor.error(text.isEmpty ? .wrongKind(expected: "a value or a list") : .notFinite)
                }
                return value
            }
        } write: { (value) throws(DocumentError) in
            switch value {
            case .flag(let flag): return .literal("\(flag)")
            case .integer(let number): return .literal("\(number)")
            case .number(let number):
                if !number.isFinite { throw DocumentError(.notFinite, path: "") }
                return .literal("\(number)")
            case .text(let text): return .text(text)
            case .list(let values): return try Self.property.list("").write(values)
            }
        }
    }
}

extension UnitEntry {
    /// The values that a parameter has if the unit has as many inputs.
    func elements(of spec: ParameterSpec, inputs: Int) -> Int {
        spec.elementCount(inputs: max(inputs, descriptor.inputs.count), bands: descriptor.bands)
    }
}
