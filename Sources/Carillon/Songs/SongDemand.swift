import Sequencer
import SoundFonts

/// What songs need of a graph: the parts with notes, and of each port's instrument the presets that sound.
///
/// It is kept when the songs themselves are laid aside, and tells whether a graph that stands can play one more.
struct SongDemand {
    /// Parts with notes, numbered port * 16 + channel.
    private(set) var parts: Set<Int> = []
    /// What each port plays, by the rules that the instrument itself follows.
    private(set) var scans: [Int: PresetScan] = [:]

    init(_ timelines: [Timeline] = []) { for timeline in timelines { add(timeline) } }

    /// Takes a song in.
    mutating func add(_ timeline: Timeline) {
        for part in timeline.summary.parts where part.noteCount > 0 { parts.insert(Int(part.port) * 16 + Int(part.channel)) }
        for timed in timeline.events { scans[Int(timed.event.port), default: PresetScan()].apply(timed.event) }
        // The next song starts from power-on.
        for port in scans.keys { scans[port]?.apply(.reset(.generalMIDIOff, port: UInt8(port))) }
    }

    /// Takes in a song; whether it needs anything that the others do not.
    mutating func grow(by timeline: Timeline) -> Bool {
        let before = self
        add(timeline)
        return parts != before.parts || scans.contains { $1.requests != before.scans[$0]?.requests ?? [] }
    }

    /// The parts in order, or the first where there are no notes, so that a song without notes gives its silence.
    var sortedParts: [Int] { parts.isEmpty ? [0] : parts.sorted() }
}
