internal import EngineCore
internal import Graphs
internal import Reports

/// The instruments of an engine's nodes, by which it plays the tracks of a sequencer. Guarded by the lock of `Control`.
final class EngineMusic: SequenceHost {
    let engine: Engine
    private let owner: AVAudioEngine
    private weak var sequencer: AVAudioSequencer?
    /// The units that tracks name, by number.
    var destinations: [AVAudioUnit]
    /// The destination at each port: one of the sequencer's; nil for tracks without one.
    private var ports: [AUNode?] = []
    /// The unit to which each port leads.
    private var routes: [NodeID?] = []

    /// - Parameter owner: an engine that is prepared.
    init(_ engine: Engine, of owner: AVAudioEngine, for sequencer: AVAudioSequencer, _ destinations: [AVAudioUnit]) {
        (self.engine, self.owner, self.sequencer, self.destinations) = (engine, owner, sequencer, destinations)
    }

    private func unit(_ node: AUNode?) -> AVAudioUnit? {
        if let node { return destinations.indices.contains(Int(node)) ? destinations[Int(node)] : nil }
        return owner.nodes.lazy.compactMap { $0 as? AVAudioUnitMIDIInstrument }.first
    }

    func place(of node: AUNode?) -> (port: UInt8, channel: UInt8?)? {
        Control.run {
            let port = ports.firstIndex(of: node) ?? ports.count
            guard port < 16 else { return nil }
            if port == ports.count {
                ports.append(node)
                routes.append(nil)
            }
            do { try route() } catch { Refusal.write("\(error)") }
            let hasOneInstrument = unit(node)?.audioComponentDescription.componentSubType == kAudioUnitSubType_Sampler
            return (UInt8(port), hasOneInstrument ? 0 : nil)
        }
    }

    /// Leads the ports to the units that their instruments have now.
    func route() throws(Fault) {
        for (port, node) in ports.enumerated() {
            let (old, new) = (routes[port], unit(node)?.place?.1.first)
            if old == new { continue }
            try engine.edit { (graph) throws(Fault) in
                for part in port * 16..<port * 16 + 16 {
                    if let old { graph.unroute(part: part, from: old) }
                    if let new { try graph.route(part: part, to: new) }
                }
            }
            routes[port] = new
        }
    }

    func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result { try Control.run { try body(engine) } }

    func start() throws { try owner.start() }

    func set(_ parameter: ParameterEvent, of node: AUNode?) {
        guard let unit = Control.run({ unit(node)?.audioUnit }) else { return }
        AudioUnitSetParameter(unit, parameter.parameterID, parameter.scope, parameter.element, parameter.value, 0)
    }

    var servesPlayers: Bool { Control.run { owner.manual?.mode == .offline } }

    /// Calls what is due. Without the lock.
    func serve() { sequencer?.serve() }
}
