/// Turns a graph into a plan. Control side.
///
/// The plan's order is that of `GraphLayout`; every pointer is resolved here, so that the render thread looks nothing up.
/// Paths of different latency that meet are delayed to the longest.
package enum GraphCompiler {
    /// Frames that an edge takes to appear or vanish by default.
    package static let fade = 256

    /// Compiles `graph`.
    ///
    /// - Parameters:
    ///   - former: what sounds now, and what may still be fading before it, oldest first; empty if nothing sounds. Edges
    ///     that are gone fade out in the new plan (with the units that feed them, removed or not), edges that are new fade
    ///     in. Compile once more with `former` being `graph` alone when they have, and the plan is free of them.
    ///   - fade: frames that an edge takes to appear or vanish; 0 if nothing has sounded yet.
    /// - Throws: `Fault` when the graph has no output or runs in a circle.
    package static func compile(
        _ graph: Graph, after former: [Graph] = [], fade: Int = fade
    ) throws(Fault) -> RenderPlan {
        try GraphValidation.check(graph)
        let memory = PlanMemory(), solos = SoloGroups(graph)
        let fade = former.isEmpty ? 0 : fade
        func tables(_ transition: Transition, _ latency: Int) -> PlanTables {
            var builder = TableBuilder(graph, solos, transition, memory: memory)
            return builder.tables(latency: latency, fade: fade)
        }
        var earlier: [GraphLayout] = []
        for former in former {
            earlier.append(try GraphLayout(former, wired: Set(former.nodes.filter(\.isBypassed).map(\.id))))
        }
        /// nil if old and new paths together would form a circle, and there are too many old ones to know when that ends.
        func stages(after former: [Graph]) throws(Fault) -> RenderPlan.Stages? {
            let wired = Set((former + [graph]).flatMap(\.nodes).filter(\.isBypassed).map(\.id))
            let target = try GraphLayout(graph, wired: wired)
            var layouts: [GraphLayout] = []
            for graph in former { layouts.append(try GraphLayout(graph, wired: wired)) }
            let transition: Transition
            do {
                transition = try Transition(to: target, after: layouts, earlier: earlier, fade: fade)
            } catch { return nil }
            let later = transition.later
            return RenderPlan.Stages(
                first: tables(transition, target.latency),
                last: later.isEmpty ? nil : tables(Transition(to: target, adding: later), target.latency))
        }
        guard let settled = try stages(after: former.suffix(1)) else { throw .cycle([]) }
        let fading = former.count > 1 ? try stages(after: former) : former.isEmpty ? settled : nil
        return RenderPlan(settled: settled, fading: fading, memory: memory)
    }
}
