import RealtimeCore

/// Passes one graph after the other to a renderer, so that each replaces the one before without a click, at any pace.
/// Control side.
package struct GraphPublisher: Sendable {
    /// The change that a numbered plan makes.
    package struct Change: Sendable {
        package let number: Int
        package let before: Graph
        package let after: Graph
    }

    /// A change whose plan waits for a time of its own, or for such a plan.
    private struct Waiting: Sendable {
        /// The change as it was made, when others may have been made that take effect later.
        var made: Change
        /// The graphs that it comes between; nil means nothing has sounded before.
        let before: Graph?
        let after: Graph
        let time: SampleTime?
        let plan: RenderPlan
    }
    /// A graph that has been replaced and may still be fading.
    private struct Former: Sendable {
        let graph: Graph
        /// The place of the plan that replaced it.
        let successor: Int
        /// True if the plan after the successor waits until the successor has faded.
        let isStaged: Bool
    }

    /// The most edits that may be waiting or fading at one time.
    package static let limit = 64

    /// The newest graph.
    package private(set) var published: Graph?
    private var fading: [Former] = []
    /// The newest plans, in the order in which they were posted.
    private var waiting: [Waiting] = []
    private var hasFadedEdges = false
    /// True while a plan waits for a time of its own.
    private var hasTimedPlan = false

    /// Nothing has been published.
    package init() {}

    /// Makes `graph` sound from `time` on, or with the next slice; an edge takes `fade` frames to appear or vanish. Returns the
    /// plan's number; see `Renderer.adopt`.
    ///
    /// - Throws: `Fault` when the graph cannot be compiled, `unitInUse` when another renderer has one of its units, or
    ///   `tooManyEdits`; then nothing has changed.
    @discardableResult
    package mutating func publish(
        _ graph: Graph, to renderer: Renderer, at time: SampleTime? = nil, fade: Int = GraphCompiler.fade,
        instead former: Change? = nil
    ) throws(Fault) -> Int {
        look(at: renderer)
        if fading.count >= Self.limit { throw .tooManyEdits(limit: Self.limit) }
        try checkUnits(graph, renderer)
        // Before the first slice nothing sounds, so there is nothing to fade.
        let isFirst = renderer.counters.slices == 0 && !hasTimedPlan && (time ?? .zero) <= renderer.sampleTime
        var sounding = published.map { [$0] } ?? []
        if !fading.contains(where: \.isStaged) { sounding = fading.map(\.graph) + sounding }
        let plan = try GraphCompiler.compile(graph, after: sounding, fade: isFirst ? 0 : fade)
        let isStaged = plan.isStaged
        guard let number = renderer.adopt(plan, at: time, instead: former?.number) else {
            throw .tooManyEdits(limit: Self.limit)
        }
        if !waiting.isEmpty || (time ?? .zero) > renderer.sampleTime {
            let made = former ?? Change(number: number, before: published ?? graph, after: graph)
            waiting.append(Waiting(made: made, before: published, after: graph, time: time, plan: plan))
        } else {
            hasFadedEdges = published != nil
        }
        for node in graph.nodes { node.instance.owner.store(renderer.number, ordering: .relaxed) }
        if let published {
            fading.append(Former(graph: published, successor: renderer.newestPlan, isStaged: isStaged))
        }
        if !isFirst { hasTimedPlan = true }
        published = graph
        return number
    }

    /// Frees what the render thread has given back and, once all fades are over, what has faded out. That changes nothing
    /// that is heard, and is not reported.
    package mutating func clean(_ renderer: Renderer) throws(Fault) {
        look(at: renderer)
        guard hasFadedEdges, renderer.settledPlan == renderer.newestPlan - waiting.count, renderer.plans.room > waiting.count
        else { return }
        // A change that is near is waited for.
        if let next = waiting.first, (next.time ?? .zero) - renderer.sampleTime < Int(next.after.sampleRate) { return }
        let later = waiting
        withdraw(from: 0, renderer)
        if let published, waiting.isEmpty {
            let plan = try GraphCompiler.compile(published, after: [published])
            guard renderer.adopt(plan, isReported: false) != nil else { throw .tooManyEdits(limit: Self.limit) }
            let wired = Set(published.nodes.filter(\.isBypassed).map(\.id))
            for lane in try GraphLayout(published, wired: wired).lanes { lane.edge.gain.keep(onlyDelay: lane.delay) }
            fading = []
            hasFadedEdges = false
        }
        for next in later.dropFirst(waiting.count) {
            try publish(next.after, to: renderer, at: next.time, instead: next.made)
        }
    }

    // MARK: - Changes that wait

    /// Changes the newest graph, `old`, to `next` at `time`, or with the next slice. Changes that wait for a later time are not
    /// waited for, if there is a graph to change before them: they are carried over, and keep their time and number.
    ///
    /// - Returns: the new change, then those that were carried over.
    /// - Throws: as `publish`, also for a graph that would come about on the way; then nothing has changed.
    package mutating func change(
        from old: Graph, to next: Graph, of renderer: Renderer, at time: SampleTime? = nil
    ) throws(Fault) -> [Change] {
        look(at: renderer)
        let now = renderer.sampleTime, due = max(time ?? now, now)
        let place = waiting.firstIndex { ($0.time ?? .zero) > due && $0.before != nil } ?? waiting.count
        let later = Array(waiting[place...]), graphs = later.compactMap { $0.before?.changed(from: old, to: next) } + [next]
        if !later.isEmpty { try check(graphs, renderer, adding: 1) }
        withdraw(from: place, renderer)
        let first = waiting.count - place, before = published ?? old
        let number = try publish(graphs[first], to: renderer, at: time)
        if waiting.last?.made.number == number {
            waiting[waiting.count - 1].made = Change(number: number, before: old, after: next)
        }
        return [Change(number: number, before: before, after: graphs[first])]
            + (try post(later.dropFirst(first), as: graphs.dropFirst(first + 1), renderer))
    }

    /// Withdraws the change of that number, without which those that wait for a later time are made.
    ///
    /// - Returns: the change as it was made, and those that were carried over; nil if it does not wait any more.
    /// - Throws: as `publish`, if the others are not possible without it, `editInUse`; then nothing has changed.
    package mutating func cancel(
        _ number: Int, of renderer: Renderer
    ) throws(Fault) -> (cancelled: Change, others: [Change])? {
        look(at: renderer)
        guard let place = waiting.firstIndex(where: { $0.made.number == number }) else { return nil }
        let made = waiting[place].made, later = Array(waiting[(place + 1)...])
        if published?.uses(made) ?? false { throw .editInUse(number) }
        let graphs = later.map { $0.after.changed(from: made.after, to: made.before) }
        try check(graphs, renderer, adding: 0)
        withdraw(from: place, renderer)
        if waiting.count == place {
            return (made, try post(later[...], as: graphs[...], renderer))
        }
        // It has happened meanwhile.
        let rest = later.dropFirst(waiting.count - place - 1)
        _ = try post(rest, as: rest.map(\.after)[...], renderer)
        return nil
    }

    /// Returns true if the change of that number waits for a time after `time`.
    package func waits(_ number: Int, beyond time: SampleTime) -> Bool {
        waiting.contains { $0.made.number == number && $0.plan.isWaiting && ($0.time ?? .zero) > time }
    }

    /// Takes in what the render thread has done.
    private mutating func look(at renderer: Renderer) {
        renderer.collect()
        let settled = renderer.settledPlan, count = waiting.count
        waiting.removeAll { !$0.plan.isWaiting }
        if waiting.count < count { hasFadedEdges = true }
        fading.removeAll { $0.successor <= settled }
    }

    /// Refuses graphs that cannot be posted one after the other in place of as many plans and `more`.
    private func check(_ graphs: [Graph], _ renderer: Renderer, adding more: Int) throws(Fault) {
        if renderer.plans.room < graphs.count || fading.count + more > Self.limit { throw .tooManyEdits(limit: Self.limit) }
        for graph in graphs {
            try GraphValidation.check(graph)
            try checkUnits(graph, renderer)
        }
    }

    private func checkUnits(_ graph: Graph, _ renderer: Renderer) throws(Fault) {
        if let taken = graph.nodes.first(where: { !renderer.mayHave($0.instance) }) { throw .unitInUse(taken.name) }
    }

    /// Withdraws what waits, the newest first, to the one at `place`, or to one that the render thread has just adopted.
    private mutating func withdraw(from place: Int, _ renderer: Renderer) {
        while waiting.count > place, let last = waiting.last, last.plan.take() {
            renderer.newestPlan -= 1
            waiting.removeLast()
            published = last.before
            if published != nil { fading.removeLast() }
        }
    }

    /// Posts changes that were withdrawn, as others.
    private mutating func post(
        _ later: ArraySlice<Waiting>, as graphs: ArraySlice<Graph>, _ renderer: Renderer
    ) throws(Fault) -> [Change] {
        var changes: [Change] = []
        for (next, graph) in zip(later, graphs) {
            let before = published ?? next.made.before
            try publish(graph, to: renderer, at: next.time, instead: next.made)
            changes.append(Change(number: next.made.number, before: before, after: graph))
        }
        return changes
    }
}

extension Graph {
    /// Returns true if edges lead to units that the change has added, other than its own.
    fileprivate func uses(_ change: GraphPublisher.Change) -> Bool {
        let added = Set(change.after.nodes.map(\.id)).subtracting(change.before.nodes.map(\.id))
        let own = Set(change.after.connections.map(Edge.init))
        return connections.contains {
            (added.contains($0.source) || added.contains($0.destination)) && !own.contains(Edge($0))
        }
    }
}
