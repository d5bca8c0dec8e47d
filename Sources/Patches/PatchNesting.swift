/// The way back from a flattened patch: what `Patch.flattened` put into one row goes into its nests again.
extension Patch {
    /// The nested form of a flattened patch. Groups without a unit are left out; a group gets further buses where edges
    /// lead into it that `layout` does not know of.
    package func nested(as layout: PatchLayout) -> Patch {
        var result = nested(layout, path: "")
        (result.zones, result.controllers, result.scenes, result.clock) = (zones, controllers, scenes, clock)
        return result
    }

    private func nested(_ layout: PatchLayout, path: String) -> Patch {
        var result = Patch()
        result.soundFonts = soundFonts
        var groups = layout.groups.filter { group in units.contains { $0.name.hasPrefix(path + group.name + ".") } }
        // Dotted names that no layout knows of are nests too.
        for unit in units {
            let rest = unit.name.dropFirst(path.count)
            guard let dot = rest.firstIndex(of: ".") else { continue }
            let name = String(rest[..<dot])
            if groups.contains(where: { $0.name == name }) { continue }
            groups.append(.init(name: name, soundFonts: [], inputs: [], outputs: [], inside: PatchLayout()))
        }
        let prefixes = groups.map { path + $0.name + "." }
        func nest(_ unit: String) -> Int? { prefixes.firstIndex { unit.hasPrefix($0) } }
        let names = Set(units.map(\.name))
        for index in groups.indices {
            groups[index].inputs.removeAll { !names.contains($0.unit) }
            groups[index].outputs.removeAll { !names.contains($0.unit) }
        }

        // A flat bus in the names of this level; a nest gets the bus if it has none yet.
        func outer(_ port: PatchPort, _ side: WritableKeyPath<PatchLayout.Group, [PatchPort]>) -> PatchPort {
            guard let index = nest(port.unit) else { return PatchPort(String(port.unit.dropFirst(path.count)), port.bus) }
            let ports = groups[index][keyPath: side]
            if let bus = ports.firstIndex(of: port) { return PatchPort(groups[index].name, bus) }
            groups[index][keyPath: side].append(port)
            return PatchPort(groups[index].name, ports.count)
        }
        var inside = [Patch](repeating: Patch(), count: groups.count)
        for unit in units {
            if let index = nest(unit.name) {
                inside[index].units.append(unit)
            } else {
                var unit = unit
                unit.name = String(unit.name.dropFirst(path.count))
                result.units.append(unit)
            }
        }
        for connection in connections {
            if let index = nest(connection.from.unit), index == nest(connection.to.unit) {
                inside[index].connections.append(connection)
            } else {
                result.connections.append(
                    PatchConnection(outer(connection.from, \.outputs), to: outer(connection.to, \.inputs)))
            }
        }
        result.inputs = inputs.map { outer($0, \.inputs) }
        result.outputs = outputs.map { outer($0, \.outputs) }
        result.patches = groups.indices.map { index in
            inside[index].soundFonts = groups[index].soundFonts
            inside[index].inputs = groups[index].inputs
            inside[index].outputs = groups[index].outputs
            return SubPatch(groups[index].name, inside[index].nested(groups[index].inside, path: prefixes[index]))
        }
        return result
    }
}
