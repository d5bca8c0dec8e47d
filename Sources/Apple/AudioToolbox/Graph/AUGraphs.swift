import Synchronization

/// The graphs by their handles.
enum GraphHandles {
    private struct Table {
        var graphs: [UInt: GraphObject] = [:]
        var next: UInt = 0x20_0000
    }

    private static let table = Mutex(Table())

    static func add(_ graph: GraphObject) -> AUGraph? {
        table.withLock { table in
            let number = table.next
            table.next += 16
            table.graphs[number] = graph
            return AUGraph(bitPattern: number)
        }
    }

    static func find(_ handle: AUGraph?) -> GraphObject? { table.withLock { $0.graphs[UInt(bitPattern: handle)] } }

    static func remove(_ handle: AUGraph) { table.withLock { $0.graphs[UInt(bitPattern: handle)] = nil } }

    static func on(_ handle: AUGraph, _ body: (GraphObject) -> OSStatus) -> OSStatus {
        UnitCalls.alone {
            // From a callback a graph is not changed.
            if RenderContext.current != nil { return kAUGraphErr_CannotDoInCurrentContext }
            guard let graph = find(handle) else { return kAudio_ParamError }
            return body(graph)
        }
    }
}

/// Makes an empty graph.
@discardableResult public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
    let graph = GraphObject()
    graph.handle = GraphHandles.add(graph)
    outGraph.pointee = graph.handle
    return noErr
}

/// Ends a graph with its units.
@discardableResult public func DisposeAUGraph(_ inGraph: AUGraph) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        let status = graph.close()
        if status == noErr { GraphHandles.remove(inGraph) }
        return status
    }
}

/// Adds a unit. A second output unit is refused: `kAUGraphErr_OutputNodeErr`.
@discardableResult public func AUGraphAddNode(
    _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        switch graph.add(inDescription.pointee) {
        case .success(let node):
            outNode.pointee = node
            return noErr
        case .failure(let refusal): return refusal.status
        }
    }
}

/// Removes a unit with its connections.
@discardableResult public func AUGraphRemoveNode(_ inGraph: AUGraph, _ inNode: AUNode) -> OSStatus {
    GraphHandles.on(inGraph) { $0.remove(inNode) }
}

/// Counts the units.
@discardableResult public func AUGraphGetNodeCount(_ inGraph: AUGraph, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>)
    -> OSStatus
{
    GraphHandles.on(inGraph) { graph in
        outNumberOfNodes.pointee = UInt32(graph.order.count)
        return noErr
    }
}

/// Answers a unit's node by its place among all.
@discardableResult public func AUGraphGetIndNode(
    _ inGraph: AUGraph, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        guard Int(inIndex) < graph.order.count else { return kAUGraphErr_NodeNotFound }
        outNode.pointee = graph.order[Int(inIndex)]
        return noErr
    }
}

/// Answers a node's description and, once the graph is open, its unit.
@discardableResult public func AUGraphNodeInfo(
    _ inGraph: AUGraph, _ inNode: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
    _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        guard let node = graph.nodes[inNode] else { return kAUGraphErr_NodeNotFound }
        outDescription?.pointee = node.description
        outAudioUnit?.pointee = node.unit?.handle
        return noErr
    }
}

/// Leads an output to an input; in a graph that is initialised, at its next update. A circle, and an end that is taken, are
/// refused: `kAUGraphErr_InvalidConnection`.
@discardableResult public func AUGraphConnectNodeInput(
    _ inGraph: AUGraph, _ inSourceNode: AUNode, _ inSourceOutputNumber: UInt32, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
    GraphHandles.on(inGraph) { $0.connect(inSourceNode, inSourceOutputNumber, to: inDestNode, inDestInputNumber) }
}

/// Gives an input a render callback; in a graph that is initialised, at its next update.
@discardableResult public func AUGraphSetNodeInputCallback(
    _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32,
    _ inInputCallback: UnsafePointer<AURenderCallbackStruct>
) -> OSStatus {
    GraphHandles.on(inGraph) { $0.setCallback(inInputCallback.pointee, inDestNode, inDestInputNumber) }
}

/// Takes an input's connection or callback away; in a graph that is initialised, at its next update.
@discardableResult public func AUGraphDisconnectNodeInput(
    _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
    GraphHandles.on(inGraph) { $0.disconnect(inDestNode, inDestInputNumber) }
}

/// Takes all connections and callbacks away.
@discardableResult public func AUGraphClearConnections(_ inGraph: AUGraph) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        graph.inputs = [:]
        return graph.change()
    }
}

/// Counts connections and callbacks.
@discardableResult public func AUGraphGetNumberOfInteractions(
    _ inGraph: AUGraph, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        outNumInteractions.pointee = UInt32(graph.inputs.count)
        return noErr
    }
}

/// Carries out what was changed since the graph was initialised, in one go and without a click.
@discardableResult public func AUGraphUpdate(_ inGraph: AUGraph, _ outIsUpdated: UnsafeMutablePointer<DarwinBoolean>?) -> OSStatus
{
    GraphHandles.on(inGraph) { graph in
        let status = graph.apply()
        outIsUpdated?.pointee = DarwinBoolean(status == noErr)
        return status
    }
}

/// Counts what leads into a node and away from it.
@discardableResult public func AUGraphCountNodeInteractions(
    _ inGraph: AUGraph, _ inNode: AUNode, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        guard graph.nodes[inNode] != nil else { return kAUGraphErr_NodeNotFound }
        let count = graph.inputs.count { place, source in
            if case .node(inNode, _) = source { true } else { place.node == inNode }
        }
        outNumInteractions.pointee = UInt32(count)
        return noErr
    }
}

/// Calls a function before and after each slice of the graph, on the render thread.
@discardableResult public func AUGraphAddRenderNotify(
    _ inGraph: AUGraph, _ inCallback: AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        guard let unit = graph.outputUnit?.handle else { return kAUGraphErr_OutputNodeErr }
        return AudioUnitAddRenderNotify(unit, inCallback, inRefCon)
    }
}

/// Ends the calls of a function before and after slices.
@discardableResult public func AUGraphRemoveRenderNotify(
    _ inGraph: AUGraph, _ inCallback: AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        guard let unit = graph.outputUnit?.handle else { return kAUGraphErr_OutputNodeErr }
        return AudioUnitRemoveRenderNotify(unit, inCallback, inRefCon)
    }
}

/// Makes the units.
@discardableResult public func AUGraphOpen(_ inGraph: AUGraph) -> OSStatus { GraphHandles.on(inGraph) { $0.open() } }

/// Ends the units; nodes and connections stay.
@discardableResult public func AUGraphClose(_ inGraph: AUGraph) -> OSStatus { GraphHandles.on(inGraph) { $0.close() } }

/// Makes all units ready to render.
@discardableResult public func AUGraphInitialize(_ inGraph: AUGraph) -> OSStatus { GraphHandles.on(inGraph) { $0.initialize() } }

/// Stops the graph, and releases what its units need to render.
@discardableResult public func AUGraphUninitialize(_ inGraph: AUGraph) -> OSStatus {
    GraphHandles.on(inGraph) { $0.uninitialize() }
}

/// Starts the graph's output unit.
@discardableResult public func AUGraphStart(_ inGraph: AUGraph) -> OSStatus { GraphHandles.on(inGraph) { $0.start() } }

/// Stops the graph's output unit.
@discardableResult public func AUGraphStop(_ inGraph: AUGraph) -> OSStatus { GraphHandles.on(inGraph) { $0.stop() } }

/// Answers whether the units exist.
@discardableResult public func AUGraphIsOpen(_ inGraph: AUGraph, _ outIsOpen: UnsafeMutablePointer<DarwinBoolean>) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        outIsOpen.pointee = DarwinBoolean(graph.isOpen)
        return noErr
    }
}

/// Answers whether the graph is ready to render.
@discardableResult public func AUGraphIsInitialized(
    _ inGraph: AUGraph, _ outIsInitialized: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        outIsInitialized.pointee = DarwinBoolean(graph.isInitialized)
        return noErr
    }
}

/// Answers whether the graph's device pulls it.
@discardableResult public func AUGraphIsRunning(
    _ inGraph: AUGraph, _ outIsRunning: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    GraphHandles.on(inGraph) { graph in
        outIsRunning.pointee = DarwinBoolean(graph.isRunning)
        return noErr
    }
}

/// Writes what a handle stands for to standard error: the nodes and connections of a graph.
public func CAShow(_ inObject: UnsafeMutableRawPointer) {
    let text = UnitCalls.text { GraphHandles.find(AUGraph(bitPattern: UInt(bitPattern: inObject)))?.text }
    report(text ?? "\(inObject): nothing that is known")
}
