private func on(_ handle: AUGraph, _ body: (GraphObject) throws -> Void) -> OSStatus {
    UnitCalls.run {
        // From a callback a graph is not changed.
        if RenderContext.current != nil { throw Refusal(kAUGraphErr_CannotDoInCurrentContext) }
        guard let graph = Handles.find(handle, GraphObject.self) else { throw Refusal(kAudio_ParamError) }
        try body(graph)
    }
}

/// Makes an empty graph.
@_cdecl("NewAUGraph") @discardableResult public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
    outGraph.pointee = Handles.add(GraphObject())
    return noErr
}

/// Ends a graph with its units.
@_cdecl("DisposeAUGraph") @discardableResult public func DisposeAUGraph(_ inGraph: AUGraph) -> OSStatus {
    on(inGraph) { graph in
        if graph.isWithin { throw Refusal(kAUGraphErr_CannotDoInCurrentContext) }
        try graph.close()
        graph.forget()
    }
}

/// Adds a unit. A second output unit is refused: `kAUGraphErr_OutputNodeErr`.
@_cdecl("AUGraphAddNode") @discardableResult public func AUGraphAddNode(
    _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus { on(inGraph) { outNode.pointee = try $0.add(inDescription.pointee) } }

/// Adds a graph within, which ends with this one. Its sound is that of its GenericOutput, without which
/// `AUGraphInitialize` is refused: `kAUGraphErr_OutputNodeErr`.
@_cdecl("AUGraphNewNodeSubGraph") @discardableResult
public func AUGraphNewNodeSubGraph(_ inGraph: AUGraph, _ outNode: UnsafeMutablePointer<AUNode>) -> OSStatus {
    on(inGraph) { outNode.pointee = try $0.addGraph() }
}

/// Answers the graph that a node is.
@_cdecl("AUGraphGetNodeInfoSubGraph") @discardableResult public func AUGraphGetNodeInfoSubGraph(
    _ inGraph: AUGraph, _ inNode: AUNode, _ outSubGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
    on(inGraph) { graph in
        guard let within = try graph.node(inNode).graph else { throw Refusal(kAUGraphErr_NodeNotFound) }
        outSubGraph.pointee = within.ownHandle
    }
}

/// Answers whether a node is a graph.
@_cdecl("AUGraphIsNodeSubGraph") @discardableResult public func AUGraphIsNodeSubGraph(
    _ inGraph: AUGraph, _ inNode: AUNode, _ outFlag: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { on(inGraph) { outFlag.pointee = DarwinBoolean(try $0.node(inNode).graph != nil) } }

/// Removes a unit with its connections.
@_cdecl("AUGraphRemoveNode") @discardableResult public func AUGraphRemoveNode(_ inGraph: AUGraph, _ inNode: AUNode) -> OSStatus {
    on(inGraph) { try $0.remove(inNode) }
}

/// Counts the units.
@_cdecl("AUGraphGetNodeCount") @discardableResult
public func AUGraphGetNodeCount(_ inGraph: AUGraph, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>)
    -> OSStatus
{ on(inGraph) { outNumberOfNodes.pointee = UInt32($0.order.count) } }

/// Answers a unit's node by its place among all.
@_cdecl("AUGraphGetIndNode") @discardableResult public func AUGraphGetIndNode(
    _ inGraph: AUGraph, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
    on(inGraph) { graph in
        guard Int(inIndex) < graph.order.count else { throw Refusal(kAUGraphErr_NodeNotFound) }
        outNode.pointee = graph.order[Int(inIndex)]
    }
}

/// Answers a node's description and, once the graph is open, its unit.
@_cdecl("AUGraphNodeInfo") @discardableResult public func AUGraphNodeInfo(
    _ inGraph: AUGraph, _ inNode: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
    _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
    on(inGraph) { graph in
        let node = try graph.node(inNode)
        outDescription?.pointee = node.description
        outAudioUnit?.pointee = node.unit?.handle
    }
}

/// Leads an output to an input; in a graph that is initialised, at its next update. A circle, and an end that is taken, are
/// refused: `kAUGraphErr_InvalidConnection`.
@_cdecl("AUGraphConnectNodeInput") @discardableResult public func AUGraphConnectNodeInput(
    _ inGraph: AUGraph, _ inSourceNode: AUNode, _ inSourceOutputNumber: UInt32, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus { on(inGraph) { try $0.connect(inSourceNode, inSourceOutputNumber, to: inDestNode, inDestInputNumber) } }

/// Gives an input a render callback; in a graph that is initialised, at its next update.
@_cdecl("AUGraphSetNodeInputCallback") @discardableResult public func AUGraphSetNodeInputCallback(
    _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32,
    _ inInputCallback: UnsafePointer<AURenderCallbackStruct>
) -> OSStatus { on(inGraph) { try $0.setCallback(inInputCallback.pointee, inDestNode, inDestInputNumber) } }

/// Takes an input's connection or callback away; in a graph that is initialised, at its next update.
@_cdecl("AUGraphDisconnectNodeInput") @discardableResult public func AUGraphDisconnectNodeInput(
    _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus { on(inGraph) { try $0.disconnect(inDestNode, inDestInputNumber) } }

/// Takes all connections and callbacks away.
@_cdecl("AUGraphClearConnections") @discardableResult
public func AUGraphClearConnections(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.clear() } }

/// Counts connections and callbacks.
@_cdecl("AUGraphGetNumberOfInteractions") @discardableResult public func AUGraphGetNumberOfInteractions(
    _ inGraph: AUGraph, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus { on(inGraph) { outNumInteractions.pointee = UInt32($0.inputs.count) } }

/// Carries out what was changed since the graph was initialised, in one go and without a click.
@_cdecl("AUGraphUpdate") @discardableResult
public func AUGraphUpdate(_ inGraph: AUGraph, _ outIsUpdated: UnsafeMutablePointer<DarwinBoolean>?)
    -> OSStatus
{
    let status = on(inGraph) { try $0.apply() }
    outIsUpdated?.pointee = DarwinBoolean(status == noErr)
    return status
}

/// Counts what leads into a node and away from it.
@_cdecl("AUGraphCountNodeInteractions") @discardableResult public func AUGraphCountNodeInteractions(
    _ inGraph: AUGraph, _ inNode: AUNode, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    on(inGraph) { graph in
        _ = try graph.node(inNode)
        outNumInteractions.pointee = UInt32(graph.inputs.count { $0.key.node == inNode || $0.value.isNode(inNode) })
    }
}

private func notify(
    _ graph: AUGraph, _ callback: AURenderCallback, _ data: UnsafeMutableRawPointer?,
    _ change: (AudioUnit, AURenderCallback, UnsafeMutableRawPointer?) -> OSStatus
) -> OSStatus {
    on(graph) { graph in
        guard let unit = graph.outputUnit?.handle else { throw Refusal(kAUGraphErr_OutputNodeErr) }
        try UnitFaults.check(change(unit, callback, data))
    }
}

/// Calls a function before and after each slice of the graph, on the render thread.
@_cdecl("AUGraphAddRenderNotify") @discardableResult public func AUGraphAddRenderNotify(
    _ inGraph: AUGraph, _ inCallback: AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus { notify(inGraph, inCallback, inRefCon, AudioUnitAddRenderNotify) }

/// Ends the calls of a function before and after slices.
@_cdecl("AUGraphRemoveRenderNotify") @discardableResult public func AUGraphRemoveRenderNotify(
    _ inGraph: AUGraph, _ inCallback: AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus { notify(inGraph, inCallback, inRefCon, AudioUnitRemoveRenderNotify) }

/// Makes the units.
@_cdecl("AUGraphOpen") @discardableResult
public func AUGraphOpen(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.open() } }

/// Ends the units; nodes and connections stay.
@_cdecl("AUGraphClose") @discardableResult
public func AUGraphClose(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.close() } }

/// Makes all units ready to render.
@_cdecl("AUGraphInitialize") @discardableResult
public func AUGraphInitialize(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.initialize() } }

/// Stops the graph, and releases what its units need to render.
@_cdecl("AUGraphUninitialize") @discardableResult
public func AUGraphUninitialize(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.uninitialize() } }

/// Starts the graph's output unit.
@_cdecl("AUGraphStart") @discardableResult
public func AUGraphStart(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.start() } }

/// Stops the graph's output unit.
@_cdecl("AUGraphStop") @discardableResult
public func AUGraphStop(_ inGraph: AUGraph) -> OSStatus { on(inGraph) { try $0.stop() } }

/// Answers whether the units exist.
@_cdecl("AUGraphIsOpen") @discardableResult
public func AUGraphIsOpen(_ inGraph: AUGraph, _ outIsOpen: UnsafeMutablePointer<DarwinBoolean>) -> OSStatus {
    on(inGraph) { outIsOpen.pointee = DarwinBoolean($0.isOpen) }
}

/// Answers whether the graph is ready to render.
@_cdecl("AUGraphIsInitialized") @discardableResult public func AUGraphIsInitialized(
    _ inGraph: AUGraph, _ outIsInitialized: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { on(inGraph) { outIsInitialized.pointee = DarwinBoolean($0.isInitialized) } }

/// Answers whether the graph's device pulls it.
@_cdecl("AUGraphIsRunning") @discardableResult public func AUGraphIsRunning(
    _ inGraph: AUGraph, _ outIsRunning: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus { on(inGraph) { outIsRunning.pointee = DarwinBoolean($0.isRunning) } }

/// Writes what a handle stands for to standard error: the nodes and connections of a graph.
@_cdecl("CAShow") public func CAShow(_ inObject: UnsafeMutableRawPointer) {
    let text = UnitCalls.value { Handles.find(OpaquePointer(inObject), GraphObject.self)?.text }
    report(text ?? "\(inObject): nothing that is known")
}
