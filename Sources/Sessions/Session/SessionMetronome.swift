import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import UnitAPI
import Units

/// The metronome of a session: a unit that is added to the graph when it is first requested, with an output of its own that a
/// device adds to the sound after it was captured. While a song plays it clicks on the song's beats. Control side.
struct SessionMetronome {
    let engine: Engine
    static let name = Metronome.descriptor.name

    /// The state of the metronome; nil where there is none.
    var snapshot: SessionSnapshot.Metronome? {
        guard let instance = node?.instance else { return nil }
        let parameters = instance.parameters, meter = meter
        return SessionSnapshot.Metronome(
            isRunning: parameters.target(Metronome.Parameter.running.rawValue, 0) >= 0.5,
            tempo: Double(parameters.target(Metronome.Parameter.tempo.rawValue, 0)),
            beats: Int(meter.beats), beat: Int(instance.readout("beat") ?? 0), bar: Int(instance.readout("bar") ?? 0),
            unit: meter.denominator)
    }

    /// The metronome's setting: whether it is to click, and its tempo; nil where there is none.
    var setting: (isRunning: Bool, tempo: Double)? { snapshot.map { ($0.isRunning, $0.tempo) } }

    var meter: Meter {
        guard let parameters = node?.instance.parameters else { return .common }
        let beats = parameters.target(Metronome.Parameter.beats.rawValue, 0)
        let unit = parameters.target(Metronome.Parameter.beatUnit.rawValue, 0)
        return Meter(beats: UInt8(beats.rounded()), unit: UInt8(unit.rounded()))
    }

    /// Checks a request, and adds the unit that it needs. That takes a while: the time at which clicks begin is chosen after it.
    func prepare(_ isRunning: Bool?, tempo: Double? = nil, meter: Meter? = nil) throws(Fault) {
        if let tempo {
            do { try Metronome.Parameter.tempo.spec.check(tempo) } catch { throw Fault(error) }
        }
        if node == nil, isRunning == true || meter != nil { try add() }
    }

    /// Starts or stops its clicks from `time` on, and sets tempo and meter; nil means as before, of requests that wait too.
    func run(_ isRunning: Bool?, tempo: Double? = nil, meter: Meter? = nil, at time: SampleTime) throws(Fault) {
        try prepare(isRunning, tempo: tempo, meter: meter)
        guard let node else { return }
        if let tempo { try engine.set(Metronome.Parameter.tempo, Float(tempo), of: node.id, at: time) }
        if let meter {
            try engine.set(Metronome.Parameter.beats, Float(meter.beats), of: node.id, at: time)
            try engine.set(Metronome.Parameter.beatUnit, Float(meter.unit), of: node.id, at: time)
        }
        // It is in the graph by then, so that its first click is whole.
        guard let isRunning else { return }
        try engine.set(Metronome.Parameter.running, isRunning ? 1 : 0, of: node.id, at: time)
    }

    private var node: Graph.Node? {
        engine.graph.nodes.first {
            $0.name == Self.name && $0.instance.descriptor.component == Metronome.descriptor.component
        }
    }

    private func add() throws(Fault) {
        let queue = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(named: Self.name, startValues: [Metronome.Parameter.running.spec.name: 0])
            // As rendered: nothing is held back.
            let tap = try graph.add(Tap.self, name: "\(Self.name)-output", properties: ["follows-slices": .flag(true)])
            try graph.connect(node, to: tap)
            graph.give([node, tap], to: .metronome)
            guard let reader = try graph.node(tap).instance.companion as? TapReader else {
                preconditionFailure("a tap's companion is its reader")
            }
            return reader.queue
        }
        engine.renderer.monitor.play(queue)
    }
}
