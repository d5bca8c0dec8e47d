import Graphs
import MIDI
import SongRendering

/// Where a song plays: a lane of the renderer, and ports of the engine with instruments of their own. Songs that cross over need
/// two; all others play on the first.
struct SongDeck: Hashable {
    /// 0 or 1.
    let number: Int
    /// The engine's ports for those of the songs.
    let ports: PartPorts

    static let first = SongDeck(number: 0, ports: .same)

    var lane: ScoreLane { number == 0 ? .score : .beside }

    /// An event of a song on the engine's ports. What no instrument hears stays where it is.
    func event(_ event: MusicEvent) -> MusicEvent { number == 0 || event.isTime ? event : ports.event(event) ?? event }
}
