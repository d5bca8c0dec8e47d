import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import SongRendering
import UnitAPI
import Units

/// The metronome of a session: a unit that is added to the graph, beside the mixer, when it is first started. It follows no
/// song, since each request sets its tempo. Control side.
struct SessionMetronome {
    let engine: Engine
    let graph: SongGraph
    static let name = Metronome.descriptor.name

    /// The state of the metronome; nil where there is none.
    var snapshot: SessionSnapshot.Metronome? {
        guard let instance = node?.instance else { return nil }
        let parameters = instance.parameters
        return SessionSnapshot.Metronome(
            isRunning: parameters.target(Metronome.Parameter.running.rawValue, 0) >= 0.5,
            tempo: Double(parameters.target(Metronome.Parameter.tempo.rawValue, 0)),
            beats: Int(parameters.target(Metronome.Parameter.beats.rawValue, 0)),
            beat: Int(instance.readout("beat") ?? 0), bar: Int(instance.readout("bar") ?? 0))
    }

    /// The metronome's setting: whether it is to click, and its tempo; nil where there is none.
    var setting: (isRunning: Bool, tempo: Double)? { snapshot.map { ($0.isRunning, $0.tempo) } }

    var meter: Meter {
        guard let parameters = node?.instance.parameters else { return .common }
        let beats = parameters.target(Metronome.Parameter.beats.rawValue, 0)
        let unit = parameters.target(Metronome.Parameter.beatUnit.rawValue, 0)
        return Meter(beats: UInt8(beats.rounded()), unit: UInt8(unit.rounded()))
    }

    /// Starts or stops its clicks from `time` on.
    func run(_ isRunning: Bool, tempo: Double?, at time: SampleTime) throws(Fault) {
        if let tempo {
            do { try Metronome.Parameter.tempo.spec.check(tempo) } catch { throw Fault(error) }
        }
        if node == nil {
            if !isRunning { return }
            try add()
        }
        guard let node else { return }
        if let tempo { try engine.set(Metronome.Parameter.tempo, Float(tempo), of: node.id, at: time) }
        // It is in the graph by then, so that its first click is whole.
        try engine.set(Metronome.Parameter.running, isRunning ? 1 : 0, of: node.id, at: time)
    }

    private var node: Graph.Node? {
        engine.graph.nodes.first {
            $0.name == Self.name && $0.instance.descriptor.component == Metronome.descriptor.component
        }
    }

    private func add() throws(Fault) {
        // The output of any patch that sounds.
        let limiter = engine.graph.output?.node ?? graph.limiter
        try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(
                named: Self.name, startValues: [Metronome.Parameter.running.spec.name: 0],
                properties: [EffectLink.heldProperty: .text(Metronome.Parameter.tempo.spec.name)])
            try graph.connect(node, to: limiter)
            graph.give([node], to: .metronome)
        }
    }
}
