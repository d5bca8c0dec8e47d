/// The keys that somebody has pressed through a WebSocket and not lifted: all who come through the gateway are one client of
/// the session, which cannot know which of them has gone.
struct HeldKeys {
    /// Channel and key, as they were written.
    private var held: Set<[Substring]> = []
    /// Keys of one WebSocket: more than fingers.
    static let most = 128

    /// A request goes to the session; false for a key too many.
    mutating func ask(_ line: RequestLine) -> Bool {
        guard line.verb == "press", line.words.count > 2 else { return true }
        let key = Array(line.words[1...2])
        if held.count >= Self.most, !held.contains(key) { return false }
        held.insert(key)
        return true
    }

    /// The session has done what was asked.
    mutating func hasDone(_ line: RequestLine) {
        switch line.verb {
        case "lift" where line.words.count == 3: held.remove(Array(line.words[1...2]))
        case "release" where line.words.count == 1: held = []
        default: break
        }
    }

    /// The requests that lift them.
    var lifts: [String] { held.map { "lift \($0[0]) \($0[1])" }.sorted() }
}
