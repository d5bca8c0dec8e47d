/// The keys that somebody has pressed through a WebSocket and not lifted: all who come through the gateway are one client of
/// the session, which cannot know which of them has gone.
struct HeldKeys {
    /// Channel and key, as they were written.
    private var held: Set<[Substring]> = []
    /// Keys of one WebSocket: more than fingers.
    private static let most = 128

    /// Looks at a request on its way to the session.
    mutating func take(_ line: String) {
        let words = line.split(separator: " ")
        switch words.first {
        case "press" where words.count == 4 && held.count < Self.most: held.insert(Array(words[1...2]))
        case "lift" where words.count == 3: held.remove(Array(words[1...2]))
        case "release" where words.count == 1: held = []
        default: break
        }
    }

    /// The requests that lift them.
    var lifts: [String] { held.map { "lift \($0[0]) \($0[1])" }.sorted() }
}
