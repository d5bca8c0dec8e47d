import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Sequencer
import UnitAPI

/// A graph and the renderer that plays it: the entry point of a program that uses Carillon.
///
/// Not `Sendable`: the compiler keeps an engine, and with it the whole control side, in one isolation domain. The render
/// thread sees only `renderer`.
public final class Engine {
    /// Frames per second on every bus; 48 000 for a rate that none can be, for which `edit` and `start` throw `sampleRate`.
    public let sampleRate: Double
    /// The most frames of one slice, 1...`Graph.longestSlice`.
    public var maximumFrames: Int { graph.maximumFrames }
    /// The graph that sounds, or will with the next slice.
    public private(set) var graph: Graph {
        didSet {
            companionService.adopt(graph)
            playback?.follow(graph)
            if measuresLoad { measureUnits(true) }
        }
    }
    /// The render callback, and the sample time of its first slice.
    package let renderer: Renderer
    let startTime: SampleTime
    /// The keyboards that play this engine, `engine.midi.connect("Keystation*")`, through a filter:
    /// `engine.midi.filter = TransposeFilter(semitones: 7)`.
    public let midi: MIDIInput
    package let companionService = CompanionService()
    /// The other devices that its buses are played on.
    package let otherDevices = DeviceOutputs()
    /// The output that pulls the renderer: a device, or this program. See `start(on:)`.
    package var output: EngineOutput?
    /// The way that patches lie inside each other, which the graph itself does not know.
    package var layout = PatchLayout()
    /// The zones that keyboards play; the graph does not know of them.
    public package(set) var zones: [Zone] = []
    /// The MIDI ports that get MIDI clock.
    public package(set) var clock: [String] = []
    package internal(set) var asked = AskedSettings()
    /// The controls that move its parameters, and its scenes: those of the patch that it was made of.
    public package(set) var controllers: [ControllerMap] = []
    public package(set) var scenes: [Scene] = []
    /// The number of the newest edit, from 1 on; `takeReports` shows when it has happened.
    public var newestEdit: Int { edits.newest }
    private var edits: EditHistory
    /// The listeners that are informed of changes, and the state that was seen last.
    var listeners: [(token: WeakToken, call: (EngineChange) -> Void)] = []
    var streams: [ChangeToken] = []
    var watch: ChangeWatch?
    /// True if `snapshot` shows what rendering takes, altogether and of each unit: two looks at the clock a slice and unit. May
    /// be set at any time; it changes no sample.
    public var measuresLoad = false { didSet { if measuresLoad != oldValue { measureLoad(measuresLoad) } } }
    var loadMark: LoadMark?
    /// The song or the tracks that play, or have played.
    var playback: (any ScorePlayback)?

    /// The most edits that `undo` goes back.
    public static let historyLimit = 64

    /// Creates an engine with an empty graph; `recordsScore` and `start` as in `Renderer`.
    ///
    /// - Parameter maximumFrames: any other number than 1...`Graph.longestSlice` counts as the nearest of these.
    public init(
        sampleRate: Double = 48_000, maximumFrames: Int = 4096, recordsScore: Bool = false, start: SampleTime = .zero
    ) {
        renderer = Renderer(recordsScore: recordsScore, start: start)
        startTime = start
        midi = MIDIInput(renderer)
        edits = EditHistory(renderer, isJournalled: recordsScore)
        self.sampleRate = UnitSetup.sampleRates.contains(sampleRate) ? sampleRate : 48_000
        graph = Graph(sampleRate: sampleRate, maximumFrames: maximumFrames)
        midi.engine = self
    }

    /// Changes the graph in one go: the new one is validated, compiled here and swapped in, with the next slice or on the frame
    /// `time`, without a click. On an error nothing has changed. When `time` has passed, the swap comes with the next slice;
    /// `takeReports` gives the frame of each swap.
    ///
    /// Edits take effect in the order of their times, those of one time in the order in which they were made. `change` gets the
    /// graph with all edits that were made before: what it changes of an edit that still waits for a later time happens then,
    /// and the rest at `time`. `cancelEdit` takes back an edit that waits. Nothing can be edited before the engine's first
    /// graph is there.
    ///
    /// Units and edges that vanish and those that appear, the output included, cross over within 256 frames in straight lines:
    /// beyond its own slope the sound steps by no more than 1/256 of what fades out and what fades in, added up, from one frame
    /// to the next. A unit that is inserted into a sounding path is filled first, for 256 frames and its latency, and so the
    /// sum neither dips nor doubles. If a connection is reversed, old and new cannot sound together: then the sound may fade
    /// out before it fades in.
    ///
    /// - Throws: what `change` throws, and `Fault`; `tooManyEdits` while 64 wait for a renderer that does not run;
    ///   `editInEdit` within the closure of another edit of this engine.
    public func edit<Result>(
        at time: SampleTime? = nil, _ change: (inout Graph) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        try edits.begin()
        defer { edits.end() }
        var next = graph
        let result = try change(&next)
        return try publish(next, result, at: time)
    }

    /// Changes the graph in one go, by a closure that may throw anything; the engine's own errors are of type `Fault`.
    @_disfavoredOverload
    public func edit<Result>(
        at time: SampleTime? = nil, _ change: (inout Graph) throws -> Result
    ) throws -> Result {
        try edits.begin()
        defer { edits.end() }
        var next = graph
        let result = try change(&next)
        return try publish(next, result, at: time)
    }

    private func publish<Result>(_ next: Graph, _ result: Result, at time: SampleTime?) throws(Fault) -> Result {
        try edits.publish(next, after: graph, at: time)
        midi.tuneUnits(of: next, besides: graph, at: time)
        graph = next
        return result
    }

    /// Takes the newest edit back, like an edit of its own that is not remembered; one that waits for a later time is
    /// cancelled. A unit that it had removed returns as it was left. Returns false when there is nothing to take back.
    @discardableResult
    public func undo(at time: SampleTime? = nil) throws(Fault) -> Bool {
        guard let former = try edits.undo(graph, at: time) else { return false }
        midi.tuneUnits(of: former, besides: graph, at: time)
        graph = former
        return true
    }

    /// Takes back an edit that waits for its time, by its number (`newestEdit` after it was made). Edits that wait for a later
    /// time are carried out without it. Returns false, and nothing has changed, if it has happened already.
    ///
    /// - Throws: `Fault` if the others are not possible without it; then nothing has changed.
    @discardableResult
    public func cancelEdit(_ number: Int) throws(Fault) -> Bool {
        guard let rest = try edits.cancel(number, graph) else { return false }
        graph = rest
        return true
    }

    /// Forgets all that `undo` would bring back, units included.
    public func forgetHistory() { edits.forget() }

    /// Returns the edits that have happened since the last call, and on which frames. The newest 1024.
    public func takeReports() -> [PlanAdoption] { edits.takeReports() }

    /// Frees units that the render thread has given back or that have faded out, serves file players and taps, informs
    /// listeners. Call it now and then while a device renders, and before each pull of an `OfflineOutput` of your own.
    public func maintain() throws(Fault) {
        companionService.maintain()
        midi.flush()
        playback?.advance()
        try edits.clean()
        otherDevices.maintain(graph)
        tellChanges()
    }

    /// Begins a journal: returns its set-up, the structure of the graph now; edits from here on have differences of it.
    public func beginJournal() -> Patch {
        edits.beginJournal()
        return graph.structure
    }

    /// Takes out the changes of edit number `number`, for the journal; nil for one from before the journal, and for one that
    /// was taken already.
    public func takeDifference(ofEdit number: Int) -> PatchDifference? { takeEdit(number)?.difference }

    /// Takes out the changes of an edit, with the names of units from then on.
    package func takeEdit(_ number: Int) -> JournalledEdit? { edits.takeEdit(number) }

    /// Sends music to a unit, or to the units that its part is routed to, to take effect at `time`, in any order of time (nil:
    /// with the next slice, without regard to other commands that wait).
    ///
    /// - Throws: `queueFull`; `unknownNode` for a unit of another engine. For one that was removed the music is
    ///   counted as lost (`RenderCounters.lostEvents`).
    public func send(_ music: MusicEvent, to node: NodeID? = nil, at time: SampleTime? = nil) throws(Fault) {
        if let node, !graph.hasNamed(node) { throw Fault.unknownNode(node) }
        try send(RenderCommand(time: time ?? .immediately, node: node, event: .music(music)))
    }

    /// Sends music as `send(_:to:at:)` does, to take effect so long after `now`.
    public func send(_ music: MusicEvent, to node: NodeID? = nil, after delay: Duration) throws(Fault) {
        try send(music, to: node, at: time(after: delay))
    }

    /// Plays a timeline; its frame 0 sounds at `origin` (nil means with the next slice).
    public func play(_ timeline: Timeline, at origin: SampleTime? = nil) {
        playback?.replace(at: origin)
        playback = nil
        let start = origin ?? renderer.sampleTime
        renderer.play(ScoreSegment(Score(timeline.events), start: start, prologue: timeline.opening))
    }

    /// Sets a parameter, in its own unit; it glides there as its declaration says. At a `time` that has passed it takes
    /// effect with the next slice, and `RenderCounters.lateEvents` counts it.
    ///
    /// - Throws: `ParameterError` when `node` is of a type without that parameter, has no input `element`, or takes the
    ///   value only when it is made, and for a value that is out of range or no number; `queueFull`.
    public func set<P: UnitParameter>(
        _ parameter: P, _ value: Float, element: Int = 0, of node: NodeID, at time: SampleTime? = nil
    ) throws(Fault) { try set(try target(parameter, value, element: element, of: node), at: time) }

    /// Looks a parameter up, and checks the value. Throws as `set`.
    func target<P: UnitParameter>(
        _ parameter: P, _ value: Float, element: Int, of node: NodeID
    ) throws(Fault) -> ParameterSetting.Target {
        guard let found = graph[node] else { throw Fault(ParameterError.unknownUnitName("\(node)", known: graph.knownNames)) }
        let block = found.instance.parameters, spec = parameter.spec
        guard parameter.rawValue < block.specs.count, block.specs[parameter.rawValue].name == spec.name else {
            throw Fault(ParameterError.unknownParameter(spec.name, unit: found.name, known: block.specs.map(\.name)))
        }
        let count = block.elementCount(of: parameter.rawValue)
        guard (0..<count).contains(element) else {
            throw Fault(ParameterError.outOfRange(parameter: spec.name, text: "[\(element)]", low: "[0]", high: "[\(count - 1)]"))
        }
        // The unit's own declaration holds: a type may be another's by name alone.
        do { try block.specs[parameter.rawValue].check(Double(value)) } catch { throw Fault(error) }
        return .init(node: node, index: Int32(parameter.rawValue), element: Int32(element), value: value)
    }

    /// Sets a parameter from text such as `reverb.decay=2.5s`; `unit` is a unit's name in the graph, or the name of its
    /// type for all units of that type.
    public func set(_ text: String, at time: SampleTime? = nil) throws(Fault) {
        let settings: [ParameterSetting.Target]
        do { settings = try ParameterSetting(text).targets(in: graph) } catch { throw Fault(error) }
        for setting in settings { try set(setting, at: time) }
    }

    package func set(_ target: ParameterSetting.Target, at time: SampleTime? = nil) throws(Fault) {
        let instance = graph[target.node]?.instance, specs = instance?.parameters.specs ?? []
        if specs.indices.contains(Int(target.index)), specs[Int(target.index)].applies == .atStart {
            throw Fault(ParameterError.onlyAtStart(parameter: specs[Int(target.index)].name))
        }
        let event = UnitEvent.parameter(index: target.index, element: target.element, value: target.value)
        try send(RenderCommand(time: time ?? .immediately, node: target.node, event: event))
        asked[target.node, Int(target.index), Int(target.element)] = target.value
        // A value that takes effect with the next slice can be read back at once.
        if time == nil, let instance {
            instance.parameters.targets[Int(target.index) * instance.parameters.elements + Int(target.element)]
                .publish(target.value)
        }
    }

    /// The number that a unit shows under `readout`; nil when it shows none of that name. Any thread.
    public func readout(_ readout: String, of node: NodeID) throws(Fault) -> Float? {
        try graph.node(node).instance.readout(readout)
    }

    func send(_ command: RenderCommand) throws(Fault) { if !renderer.send(command) { throw .queueFull } }
}
