import Graph
import MIDI

/// Which keys are down, as the units have heard it: for surfaces to show. Control side.
struct SoundingKeys {
    /// One bit per key, for 256 parts.
    private var down = [(UInt64, UInt64)](repeating: (0, 0), count: 256)

    /// Takes in what was performed.
    mutating func take(_ command: RenderCommand) {
        switch command.event {
        case .music(.message(let message)): take(message)
        case .music(.reset(_, let port)): for channel in 0..<16 { down[Int(port & 15) * 16 + channel] = (0, 0) }
        case .reset where command.node == nil: for part in 0..<256 { down[part] = (0, 0) }
        default: break
        }
    }

    private mutating func take(_ message: MIDIMessage) {
        let part = message.part & 255
        switch message.kind {
        case .noteOn where message.data2 > 0: set(part, message.data1, true)
        case .noteOn, .noteOff: set(part, message.data1, false)
        case .controlChange:
            switch Controller(rawValue: message.data1) {
            case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .mono, .poly: down[part] = (0, 0)
            default: break
            }
        default: break
        }
    }

    private mutating func set(_ part: Int, _ key: UInt8, _ isDown: Bool) {
        let bit = UInt64(1) << UInt64(key & 63)
        if key & 64 == 0 {
            down[part].0 = isDown ? down[part].0 | bit : down[part].0 & ~bit
        } else {
            down[part].1 = isDown ? down[part].1 | bit : down[part].1 & ~bit
        }
    }

    /// The keys, by channel and key.
    var notes: [SessionSnapshot.Note] {
        var notes: [SessionSnapshot.Note] = []
        for part in 0..<256 where down[part] != (0, 0) {
            for key in 0..<128 {
                let word = key < 64 ? down[part].0 : down[part].1
                if word >> UInt64(key & 63) & 1 != 0 { notes.append(.init(channel: part + 1, key: key)) }
            }
        }
        return notes
    }
}
