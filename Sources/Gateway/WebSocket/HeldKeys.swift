/// The keys and pedals that a WebSocket client has pressed and not lifted, and the cues that it holds: all clients of the gateway
/// are one client of the session, which cannot know which of them has gone.
struct HeldKeys {
    /// The requests that lift them.
    private var held: Set<String> = []
    /// Names of cues that were requested and not released, as they were written.
    private var cues: Set<String> = []
    /// Keys and pedals of one WebSocket, and cues: more than fingers.
    static let most = 128

    /// A request goes to the session; false for a key too many.
    mutating func ask(_ line: RequestLine) -> Bool {
        guard let lift = line.lift, !line.isLift else { return true }
        if held.count >= Self.most, !held.contains(lift) { return false }
        held.insert(lift)
        return true
    }

    mutating func hasDone(_ line: RequestLine) {
        if let lift = line.lift, line.isLift { held.remove(lift) }
        switch line.verb {
        case "release" where line.words.count == 1: held = []
        case "release" where line.words[1] == "cue": cues.remove(line.words[2...].joined(separator: " "))
        case "cue" where cues.count < Self.most: cues.insert(line.words[1...].joined(separator: " "))
        default: break
        }
    }

    var lifts: [String] { held.sorted() }

    /// The requests that release cues, of those which play only as long as they are held.
    func releases(_ isHeld: (String) -> Bool) -> [String] {
        cues.filter { isHeld($0.filter { $0 != "\"" }) }.sorted().map { "release cue \($0)" }
    }
}
