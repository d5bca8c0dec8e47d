internal import EngineCore
internal import Graphs

/// A graph of audio units that plays the tracks of a sequence: each of its music devices that does has a port.
final class GraphMusic: SequenceHost {
    let graph: GraphObject
    private let isOwn: Bool
    private let engine: Engine
    private var ports: [AUNode: UInt8] = [:]

    /// Opens and initialises the graph where the program has not; makes one for a sequence that has none.
    ///
    /// - Parameter isOffline: whether a graph that it makes has no device.
    init(_ given: GraphObject?, isOffline: Bool) throws {
        var found: (graph: GraphObject, engine: Engine)?
        let status = UnitCalls.run {
            let graph = try given ?? Self.makeGraph(isOffline)
            try graph.open()
            try graph.initialize()
            found = graph.outputUnit?.host.map { (graph, $0.engine) }
        }
        guard let found else { throw Refusal(status) }
        (graph, engine, isOwn) = (found.graph, found.engine, given == nil)
    }

    deinit { if isOwn { _ = UnitCalls.run { try graph.close() } } }

    /// The SoundFont that `carillon` would choose, and a limiter, on the output of `CARILLON_OUTPUT`.
    private static func makeGraph(_ isOffline: Bool) throws -> GraphObject {
        let graph = GraphObject()
        let kinds = [
            (kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth), (kAudioUnitType_Effect, kAudioUnitSubType_PeakLimiter),
            (kAudioUnitType_Output, isOffline ? kAudioUnitSubType_GenericOutput : kAudioUnitSubType_DefaultOutput),
        ]
        let format = PCMLayout.planar(rate: 48_000, channels: 2).description
        try graph.open()
        for (type, subtype) in kinds {
            let node = try graph.add(AudioComponentDescription(type, subtype))
            guard let unit = graph.nodes[node]?.unit else { continue }
            for bus in unit.inputs.indices { unit.inputs[bus].format = format }
            for bus in unit.outputs.indices { unit.outputs[bus].format = format }
            // What it looks ahead delays what is played.
            let attack = UnitObject.ParameterPlace(id: kLimiterParam_AttackTime, scope: kAudioUnitScope_Global, element: 0)
            if type == kAudioUnitType_Effect { unit.values[attack] = 0.002 }
            if node > 1 { try graph.connect(node - 1, 0, to: node, 0) }
        }
        return graph
    }

    static func plays(_ handle: AUGraph?, _ node: AUNode) -> Bool {
        UnitCalls.value { Handles.find(handle, GraphObject.self)?.isMusicDevice(node) } ?? false
    }

    /// A node, or that of tracks without a node: the first music device.
    private func unit(_ node: AUNode?) -> (node: AUNode, unit: UnitObject)? {
        guard let node = node ?? graph.order.first(where: graph.isMusicDevice) else { return nil }
        return graph.nodes[node]?.unit.map { (node, $0) }
    }

    func place(of node: AUNode?) -> (port: UInt8, channel: UInt8?)? {
        UnitCalls.value {
            guard let (node, unit) = unit(node), let place = unit.host?.node(of: unit) else { return nil }
            let number = ports[node] ?? UInt8(clamping: ports.count)
            guard number < 16 else { return nil }
            try engine.edit { (graph) throws(Fault) in
                for channel in 0..<16 { try graph.route(part: Int(number) * 16 + channel, to: place) }
            }
            ports[node] = number
            return (number, unit.soleChannel)
        }
    }

    func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result { try UnitCalls.locked { try body(engine) } }

    func start() throws { try UnitFaults.check(UnitCalls.run { try graph.start() }) }

    func set(_ parameter: ParameterEvent, of node: AUNode?) {
        guard let unit = UnitCalls.value({ unit(node)?.unit.handle }) else { return }
        AudioUnitSetParameter(unit, parameter.parameterID, parameter.scope, parameter.element, parameter.value, 0)
    }
}
