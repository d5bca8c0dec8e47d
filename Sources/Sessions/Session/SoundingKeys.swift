import Graphs
import MIDI

/// The keys that are down, as the units have heard it: for surfaces to show. Control side.
struct SoundingKeys {
    /// The keys of those parts where any is down: most have none, and displays ask ten times a second.
    private var down: [Int: KeySet] = [:]

    /// Takes in a performed event.
    mutating func take(_ command: RenderCommand) {
        switch command.event {
        case .music(.message(let message)): take(message)
        case .music(.reset(_, let port)): for channel in 0..<16 { down[Int(port & 15) * 16 + channel] = nil }
        case .reset where command.node == nil: down = [:]
        default: break
        }
    }

    private mutating func take(_ message: MIDIMessage) {
        let part = message.part & 255
        if message.beginsNote {
            down[part, default: KeySet()].set(message.data1, true)
        } else if message.endsNote {
            down[part]?.set(message.data1, false)
            if down[part]?.isEmpty == true { down[part] = nil }
        } else if message.silencesPart {
            down[part] = nil
        }
    }

    var isEmpty: Bool { down.isEmpty }
    func keys(on part: Int) -> [UInt8] { down[part].map { Array($0.keys) } ?? [] }

    /// The keys, by channel and key.
    var notes: [SessionSnapshot.Note] {
        down.sorted { $0.key < $1.key }.flatMap { part, keys in
            keys.keys.map { SessionSnapshot.Note(channel: part + 1, key: Int($0)) }
        }
    }
}
