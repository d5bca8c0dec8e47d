import EngineCore
import Graphs
import RealtimeCore
import SongRendering

/// The graph of a live session: every channel of every port has its strip, and any preset may be requested.
enum LiveGraph {
    /// The most frames of one slice: a device may grant longer periods than were wanted.
    static let maximumFrames = 4096

    /// Makes an engine with the graph. With a demand of songs and no live port only what these need is there.
    static func make(
        _ options: LiveOptions, songs: SongDemand? = nil, start: SampleTime = .zero
    ) throws(LiveError) -> (Engine, SongGraph) {
        let parts = parts(options, songs: songs)
        return try make(options, parts: parts, songs: isLive(options, songs) ? nil : songs, start: start)
    }

    /// Makes an engine with a graph for these parts. Without a demand any preset may be requested.
    static func make(
        _ options: LiveOptions, parts: [Int], songs: SongDemand?, start: SampleTime = .zero
    ) throws(LiveError) -> (Engine, SongGraph) {
        try options.check()
        let engine = engine(options, start: start)
        do {
            let song = try SongPatch(songs, parts: parts, options: options.sound)
            return (engine, try SongGraph(in: engine, song, parts: parts))
        } catch { throw .sound(error) }
    }

    static func engine(_ options: LiveOptions, start: SampleTime) -> Engine {
        Engine(sampleRate: Double(options.sampleRate), maximumFrames: maximumFrames, recordsScore: true, start: start)
    }

    /// Changes the graph to other options, or to more songs, while it sounds: units that stay sound on, edges fade, values
    /// glide, and values that were set by hand stay. Nothing of the former graph is kept for an `undo`.
    /// Units `ringing` end what they have begun when another takes their place.
    static func change(
        _ engine: Engine, _ options: LiveOptions, songs: SongDemand?, insteadOf former: SongGraph, ringing: Set<NodeID> = [],
        at time: SampleTime? = nil
    ) throws(LiveError) -> SongGraph {
        let parts = parts(options, songs: songs)
        do {
            let song = try SongPatch(isLive(options, songs) ? nil : songs, parts: parts, options: options.sound)
            defer { engine.forgetHistory() }
            return try SongGraph(in: engine, song, parts: parts, insteadOf: former, ringing: ringing, at: time)
        } catch { throw .sound(error) }
    }

    private static func parts(_ options: LiveOptions, songs: SongDemand?) -> [Int] {
        let parts = Set(0..<options.playedPorts * 16).union(songs?.sortedParts ?? [])
        return parts.isEmpty ? Array(0..<16) : parts.sorted()
    }

    private static func isLive(_ options: LiveOptions, _ songs: SongDemand?) -> Bool { options.playedPorts > 0 || songs == nil }
}
