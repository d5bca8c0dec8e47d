import EngineCore
import MIDI
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

    init(_ core: SessionCore, _ keys: KeysPart, _ songs: SongsPart?) { (self.core, self.keys, self.songs) = (core, keys, songs) }

    func hear(_ performance: Performance) {
        for command in performance.commands {
            guard case .music(let event) = command.event else { continue }
            if heard.take(event) { isNew = true }
        }
    }

    /// Adds the units that are missing, in one edit; sounding keys go on.
    func turn() throws(Fault) {
        guard isNew, core.options.hasEffects, core.options.patch == nil else { return }
        isNew = false
        var demand = songs?.instruments.demand ?? SongDemand()
        demand.add(core.stage.effects)
        demand.add(heard.effects)
        if demand.effects == core.stage.effects { return }
        try core.stage.edit(PreparedPatch(core.options, songs: demand))
        songs?.instruments.add(heard.effects)
        keys.renewControls()
        try core.mix.play(heard.events)
    }
}
