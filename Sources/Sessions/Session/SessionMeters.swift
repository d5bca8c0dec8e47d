import EngineCore
import Graphs
import SongRendering

/// The readings of a session's graph: levels, voices, the limiter's work. All values are current; nothing is kept.
struct SessionMeters {
    let engine: Engine
    let graph: SongGraph
    /// True if the channels have meters of their own.
    let hasChannels: Bool
    /// Instruments that sound besides those of the patch: of songs, and those that ring on.
    var besides: [NodeID] = []

    /// Voices that sound, those that ring on included.
    var voices: Int {
        var voices = 0
        let instruments = Set(graph.instruments + besides)
        for node in engine.graph.nodes where instruments.contains(node.id) {
            // The readouts of a sleeping unit are out of date.
            if node.instance.isAtRest { continue }
            voices += Int(node.instance.readout("active-voices") ?? node.instance.readout("voices") ?? 0)
        }
        return voices
    }

    /// True once no voice sounds and what rings on has faded.
    var areQuiet: Bool { SongEnding.hasDiedAway(voices: voices, levels: levels) }

    var levels: [SessionSnapshot.Level] { graph.meter.map(sides(of:)) ?? [] }

    /// The level after each strip; none if all channels share one. The first channels without a strip follow in their order,
    /// silent: nothing measures them.
    var channels: [SessionSnapshot.Channel] {
        if !hasChannels { return [] }
        let silence = SessionSnapshot.Level(peak: -.infinity, average: -.infinity)
        let metered = zip(graph.strips, graph.stripMeters).map { strip, meter in
            var level = silence
            for side in sides(of: meter) {
                level = SessionSnapshot.Level(
                    peak: side.peak > level.peak ? side.peak : level.peak,
                    average: side.average > level.average ? side.average : level.average)
            }
            return SessionSnapshot.Channel(number: strip.part + 1, level: level)
        }
        let known = Set(metered.map(\.number)).union(graph.strips.map { $0.played + 1 })
        let others = graph.parts.prefix(16).map { $0 + 1 }.filter { !known.contains($0) }
        return (metered + others.map { .init(number: $0, level: silence) }).sorted { $0.number < $1.number }
    }

    /// Left and right of a meter. Spelt out, since a session asks for each of its strips ten times a second.
    private func sides(of meter: NodeID) -> [SessionSnapshot.Level] {
        guard let instance = engine.graph[meter]?.instance else { return [] }
        return [
            SessionSnapshot.Level(
                peak: Double(instance.readout("peak-left") ?? -.infinity),
                average: Double(instance.readout("average-left") ?? -.infinity)),
            SessionSnapshot.Level(
                peak: Double(instance.readout("peak-right") ?? -.infinity),
                average: Double(instance.readout("average-right") ?? -.infinity)),
        ]
    }
}
