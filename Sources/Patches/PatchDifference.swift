/// The changes that turn one patch into another: an edit as a value, as the journal writes it.
public struct PatchDifference: Hashable, Sendable {
    /// Units that are renamed before anything else changes, the new name by the old one; nil means none.
    public var renamed: [String: String]?
    /// The SoundFonts from now on; nil means those it had.
    public var soundFonts: [String]?
    /// Units that come, go, and change.
    public var units = ListDifference<PatchUnit>()
    /// Edges that come and go.
    public var connections = ListDifference<PatchConnection>()
    /// The buses of the patch from now on; nil means those it had.
    public var inputs: [PatchPort]?
    public var outputs: [PatchPort]?
    /// The zones from now on; nil means those it had.
    public var zones: [Zone]?
    /// The controllers and the scenes from now on; nil means those it had.
    public var controllers: [ControllerMap]?
    public var scenes: [Scene]?
    /// The ports that get MIDI clock from now on; nil means those it had.
    public var clock: [String]?
    /// Nested patches that come and go, by name.
    public var patches = ListDifference<SubPatch>()
    /// The changes inside nested patches that stay.
    public var inside: [String: PatchDifference] = [:]

    /// Creates a difference without changes.
    public init() {}

    /// True if nothing changes.
    public var isEmpty: Bool { self == PatchDifference() }
}

/// The elements that a list lost and got. The order counts: if the rest does not keep its order, followed by the new
/// elements, `order` gives it.
public struct ListDifference<Element: Hashable & Sendable>: Hashable, Sendable {
    /// Elements that are gone.
    public var removed: [Element] = []
    /// Elements that are new.
    public var added: [Element] = []
    /// Places in `what stayed + added`, in the new order; nil if that is the order.
    public var order: [Int]?

    /// Creates a list without differences.
    public init() {}

    /// Finds the difference that turns `old` into `new`; no element may be twice in one list.
    init(from old: [Element], to new: [Element]) {
        let had = Set(old), has = Set(new)
        removed = old.filter { !has.contains($0) }
        added = new.filter { !had.contains($0) }
        let plain = old.filter(has.contains) + added
        if plain != new {
            var places: [Element: Int] = [:]
            for (place, element) in plain.enumerated() { places[element] = place }
            order = new.map { places[$0] ?? 0 }
        }
    }

    /// The new list; nil if this is not a difference of `old`.
    func applied(to old: [Element]) -> [Element]? {
        let gone = Set(removed), had = Set(old)
        guard gone.isSubset(of: had), had.isDisjoint(with: added) || added.allSatisfy({ !had.contains($0) }) else { return nil }
        let plain = old.filter { !gone.contains($0) } + added
        guard let order else { return plain }
        guard order.count == plain.count, Set(order) == Set(plain.indices) else { return nil }
        return order.map { plain[$0] }
    }
}

extension Patch {
    /// Returns what would have to change for this patch to become `other`.
    public func difference(to other: Patch) -> PatchDifference {
        var difference = PatchDifference()
        if soundFonts != other.soundFonts { difference.soundFonts = other.soundFonts }
        if inputs != other.inputs { difference.inputs = other.inputs }
        if outputs != other.outputs { difference.outputs = other.outputs }
        if zones != other.zones { difference.zones = other.zones }
        if controllers != other.controllers { difference.controllers = other.controllers }
        if scenes != other.scenes { difference.scenes = other.scenes }
        if clock != other.clock { difference.clock = other.clock }
        difference.units = ListDifference(from: units, to: other.units)
        difference.connections = ListDifference(from: connections, to: other.connections)
        // A nested patch that stays is compared inside; its old content keeps its place in the list.
        let mine = Dictionary(patches.map { ($0.name, $0.patch) }) { first, _ in first }
        let kept = other.patches.map { SubPatch($0.name, mine[$0.name] ?? $0.patch) }
        difference.patches = ListDifference(from: patches, to: kept)
        for nested in other.patches {
            guard let old = mine[nested.name], old != nested.patch else { continue }
            difference.inside[nested.name] = old.difference(to: nested.patch)
        }
        return difference
    }

    /// Returns the patch that `difference` leads to.
    ///
    /// - Throws: `differenceDoesNotFit` if it was made from another patch.
    public func applying(_ difference: PatchDifference) throws(PatchError) -> Patch {
        if let names = difference.renamed {
            var rest = difference
            rest.renamed = nil
            return try renaming(names).applying(rest)
        }
        guard let units = difference.units.applied(to: units),
            let connections = difference.connections.applied(to: connections),
            let patches = difference.patches.applied(to: patches)
        else { throw .differenceDoesNotFit }
        var result = self
        result.soundFonts = difference.soundFonts ?? soundFonts
        result.inputs = difference.inputs ?? inputs
        result.outputs = difference.outputs ?? outputs
        result.zones = difference.zones ?? zones
        result.controllers = difference.controllers ?? controllers
        result.scenes = difference.scenes ?? scenes
        result.clock = difference.clock ?? clock
        (result.units, result.connections, result.patches) = (units, connections, patches)
        for (name, change) in difference.inside {
            guard let index = result.patches.firstIndex(where: { $0.name == name }) else { throw .differenceDoesNotFit }
            result.patches[index].patch = try result.patches[index].patch.applying(change)
        }
        return result
    }

    /// Returns the patch with renamed units, wherever it names them itself; `names` has the new name by the old one.
    public func renaming(_ names: [String: String]) -> Patch {
        if names.isEmpty { return self }
        func port(_ port: PatchPort) -> PatchPort { PatchPort(names[port.unit] ?? port.unit, port.bus) }
        var result = self
        for index in units.indices { result.units[index].name = names[units[index].name] ?? units[index].name }
        for index in patches.indices { result.patches[index].name = names[patches[index].name] ?? patches[index].name }
        result.connections = connections.map { PatchConnection(port($0.from), to: port($0.to)) }
        (result.inputs, result.outputs) = (inputs.map(port), outputs.map(port))
        for index in zones.indices { result.zones[index].unit = zones[index].unit.map { names[$0] ?? $0 } }
        return result
    }
}
