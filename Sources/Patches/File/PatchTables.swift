import Document
import Reports
import UnitAPI

/// The keys of a patch's file, each declared once: reader, writer and schema are made of these tables.
struct PatchTables {
    let units: [UnitEntry]
    let shelf: PresetShelf

    private var unitTables: UnitTables { UnitTables(units: units, shelf: shelf) }

    /// The keys of a patch; of one inside another if `depth` is above 1.
    func patch(depth: Int = 1) -> FileTable<Patch> {
        FileTable(Patch(), depth == 1 ? "a mapping with version, units, ..." : "a mapping with units, connections, ...") {
            if depth == 1 { FileField.version(PatchFile.version) }
            FileField(
                PatchKey.soundFonts, ValueKind.text("a file's name").list("a list of SoundFont files").lines, \.soundFonts,
                "SoundFont files, in order of search, relative to this file's folder.")
            units(depth: depth)
            patches(depth: depth)
            connections
            ports(PatchKey.inputs, \.inputs, isOutput: false, "Buses that an outer patch connects sound to.")
            ports(PatchKey.outputs, \.outputs, isOutput: true, "The buses whose sound comes out; one at the outermost level.")
            if depth == 1 {
                named(
                    PatchKey.zones, { zone($0, in: $1) }, \.zones, \.name, namesOthers: false,
                    "What keyboards play, by name: splits and layers.")
                named(
                    PatchKey.controllers, { controller($0, in: $1) }, \.controllers, \.name,
                    "Controls of keyboards that move parameters, by name.")
                named(PatchKey.scenes, { scene($0, in: $1) }, \.scenes, \.name, "Values that are set together, by name.")
                FileField(
                    PatchKey.clock, ValueKind.text("a part of the name of a MIDI port, or a list").orMore.lines.orNone, \.clock,
                    "MIDI ports that get MIDI clock, by a part of the name: one, or a list.")
            }
        } finish: { (patch, cursor) throws(DocumentError) in
            if depth == 1 { try check(patch, cursor) }
        }
    }

    /// The whole file that a patch becomes.
    func tree(_ patch: Patch, path: String) throws(DocumentError) -> FileTree {
        do throws(PatchError) { try patch.check() } catch { throw DocumentError(.patch(error), path: path) }
        do throws(DocumentError) { return .mapping(try self.patch().entries(patch)) } catch { throw error.inFile(path) }
    }

    /// Throws what is wrong with a patch as a whole. A fault of one entry has its place there.
    private func check(_ patch: Patch, _ cursor: FileCursor) throws(DocumentError) {
        do throws(PatchError) { try patch.check() } catch {
            func entry(_ key: String, _ name: String) -> FileNode? { cursor.node.entry(key)?.value.entry(name)?.key }
            let place: FileNode? =
                switch error {
                case .zone(let name, _): entry(PatchKey.zones, name)
                case .controller(let name, _): entry(PatchKey.controllers, name)
                case .scene(let name, _): entry(PatchKey.scenes, name)
                case .clock: cursor.node.entry(PatchKey.clock)?.value
                default: nil
                }
            throw cursor.error(.patch(error), at: place)
        }
    }

    // MARK: - Units, patches, and what leads where

    private func units(depth: Int) -> FileField<Patch> {
        FileField(
            PatchKey.units, depth == 1 ? "The units by name, in the order in which they are listed." : "",
            // Those of the outermost patch are written out.
            schema: depth == 1 ? PatchSchema.units(units) : [("$ref", .string("#/properties/\(PatchKey.units)"))]
        ) { (patch, cursor) throws(DocumentError) in
            for entry in try cursor.entries("a mapping of units by name") {
                do throws(DocumentError) {
                    try checkName(entry)
                    patch.units.append(try unitTables.unit(entry))
                } catch { cursor.faults.add(error, hidesNames: true) }
            }
        } write: { (patch, _) throws(DocumentError) in
            var entries: [FileTree.Entry] = []
            for unit in patch.units {
                do throws(DocumentError) {
                    entries.append(.init(key: unit.name, value: .mapping(try unitTables.settings(unit)), type: unit.component))
                } catch { throw error.inside(unit.name) }
            }
            return entries.isEmpty ? nil : .init(key: PatchKey.units, value: .mapping(entries), isOrdered: true)
        }
    }

    private func patches(depth: Int) -> FileField<Patch> {
        let schema: [(String, JSONText)] = [
            ("type", .strings(["object", "null"])), ("propertyNames", PatchSchema.reference("name")),
            ("additionalProperties", PatchSchema.reference("patch")),
        ]
        return FileField(PatchKey.patches, "Patches inside this one, by name.", schema: schema) {
            (patch, cursor) throws(DocumentError) in
            for entry in try cursor.entries("a mapping of patches by name") {
                try checkName(entry, beside: patch.units)
                if depth >= Patch.deepest { throw entry.value.error(.patch(.tooDeep(limit: Patch.deepest))) }
                if let inside = self.patch(depth: depth + 1).read(entry.value, hidesNames: true) {
                    patch.patches.append(SubPatch(entry.name, inside))
                }
            }
        } write: { (patch, _) throws(DocumentError) in
            var entries: [FileTree.Entry] = []
            for nested in patch.patches {
                do throws(DocumentError) {
                    let inside = try self.patch(depth: depth + 1).entries(nested.patch)
                    entries.append(.init(key: nested.name, value: .mapping(inside)))
                } catch { throw error.inside(nested.name) }
            }
            return entries.isEmpty ? nil : .init(key: PatchKey.patches, value: .mapping(entries), isOrdered: true)
        }
    }

    private func checkName(_ entry: FileCursor.Entry, beside units: [PatchUnit]? = nil) throws(DocumentError) {
        let place = entry.value.place, key = entry.value.key.dropLast(entry.name.count + 1)
        func fault(_ error: PatchError) -> DocumentError {
            DocumentError(.patch(error), path: entry.value.faults.path, key: String(key), at: place)
        }
        if !Patch.isName(entry.name) || (units != nil && entry.name.contains(".")) { throw fault(.badName(entry.name)) }
        let dotted = entry.name + "."
        if let units, units.contains(where: { $0.name == entry.name || $0.name.hasPrefix(dotted) }) {
            throw fault(.duplicateName(entry.name))
        }
    }

    private var connections: FileField<Patch> {
        let row = "^\(PatchSchema.port)( +-> +\(PatchSchema.port))+$"
        let schema: [(String, JSONText)] = [
            ("type", .strings(["array", "null"])),
            ("items", .object([("type", .string("string")), ("pattern", .string(row))])),
        ]
        return FileField(
            PatchKey.connections, "The connections, in rows: organ -> reverb -> mixer[1].", schema: schema,
            namesOthers: true
        ) { (patch, cursor) throws(DocumentError) in
            let names = PortNames(patch, units: units)
            for item in try cursor.list("a list of connections") {
                do throws(DocumentError) { try add(item, names, to: &patch) } catch { cursor.faults.add(error) }
            }
        } write: { (patch, _) throws(DocumentError) in
            let names = PortNames(patch, units: units)
            try names.check(patch)
            let rows = names.rows(patch.connections).map { row in
                FileTree.Item(text: row.text, parts: row.edges.map { names.text($0) })
            }
            return rows.isEmpty ? nil : .init(key: PatchKey.connections, value: .list(rows))
        }
    }

    /// Adds the connections of a row.
    private func add(_ item: FileCursor, _ names: PortNames, to patch: inout Patch) throws(DocumentError) {
        let row = try item.text("a connection like organ -> reverb -> mixer[1]")
        do throws(PortNames.Misplaced) {
            for edge in try names.edges(row) {
                if edge.from.unit == edge.to.unit, patch.patches.contains(where: { $0.name == edge.to.unit }) {
                    throw PortNames.Misplaced(
                        fault: .patch(.belongsInside(edge.description, patch: edge.to.unit)), offset: 0)
                }
                patch.connections.append(edge)
            }
        } catch {
            throw DocumentError(
                error.fault, path: item.faults.path, key: item.key, line: item.node.line,
                column: item.node.column + (item.node.isPlain ? error.offset : 0))
        }
    }

    private func ports(
        _ name: String, _ property: WritableKeyPath<Patch, [PatchPort]>, isOutput: Bool, _ help: String
    ) -> FileField<Patch> {
        FileField(name, help, schema: [("$ref", .string("#/$defs/ports"))], namesOthers: true) {
            (patch, cursor) throws(DocumentError) in
            let names = PortNames(patch, units: units)
            for item in cursor.items {
                let text = try item.text("a bus, or a list of them")
                do throws(DocumentError.Fault) {
                    let port = try names.port(text[...], isOutput: isOutput, isMusic: nil)
                    if patch[keyPath: property].contains(port) { throw .patch(.duplicatePort(text, patch: "")) }
                    patch[keyPath: property].append(port)
                } catch { throw item.error(error) }
            }
        } write: { (patch, _) throws(DocumentError) in
            let names = PortNames(patch, units: units)
            let texts = patch[keyPath: property].map { names.text($0, isOutput: isOutput) }
            let value = texts.count == 1 ? .text(texts[0]) : FileTree.list(texts.map { .init(text: $0, parts: [$0]) })
            return texts.isEmpty ? nil : .init(key: name, value: value)
        }
    }

    /// Zones, controllers and scenes by name: the tables are of the patch with nothing nested, as far as it is read.
    private func named<Item>(
        _ name: String, _ table: @escaping (String, Patch) -> FileTable<Item>, _ property: WritableKeyPath<Patch, [Item]>,
        _ itemName: KeyPath<Item, String>, namesOthers: Bool = true, _ help: String
    ) -> FileField<Patch> {
        func field(_ flat: Patch) -> FileField<Patch> {
            FileField(name, itemsOf: { table($0, flat) }, property, name: itemName, namesOthers: namesOthers, help)
        }
        return FileField(name, help, schema: field(Patch()).schema, namesOthers: namesOthers) {
            (patch, cursor) throws(DocumentError) in
            // Faults of zones are reported at their own places.
            var sounding = patch, flat = Patch()
            (sounding.zones, sounding.controllers, sounding.scenes) = ([], [], [])
            do throws(PatchError) { flat = try sounding.flattened() } catch {
                // `check` reports faults of units and patches, or they have been reported.
                return
            }
            flat.zones = patch.zones
            try field(flat).read(&patch, cursor)
        } write: { (patch, plain) throws(DocumentError) in
            let flat: Patch
            do throws(PatchError) { flat = try patch.flattened() } catch { throw DocumentError(.patch(error), path: "") }
            return try field(flat).write(patch, plain)
        }
    }
}
