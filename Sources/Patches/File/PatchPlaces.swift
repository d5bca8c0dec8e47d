import Reports
import UnitAPI

/// The places in a file of things that are found in its patch later: advice, and faults that keep it from sounding.
struct PatchPlaces {
    let patch: Patch
    /// The text as it was read; nil if there is none: then nothing has a line.
    let root: FileNode?
    let path: String
    let units: [UnitEntry]

    /// `PatchAdvice` with its lines.
    var advice: [Remark] {
        guard let flat else { return [] }
        return PatchAdvice(patch: flat, units: units).remarks.map { subject, kind, text in
            let (key, node) = place(of: subject)
            return Remark(kind, "\(path)\(node.map { ":\($0.line)" } ?? "")", "\(key): \(text)")
        }
    }

    /// The parts that the instruments and MIDI units of the patch receive in common.
    var sharedParts: [SharedParts] {
        flat?.sharedParts { unit in
            units.first { $0.name == unit.component }?.descriptor.hearing.chosen(by: unit.properties).notes == true
        } ?? []
    }

    /// The reason why no graph can be made of the patch although each of its parts is right.
    var soundFault: PatchFileError? {
        guard let flat else { return nil }
        if flat.outputs.count != 1 {
            let node = root?.entry(PatchKey.outputs)
            return PatchFileError(
                .patch(.outputCount(flat.outputs.count)), path: path, key: node == nil ? "" : PatchKey.outputs,
                at: node?.value ?? root)
        }
        guard let circle = flat.circle(units) else { return nil }
        return PatchFileError(.patch(.cycle(circle)), path: path, at: connection(within: Set(circle)) ?? root)
    }

    /// Returns the error for what a unit refuses of its properties.
    func fault(ofUnit name: String, property: String, reason: String) -> PatchFileError {
        let entry = settings(of: name[...], in: root), properties = entry?.value.entry(PatchKey.properties)
        let place = properties?.value.entry(property) ?? entry
        return PatchFileError(
            .refused(reason), path: path, key: "\(PatchKey.units).\(name).\(PatchKey.properties).\(property)",
            at: place?.value.line == place?.key.line ? place?.value : place?.key)
    }

    /// The patch with nothing nested. What was read has been checked.
    private var flat: Patch? {
        do { return try patch.flattened() } catch { return nil }
    }

    private func place(of subject: PatchAdvice.Subject) -> (key: String, node: FileNode?) {
        switch subject {
        case .unit(let name): ("\(PatchKey.units).\(name)", unit(name[...], in: root))
        case .zone(let name): ("\(PatchKey.zones).\(name)", root?.entry(PatchKey.zones)?.value.entry(name)?.key)
        case .controller(let name):
            ("\(PatchKey.controllers).\(name)", root?.entry(PatchKey.controllers)?.value.entry(name)?.key)
        case .scene(let name): ("\(PatchKey.scenes).\(name)", root?.entry(PatchKey.scenes)?.value.entry(name)?.key)
        }
    }

    /// The key of a unit, `PATCH.UNIT` if it is in a nested patch.
    private func unit(_ name: Substring, in node: FileNode?) -> FileNode? { settings(of: name, in: node)?.key }

    private func settings(of name: Substring, in node: FileNode?) -> FileNode.Entry? {
        if let entry = node?.entry(PatchKey.units)?.value.entry(String(name)) { return entry }
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let inside = node?.entry(PatchKey.patches)?.value.entry(String(name[..<dot]))?.value
        return settings(of: name[name.index(after: dot)...], in: inside)
    }

    /// The last row of the outermost patch that joins two of these units.
    private func connection(within names: Set<String>) -> FileNode? {
        guard case .list(let rows)? = root?.entry(PatchKey.connections)?.value.content else { return nil }
        let ports = PortNames(patch, units: units)
        func isWithin(_ unit: String) -> Bool { names.contains { $0 == unit || $0.hasPrefix(unit + ".") } }
        return rows.last { row in
            guard case .scalar(let text, _) = row.content else { return false }
            do {
                return try ports.edges(text).contains { isWithin($0.from.unit) && isWithin($0.to.unit) }
            } catch { return false }
        }
    }
}

extension Patch {
    /// Units through which sound would run in a loop, the first again at the end; nil if there is no circle. Of a patch
    /// with nothing nested.
    fileprivate func circle(_ entries: [UnitEntry]) -> [String]? {
        let closing = Set(entries.filter(\.descriptor.closesLoop).map(\.name))
        /// The units that close loops: what leads to them is heard later, and closes no circle that cannot be rendered.
        let loops = Set(units.filter { closing.contains($0.component) }.map(\.name))
        var next: [String: [String]] = [:]
        for edge in connections where !loops.contains(edge.to.unit) { next[edge.from.unit, default: []].append(edge.to.unit) }
        /// Units that are not part of a loop.
        var done: Set<String> = []
        for unit in units where !done.contains(unit.name) {
            var way: [(name: String, tried: Int)] = [(unit.name, 0)]
            var onWay: Set<String> = [unit.name]
            while let (name, tried) = way.last {
                guard let following = next[name], tried < following.count else {
                    done.insert(name)
                    onWay.remove(name)
                    way.removeLast()
                    continue
                }
                way[way.count - 1].tried += 1
                let target = following[tried]
                if onWay.contains(target) {
                    return way.drop { $0.name != target }.map(\.name) + [target]
                }
                if !done.contains(target) {
                    way.append((target, 0))
                    onWay.insert(target)
                }
            }
        }
        return nil
    }
}
