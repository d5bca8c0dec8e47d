import CRealtime
import Graphs
import MIDI
import RTProbe
import RealtimeCore
import UnitAPI

/// An engine for tests: a graph, a renderer and a recording of what came out, without a device or a clock.
public final class OfflineRig {
    /// The graph; change it, then call `publish`.
    public var graph: Graph
    /// The render callback under test.
    package let renderer: Renderer
    /// The sound rendered so far: channels x frames.
    public private(set) var recording: [[Float]]
    /// Forbidden things that the render side did, so far.
    public private(set) var violations = RenderViolations()
    private let buffer: AudioBuffer
    private let channelCount: Int
    private var publisher = GraphPublisher()
    /// The recordings of music, which their recorders borrow.
    var recordings: [MusicRecording] = []
    private let threadCount: Int

    /// Creates a rig that records `channels` channels, from sample time `start` on, rendered by `threads` threads.
    ///
    /// - Parameter pull: the most frames of a render call; nil means those of a slice.
    public init(
        sampleRate: Double = 48_000, maximumFrames: Int = 4096, channels: Int = 2, recordsScore: Bool = false,
        start: SampleTime = .zero, threads: Int = 1, pull: Int? = nil
    ) {
        threadCount = threads
        renderer = Renderer(recordsScore: recordsScore, start: start)
        graph = Graph(sampleRate: sampleRate, maximumFrames: maximumFrames)
        buffer = AudioBuffer(channels: channels, capacity: pull ?? maximumFrames)
        channelCount = channels
        recording = Array(repeating: [], count: channels)
    }

    /// Returns a setup for the rig's rate and slices.
    public func setup(
        inputs: Int = 0, startValues: [String: Float] = [:], elementValues: [String: [Float]] = [:],
        properties: [String: PropertyValue] = [:]
    ) -> UnitSetup {
        var setup = UnitSetup(
            sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames, inputCount: inputs,
            startValues: startValues, properties: properties)
        setup.elementValues = elementValues
        return setup
    }

    /// Adds a unit with default settings.
    @discardableResult
    public func add<U: AudioUnit & ~Copyable>(
        _: U.Type, name: String? = nil, inputs: Int = 0, startValues: [String: Float] = [:]
    ) throws -> NodeID {
        try graph.add(try UnitInstance.make(U.self, setup(inputs: inputs, startValues: startValues)), name: name)
    }

    /// Adds a source that plays stereo samples.
    @discardableResult
    public func add(left: [Float], right: [Float], name: String = "signal") throws -> NodeID {
        try graph.add(UnitInstance.boxing(SignalSource(left: left, right: right), setup()), name: name)
    }

    /// Compiles the graph and posts the plan, for the next slice or for a frame; edges fade in and out when something sounds
    /// already. Returns the plan's number.
    @discardableResult
    public func publish(at time: Int? = nil) throws -> Int {
        try publisher.publish(graph, to: renderer, at: time.map { SampleTime(Int64($0)) })
    }

    /// Frees what has faded out.
    public func clean() throws { try publisher.clean(renderer) }

    /// Sends music to a unit at a frame.
    ///
    /// Precondition: the queue of commands has room: render first.
    public func send(_ music: MusicEvent, to node: NodeID, at time: Int) {
        precondition(
            renderer.send(RenderCommand(time: SampleTime(Int64(time)), node: node, event: .music(music))),
            "the rig's command queue is full: render first")
    }

    /// Sets a parameter of a unit at a frame.
    public func set<P: UnitParameter>(_ parameter: P, _ value: Float, element: Int = 0, of node: NodeID, at time: Int) {
        set(index: parameter.rawValue, value, element: element, of: node, at: time)
    }

    /// Sets a parameter of a unit by its index.
    ///
    /// Precondition: the queue of commands has room: render first.
    public func set(index: Int, _ value: Float, element: Int = 0, of node: NodeID, at time: Int) {
        let event = UnitEvent.parameter(index: Int32(index), element: Int32(element), value: value)
        precondition(
            renderer.send(RenderCommand(time: SampleTime(Int64(time)), node: node, event: event)),
            "the rig's command queue is full: render first")
    }

    /// Forgets what was recorded; the sample time goes on.
    public func forget() {
        for channel in recording.indices { recording[channel].removeAll(keepingCapacity: true) }
    }

    /// Renders `frames` frames in slices of `block` and adds them to the recording.
    public func render(_ frames: Int, block: Int = 512) {
        let block = min(block, buffer.capacity)
        var left = frames
        let hands = threadCount > 1 ? HelpingHands(threadCount - 1) : nil
        let crew = hands.map { Unmanaged.passUnretained($0.crew) }
        defer { if let hands { violations.add(hands.stop()) } }
        _ = rt_probe_take()
        while left > 0 {
            let now = min(left, block)
            _ = renderer.render(into: AudioBlock(buffer.channels, channelCount: channelCount, frames: now), with: crew)
            for channel in recording.indices {
                recording[channel].append(contentsOf: UnsafeBufferPointer(start: buffer.channels[channel], count: now))
            }
            left -= now
        }
        let first = String(cString: rt_probe_first())
        violations.add(rt_probe_take(), first: first)
        renderer.collect()
    }
}

/// The violations that the probe counted between entering and leaving the render callback.
public struct RenderViolations: Sendable, CustomStringConvertible {
    public private(set) var total: UInt64 = 0
    public private(set) var text = ""
    /// Where the first one happened.
    public private(set) var firstStack = ""

    public init() {}

    mutating func add(_ others: RenderViolations) {
        total += others.total
        text += others.text
        if firstStack.isEmpty { firstStack = others.firstStack }
    }

    mutating func add(_ seen: rt_violations, first: String) {
        let counts: [(String, UInt64)] = [
            ("allocations", seen.allocations), ("frees", seen.frees), ("locks", seen.locks),
            ("blocking calls", seen.blocking), ("retains and releases", seen.arc), ("objects", seen.objects),
            ("metadata", seen.metadata), ("once", seen.once), ("casts", seen.casts), ("accesses", seen.accesses),
        ]
        for (name, count) in counts where count > 0 {
            total += count
            text += "\(count) \(name) "
        }
        if firstStack.isEmpty && total > 0 { firstStack = first }
    }

    public var description: String { total == 0 ? "nothing forbidden" : "\(text)\n\(firstStack)" }
}
