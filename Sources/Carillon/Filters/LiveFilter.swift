import MIDI
import Synchronization

/// What a session makes of what is played: the filter that it was given, then the zones, then the player's transposition, so
/// that a split stays on its keys.
struct PlayerFilter: MIDIFilter {
    /// The filter that the session was given.
    var given: (any MIDIFilter)?
    /// The zones that what the filter makes is played through; nil: none.
    var zones: ZoneRouter?
    /// The player's transposition; drums stay.
    var transposer = Transposer(semitones: 0)

    /// The event as the given filter makes it, in its zones, transposed.
    mutating func events(for event: MusicEvent) -> [MusicEvent] {
        let filtered = given?.events(for: event) ?? [event]
        let routed = zones.map { zones in filtered.flatMap { zones.events(for: $0) } } ?? filtered
        return routed.flatMap(transposer.events)
    }
}

/// The filter of a live session's keyboards, with its ledger: the MIDI thread runs it, the control side may exchange it.
final class LiveFilter: Sendable {
    private struct State {
        var filter: PlayerFilter
        var ledger = FilterLedger()
    }
    private let state: Mutex<State>

    init(_ given: (any MIDIFilter)?, zones: ZoneRouter? = nil) {
        state = Mutex(State(filter: PlayerFilter(given: given, zones: zones)))
    }

    /// What was given, and is made of events from now on. What sounds is left alone until its own note-off. Control side.
    var filter: (any MIDIFilter)? {
        get { state.withLock { $0.filter.given } }
        set { state.withLock { $0.filter.given = newValue } }
    }

    /// All that is made of events. Control side.
    var player: PlayerFilter { state.withLock { $0.filter } }

    /// Plays higher or lower from now on, by so many semitones. Control side.
    func transpose(by semitones: Int) { state.withLock { $0.filter.transposer.semitones = semitones } }

    /// The zones that what the filter makes is played through; nil: none. Control side.
    var zones: ZoneRouter? {
        get { state.withLock { $0.filter.zones } }
        set { state.withLock { $0.filter.zones = newValue } }
    }

    /// What is to be sent for `event`. MIDI thread.
    func events(for event: MusicEvent) -> [MusicEvent] {
        state.withLock { state in
            let made = state.filter.events(for: event)
            return state.ledger.events(for: event, filtered: made)
        }
    }
}
