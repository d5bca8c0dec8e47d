import Carillon

/// The keys that a client has pressed and not lifted: who goes away with fingers on them leaves no note behind.
struct PressedKeys {
    private struct Key: Hashable {
        let channel: Int
        let key: Int
    }

    private var held: Set<Key> = []

    mutating func take(_ command: ControlCommand) {
        switch command {
        case .pressKey(let channel, let key, _): held.insert(Key(channel: channel, key: key))
        case .liftKey(let channel, let key): held.remove(Key(channel: channel, key: key))
        case .releaseNotes: held = []
        default: break
        }
    }

    /// What lifts them.
    var lifts: [ControlCommand] {
        held.sorted { ($0.channel, $0.key) < ($1.channel, $1.key) }.map { .liftKey(channel: $0.channel, key: $0.key) }
    }
}
