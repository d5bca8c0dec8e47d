import CALSA
import MIDI

/// The sequencer's events for channel messages, and our four bytes.
enum ChannelMessageCoding {
    /// Empty when it is none. Values out of range are limited.
    static func messages(_ event: snd_seq_event_t) -> [MIDIMessage] {
        let note = event.data.note, control = event.data.control
        func message(_ kind: MIDIMessage.Kind, _ data1: Int32, _ data2: Int32 = 0) -> MIDIMessage {
            MIDIMessage(
                status: kind.rawValue | (kind.isOfKey ? note.channel : control.channel) & 15,
                data1: UInt8(min(max(data1, 0), 127)), data2: UInt8(min(max(data2, 0), 127)))
        }
        func controllers(_ pairs: (Controller, Int32)...) -> [MIDIMessage] {
            pairs.map { message(.controlChange, Int32($0.0.rawValue), $0.1) }
        }
        let parameter = Int32(truncatingIfNeeded: control.param), value = control.value
        switch snd_seq_event_type(UInt32(event.type)) {
        case SND_SEQ_EVENT_NOTEON: return [message(.noteOn, Int32(note.note), Int32(note.velocity))]
        case SND_SEQ_EVENT_NOTEOFF: return [message(.noteOff, Int32(note.note), Int32(note.velocity))]
        case SND_SEQ_EVENT_KEYPRESS: return [message(.keyPressure, Int32(note.note), Int32(note.velocity))]
        case SND_SEQ_EVENT_CONTROLLER: return [message(.controlChange, parameter, value)]
        case SND_SEQ_EVENT_PGMCHANGE: return [message(.programChange, value)]
        case SND_SEQ_EVENT_CHANPRESS: return [message(.channelPressure, value)]
        case SND_SEQ_EVENT_PITCHBEND:
            let bend = min(max(value, -8192), 8191) + 8192
            return [message(.pitchBend, bend & 127, bend >> 7)]
        case SND_SEQ_EVENT_CONTROL14 where (0..<32).contains(parameter):
            return [
                message(.controlChange, parameter, value >> 7 & 127),
                message(.controlChange, parameter + 32, value & 127),
            ]
        case SND_SEQ_EVENT_NONREGPARAM:
            return controllers(
                (.nonRegisteredParameter, parameter >> 7 & 127), (.nonRegisteredParameterLSB, parameter & 127),
                (.dataEntry, value >> 7 & 127), (.dataEntryLSB, value & 127))
        case SND_SEQ_EVENT_REGPARAM:
            return controllers(
                (.registeredParameter, parameter >> 7 & 127), (.registeredParameterLSB, parameter & 127),
                (.dataEntry, value >> 7 & 127), (.dataEntryLSB, value & 127))
        default: return []
        }
    }

    /// Returns nil for a value that is not a channel message.
    static func event(_ message: MIDIMessage) -> snd_seq_event_t? {
        guard let kind = message.kind else { return nil }
        var event = snd_seq_event_t()
        event.type = UInt8(type(of: kind).rawValue)
        if kind.isOfKey {
            event.data.note.channel = message.channel
            event.data.note.note = message.data1 & 127
            event.data.note.velocity = message.data2 & 127
            return event
        }
        event.data.control.channel = message.channel
        switch kind {
        case .controlChange:
            event.data.control.param = UInt32(message.data1 & 127)
            event.data.control.value = Int32(message.data2 & 127)
        case .pitchBend: event.data.control.value = Int32(message.bend)
        default: event.data.control.value = Int32(message.data1 & 127)
        }
        return event
    }

    private static func type(of kind: MIDIMessage.Kind) -> snd_seq_event_type {
        switch kind {
        case .noteOff: SND_SEQ_EVENT_NOTEOFF
        case .noteOn: SND_SEQ_EVENT_NOTEON
        case .keyPressure: SND_SEQ_EVENT_KEYPRESS
        case .controlChange: SND_SEQ_EVENT_CONTROLLER
        case .programChange: SND_SEQ_EVENT_PGMCHANGE
        case .channelPressure: SND_SEQ_EVENT_CHANPRESS
        case .pitchBend: SND_SEQ_EVENT_PITCHBEND
        }
    }
}

extension MIDIMessage.Kind {
    fileprivate var isOfKey: Bool { self == .noteOn || self == .noteOff || self == .keyPressure }
}
