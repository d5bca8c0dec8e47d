import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import SongRendering

/// The effects beside reverb and chorus that keyboards ask for by their messages: the delay and equalizer of GS and XG,
/// insertions and variations. The graph has none of them until a message needs it.
final class EffectsPart: SessionPart {
    private let core: SessionCore
    private let keys: KeysPart
    private let songs: SongsPart?
    private var heard = HeardEffects()
    private var isNew = false
    private var remarks: [Remark] = []

    init(_ core: SessionCore, _ keys: KeysPart, _ songs: SongsPart?) { (self.core, self.keys, self.songs) = (core, keys, songs) }

    func hear(_ performance: Performance) {
        for command in performance.commands {
            guard case .music(let event) = command.event, let port = ports.patch(part: Int(event.port) * 16).map({ $0 / 16 })
            else { continue }
            if heard.take(event.moved(toPort: UInt8(port))) { isNew = true }
        }
    }

    /// One where a patch that is given stays as it is.
    func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    /// The engine's ports for those of what sounds: not those of songs that have instruments of their own.
    private var ports: PartPorts { core.graph.ports }

    /// Adds the units that are missing, in one edit; sounding keys go on.
    func turn() throws(Fault) {
        guard isNew, core.options.hasEffects else { return }
        isNew = false
        let effects = heard.effects
        if core.options.patch != nil {
            if effects != SongEffects() {
                remarks = [
                    Remark(
                        .notFollowed, "patch", "insertion effects, delay and equalizer that messages ask for: a patch has its own"
                    )
                ]
            }
            return
        }
        let songs = core.stage.hasOwnSongs ? nil : self.songs
        var demand = songs?.instruments.demand ?? SongDemand()
        demand.add(core.stage.effects)
        demand.add(effects)
        if demand.effects == core.stage.effects { return }
        let former = Set(core.engine.graph.nodes.map(\.id)), list = core.stage.list
        try core.stage.edit(
            PreparedPatch(core.options, songs: list == nil ? demand : nil, effects: demand.effects, in: list))
        songs?.instruments.add(effects)
        keys.renewControls()
        // Units that were there have heard the messages, and may have been set by hand since.
        let added = core.engine.graph.nodes.map(\.id).filter { !former.contains($0) }
        try core.engine.midi.post(
            added.flatMap { node in
                heard.events.compactMap(ports.event).map { RenderCommand(time: .inTurn, node: node, event: .music($0)) }
            })
    }
}
