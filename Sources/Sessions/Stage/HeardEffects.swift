import MIDI
import RealtimeCore
import Sequencer
import SongRendering

/// The settings of effects that music has made by messages, as they stand: for units that come after the messages.
struct HeardEffects {
    private enum Setting: Hashable {
        case standard(port: UInt8)
        case send(part: Int)
        case effect(UInt16, port: UInt8)
        case insertion(UInt8, slot: UInt8, port: UInt8)

        var port: UInt8 {
            switch self {
            case .standard(let port), .effect(_, let port), .insertion(_, _, let port): port
            case .send(let part): UInt8(truncatingIfNeeded: part / 16)
            }
        }

        func isParameter(ofSlot slot: UInt8, port: UInt8) -> Bool {
            guard case .insertion(let number, slot, port) = self, case .setting = InsertionParameter(number) else { return false }
            return true
        }
    }

    /// In the order of the last messages.
    private var settings: [(setting: Setting, event: MusicEvent)] = []

    /// Takes in an event; true if it may be one that needs other units.
    mutating func take(_ event: MusicEvent) -> Bool {
        switch event {
        case .reset(_, let port), .standard(_, let port):
            settings.removeAll { $0.setting.port == port }
            keep(event, as: .standard(port: port))
        case .message(let message) where message.status & 0xF0 == 0xB0 && message.data1 == 94:
            keep(event, as: .send(part: message.part))
        case .effect(_, let parameter, let port): keep(event, as: .effect(UInt16(parameter.rawValue), port: port))
        case .insertion(_, let number, let slot, let port):
            // The settings of a type follow it.
            if InsertionParameter(number) == .type { settings.removeAll { $0.setting.isParameter(ofSlot: slot, port: port) } }
            keep(event, as: .insertion(number, slot: slot, port: port))
        default: return false
        }
        return true
    }

    private mutating func keep(_ event: MusicEvent, as setting: Setting) {
        settings.removeAll { $0.setting == setting }
        settings.append((setting, event))
    }

    /// The effects that these settings use.
    var effects: SongEffects { SongEffects(settings.map { TimedMusicEvent(time: .zero, event: $0.event) }) }

    /// What units that are new have to hear.
    var events: [MusicEvent] {
        settings.map(\.event).filter { event in
            switch event {
            case .effect, .insertion: true
            default: false
            }
        }
    }
}
