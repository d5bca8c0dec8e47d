import MIDI
import Patches
import Reports
import Sequencer

extension RenderOptions {
    /// Lays a song out in time, with the programs that are chosen for it and what lies over it.
    func timeline(of song: Song, _ layers: [RenderLayer]) throws(Fault) -> Timeline {
        let placements = try RenderLayer.placed(layers, throughPatch: patch != nil)
        return try Timeline(song, sampleRate: sampleRate, track: track, layers: placements, programs: channels.programs)
    }
}

extension ChannelChoice {
    /// Returns the programs that are not available as requested.
    func remarks(_ timeline: Timeline) -> [Remark] {
        timeline.partsWithoutBank.sorted().compactMap { part in
            programs[part].map {
                Remark(
                    .substituted, "channel \(part + 1)",
                    "the song has chosen General MIDI, which has no banks: \($0.program) of bank 0 plays instead of bank \($0.bank)"
                )
            }
        }
    }
}
