import Graph
import RealtimeCore
import Sequencer

/// The graph of a live session: every channel of every port has its strip, and any preset may be asked for.
enum LiveGraph {
    /// The most frames of one slice: a device may grant longer periods than were wanted.
    static let maximumFrames = 4096

    /// Makes an engine with the graph. With timelines and no live port only what these play is there.
    static func make(
        _ options: LiveOptions, timelines: [Timeline] = [], start: SampleTime = .zero
    ) throws(LiveError) -> (Engine, SongGraph) {
        let songParts = timelines.isEmpty ? [] : SongGraph.parts(timelines)
        let parts = Set(0..<options.ports * 16).union(songParts)
        let isLive = options.ports > 0 || timelines.isEmpty
        return try make(
            options, parts: parts.isEmpty ? Array(0..<16) : parts.sorted(), timelines: isLive ? nil : timelines,
            start: start)
    }

    /// Makes an engine with a graph for these parts. Without timelines any preset may be asked for.
    static func make(
        _ options: LiveOptions, parts: [Int], timelines: [Timeline]? = nil, start: SampleTime = .zero
    ) throws(LiveError) -> (Engine, SongGraph) {
        try options.check()
        let engine = Engine(
            sampleRate: Double(options.sampleRate), maximumFrames: maximumFrames, recordsScore: true, start: start)
        do {
            let song = try SongPatch(for: timelines, parts: parts, options: options.sound)
            return (engine, try SongGraph(in: engine, song, parts: parts))
        } catch { throw .sound(error) }
    }
}
