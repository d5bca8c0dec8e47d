/// The latency of a graph.
extension Graph {
    /// Frames by which its output lags behind the events: those of the slowest way, since the others wait for it.
    ///
    /// - Throws: `noOutput`, `cycle`: the graph could not be rendered.
    public var latency: Int {
        get throws(GraphError) {
            try GraphLayout(self, wired: Set(nodes.filter(\.isBypassed).map(\.id))).latency
        }
    }
}
