import MIDI
import RealtimeCore
import Sequencer
import SongRendering

/// The settings of effects that music has made by messages, as they stand: for units that come after the messages.
struct HeardEffects {
    private var state = ChaseState()

    /// Takes in an event; true if it may be one that needs other units.
    mutating func take(_ event: MusicEvent) -> Bool {
        switch event {
        case .reset, .standard, .effect, .insertion: state.apply(event)
        case .message(let message) where message.status & 0xF0 == 0xB0 && message.data1 == 94: state.apply(event)
        default: return false
        }
        return true
    }

    /// In the order of the last messages: what a type of insertion sets goes before what was set since.
    private var settings: [MusicEvent] {
        state.settings.values.sorted { $0.order < $1.order }.compactMap {
            if case .event(let event) = $0.value { event } else { nil }
        }
    }

    /// The effects that these settings use.
    var effects: SongEffects {
        let standards = state.standards.enumerated().compactMap { port, standard in
            standard.map { MusicEvent.standard($0, port: UInt8(port)) }
        }
        return SongEffects((standards + settings).map { TimedMusicEvent(time: .zero, event: $0) })
    }

    /// What units that are new have to hear.
    var events: [MusicEvent] {
        settings.filter { event in
            if case .message = event { false } else { true }
        }
    }
}
