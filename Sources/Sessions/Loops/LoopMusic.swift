import Graphs
import MIDI
import RealtimeCore

/// What keyboards have played of late, as instruments heard it, and what they held before. Pure.
struct LoopMusic {
    /// A message, and the frame on which it was heard.
    struct Played: Hashable {
        let time: SampleTime
        let message: MIDIMessage
    }

    /// Messages that are kept; what is older is known by what it holds.
    private static let most = 32_768
    private(set) var events: [Played] = []
    private var before = LoopHold()

    /// Takes in commands that were performed. Returns those of them that belong in a loop.
    mutating func take(_ commands: [RenderCommand]) -> [Played] {
        let played = commands.compactMap { command -> Played? in
            guard command.node == nil, case .music(.message(let message)) = command.event, message.belongsInLoops else {
                return nil
            }
            return Played(time: command.time, message: message)
        }
        events += played
        if events.count > Self.most {
            let gone = events.count - Self.most / 2
            for event in events.prefix(gone) { before.observe(event.message) }
            events.removeFirst(gone)
        }
        return played
    }

    /// What keyboards held just before a time.
    func held(at time: SampleTime) -> LoopHold {
        var hold = before
        for event in events where event.time < time { hold.observe(event.message) }
        return hold
    }
}

/// The keys that are down, and the last message of each controller, bend and pressure, by part. Pure.
struct LoopHold: Hashable {
    /// By part * 128 + key, the note-on.
    private(set) var keys: [Int: MIDIMessage] = [:]
    private(set) var controls: [Int: MIDIMessage] = [:]

    mutating func observe(_ message: MIDIMessage) {
        if message.beginsNote {
            keys[message.slot] = message
        } else if message.endsNote {
            keys[message.slot] = nil
        } else if message.silencesPart {
            keys = keys.filter { $0.value.part != message.part }
        } else {
            controls[message.control] = message
        }
    }

    /// What is not at rest of pedals, bends and pressures, in the order of parts.
    var moved: [MIDIMessage] {
        controls.sorted { $0.key < $1.key }.map(\.value).filter { message in message.atRest.map { $0 != message } ?? false }
    }
}

extension MIDIMessage {
    /// Part and key.
    var slot: Int { part & 255 * 128 + Int(data1 & 127) }

    /// What it moves: part, kind, and controller or key.
    var control: Int {
        let hasNumber = kind == .controlChange || kind == .keyPressure
        return part & 255 * 65_536 + Int(status & 0xF0) * 128 + (hasNumber ? Int(data1 & 127) : 0)
    }

    /// False for what chooses a sound or sets an instrument up: a loop leaves that alone.
    var belongsInLoops: Bool {
        switch kind {
        case .noteOn, .noteOff, .keyPressure, .channelPressure, .pitchBend: true
        case .controlChange:
            switch data1 {
            // Bank, data entry and its parameter, all controllers to their defaults.
            case 0, 32, 6, 38, 96...101, 121, 122: false
            default: true
            }
        case .programChange, nil: false
        }
    }

    /// The same control at rest: of pedals, the modulation wheel, bends and pressures; nil for what has no rest.
    var atRest: MIDIMessage? {
        var message = self
        switch kind {
        case .controlChange where [1, 64, 66, 67, 69].contains(data1): message.data2 = 0
        case .keyPressure: message.data2 = 0
        case .channelPressure: message.data1 = 0
        case .pitchBend: (message.data1, message.data2) = (0, 64)
        default: return nil
        }
        return message
    }
}
