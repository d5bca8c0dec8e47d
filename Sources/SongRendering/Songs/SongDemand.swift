import MIDI
import Sequencer
import SoundFonts

/// The demands of songs on a graph: the parts with notes, and of each port's instrument the presets that sound.
///
/// It is kept when the songs themselves are laid aside, and shows whether the current graph can play one more. Songs that bring
/// a SoundFont of their own are played by other instruments than the rest, and ask for presets apart from it.
package struct SongDemand {
    /// Parts with notes, and those that manage their MPE zones, numbered port * 16 + channel.
    private(set) var parts: Set<Int> = []
    /// The presets that each port plays of the songs with one bank, or with none, by the rules that the instrument itself
    /// follows.
    private var songs: [SongBank?: [Int: PresetScan]] = [:]
    /// The presets that each port plays with any bank of a song.
    private var layers: [Int: PresetScan] = [:]
    /// The effects beside reverb and chorus that they use.
    package private(set) var effects = SongEffects()

    /// The demands of songs that all bring the same SoundFont, or none.
    package init(_ timelines: [Timeline] = [], bank: SongBank? = nil) { for timeline in timelines { add(timeline, bank: bank) } }

    package mutating func add(_ timeline: Timeline, bank: SongBank? = nil) {
        parts.formUnion(Self.add(timeline, to: &songs[bank, default: [:]]))
        effects.formUnion(SongEffects(timeline))
    }

    /// Takes in what lies over songs.
    package mutating func add(layer timeline: Timeline) {
        parts.formUnion(Self.add(timeline, to: &layers))
        effects.formUnion(SongEffects(timeline))
    }

    /// Takes in what other music than songs needs.
    package mutating func add(_ others: SongEffects) { effects.formUnion(others) }

    /// Takes in a song; whether it needs anything that the others do not.
    package mutating func grow(by timeline: Timeline, bank: SongBank? = nil) -> Bool {
        let before = self
        add(timeline, bank: bank)
        let known = before.songs[bank] ?? [:]
        return parts != before.parts || effects != before.effects
            || (songs[bank] ?? [:]).contains { $1.requests != known[$0]?.requests ?? [] }
    }

    /// Returns the presets that each port plays, of layers and of the songs with this bank.
    func scans(with bank: SongBank?) -> [Int: PresetScan] {
        (songs[bank] ?? [:]).merging(layers) { $0.merging($1) }
    }

    /// The parts in order, or the first if there are no notes, so that a song without notes gives its silence.
    package var sortedParts: [Int] { parts.isEmpty ? [0] : parts.sorted() }

    private static func add(_ timeline: Timeline, to scans: inout [Int: PresetScan]) -> [Int] {
        for timed in timeline.events { scans[Int(timed.event.port), default: PresetScan()].apply(timed.event) }
        // The next song starts from power-on.
        for port in scans.keys { scans[port]?.apply(.reset(.generalMIDIOff, port: UInt8(port))) }
        return scans.flatMap { port, scan in
            (0..<16).filter { scan.usedChannels >> UInt16($0) & 1 == 1 }.map { port * 16 + $0 }
        }
    }
}
