internal import EngineCore
internal import Graphs

/// A graph of audio units that plays the tracks of a sequence: each of its music devices that does has a port.
final class GraphMusic: SequenceHost {
    private let graph: GraphObject
    private let engine: Engine
    private var ports: [AUNode: UInt8] = [:]

    /// Opens and initialises the graph where the program has not.
    init(_ graph: GraphObject) throws {
        self.graph = graph
        var engine: Engine?
        let status = UnitCalls.alone {
            var status = graph.open()
            if status == noErr { status = graph.initialize() }
            engine = graph.outputUnit?.host?.engine
            return status
        }
        guard status == noErr, let engine else { throw UnitFaults.Refusal(status: status) }
        self.engine = engine
    }

    /// Whether a node of a graph can play a track.
    static func plays(_ handle: AUGraph?, _ node: AUNode) -> Bool {
        UnitCalls.alone { GraphHandles.find(handle)?.isMusicDevice(node) == true ? noErr : kAUGraphErr_NodeNotFound } == noErr
    }

    func port(of node: AUNode?) -> UInt8? {
        var port: UInt8?
        _ = UnitCalls.alone {
            // A track without a node plays the first music device.
            guard let node = node ?? graph.order.first(where: graph.isMusicDevice), let unit = graph.nodes[node]?.unit,
                let place = unit.host?.node(of: unit)
            else { return kAUGraphErr_NodeNotFound }
            let number = ports[node] ?? UInt8(clamping: ports.count)
            guard number < 16 else { return kAUGraphErr_InvalidAudioUnit }
            do {
                try engine.edit { (graph) throws(Fault) in
                    for channel in 0..<16 { try graph.route(part: Int(number) * 16 + channel, to: place) }
                }
            } catch { return UnitFaults.status(of: error) }
            (ports[node], port) = (number, number)
            return noErr
        }
        return port
    }

    func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result { try UnitCalls.locked { try body(engine) } }

    func start() -> OSStatus { UnitCalls.alone { graph.start() } }

    func set(_ parameter: ParameterEvent, of node: AUNode?) {
        _ = UnitCalls.alone {
            guard let node = node ?? graph.order.first(where: graph.isMusicDevice),
                let handle = graph.nodes[node]?.unit?.handle
            else { return kAUGraphErr_NodeNotFound }
            return AudioUnitSetParameter(
                handle, parameter.parameterID, parameter.scope, parameter.element, parameter.value, 0)
        }
    }
}
