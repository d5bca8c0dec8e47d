import EngineCore
import Graphs
import Patches
import RealtimeCore
import Reports
import Sequencer
import SoundFonts
import UnitAPI

/// The units of a song's graph by their part: instruments, strips, the mixer and the meters, for surfaces to find.
///
/// A view of a graph that a `SongPatch` made, by its roles and names.
package struct SongGraph {
    /// A channel strip and the part it belongs to.
    package struct Strip: Sendable, Hashable {
        /// port * 16 + channel; 0 for the square wave, which has one strip for all.
        package let part: Int
        package let node: NodeID
        /// The part that zones play through it, if its unit has a part of its own for that; else `part`.
        package let played: Int
    }

    /// One instrument per port that the song uses; one in all for the square wave.
    package let instruments: [NodeID]
    /// Everything that music is meant for: MIDI units, then the instruments.
    package let players: [NodeID]
    /// Strips in order of their parts.
    package let strips: [Strip]
    /// The parts that it was built for, in order: port * 16 + channel.
    package let parts: [Int]
    /// Adds strips and effect returns up.
    package let mixer: NodeID
    /// Holds peaks below its ceiling; its output is the graph's.
    package let limiter: NodeID
    /// Turns everything up and down, if there is one.
    package var fader: NodeID? { levels.fader }
    /// Has the volume: the mixer, or in a patch without one a unit at its end, if `RenderEnd.hasVolume` asks for that.
    package var volume: NodeID { levels.volume }
    /// The volume of that unit by its patch and the gain of the session, in decibels.
    package var volumeAtStart: Double { levels.start }
    /// Shows the level of the output, if `RenderOptions.hasMeter` asks for it.
    package let meter: NodeID?
    /// Shows the level of each strip, in their order, if `RenderOptions.hasStripMeters` asks for it.
    package let stripMeters: [NodeID]
    /// The delay of the output against the song, in frames.
    package let latency: Int
    /// The SoundFonts in use, in the order of search.
    package let soundFonts: [String]
    /// The reason for these SoundFonts; nil if none plays.
    package let soundFontOrigin: SoundFontLocator.Origin?
    /// The SoundFont that the song brings, if it is played: on top of those.
    package let songBank: SongBank?
    /// Remarks on unmet requests of the song: presets that were substituted or are missing.
    package let remarks: [Remark]
    package let names: SoundNames
    /// The patch that it was made of, with the values that it had then.
    package let patch: Patch
    /// The ports of the engine that its parts are played on.
    package let ports: PartPorts
    /// Parts that zones play instead of those that their units hear in common, by the latter.
    package let ownParts: [Int: [Int]]
    private let levels: (fader: NodeID?, volume: NodeID, start: Double)
    private let instances: [UnitInstance]
    /// Effects of the graph that may be silent and sound again.
    private let echoing: [UnitInstance]

    /// Makes the graph of `song` in `engine`; SoundFonts are read here.
    init(in engine: Engine, _ song: SongPatch) throws(Fault) {
        try song.apply(song.patch, to: engine)
        self.init(of: engine, song)
    }

    /// The units of a graph that a patch made, by their roles. `song` has its SoundFonts and their missing presets. Beside others
    /// its units belong to `owner` and are called after `group`, and it is played on `ports`.
    package init(
        of engine: Engine, _ song: SongPatch, owner: NodeOwner = .patch, group: String = "", ports: PartPorts = .same
    ) {
        let graph = engine.graph, own = graph.nodes.filter { $0.owner == owner }
        func nodes(_ role: UnitRole) -> [Graph.Node] { own.filter { $0.role == role } }
        func unit(_ name: String?) -> NodeID? { name.flatMap { name in own.first { $0.name == group + name }?.id } }
        func parts(of node: NodeID) -> [Int] {
            (0..<256).filter { graph.routes[$0].contains(node) }.compactMap { ports.patch(part: $0) }.sorted()
        }
        self.ports = ports
        instruments = nodes(.instrument).map(\.id)
        players = nodes(.midi).map(\.id) + instruments
        let heard = graph.heard
        instances = own.filter { node in
            heard.contains(node.id) && (node.role == .instrument || node.instance.descriptor.isMIDIUnit)
        }.map(\.instance)
        echoing = own.filter { heard.contains($0.id) && $0.instance.descriptor.gap > 0 }.map(\.instance)
        self.parts = song.isGiven ? Set(players.flatMap(parts(of:))).sorted() : song.parts
        let zones = ZoneStrips(song)
        ownParts = song.routing.ownParts
        strips = song.patch.strips.compactMap { name, part in
            unit(name).map { Strip(part: part, node: $0, played: zones.part(through: name) ?? part) }
        }
        mixer = unit(song.patch.mixer.map { song.patch.units[$0].name }) ?? NodeID(rawValue: -1)
        levels = (unit(song.fader), unit(song.volume) ?? mixer, Double(song.volumeAtStart))
        // A patch that was given ends before the units that were added to it.
        var output = graph.output?.node
        if let last = graph.nodes.first(where: { $0.id == output && $0.owner == .sound }) {
            output = graph.connections.first { $0.destination == last.id }?.source
        }
        let sum = graph.nodes.first { $0.id == output && $0.owner == .setList }
        let end = sum.flatMap { sum in
            graph.connections.first { edge in edge.destination == sum.id && own.contains { $0.id == edge.source } }?.source
        }
        let added = song.isGiven ? unit(song.volume) ?? levels.fader : nil
        let last = added.flatMap { added in graph.connections.first { $0.destination == added }?.source } ?? end ?? output
        limiter = last ?? NodeID(rawValue: -1)
        meter = graph.nodes.first { $0.owner == .setList && $0.role == .meter }?.id ?? unit("meter")
        stripMeters = strips.compactMap { unit(SongPatch.meter(ofPart: $0.part)) }
        latency = graph.output.map { GraphColumns(graph).departure($0.node) } ?? 0
        (soundFonts, soundFontOrigin, remarks) = (song.soundFonts, song.soundFontOrigin, song.remarks)
        (names, songBank) = (song.names, song.songBank)
        patch = song.patch
    }

    /// The parts of a surface's channel: the one that zones play through its strip, else it and those that represent it.
    package func parts(ofChannel part: Int) -> [Int] {
        if let strip = strips.first(where: { $0.part == part }), strip.played != part { return [strip.played] }
        return [part] + (ownParts[part] ?? [])
    }

    /// Returns the channel by which a surface calls a part: that of the strip through which zones play it, else the part that
    /// it represents.
    package func channel(ofPart part: Int) -> Int {
        strips.first { $0.played == part && $0.part != part }?.part ?? ownParts.first { $0.value.contains(part) }?.key ?? part
    }

    /// Seconds of silence after which nothing sounds again by itself: those of the effects that still work. Any thread.
    var gap: Double { echoing.reduce(0) { $1.isAtRest ? $0 : max($0, $1.descriptor.gap) } }

    /// True if every instrument and MIDI unit is at rest: no voice sounds, and no note is still to come. Any thread.
    package var isAtRest: Bool { instances.allSatisfy(\.isAtRest) }

    /// The parts with notes, or the first if there are none.
    static func parts(_ timelines: [Timeline]) -> [Int] { SongDemand(timelines).sortedParts }
}

extension Graph {
    /// The units whose sound reaches the output.
    fileprivate var heard: Set<NodeID> {
        guard let output else { return [] }
        var sources: [NodeID: [NodeID]] = [:]
        for edge in connections { sources[edge.destination, default: []].append(edge.source) }
        var heard: Set<NodeID> = [output.node], left = [output.node]
        while let node = left.popLast() {
            for source in sources[node] ?? [] where heard.insert(source).inserted { left.append(source) }
        }
        return heard
    }
}
