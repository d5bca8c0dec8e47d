import Graph
import MIDI

/// The keys that are down, as the units have heard it: for surfaces to show. Control side.
struct SoundingKeys {
    /// One for each part.
    private var down = [KeySet](repeating: KeySet(), count: 256)

    /// Takes in what was performed.
    mutating func take(_ command: RenderCommand) {
        switch command.event {
        case .music(.message(let message)): take(message)
        case .music(.reset(_, let port)): for channel in 0..<16 { down[Int(port & 15) * 16 + channel] = KeySet() }
        case .reset where command.node == nil: for part in 0..<256 { down[part] = KeySet() }
        default: break
        }
    }

    private mutating func take(_ message: MIDIMessage) {
        let part = message.part & 255
        if message.beginsNote {
            down[part].set(message.data1, true)
        } else if message.endsNote {
            down[part].set(message.data1, false)
        } else if message.silencesPart {
            down[part] = KeySet()
        }
    }

    /// The keys that are down on a part.
    func keys(on part: Int) -> [UInt8] { Array(down[part].keys) }

    /// The keys, by channel and key.
    var notes: [SessionSnapshot.Note] {
        var notes: [SessionSnapshot.Note] = []
        for (part, keys) in down.enumerated() where !keys.isEmpty {
            for key in keys.keys { notes.append(.init(channel: part + 1, key: Int(key))) }
        }
        return notes
    }
}
