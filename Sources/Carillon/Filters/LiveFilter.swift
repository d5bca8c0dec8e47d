import MIDI
import Synchronization

/// The filter of a live session's keyboards, with its ledger: the MIDI thread runs it, the control side may exchange it.
final class LiveFilter: Sendable {
    private struct State {
        var filter: (any MIDIFilter)?
        var ledger = FilterLedger()
    }
    private let state: Mutex<State>

    init(_ filter: (any MIDIFilter)?) { state = Mutex(State(filter: filter)) }

    /// What is made of events from now on. What sounds is left alone until its own note-off. Control side.
    var filter: (any MIDIFilter)? {
        get { state.withLock { $0.filter } }
        set { state.withLock { $0.filter = newValue } }
    }

    /// What is to be sent for `event`. MIDI thread.
    func events(for event: MusicEvent) -> [MusicEvent] {
        state.withLock { $0.ledger.events(for: event, through: &$0.filter) }
    }
}
