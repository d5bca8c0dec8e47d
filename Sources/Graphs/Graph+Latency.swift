extension Graph {
    /// Frames by which the output is later than the events: the latency of the slowest path, since the others are delayed to
    /// it.
    ///
    /// - Throws: `noOutput`, `cycle`: the graph could not be rendered.
    public var latency: Int {
        get throws(Fault) {
            try GraphLayout(self, wired: Set(nodes.filter(\.isBypassed).map(\.id))).latency
        }
    }
}
