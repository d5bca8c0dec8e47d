import Graph
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer
import UnitAPI
import Units

/// A graph and the renderer that plays it: where a program that uses Carillon starts.
///
/// Not `Sendable`: the compiler keeps an engine, and with it the whole control side, in one isolation domain. The render
/// thread sees only `renderer`.
public final class Engine {
    /// Frames per second on every bus.
    public let sampleRate: Double
    /// The most frames of one slice.
    public let maximumFrames: Int
    /// The graph that sounds, or will with the next slice.
    public private(set) var graph: Graph { didSet { attendant.adopt(graph) } }
    /// The render callback.
    public let renderer: Renderer
    /// Serves the companions of the graph's units.
    let attendant = Attendant()
    /// What pulls the renderer: a device, or this program. See `start(on:)`.
    var output: EngineOutput?
    private var published: Graph?
    private var fading = FadingGraphs()
    private static let fade = 256

    /// An engine with an empty graph; `recordsScore` and `start` as in `Renderer`.
    public init(
        sampleRate: Double = 48_000, maximumFrames: Int = 4096, recordsScore: Bool = false, start: SampleTime = .zero
    ) {
        renderer = Renderer(recordsScore: recordsScore, start: start)
        self.sampleRate = sampleRate
        self.maximumFrames = maximumFrames
        graph = Graph(sampleRate: sampleRate, maximumFrames: maximumFrames)
    }

    /// Changes the graph in one go: the new one is validated, compiled here and swapped in at a slice boundary, without a
    /// click. On an error nothing has changed.
    public func edit<Result>(
        _ change: (inout Graph) throws(GraphError) -> Result
    ) throws(GraphError) -> Result {
        var next = graph
        let result = try change(&next)
        // Before the first slice nothing sounds yet, so there is nothing to fade.
        let sounding = renderer.counters.slices == 0 ? nil : published
        var fading = fading
        if let sounding { fading.add(sounding, now: renderer.sampleTime, fade: Self.fade) }
        renderer.adopt(try GraphCompiler.compile(next, after: fading.graphs, fade: Self.fade))
        graph = next
        self.fading = fading
        published = next
        renderer.collect()
        return result
    }

    /// Frees what the render thread has given back, drops edges that have faded out, and serves file players and taps. Call
    /// it now and then while a device renders, and before each pull of an `OfflineOutput` of your own.
    public func maintain() throws(GraphError) {
        attendant.attend()
        renderer.collect()
        if let end = fading.end, renderer.sampleTime > end {
            renderer.adopt(try GraphCompiler.compile(graph, after: [graph], fade: Self.fade))
            fading = FadingGraphs()
        }
    }

    // MARK: - Events and parameters

    /// Sends music to a unit, or to whoever its part is routed to, to take effect at `time` (nil: with the next slice).
    /// Send in order of time.
    public func send(_ music: MusicEvent, to node: NodeID? = nil, at time: SampleTime? = nil) throws(EngineError) {
        try send(RenderCommand(time: time ?? .zero, node: node, event: .music(music)))
    }

    /// Plays a timeline; its frame 0 sounds at `origin` (nil: with the next slice).
    public func play(_ timeline: Timeline, at origin: SampleTime? = nil) {
        renderer.play(Score(timeline.events, origin: origin ?? renderer.sampleTime))
    }

    /// Sets a parameter, in its own unit; it glides there as its declaration says, and is moved into its range.
    ///
    /// - Throws: `parameter` when `node` is of a type without that parameter, has no input `element`, or takes the
    ///   value only when it is made; `queueFull`.
    public func set<P: UnitParameter>(
        _ parameter: P, _ value: Float, element: Int = 0, of node: NodeID, at time: SampleTime? = nil
    ) throws(EngineError) {
        guard let found = graph.nodes.first(where: { $0.id == node }) else {
            throw .parameter(.unknownUnitName("\(node)", known: graph.nodes.map(\.name)))
        }
        let block = found.instance.parameters, spec = parameter.spec
        guard parameter.rawValue < block.specs.count, block.specs[parameter.rawValue].name == spec.name else {
            throw .parameter(.unknownParameter(spec.name, unit: found.name, known: block.specs.map(\.name)))
        }
        let count = spec.scope == .input ? block.elements : 1
        guard (0..<count).contains(element) else {
            throw .parameter(.outOfRange(parameter: spec.name, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]"))
        }
        try set(
            ParameterSetting.Target(
                node: node, index: Int32(parameter.rawValue), element: Int32(element), value: spec.clamped(value)),
            at: time)
    }

    /// Lets only these channel strips be heard, whatever their mute says of the others; none lets all be heard.
    public func solo(_ strips: Set<NodeID>, at time: SampleTime? = nil) throws(EngineError) {
        let all = graph.nodes.filter { $0.instance.descriptor.name == ChannelStrip.descriptor.name }
        let cuts = ChannelStrip.cuts(soloed: all.map { strips.contains($0.id) })
        for (strip, isCut) in zip(all, cuts) {
            try set(ChannelStrip.Parameter.cut, isCut ? 1 : 0, of: strip.id, at: time)
        }
    }

    /// Sets a parameter from text such as `reverb.decay=2.5s`; `unit` is a unit's name in the graph, or the name of its
    /// type for all units of that type.
    public func set(_ text: String, at time: SampleTime? = nil) throws(EngineError) {
        let settings: [ParameterSetting.Target]
        do { settings = try ParameterSetting(text).targets(in: graph) } catch { throw .parameter(error) }
        for setting in settings { try set(setting, at: time) }
    }

    /// Sets one parameter that has been looked up.
    func set(_ target: ParameterSetting.Target, at time: SampleTime? = nil) throws(EngineError) {
        let specs = graph.nodes.first { $0.id == target.node }?.instance.parameters.specs ?? []
        if specs.indices.contains(Int(target.index)), specs[Int(target.index)].applies == .atStart {
            throw .parameter(.onlyAtStart(parameter: specs[Int(target.index)].name))
        }
        let event = UnitEvent.parameter(index: target.index, element: target.element, value: target.value)
        try send(RenderCommand(time: time ?? .zero, node: target.node, event: event))
    }

    /// The number that a unit shows under `readout`; nil when it shows none of that name. Any thread.
    public func readout(_ readout: String, of node: NodeID) throws(GraphError) -> Float? {
        try graph.node(node).instance.readout(readout)
    }

    private func send(_ command: RenderCommand) throws(EngineError) {
        if !renderer.send(command) { throw .queueFull }
    }
}
