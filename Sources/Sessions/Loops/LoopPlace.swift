import DSP
import MIDI
import Sequencer

/// How a MIDI loop is played, besides its layers. Pure.
struct LoopPlace {
    typealias Event = Song.Arrangement.Event

    /// The beat of the player at which a turn begins.
    var origin = 0.0
    var isOnce = false
    /// Beats of the player for a beat of the loop: 2 is half speed.
    var factor = 1.0
    var isReversed = false
    /// In decibels, by the velocity of its keys.
    var level: Float = 0

    /// The events of a layer as they are played, in beats of the player from the beginning of a turn on.
    func played(_ layer: AskedLoop.Layer) -> [Event] {
        let events = isReversed ? Self.reversed(layer.events, layer.beats) : layer.events
        return events.map { event in
            var event = event.scaled(by: factor)
            if level != 0, case .note(var note) = event.kind {
                note.velocity = Self.velocity(note.velocity, level)
                event = Event(event.beat, .note(note))
            }
            return event
        }
    }

    /// A velocity that is so many decibels louder: amplitudes go with its square, as General MIDI Level 2 recommends for volume.
    static func velocity(_ velocity: UInt8, _ level: Float) -> UInt8 {
        UInt8(min(max((Float(velocity) * Decibels.amplitude(level / 2)).rounded(), 1), 127))
    }

    /// Events in the other direction: a note begins where it ended, and a controller has each value as long as it had it.
    static func reversed(_ events: [Event], _ beats: Double) -> [Event] {
        var notes: [Event] = [], moves: [Int: [(beat: Double, message: MIDIMessage)]] = [:]
        for event in events {
            switch event.kind {
            case .note(let note): notes.append(Event(max(beats - event.beat - note.length, 0), event.kind))
            case .message(let message): moves[message.control, default: []].append((event.beat, message))
            default: break
            }
        }
        var turned: [Event] = []
        for control in moves.keys.sorted() {
            let own = moves[control] ?? []
            for (place, move) in own.enumerated() {
                turned.append(Event(place + 1 < own.count ? beats - own[place + 1].beat : 0, .message(move.message)))
            }
            // What moved last is there until the first move of the next turn.
            if let first = own.first, let last = own.last, first.beat > 0 {
                turned.append(Event(beats - first.beat, .message(last.message)))
            }
        }
        // Controllers come before the keys that they move.
        return (turned + notes).enumerated().sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }.map(\.element)
    }
}
