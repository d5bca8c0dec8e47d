import Graph
import MIDI
import Sequencer
import SoundFontUnit
import UnitAPI
import Units

/// The units of a song's graph by their part: where a surface finds instruments, strips, the mixer and the meters.
///
/// A view of a graph that a `SongPatch` made, by the roles and names that stand in it.
public struct SongGraph {
    /// A channel strip and the part it belongs to.
    public struct Strip: Sendable, Hashable {
        /// port * 16 + channel; 0 for the square wave, which has one strip for all.
        public let part: Int
        public let node: NodeID
    }

    /// One instrument per port that the song uses; one in all for the square wave.
    public let instruments: [NodeID]
    /// Strips in order of their parts.
    public let strips: [Strip]
    /// The parts that it was built for, in order: port * 16 + channel.
    public let parts: [Int]
    /// Adds strips and effect returns up.
    public let mixer: NodeID
    /// Holds peaks below its ceiling; its output is the graph's.
    public let limiter: NodeID
    /// Shows the level of what leaves, where `RenderOptions.hasMeter` asks for it.
    public let meter: NodeID?
    /// Shows the level of each strip, in their order, where `RenderOptions.hasStripMeters` asks for it.
    public let stripMeters: [NodeID]
    /// Frames by which the output lags behind the song.
    public let latency: Int
    /// The SoundFonts in use, in the order of search.
    public let soundFonts: [String]
    /// Why these SoundFonts; nil where none plays.
    public let soundFontOrigin: SoundFontLocator.Origin?
    /// What was not as the song asked for, as sentences: presets that were substituted or are missing.
    public let remarks: [String]
    private let instances: [UnitInstance]

    /// Makes the graph of `song` in `engine`; SoundFonts are read here.
    init(in engine: Engine, _ song: SongPatch, parts: [Int]) throws(RenderError) {
        do throws(EngineError) { try engine.apply(song.patch) } catch {
            switch error {
            case .graph(let error): throw RenderError(error)
            case .parameter(let error): throw .parameter(error)
            default: throw .engine(error)
            }
        }
        let graph = engine.graph
        func nodes(_ role: UnitRole) -> [Graph.Node] { graph.nodes.filter { $0.role == role } }
        func id(_ name: String) -> NodeID? { graph.node(named: name)?.id }
        self.parts = parts
        instruments = nodes(.instrument).map(\.id)
        instances = nodes(.instrument).map(\.instance)
        strips = nodes(.strip).compactMap { node in
            Int(node.name.dropFirst("strip-".count)).map { Strip(part: $0 - 1, node: node.id) }
        }
        mixer = id("mixer") ?? NodeID(rawValue: -1)
        limiter = graph.output?.node ?? NodeID(rawValue: -1)
        meter = id("meter")
        stripMeters = strips.compactMap { id("meter-\($0.part + 1)") }
        latency = graph.nodes.first { $0.id == graph.output?.node }?.instance.latency ?? 0
        (soundFonts, soundFontOrigin, remarks) = (song.soundFonts, song.soundFontOrigin, song.remarks)
    }

    /// Whether every instrument is at rest: no voice sounds. Any thread.
    public var isAtRest: Bool { instances.allSatisfy(\.isAtRest) }

    /// The parts with notes, or the first where there are none, so that a song without notes gives its silence.
    static func parts(_ timelines: [Timeline]) -> [Int] {
        let used = timelines.flatMap(\.summary.parts).filter { $0.noteCount > 0 }
        let parts = Set(used.map { Int($0.port) * 16 + Int($0.channel) })
        return parts.isEmpty ? [0] : parts.sorted()
    }
}
