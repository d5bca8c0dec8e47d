import RealtimeCore

/// Passes one graph after the other to a renderer, so that each replaces the one before without a click, at any pace.
/// Control side.
package struct GraphPublisher: Sendable {
    private struct Former: Sendable {
        let graph: Graph
        /// The place of the plan that replaced it.
        let successor: Int
        /// True if the plan after the successor waits until the successor has faded.
        let isStaged: Bool
    }

    /// The most edits that may be waiting or fading at one time.
    package static let limit = Renderer.planLimit

    /// The newest graph.
    package private(set) var published: Graph?
    private var former: [Former] = []
    private var hasFadedEdges = false
    /// True while a plan waits for a time of its own.
    private var hasTimedPlan = false

    /// Nothing has been published.
    package init() {}

    /// Makes `graph` sound from `time` on, or with the next slice; an edge takes `fade` frames to appear or vanish. Returns the
    /// plan's number; see `Renderer.adopt`.
    ///
    /// - Throws: `GraphError` when the graph cannot be compiled, `unitInUse` when another renderer has one of its units, or
    ///   `tooManyEdits`; then nothing has changed.
    @discardableResult
    package mutating func publish(
        _ graph: Graph, to renderer: Renderer, at time: SampleTime? = nil, fade: Int = GraphCompiler.fade
    ) throws(GraphError) -> Int {
        renderer.collect()
        let settled = renderer.settledPlan
        former.removeAll { $0.successor <= settled }
        if former.count >= Self.limit { throw .tooManyEdits(limit: Self.limit) }
        if let taken = graph.nodes.first(where: { !renderer.mayHave($0.instance) }) { throw .unitInUse(taken.name) }
        // Before the first slice nothing sounds, so there is nothing to fade.
        let isFirst = renderer.counters.slices == 0 && !hasTimedPlan && (time ?? .zero) <= renderer.sampleTime
        var sounding = published.map { [$0] } ?? []
        if !former.contains(where: \.isStaged) { sounding = former.map(\.graph) + sounding }
        let plan = try GraphCompiler.compile(graph, after: sounding, fade: isFirst ? 0 : fade)
        let isStaged = plan.isStaged
        guard let number = renderer.adopt(plan, at: time) else { throw .tooManyEdits(limit: Self.limit) }
        for node in graph.nodes { node.instance.owner.store(renderer.number, ordering: .relaxed) }
        if let published {
            former.append(Former(graph: published, successor: renderer.newestPlan, isStaged: isStaged))
            hasFadedEdges = true
        }
        if !isFirst { hasTimedPlan = true }
        published = graph
        return number
    }

    /// Frees what the render thread has given back and, once all fades are over, what has faded out. That changes nothing
    /// that is heard, and is not reported.
    package mutating func clean(_ renderer: Renderer) throws(GraphError) {
        renderer.collect()
        guard hasFadedEdges, renderer.isSettled, let published else { return }
        let plan = try GraphCompiler.compile(published, after: [published])
        guard renderer.adopt(plan, isReported: false) != nil else { throw .tooManyEdits(limit: Self.limit) }
        let wired = Set(published.nodes.filter(\.isBypassed).map(\.id))
        for lane in try GraphLayout(published, wired: wired).lanes { lane.edge.gain.keep(onlyDelay: lane.delay) }
        former = []
        hasFadedEdges = false
    }
}
