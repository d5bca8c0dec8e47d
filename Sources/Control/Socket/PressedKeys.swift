import Carillon

/// The keys that a client has pressed and not lifted, so that a client that disconnects leaves no hanging note.
struct PressedKeys {
    private struct Key: Hashable {
        let channel: Int
        let key: Int
    }

    private var held: Set<Key> = []

    mutating func take(_ command: ControlCommand) {
        guard let channel = command.whole(0), let key = command.whole(1) else {
            if command.verb == .release { held = [] }
            return
        }
        switch command.verb {
        case .press: held.insert(Key(channel: channel, key: key))
        case .lift: held.remove(Key(channel: channel, key: key))
        default: break
        }
    }

    var lifts: [ControlCommand] {
        held.sorted { ($0.channel, $0.key) < ($1.channel, $1.key) }.map { .liftKey(channel: $0.channel, key: $0.key) }
    }
}
