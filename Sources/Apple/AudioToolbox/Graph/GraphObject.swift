/// A graph of audio units: nodes, and what leads where. The sound is that of the plan of its output unit.
final class GraphObject: HandledObject, @unchecked Sendable {
    struct Node {
        let description: AudioComponentDescription
        var unit: UnitObject?
        /// A graph within, whose output unit stands for it.
        var graph: GraphObject?

        var end: UnitObject? { unit ?? graph?.outputUnit }
        var units: [UnitObject] { unit.map { [$0] } ?? graph?.units ?? [] }
    }

    enum Source {
        case node(AUNode, bus: UInt32)
        case callback(AURenderCallbackStruct)

        func isNode(_ other: AUNode, _ output: UInt32? = nil) -> Bool {
            if case .node(let node, let bus) = self { node == other && bus == output ?? bus } else { false }
        }
    }

    struct Input: Hashable {
        let node: AUNode
        let bus: UInt32
    }

    private(set) var nodes: [AUNode: Node] = [:]
    private(set) var order: [AUNode] = []
    private var nextNode: AUNode = 1
    private(set) var isWithin = false
    /// What the program wants; what the units have follows at the next update.
    private(set) var inputs: [Input: Source] = [:]
    private var applied: [Input: Source] = [:]
    private(set) var isOpen = false, isInitialized = false, isRunning = false

    // MARK: Nodes

    func node(_ node: AUNode) throws -> Node {
        guard let found = nodes[node] else { throw Refusal(kAUGraphErr_NodeNotFound) }
        return found
    }

    func add(_ description: AudioComponentDescription) throws -> AUNode {
        var wanted = description
        guard let kind = Components.kind(AudioComponentFindNext(nil, &wanted)) else {
            throw Refusal(kAUGraphErr_InvalidAudioUnit)
        }
        if kind.isOutput, outputNode != nil { throw Refusal(kAUGraphErr_OutputNodeErr) }
        return add(Node(description: kind.description, unit: isOpen ? try makeUnit(kind.description) : nil))
    }

    func addGraph() throws -> AUNode {
        let graph = GraphObject()
        graph.isWithin = true
        _ = Handles.add(graph)
        if isOpen { try graph.open() }
        return add(Node(description: AudioComponentDescription(), graph: graph))
    }

    private func add(_ node: Node) -> AUNode {
        let number = nextNode
        nodes[number] = node
        nextNode += 1
        order.append(number)
        return number
    }

    func remove(_ node: AUNode) throws {
        let found = try self.node(node)
        if isRunning, found.unit?.kind.isOutput == true { throw Refusal(kAUGraphErr_CannotDoInCurrentContext) }
        inputs = inputs.filter { $0.key.node != node && !$0.value.isNode(node) }
        try apply()
        nodes[node] = nil
        order.removeAll { $0 == node }
        try close(found)
        found.graph?.forget()
    }

    /// Its handle, and those of graphs within, are none from now on.
    func forget() {
        _ = Handles.remove(ownHandle, GraphObject.self)
        for node in nodes.values { node.graph?.forget() }
    }

    func isMusicDevice(_ node: AUNode) -> Bool { nodes[node]?.description.componentType == kAudioUnitType_MusicDevice }

    private var outputNode: AUNode? { order.first { nodes[$0]?.description.componentType == kAudioUnitType_Output } }
    var outputUnit: UnitObject? { outputNode.flatMap { nodes[$0]?.unit } }
    private var units: [UnitObject] { order.flatMap { nodes[$0]?.units ?? [] } }
    private var graphs: [GraphObject] { order.compactMap { nodes[$0]?.graph } }

    // MARK: Life

    private func makeUnit(_ description: AudioComponentDescription) throws -> UnitObject {
        var wanted = description, handle: AudioComponentInstance?
        guard let component = AudioComponentFindNext(nil, &wanted) else { throw Refusal(kAUGraphErr_InvalidAudioUnit) }
        try UnitFaults.check(AudioComponentInstanceNew(component, &handle))
        guard let handle, let unit = UnitHandles.find(handle) else { throw Refusal(kAUGraphErr_InvalidAudioUnit) }
        unit.isOfGraph = true
        return unit
    }

    func open() throws {
        if isOpen { return }
        for graph in graphs { try graph.open() }
        for node in order where nodes[node]?.end == nil && nodes[node]?.graph == nil {
            let unit = try makeUnit(self.node(node).description)
            nodes[node]?.unit = unit
        }
        isOpen = true
        try apply()
    }

    private func close(_ node: Node) throws {
        try node.graph?.close()
        node.unit?.isOfGraph = false
        _ = node.unit?.dispose()
    }

    func close() throws {
        try uninitialize()
        for node in order {
            try close(self.node(node))
            nodes[node]?.unit = nil
        }
        (applied, isOpen) = ([:], false)
    }

    /// Formats go along the connections, sources first; then the output's plan is made with all that leads to it.
    func initialize() throws {
        guard isOpen else { throw Refusal(kAUGraphErr_CannotDoInCurrentContext) }
        guard let output = outputUnit, graphs.allSatisfy(\.isComplete) else { throw Refusal(kAUGraphErr_OutputNodeErr) }
        // A graph within may have its output unit by now.
        try apply()
        if isInitialized { return }
        let units = units
        for _ in units { units.forEach { $0.copyFormats() } }
        for unit in [output] + units {
            let status = unit.initialize()
            if status == noErr { continue }
            units.forEach { _ = $0.uninitialize() }
            throw Refusal(status)
        }
        mark(isInitialized: true)
    }

    /// Whether it can stand in another: it has an output unit without a device.
    private var isComplete: Bool { outputUnit?.kind.hasDevice == false && graphs.allSatisfy(\.isComplete) }

    private func mark(isInitialized: Bool) {
        self.isInitialized = isInitialized
        for graph in graphs { graph.mark(isInitialized: isInitialized) }
    }

    func uninitialize() throws {
        try stop()
        for unit in units { _ = unit.uninitialize() }
        mark(isInitialized: false)
    }

    func start() throws {
        guard isInitialized, let output = outputUnit else { throw Refusal(kAudioUnitErr_Uninitialized) }
        // What was connected since it was initialised sounds from the start.
        if !isRunning { try apply() }
        isRunning = false
        try UnitFaults.check(output.startOutput())
        isRunning = true
    }

    func stop() throws {
        guard isRunning, let output = outputUnit else { return }
        try UnitFaults.check(output.stopOutput())
        isRunning = false
    }

    // MARK: Connections

    func connect(_ source: AUNode, _ output: UInt32, to destination: AUNode, _ input: UInt32) throws {
        let from = try node(source), place = try place(destination, input)
        guard inputs[place] == nil, !inputs.values.contains(where: { $0.isNode(source, output) }), !leads(destination, to: source)
        else { throw Refusal(kAUGraphErr_InvalidConnection) }
        if let unit = from.end, output >= unit.outputs.count { throw Refusal(kAudioUnitErr_InvalidElement) }
        try set(place, .node(source, bus: output))
    }

    func setCallback(_ callback: AURenderCallbackStruct, _ destination: AUNode, _ input: UInt32) throws {
        let place = try place(destination, input)
        if case .node = inputs[place] { throw Refusal(kAUGraphErr_InvalidConnection) }
        try set(place, callback.inputProc == nil ? nil : .callback(callback))
    }

    func disconnect(_ node: AUNode, _ input: UInt32) throws {
        _ = try self.node(node)
        let place = Input(node: node, bus: input)
        if inputs[place] == nil { throw Refusal(kAUGraphErr_InvalidConnection) }
        inputs[place] = nil
        try change()
    }

    func clear() throws {
        inputs = [:]
        try change()
    }

    /// Nothing leads into a graph within.
    private func place(_ node: AUNode, _ input: UInt32) throws -> Input {
        let found = try self.node(node)
        if found.graph != nil { throw Refusal(kAUGraphErr_InvalidConnection) }
        if let unit = found.unit, input >= unit.inputs.count { throw Refusal(kAudioUnitErr_InvalidElement) }
        return Input(node: node, bus: input)
    }

    /// Before the graph is initialised a change is there at once, or not at all.
    private func set(_ place: Input, _ source: Source?) throws {
        inputs[place] = source
        do { try change() } catch {
            inputs[place] = nil
            throw error
        }
    }

    /// A change waits for the next update once the graph is initialised.
    private func change() throws { if !isInitialized { try apply() } }

    private func leads(_ from: AUNode, to node: AUNode) -> Bool {
        from == node || inputs.contains { $0.value.isNode(from) && leads($0.key.node, to: node) }
    }

    /// Makes the units listen to what the program wants, all at once; where the plan refuses it, they listen as before.
    func apply() throws {
        guard isOpen else { return }
        let units = units, former = units.map(\.inputs)
        do {
            for place in applied.keys where inputs[place] == nil {
                nodes[place.node]?.unit?.inputs[Int(place.bus)].source = .none
            }
            for (place, source) in inputs {
                guard let unit = nodes[place.node]?.unit else { continue }
                guard unit.inputs.indices.contains(Int(place.bus)) else { throw Refusal(kAudioUnitErr_InvalidElement) }
                switch source {
                case .callback(let callback): unit.inputs[Int(place.bus)].source = .callback(callback)
                case .node(let node, let bus):
                    if let from = nodes[node]?.end { unit.inputs[Int(place.bus)].source = .unit(from, bus: Int(bus)) }
                }
            }
            if isInitialized { try follow(units) }
            applied = inputs
        } catch {
            for (unit, inputs) in zip(units, former) { unit.inputs = inputs }
            throw error
        }
    }

    private func follow(_ units: [UnitObject]) throws {
        for _ in units { for unit in units where !unit.isInitialized { unit.copyFormats() } }
        try UnitFaults.check(outputUnit?.changed() ?? noErr)
        for unit in units where !unit.isInitialized { try UnitFaults.check(unit.initialize()) }
    }

    var text: String {
        let state = isRunning ? "running" : isInitialized ? "initialised" : isOpen ? "open" : "closed"
        var lines = ["AudioUnitGraph \(ownHandle.map { "\($0)" } ?? "-"): \(order.count) nodes, \(state)"]
        for (number, node) in nodes.sorted(by: { $0.key < $1.key }) {
            let kind = UnitKind.all.first { Components.matches($0, node.description) }
            lines.append("  node \(number): \(node.graph.map(\.text) ?? kind?.name ?? "-")")
        }
        for (place, source) in inputs.sorted(by: { ($0.key.node, $0.key.bus) < ($1.key.node, $1.key.bus) }) {
            let start = if case .node(let node, let bus) = source { "node \(node), bus \(bus)" } else { "callback" }
            lines.append("  \(start) => node \(place.node), bus \(place.bus)")
        }
        return lines.joined(separator: "\n")
    }
}
