import Graphs
import Patches
import UnitAPI

/// Something that has changed in an engine since it was looked at last.
public enum EngineChange: Sendable, Hashable {
    /// A parameter has another target, set from any source: a command, a controller, an undo.
    case value(unit: String, parameter: String, element: Int, value: Float)
    /// A property of a unit has another value; nil means it was removed. The unit was made anew.
    case property(unit: String, name: String, value: PropertyValue?)
    /// A unit has come, or gone.
    case added(unit: String)
    case removed(unit: String)
    /// Sound passes a unit by, or through it again.
    case bypassed(unit: String, Bool)
    /// The edges or the output have changed.
    case rewired
}

/// Finds changes by comparing with the state that it saw last. Control side.
struct ChangeWatch {
    private struct Seen {
        var instance: ObjectIdentifier
        var values: [Float]
        var properties: [String: PropertyValue]
        var isBypassed: Bool
    }
    private var units: [String: Seen] = [:]
    private var wires: [PatchConnection] = []
    private var output: PatchPort?

    /// Takes the present state as known, so that it is not a change.
    init(_ graph: Graph) { _ = changes(in: graph) }

    mutating func changes(in graph: Graph) -> [EngineChange] {
        var changes: [EngineChange] = []
        var now: [String: Seen] = [:]
        for node in graph.nodes {
            let block = node.instance.parameters
            let count = block.specs.count * block.elements
            let seen = Seen(
                instance: ObjectIdentifier(node.instance), values: (0..<count).map { block.targets[$0].value },
                properties: node.instance.setup.properties, isBypassed: node.isBypassed)
            now[node.name] = seen
            guard let old = units[node.name] else {
                changes.append(.added(unit: node.name))
                continue
            }
            changes += Self.changes(node, from: old, to: seen)
        }
        changes += units.keys.filter { now[$0] == nil }.sorted().map { .removed(unit: $0) }
        units = now
        let names = Dictionary(uniqueKeysWithValues: graph.nodes.map { ($0.id, $0.name) })
        let wires = graph.connections.map {
            PatchConnection(
                PatchPort(names[$0.source] ?? "", $0.sourceBus), to: PatchPort(names[$0.destination] ?? "", $0.destinationBus))
        }
        let output = graph.output.map { PatchPort(names[$0.node] ?? "", $0.bus) }
        if wires != self.wires || output != self.output { changes.append(.rewired) }
        (self.wires, self.output) = (wires, output)
        return changes
    }

    private static func changes(_ node: Graph.Node, from old: Seen, to new: Seen) -> [EngineChange] {
        var changes: [EngineChange] = []
        for name in Set(old.properties.keys).union(new.properties.keys).sorted()
        where old.properties[name] != new.properties[name] {
            changes.append(.property(unit: node.name, name: name, value: new.properties[name]))
        }
        if old.isBypassed != new.isBypassed { changes.append(.bypassed(unit: node.name, new.isBypassed)) }
        guard old.values.count == new.values.count else { return changes }
        let elements = node.instance.parameters.elements
        for (place, value) in new.values.enumerated() where value != old.values[place] {
            if place % elements >= node.instance.parameters.elementCount(of: place / elements) { continue }
            let spec = node.instance.parameters.specs[place / elements]
            changes.append(
                .value(unit: node.name, parameter: spec.name, element: place % elements, value: value))
        }
        return changes
    }
}

extension Engine {
    /// Calls `listener` on the control side for everything that changes from now on, within `maintain()`, until the token
    /// that is returned goes away.
    public func onChange(_ listener: @escaping (EngineChange) -> Void) -> ChangeToken {
        let token = ChangeToken()
        listeners.append((token: WeakToken(token), call: listener))
        if watch == nil { watch = ChangeWatch(graph) }
        return token
    }

    /// Returns all changes from now on, as a sequence to be read by any task; fed by `maintain()`. A reader that is slow misses
    /// the oldest of more than `buffer` changes.
    public func changes(buffer: Int = 1024) -> AsyncStream<EngineChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EngineChange.self, bufferingPolicy: .bufferingNewest(max(buffer, 1)))
        let token = onChange { continuation.yield($0) }
        streams.append(token)
        return stream
    }

    func tellChanges() {
        guard watch != nil else { return }
        listeners.removeAll { $0.token.value == nil }
        let changes = watch?.changes(in: graph) ?? []
        for change in changes { for listener in listeners { listener.call(change) } }
    }
}

/// A token that keeps a listener, which is called as long as this is kept.
public final class ChangeToken: Sendable {}

/// Holds a token without keeping it.
struct WeakToken {
    weak var value: ChangeToken?
    init(_ value: ChangeToken) { self.value = value }
}
