import Graphs
import Patches
import SoundFonts
import UnitAPI

/// The way from a patch to instances at work, and back.
extension Graph {
    /// The graph as a value, nothing nested, with the values that parameters have now; leaving units are not part of it.
    package var patch: Patch { valued { node, index, element in node.instance.parameters.target(index, element) } }

    /// The graph as a value in the same way, with the values that were requested, without later moves.
    package func patch(asked: AskedSettings) -> Patch {
        valued { node, index, element in
            asked[node.id, index, element] ?? node.declared.value(of: node.instance.parameters.specs[index], element: element)
        }
    }

    private func valued(_ target: (Node, Int, Int) -> Float) -> Patch {
        var lasting = self
        let leaving = Set(nodes.filter(\.isLeaving).map(\.id))
        lasting.forget(leaving)
        return lasting.described { Self.unit($0, $1, $0.declared.properties, Self.values($0, target)) }
    }

    /// The graph as it was made: the values of its units are those that they were asked to start with, without later moves, and
    /// their properties what they were made with. Two graphs that went through the same edits have the same structure; a
    /// journal begins with it, and its edits are differences of it.
    public var structure: Patch {
        described { node, parts in
            let values = node.declared.startValues.mapValues { [$0] }.merging(node.declared.elementValues) { $1 }
            return Self.unit(node, parts, node.instance.setup.properties, values)
        }
    }

    private func described(_ unit: (Node, PartList) -> PatchUnit) -> Patch {
        var patch = Patch()
        var names: [NodeID: String] = [:]
        var parts: [NodeID: PartList] = [:]
        for (part, nodes) in routes.enumerated() {
            for id in nodes { parts[id, default: PartList()].insert(part) }
        }
        for node in nodes {
            names[node.id] = node.name
            patch.units.append(unit(node, parts[node.id] ?? PartList()))
        }
        patch.connections = connections.map {
            PatchConnection(
                PatchPort(names[$0.source] ?? "", $0.sourceBus),
                to: PatchPort(names[$0.destination] ?? "", $0.destinationBus))
        }
        if let output { patch.outputs = [PatchPort(names[output.node] ?? "", output.bus)] }
        return patch
    }

    private static func unit(
        _ node: Node, _ parts: PartList, _ properties: [String: PropertyValue], _ values: [String: [Float]]
    ) -> PatchUnit {
        let instance = node.instance
        var unit = PatchUnit(node.name, instance.descriptor.name, role: node.role)
        unit.values = values
        unit.parts = parts
        unit.isBypassed = node.isBypassed
        unit.properties = properties
        unit.inputCount = instance.descriptor.repeatsLastInput ? node.declared.inputCount : 0
        return unit
    }

    /// Returns the values of parameters: those that were requested, and those that have left their default. If all inputs or
    /// bands have the same value, it is written once.
    private static func values(_ node: Node, _ target: (Node, Int, Int) -> Float) -> [String: [Float]] {
        let block = node.instance.parameters, declared = node.declared
        var result: [String: [Float]] = [:]
        for (index, spec) in block.specs.enumerated() {
            let values = (0..<block.elementCount(of: index)).map { target(node, index, $0) }
            let isOne = values.allSatisfy { $0 == values[0] } && declared.elementValues[spec.name] == nil
            let isDefault = values.indices.allSatisfy { values[$0] == spec.initial(of: $0) }
            if isDefault && declared.startValues[spec.name] == nil && declared.elementValues[spec.name] == nil { continue }
            result[spec.name] = isOne ? [values[0]] : values
        }
        return result
    }

    /// Changes the graph to `flat`, and keeps the existing instances wherever they fit.
    ///
    /// Values of units that stay are not touched: those move by commands. `soundFonts` are, for each unit, those that the patch
    /// around it names.
    package mutating func become(
        _ flat: Patch, as takeover: PatchTakeover = PatchTakeover(), soundFonts: (String) -> [String]
    ) throws(Fault) {
        var kept: [String: NodeID] = [:]
        let units = Dictionary(uniqueKeysWithValues: flat.units.map { ($0.name, $0) })
        let guests = Set(nodes.filter { !takeover.replaces($0) && units[$0.name] == nil }.map(\.id))
        let end = output?.node, arriving = connections.filter { guests.contains($0.source) && $0.destination == end }
        for node in nodes where !guests.contains(node.id) {
            if let wanted = units[node.name], wanted.isMadeLike(Self.unit(node, PartList(), node.declared.properties, [:])),
                sameStart(wanted, node), sameSoundFonts(wanted, node, soundFonts(wanted.name))
            {
                kept[node.name] = node.id
                if !takeover.replaces(node) { give([node.id], to: .patch) }
            } else if units[node.name] != nil, takeover.ringing.contains(node.id) {
                try retire(node)
            } else if !(node.isLeaving && takeover.ringing.contains(node.id)) {
                try remove(node.id)
            }
        }
        for unit in flat.units where kept[unit.name] == nil {
            let made = takeover.made[unit.name], owner = ReservedNames.owner(of: unit.name)
            let id =
                if let made { try add(made.instance, name: unit.name, declared: made.declared) } else {
                    try add(unit, soundFonts: soundFonts(unit.name))
                }
            if owner != .patch { give([id], to: owner) }
            kept[unit.name] = id
        }
        for unit in flat.units {
            guard let id = kept[unit.name] else { continue }
            try setRole(unit.role, of: id)
            try redeclare(
                unit.values.filter { $0.value.count == 1 }.mapValues { $0[0] }, unit.values.filter { $0.value.count != 1 },
                of: id)
            for part in 0..<256 where unit.parts.parts.contains(part) != routes[part].contains(id) {
                if unit.parts.parts.contains(part) { try route(part: part, to: id) } else { unroute(part: part, from: id) }
            }
            if try node(id).isBypassed != unit.isBypassed { try bypass(id, unit.isBypassed) }
        }
        try join(flat, kept, guests: guests)
        if let now = output?.node, now != end, !arriving.isEmpty {
            try lead(guests, arriving, to: now)
        }
        // A unit without a way to the output is not heard any more.
        for node in nodes where node.isLeaving && !connections.contains(where: { $0.source == node.id }) { try remove(node.id) }
    }

    /// Frees a unit's name for its successor; the unit ends what it has begun.
    private mutating func retire(_ node: Node) throws(Fault) {
        let taken = Set(nodes.map(\.name))
        var number = 1
        while taken.contains(ReservedNames.leaving(node.name, number)) { number += 1 }
        try rename([node.name: ReservedNames.leaving(node.name, number)])
        try setRole(nil, of: node.id)
        try leave(node.id)
    }

    /// Leads the units of others that arrived at the former end of the graph to its new end; they go if that has no input.
    private mutating func lead(_ guests: Set<NodeID>, _ arriving: [Connection], to end: NodeID) throws(Fault) {
        if try node(end).instance.inputs.isEmpty {
            for id in guests { try remove(id) }
            return
        }
        for edge in arriving {
            if self[edge.destination] != nil {
                try disconnect(edge.source, output: edge.sourceBus, from: edge.destination, input: edge.destinationBus)
            }
            try connect(edge.source, output: edge.sourceBus, to: end)
        }
    }

    private mutating func join(_ flat: Patch, _ kept: [String: NodeID], guests: Set<NodeID>) throws(Fault) {
        let end = output.flatMap { guests.contains($0.node) ? $0.node : nil }
        var edges = flat.connections, ids = kept
        if let end, let port = flat.outputs.first, let name = self[end]?.name {
            // A unit of the session that all sound goes through stays the last one; nothing fades there that stays.
            ids[name] = end
            let roles = Dictionary(uniqueKeysWithValues: flat.units.map { ($0.name, $0.role) })
            // Meters of the output measure what comes out of it.
            for index in edges.indices where edges[index].from == port {
                let to = edges[index].to
                guard Self.measuresOutput(from: roles[port.unit] ?? nil, to: roles[to.unit] ?? nil) else { continue }
                edges[index] = PatchConnection(PatchPort(name), to: to)
            }
            edges.append(PatchConnection(port, to: PatchPort(name)))
        }
        func id(_ port: PatchPort) -> NodeID { ids[port.unit] ?? NodeID(rawValue: -1) }
        let names = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) }), wanted = Set(edges)
        var had: Set<PatchConnection> = []
        for edge in connections where names[edge.source] != nil && (edge.source != end || names[edge.destination] != nil) {
            let connection = PatchConnection(
                PatchPort(names[edge.source] ?? "", edge.sourceBus),
                to: PatchPort(names[edge.destination] ?? "", edge.destinationBus))
            if wanted.contains(connection) {
                had.insert(connection)
            } else {
                try disconnect(edge.source, output: edge.sourceBus, from: edge.destination, input: edge.destinationBus)
            }
        }
        for edge in edges where !had.contains(edge) {
            try connect(id(edge.from), output: edge.from.bus, to: id(edge.to), input: edge.to.bus)
        }
        if end == nil, let port = flat.outputs.first { try setOutput(id(port), bus: port.bus) }
        // Where patches meet, the one that came last is added last.
        let own = edges.filter { guests.isEmpty || ReservedNames.owner(of: $0.to.unit) != .setList }
        arrange(
            nodes: flat.units.compactMap { ids[$0.name] },
            connections: own.map { (id($0.from), $0.from.bus, id($0.to), $0.to.bus) })
    }

    /// Returns whether all values that apply only at the start are the same.
    private func sameStart(_ wanted: PatchUnit, _ node: Node) -> Bool {
        node.instance.parameters.specs.enumerated().allSatisfy { index, spec in
            spec.applies == .live
                || (wanted.values[spec.name]?.first ?? spec.initial) == node.instance.parameters.target(index, 0)
        }
    }

    /// Returns whether the SoundFonts that the patch around a unit names are those that it was made with; whether they are
    /// still on the disk does not matter.
    private func sameSoundFonts(_ wanted: PatchUnit, _ node: Node, _ names: [String]) -> Bool {
        guard node.instance.descriptor.properties.contains("soundfonts"), wanted.properties["soundfonts"] == nil else {
            return true
        }
        let had = node.instance.setup.properties
        let now = names.isEmpty ? [:] : SoundFontSelection.properties(SoundFontSources.named(names))
        return ["soundfonts", "bank-offsets"].allSatisfy { had[$0] == (now[$0] ?? wanted.properties[$0]) }
    }

    /// Makes the unit that `unit` describes, and adds it; `soundFonts` applies if it names none of its own.
    package mutating func add(_ unit: PatchUnit, soundFonts: [String]) throws(Fault) -> NodeID {
        try checkRate()
        let entry = try UnitCatalog.required(unit.component, for: unit.name)
        var declared = UnitSetup(
            sampleRate: sampleRate, maximumFrames: maximumFrames, inputCount: unit.inputCount,
            properties: unit.properties)
        for (name, values) in unit.values {
            if values.count == 1 { declared.startValues[name] = values[0] } else { declared.elementValues[name] = values }
        }
        var setup = declared
        if entry.descriptor.properties.contains("soundfonts"), setup.properties["soundfonts"] == nil, !soundFonts.isEmpty {
            do throws(SoundFontError) {
                let sources = try SoundFontSources.locate(soundFonts).0
                setup.properties.merge(SoundFontSelection.properties(sources)) { $1 }
            } catch { throw Fault(UnitError.resource(unit: unit.name, reason: error.description, fault: error.fault)) }
        }
        let source = try PatchPlayer.source(for: unit, sampleRate: sampleRate)
        let instance: UnitInstance
        do { instance = try entry.make(setup) } catch {
            // The error names the unit as the patch does.
            if case .invalidProperty(_, let property, let reason) = error {
                throw Fault(UnitError.invalidProperty(unit: unit.name, property: property, reason: reason))
            }
            throw Fault(error)
        }
        if let source { try PatchPlayer.begin(source, in: instance, of: unit) }
        return try add(instance, name: unit.name, declared: declared)
    }
}
