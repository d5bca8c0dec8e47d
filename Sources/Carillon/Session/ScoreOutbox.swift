import Graph

/// The music that a session's songs have to play, on its way to the renderer: what found no room there waits, and goes first.
///
/// The renderer takes in what has come at the start of a slice; who seeks a hundred times within one fills its queue. A piece
/// that was lost then would be music that nobody hears.
struct ScoreOutbox {
    private var waiting: [ScoreSegment] = []

    /// True if everything has found room.
    var isEmpty: Bool { waiting.isEmpty }

    /// Hands over what waits, then these.
    mutating func post(_ segments: [ScoreSegment] = [], to renderer: Renderer) {
        waiting += segments
        let posted = waiting.firstIndex { !renderer.play($0) } ?? waiting.count
        waiting.removeFirst(posted)
    }
}
