import EngineCore
import Graphs
import MIDI
import RealtimeCore
import UnitAPI
import Units

/// The mix, as one turns it: channels, volume, parameters and presets of units, and the ends of notes that hang.
final class MixPart: LonePart {
    let core: SessionCore
    private var complaints = UnitComplaints()
    private var moves: MoveCounter

    init(_ core: SessionCore) {
        self.core = core
        moves = MoveCounter(core.engine.graph)
    }

    func hear(_ performance: Performance) { moves.take(performance, in: core.engine.graph) }

    func turn() { core.tell(complaints.look(core.engine.graph)) }

    func silence() throws(Fault) {
        for mix in core.mixes { try mix.silenceAll() }
        for group in core.stage.ringing.groups { try core.mix.silence(group) }
    }

    func release(at stop: SampleTime) throws(Fault) {
        for mix in core.mixes { try mix.releaseAll() }
        for group in core.stage.ringing.groups { try core.mix.release(group) }
    }

    /// Rises when values of units may have moved, or units came and went.
    var edition: Int { moves.count }
    var control: MixControl { core.mix }

    /// Sets a switch of a channel: of the song, where songs have instruments of their own and it plays this channel.
    func set(_ parameter: ChannelStrip.Parameter, _ isOn: Bool, channel: Int) throws(Fault) {
        let songs = core.songMix, isOfSong = songs.graph.strips.contains { $0.part + 1 == channel }
        try (isOfSong ? songs : core.mix).set(parameter, isOn, channel: channel)
    }

    func silence(unit name: String) throws(Fault) {
        let node = core.engine.graph.node(named: name)?.id
        let mix = core.mixes.last { mix in node.map(mix.graph.players.contains) ?? false }
        try (mix ?? core.mix).silence(unit: name)
    }
    var units: [SessionUnit] {
        core.engine.graph.knownNodes.map(SessionUnit.init)
    }

    /// Sets a parameter, as text such as `reverb.decay=2.5s`.
    func set(_ text: String) throws(Fault) { try core.engine.set(text) }
}

/// Counts what may have moved values of units: settings, controllers that a unit obeys, resets, tempos, and edits.
private struct MoveCounter {
    private(set) var count = 0
    private var controllers: Set<UInt8>

    init(_ graph: Graph) { controllers = Self.controllers(of: graph) }

    mutating func take(_ performance: Performance, in graph: Graph) {
        if !performance.edits.isEmpty { controllers = Self.controllers(of: graph) }
        if !performance.edits.isEmpty || performance.commands.contains(where: { moves($0.event) }) { count += 1 }
    }

    private func moves(_ event: UnitEvent) -> Bool {
        switch event {
        case .parameter, .ramp, .music(.effect), .music(.reset), .music(.standard), .music(.time): true
        case .music(.message(let message)): message.kind == .controlChange && controllers.contains(message.data1)
        default: false
        }
    }

    private static func controllers(of graph: Graph) -> Set<UInt8> {
        Set(graph.nodes.flatMap { $0.instance.parameters.specs.compactMap(\.controller) })
    }
}

extension Session {
    /// The units of the current sound, by name.
    public var unitNames: [String] { engine.graph.knownNames }

    /// The units of the current sound, with the values of their parameters.
    package var units: [SessionUnit] { self[MixPart.self]?.units ?? [] }
}
