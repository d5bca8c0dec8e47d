import Graphs
import UnitAPI

/// Ways to put a unit into a graph: by its description, by its name in the catalogue, by a closure.
extension Graph {
    /// The units that are listed for users, and their names.
    package var knownNodes: [Node] { nodes.filter { !$0.owner.isHidden } }
    package var knownNames: [String] { knownNodes.map(\.name) }

    /// Adds the first unit of the catalogue that matches `description`; zeros in it match any. The rest as `add(_:)` with a
    /// type.
    ///
    /// - Throws: `unknownComponent`, and what making the unit throws.
    @discardableResult
    public mutating func add(
        matching description: ComponentDescription, name: String? = nil, inputs: Int = 0, buses: OutputBuses = .main,
        startValues: [String: Float] = [:], properties: [String: PropertyValue] = [:], role: UnitRole? = nil
    ) throws(Fault) -> NodeID {
        guard let entry = UnitCatalog.first(matching: description) else {
            throw .unknownComponent(
                "\(description)", unit: name ?? "\(description)", known: UnitCatalog.entries.map(\.name))
        }
        return try add(
            entry, name: name, inputs: inputs, startValues: startValues,
            properties: entry.descriptor.choosing(buses, in: properties), role: role)
    }

    /// Adds the unit that the catalogue calls `component`. The rest as `add(_:)` with a type.
    @discardableResult
    public mutating func add(
        named component: String, name: String? = nil, inputs: Int = 0, buses: OutputBuses = .main,
        startValues: [String: Float] = [:], properties: [String: PropertyValue] = [:], role: UnitRole? = nil
    ) throws(Fault) -> NodeID {
        let entry = try UnitCatalog.required(component, for: name ?? component)
        return try add(
            entry, name: name, inputs: inputs, startValues: startValues,
            properties: entry.descriptor.choosing(buses, in: properties), role: role)
    }

    private mutating func add(
        _ entry: UnitEntry, name: String?, inputs: Int, startValues: [String: Float],
        properties: [String: PropertyValue], role: UnitRole?
    ) throws(Fault) -> NodeID {
        try checkRate()
        let setup = UnitSetup(
            sampleRate: sampleRate, maximumFrames: maximumFrames, inputCount: inputs, startValues: startValues,
            properties: properties)
        let instance: UnitInstance
        do { instance = try entry.make(setup) } catch { throw Fault(error) }
        return try add(instance, name: name, role: role, declared: setup)
    }

    /// Adds a source whose sound `body` makes, on the render thread: 2 channels out unless `channels` says otherwise.
    ///
    /// It is unproven: see `UnitInstance.callback`. In a patch it is a name without a unit.
    ///
    /// - Throws: as `add(_:)`; `channels` for any number but 1...64.
    @discardableResult
    public mutating func add(
        source name: String, channels: Int = 2, _ body: sending @escaping (borrowing RenderIO) -> RenderStatus
    ) throws(Fault) -> NodeID {
        if channels == 0 { throw .channels(unit: name, asked: 0) }
        let setup = UnitSetup(sampleRate: sampleRate, maximumFrames: maximumFrames)
        return try add(.callback(name, outputs: [channels], setup: setup, body), name: name)
    }

    /// Adds an effect whose sound `body` makes from its input, on the render thread; not proven, like `add(source:)`.
    @discardableResult
    public mutating func add(
        effect name: String, channels: Int = 2, _ body: sending @escaping (borrowing RenderIO) -> RenderStatus
    ) throws(Fault) -> NodeID {
        if channels == 0 { throw .channels(unit: name, asked: 0) }
        let setup = UnitSetup(sampleRate: sampleRate, maximumFrames: maximumFrames)
        return try add(.callback(name, inputs: [channels], outputs: [channels], setup: setup, body), name: name)
    }
}
