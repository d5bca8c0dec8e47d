/// A graph of audio units: nodes, and what leads where. The sound is that of the plan of its output unit.
final class GraphObject: @unchecked Sendable {
    struct Node {
        let description: AudioComponentDescription
        var unit: UnitObject?
        var graph: GraphObject?
    }

    enum Source {
        case node(AUNode, bus: UInt32)
        case callback(AURenderCallbackStruct)
    }

    struct Input: Hashable {
        let node: AUNode
        let bus: UInt32
    }

    var handle: AUGraph?
    var nodes: [AUNode: Node] = [:]
    /// In the order in which they were added.
    var order: [AUNode] = []
    private var nextNode: AUNode = 1
    /// What the program wants; what the units have follows at the next update.
    var inputs: [Input: Source] = [:]
    private var applied: [Input: Source] = [:]
    private(set) var isOpen = false, isInitialized = false, isRunning = false

    // MARK: Nodes

    func add(_ description: AudioComponentDescription) -> Result<AUNode, UnitFaults.Refusal> {
        var wanted = description
        guard let component = AudioComponentFindNext(nil, &wanted), let kind = Components.kind(component) else {
            return .failure(.init(status: kAUGraphErr_InvalidAudioUnit))
        }
        if kind.isOutput, outputNode != nil { return .failure(.init(status: kAUGraphErr_OutputNodeErr)) }
        let node = nextNode
        nodes[node] = Node(description: kind.description)
        if isOpen {
            let status = open(node)
            if status != noErr {
                nodes[node] = nil
                return .failure(.init(status: status))
            }
        }
        nextNode += 1
        order.append(node)
        return .success(node)
    }

    func remove(_ node: AUNode) -> OSStatus {
        guard let found = nodes[node] else { return kAUGraphErr_NodeNotFound }
        if isRunning, found.unit?.kind.isOutput == true { return kAUGraphErr_CannotDoInCurrentContext }
        inputs = inputs.filter { entry in
            if entry.key.node == node { return false }
            if case .node(node, _) = entry.value { return false }
            return true
        }
        let status = apply()
        nodes[node] = nil
        order.removeAll { $0 == node }
        close(found)
        return status
    }

    func isMusicDevice(_ node: AUNode) -> Bool { nodes[node]?.description.componentType == kAudioUnitType_MusicDevice }

    var outputNode: AUNode? { order.first { nodes[$0]?.description.componentType == kAudioUnitType_Output } }
    var outputUnit: UnitObject? { outputNode.flatMap { nodes[$0]?.unit } }

    // MARK: Life

    private func open(_ node: AUNode) -> OSStatus {
        guard var description = nodes[node]?.description, let component = AudioComponentFindNext(nil, &description) else {
            return kAUGraphErr_InvalidAudioUnit
        }
        var handle: AudioComponentInstance?
        let status = AudioComponentInstanceNew(component, &handle)
        guard status == noErr, let handle, let unit = UnitHandles.find(handle) else { return status }
        unit.isOfGraph = true
        nodes[node]?.unit = unit
        return noErr
    }

    func open() -> OSStatus {
        if isOpen { return noErr }
        for node in order where nodes[node]?.unit == nil {
            let status = open(node)
            if status != noErr { return status }
        }
        isOpen = true
        return apply()
    }

    private func close(_ node: Node) {
        guard let unit = node.unit else { return }
        unit.isOfGraph = false
        _ = unit.dispose()
    }

    func close() -> OSStatus {
        let status = uninitialize()
        guard status == noErr else { return status }
        for node in order {
            if let found = nodes[node] { close(found) }
            nodes[node]?.unit = nil
        }
        applied = [:]
        isOpen = false
        return noErr
    }

    /// Formats go along the connections, sources first; then the output's plan is made with all that leads to it.
    func initialize() -> OSStatus {
        guard isOpen else { return kAUGraphErr_CannotDoInCurrentContext }
        guard let output = outputUnit else { return kAUGraphErr_OutputNodeErr }
        if isInitialized { return apply() }
        let units = order.compactMap { nodes[$0]?.unit }
        for _ in units { units.forEach { $0.copyFormats() } }
        var status = output.initialize()
        for unit in units where status == noErr && unit !== output { status = unit.initialize() }
        if status != noErr { units.forEach { _ = $0.uninitialize() } }
        isInitialized = status == noErr
        return status
    }

    func uninitialize() -> OSStatus {
        let status = stop()
        guard status == noErr else { return status }
        for node in order { if let unit = nodes[node]?.unit { _ = unit.uninitialize() } }
        isInitialized = false
        return noErr
    }

    func start() -> OSStatus {
        guard isInitialized, let output = outputUnit else { return kAudioUnitErr_Uninitialized }
        // What was connected since it was initialised sounds from the start.
        var status = isRunning ? noErr : apply()
        if status == noErr { status = output.startOutput() }
        isRunning = status == noErr
        return status
    }

    func stop() -> OSStatus {
        guard isRunning, let output = outputUnit else { return noErr }
        let status = output.stopOutput()
        if status == noErr { isRunning = false }
        return status
    }

    // MARK: Connections

    /// Whether a change waits for the next update: it does once the graph is initialised.
    func change() -> OSStatus { isInitialized ? noErr : apply() }

    func connect(_ source: AUNode, _ output: UInt32, to destination: AUNode, _ input: UInt32) -> OSStatus {
        guard let from = nodes[source], let to = nodes[destination] else { return kAUGraphErr_NodeNotFound }
        let place = Input(node: destination, bus: input)
        guard inputs[place] == nil, !inputs.values.contains(where: { $0.isNode(source, output) }), !leads(destination, to: source)
        else { return kAUGraphErr_InvalidConnection }
        if let unit = from.unit, output >= unit.outputs.count { return kAudioUnitErr_InvalidElement }
        if let unit = to.unit, input >= unit.inputs.count { return kAudioUnitErr_InvalidElement }
        inputs[place] = .node(source, bus: output)
        return settle(place)
    }

    func setCallback(_ callback: AURenderCallbackStruct, _ destination: AUNode, _ input: UInt32) -> OSStatus {
        guard let to = nodes[destination] else { return kAUGraphErr_NodeNotFound }
        if let unit = to.unit, input >= unit.inputs.count { return kAudioUnitErr_InvalidElement }
        let place = Input(node: destination, bus: input)
        if case .node = inputs[place] { return kAUGraphErr_InvalidConnection }
        inputs[place] = callback.inputProc == nil ? nil : .callback(callback)
        return settle(place)
    }

    /// Before the graph is initialised a change is there at once, or not at all.
    private func settle(_ place: Input) -> OSStatus {
        let status = change()
        if status != noErr { inputs[place] = nil }
        return status
    }

    func disconnect(_ node: AUNode, _ input: UInt32) -> OSStatus {
        guard nodes[node] != nil else { return kAUGraphErr_NodeNotFound }
        guard inputs.removeValue(forKey: Input(node: node, bus: input)) != nil else { return kAUGraphErr_InvalidConnection }
        return change()
    }

    private func leads(_ from: AUNode, to node: AUNode) -> Bool {
        from == node
            || inputs.contains { entry in
                if case .node(from, _) = entry.value { leads(entry.key.node, to: node) } else { false }
            }
    }

    /// Makes the units listen to what the program wants, all at once; where the plan refuses it, they listen as before.
    func apply() -> OSStatus {
        guard isOpen else { return noErr }
        let units = order.compactMap { nodes[$0]?.unit }, former = units.map(\.inputs)
        for place in applied.keys where inputs[place] == nil {
            nodes[place.node]?.unit?.inputs[Int(place.bus)].source = .none
        }
        var status = noErr
        for (place, source) in inputs {
            guard let unit = nodes[place.node]?.unit else { continue }
            guard unit.inputs.indices.contains(Int(place.bus)) else {
                status = kAudioUnitErr_InvalidElement
                break
            }
            switch source {
            case .callback(let callback): unit.inputs[Int(place.bus)].source = .callback(callback)
            case .node(let node, let bus):
                if let from = nodes[node]?.unit { unit.inputs[Int(place.bus)].source = .unit(from, bus: Int(bus)) }
            }
        }
        if status == noErr, isInitialized { status = follow(units) }
        if status == noErr {
            applied = inputs
        } else {
            for (unit, inputs) in zip(units, former) { unit.inputs = inputs }
        }
        return status
    }

    private func follow(_ units: [UnitObject]) -> OSStatus {
        for _ in units { for unit in units where !unit.isInitialized { unit.copyFormats() } }
        let status = outputUnit?.changed() ?? noErr
        guard status == noErr else { return status }
        for unit in units where !unit.isInitialized {
            let status = unit.initialize()
            if status != noErr { return status }
        }
        return noErr
    }

    /// The nodes and connections, a line each.
    var text: String {
        var lines = ["AudioUnitGraph \(handle.map { "\($0)" } ?? "-"): \(order.count) nodes"]
        for node in order {
            guard let found = nodes[node],
                let kind = UnitKind.all.first(where: {
                    $0.subtype == found.description.componentSubType && $0.type == found.description.componentType
                })
            else { continue }
            lines.append("  node \(node): \(kind.name)\(found.unit == nil ? "" : ", open")")
        }
        for (place, source) in inputs.sorted(by: { ($0.key.node, $0.key.bus) < ($1.key.node, $1.key.bus) }) {
            switch source {
            case .node(let node, let bus): lines.append("  node \(node), bus \(bus) => node \(place.node), bus \(place.bus)")
            case .callback: lines.append("  callback => node \(place.node), bus \(place.bus)")
            }
        }
        lines.append("  \(isRunning ? "running" : isInitialized ? "initialised" : isOpen ? "open" : "closed")")
        return lines.joined(separator: "\n")
    }
}

extension GraphObject.Source {
    func isNode(_ other: AUNode, _ output: UInt32) -> Bool {
        if case .node(let node, let bus) = self { node == other && bus == output } else { false }
    }
}
