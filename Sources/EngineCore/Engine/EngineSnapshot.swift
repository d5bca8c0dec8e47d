import Graphs
import RealtimeCore
import UnitAPI

/// An engine at one moment, as a value to show or to send.
public struct EngineSnapshot: Sendable, Equatable {
    /// One unit of the graph.
    public struct Unit: Sendable, Equatable {
        /// The name in the graph; unique.
        public let name: String
        /// The type's name in the catalogue, `multichannel-mixer`.
        public let component: String
        /// The purpose; nil if no surface needs to know.
        public let role: UnitRole?
        /// The delay of its output against its input, in frames.
        public let latency: Int
        /// The longest that it sounds on, in seconds.
        public let tail: Double
        /// True if it had nothing to do in its newest slice; false until it has rendered.
        public let isAtRest: Bool
        /// True while sound is led around it.
        public let isBypassed: Bool
        /// The share of the available time, 0 for a unit that slept; nil where it is not measured.
        public let load: Double?
        /// Slices in which it was muted because its samples were no numbers.
        public let faults: Int
        /// The numbers it shows, by name.
        public let readouts: [String: Float]
        /// The values that its parameters are set to, by name, in their own units: one value, or one for each input or band.
        public let parameters: [String: [Float]]
    }

    /// The next slice's first frame.
    public let sampleTime: SampleTime
    /// Seconds of sound that were rendered since frame 0.
    public let seconds: Double
    /// Counts of late, lost and muted events so far.
    public let counters: RenderCounters
    /// The delay of the output against the events, in frames.
    public let latency: Int
    /// The longest tail of its units, in seconds: the sound after the last note is over by then, or a little later if one tail
    /// feeds the other.
    public let tail: Double
    /// The time that rendering took as a share of the time it may take, 1: all of it. Nil where `Engine.measuresLoad` is
    /// off or nothing has been rendered since the last look.
    public let load: Double?
    /// The units in the graph's order.
    public let units: [Unit]

    /// The unit of that name.
    public subscript(unit name: String) -> Unit? { units.first { $0.name == name } }
}

/// The readings of an engine's clocks at the last look: loads are of the time since.
struct LoadMark {
    var sampleTime: SampleTime
    /// Nanoseconds of all, and of each unit.
    var rendering: Int64
    var units: [NodeID: Int64]

    init(_ renderer: Renderer, _ graph: Graph) {
        // The time first: slices that are rendered meanwhile count as load, and not as time.
        sampleTime = renderer.sampleTime
        rendering = Int64(renderer.renderTime)
        units = [:]
        for node in graph.nodes { units[node.id] = node.instance.renderTime?.total ?? 0 }
    }
}

extension Engine {
    /// The present state of the engine and of each of its units. Loads are those since the last look; one reader then.
    public var snapshot: EngineSnapshot {
        let mark = LoadMark(renderer, graph), last = loadMark
        loadMark = mark
        let passed = Double(mark.sampleTime - (last?.sampleTime ?? mark.sampleTime)) / sampleRate * 1e9
        func load(_ now: Int64, _ before: Int64?) -> Double? {
            measuresLoad && passed > 0 ? Double(now - (before ?? 0)) / passed : nil
        }
        let units = graph.nodes.map { node in
            let instance = node.instance, block = instance.parameters
            var parameters: [String: [Float]] = [:]
            for (index, spec) in block.specs.enumerated() {
                parameters[spec.name] = (0..<block.elementCount(of: index)).map { block.target(index, $0) }
            }
            var readouts: [String: Float] = [:]
            for (index, name) in instance.descriptor.readouts.enumerated() { readouts[name] = instance.readout(at: index) }
            return EngineSnapshot.Unit(
                name: node.name, component: instance.descriptor.name, role: node.role, latency: instance.latency,
                tail: instance.descriptor.tail, isAtRest: instance.isAtRest, isBypassed: node.isBypassed,
                load: load(mark.units[node.id] ?? 0, last?.units[node.id]), faults: instance.faults, readouts: readouts,
                parameters: parameters)
        }
        return EngineSnapshot(
            sampleTime: mark.sampleTime, seconds: Double(mark.sampleTime.rawValue) / sampleRate,
            counters: renderer.counters, latency: latency, tail: units.map(\.tail).max() ?? 0,
            load: load(mark.rendering, last?.rendering), units: units)
    }

    /// The delay of the engine's output against the events, in frames; 0 without an output.
    public var latency: Int {
        if graph.output == nil { return 0 }
        do { return try graph.latency } catch { preconditionFailure("a graph that was compiled has an order: \(error)") }
    }

    func measureLoad(_ isMeasured: Bool) {
        renderer.measuresTime = isMeasured
        measureUnits(isMeasured)
        loadMark = isMeasured ? LoadMark(renderer, graph) : nil
    }

    /// Units that came with an edit are measured as the others are.
    func measureUnits(_ isMeasured: Bool) { for node in graph.nodes { node.instance.measureTime(isMeasured) } }
}
