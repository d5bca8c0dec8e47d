/// The rules that a patch must keep before a graph is made of it, as far as they can be checked without the catalogue.
extension Patch {
    /// The deepest nesting of patches.
    public static let deepest = 16
    /// Units of the largest patch, nested ones included.
    public static let mostUnits = 65_536

    /// Keyboards that zones may name: one input port is for all others.
    public static let mostKeyboards = 15
    /// MIDI ports that zones may play out to.
    public static let mostOutputs = 16

    /// Throws what is wrong first. Names of units, nested ports, values; which buses a unit has only the catalogue knows.
    public func check() throws(PatchError) {
        let count = unitCount
        if count > Self.mostUnits { throw .tooManyUnits(count, limit: Self.mostUnits) }
        try check(within: "", depth: 1)
        for (index, name) in clock.enumerated()
        where name.isEmpty || name.lowercased() == "any" || clock[..<index].contains(name) { throw .clock(name) }
        if zones.isEmpty && controllers.isEmpty && scenes.isEmpty { return }
        let flat = flat(prefix: "")
        var names: Set<String> = [], keyboards: Set<String> = [], ports: Set<String> = []
        /// The fault of a keyboard that is one too many.
        func crowd(_ keyboard: String?) -> String? {
            if let keyboard { keyboards.insert(keyboard) }
            return keyboards.count > Self.mostKeyboards
                ? "more than \(Self.mostKeyboards) keyboards; let some zones name none" : nil
        }
        for zone in zones {
            if !names.insert(zone.name).inserted { throw .duplicateZone(zone.name) }
            if let output = zone.output { ports.insert(output) }
            if ports.count > Self.mostOutputs {
                throw .zone(zone.name, reason: "more than \(Self.mostOutputs) outputs; let some zones share one")
            }
            if let fault = crowd(zone.keyboard) ?? zone.fault(in: flat) { throw .zone(zone.name, reason: fault) }
        }
        if let zone = PartRouting(flat).crowded {
            throw .zone(
                zone,
                reason:
                    "more than \(PartRouting.mostPorts) units of zones hear what others hear too; give some of them parts of "
                    + "their own, like parts: 2")
        }
        names = []
        for map in controllers {
            if !names.insert(map.name).inserted { throw .controller(map.name, reason: "is given twice; give one another name") }
            if let fault = crowd(map.keyboard) ?? map.fault(in: flat) { throw .controller(map.name, reason: fault) }
        }
        names = []
        for scene in scenes {
            if !names.insert(scene.name).inserted { throw .scene(scene.name, reason: "is given twice; give one another name") }
            if let fault = crowd(scene.keyboard) ?? scene.fault(in: flat) { throw .scene(scene.name, reason: fault) }
        }
    }

    /// Units in it and in all patches inside.
    public var unitCount: Int { patches.reduce(units.count) { $0 + $1.patch.unitCount } }

    private func check(within: String, depth: Int) throws(PatchError) {
        if depth > Self.deepest { throw .tooDeep(limit: Self.deepest) }
        var names: Set<String> = []
        for name in units.map(\.name) + patches.map(\.name) {
            if !Self.isName(name) { throw .badName(name) }
            if let dot = name.firstIndex(of: "."), patches.contains(where: { $0.name == name[..<dot] }) {
                throw .duplicateName(String(name[..<dot]))
            }
            if !names.insert(name).inserted { throw .duplicateName(within.isEmpty ? name : "\(within).\(name)") }
        }
        for unit in units {
            for (parameter, values) in unit.values where !values.allSatisfy(\.isFinite) {
                throw .notFinite(unit: unit.name, parameter: parameter)
            }
        }
        for connection in connections {
            try check(connection.from, within: within, direction: "output") { $0.outputs.count }
            try check(connection.to, within: within, direction: "input") { $0.inputs.count }
            if connection.from.unit == connection.to.unit, patches.contains(where: { $0.name == connection.to.unit }) {
                throw .belongsInside(connection.description, patch: connection.to.unit)
            }
        }
        for port in outputs { try check(port, within: within, direction: "output") { $0.outputs.count } }
        for port in inputs { try check(port, within: within, direction: "input") { $0.inputs.count } }
        for ports in [inputs, outputs] {
            var known: Set<PatchPort> = []
            for port in ports where !known.insert(port).inserted {
                throw .duplicatePort(port.description, patch: within)
            }
        }
        for nested in patches {
            if nested.name.contains(".") { throw .badName(nested.name) }
            if let zone = nested.patch.zones.first { throw .nestedZone(zone.name, patch: nested.name) }
            if !nested.patch.clock.isEmpty { throw .nestedClock(patch: nested.name) }
            if let map = nested.patch.controllers.first {
                throw .controller(map.name, reason: "it stands in \(nested.name); controllers belong to the outermost patch")
            }
            if let scene = nested.patch.scenes.first {
                throw .scene(scene.name, reason: "it stands in \(nested.name); scenes belong to the outermost patch")
            }
            try nested.patch.check(within: within.isEmpty ? nested.name : "\(within).\(nested.name)", depth: depth + 1)
        }
    }

    private func check(
        _ port: PatchPort, within: String, direction: String, count: (Patch) -> Int
    ) throws(PatchError) {
        if let nested = patches.first(where: { $0.name == port.unit }) {
            let count = count(nested.patch)
            guard (0..<count).contains(port.bus) else {
                throw .noSuchPort(patch: port.unit, direction: direction, bus: port.bus, count: count)
            }
        } else if !units.contains(where: { $0.name == port.unit }) {
            throw .unknownUnit(port.unit, within: within, known: units.map(\.name) + patches.map(\.name))
        }
    }

    /// Returns true if surfaces, `--set` and connections can use the name. Names of flattened patches contain a dot.
    public static func isName(_ name: String) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && !word.contains { "[]=,* ".contains($0) || $0.isNewline || $0 == "\t" }
        }
    }
}
