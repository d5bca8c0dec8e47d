import Graphs

/// The music that a session's songs have to play, on its way to the renderer: segments that found no room there wait, and go
/// first.
///
/// The renderer takes in segments at the start of a slice, so a hundred seeks within one slice fill its queue. A segment lost
/// then would be missing music.
struct ScoreOutbox {
    private var waiting: [ScoreSegment] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// Hands over what waits, then these.
    mutating func post(_ segments: [ScoreSegment] = [], to renderer: Renderer) {
        waiting += segments
        let posted = waiting.firstIndex { !renderer.play($0) } ?? waiting.count
        waiting.removeFirst(posted)
    }
}
