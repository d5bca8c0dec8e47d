import Graph
import Sequencer

/// The graph of a live session: every channel of every port has its strip, and any preset may be asked for.
enum LiveGraph {
    /// The most frames of one slice: a device may grant longer periods than were wanted.
    static let maximumFrames = 4096

    /// Makes an engine with the graph. With timelines and no live port only what these play is there.
    static func make(
        _ options: LiveOptions, timelines: [Timeline] = []
    ) throws(LiveError) -> (Engine, SongGraph) {
        try options.check()
        let engine = Engine(
            sampleRate: Double(options.sampleRate), maximumFrames: maximumFrames, recordsScore: true)
        let songParts = timelines.isEmpty ? [] : SongGraph.parts(timelines)
        let isLive = options.ports > 0 || timelines.isEmpty
        let parts = Set(0..<options.ports * 16).union(songParts)
        do {
            let graph = try SongGraph(
                in: engine, for: isLive ? nil : timelines, parts: parts.isEmpty ? Array(0..<16) : parts.sorted(),
                options: options.sound)
            return (engine, graph)
        } catch { throw .sound(error) }
    }
}
