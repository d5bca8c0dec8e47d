import Graph

/// The graph of a live session: every channel of every port has its strip, and any preset may be asked for.
enum LiveGraph {
    /// The most frames of one slice: a device may grant longer periods than were wanted.
    static let maximumFrames = 4096

    /// Makes an engine with the graph.
    static func make(_ options: LiveOptions) throws(LiveError) -> (Engine, SongGraph) {
        try options.check()
        let engine = Engine(sampleRate: Double(options.sampleRate), maximumFrames: maximumFrames)
        do {
            let parts = Array(0..<max(options.ports, 1) * 16)
            return (engine, try SongGraph(in: engine, for: nil, parts: parts, options: options.sound))
        } catch { throw .sound(error) }
    }
}
