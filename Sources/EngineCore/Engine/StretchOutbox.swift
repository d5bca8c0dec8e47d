import Graphs
import RealtimeCore
import Sequencer

/// The stretches of a track player on their way to the renderer: segments that found no room there wait, and go first.
package struct StretchOutbox {
    private let inLane: Bool
    private var waiting: [ScoreSegment] = []

    /// - Parameter inLane: whether they are for the lane of loops.
    package init(inLane: Bool = false) { self.inLane = inLane }

    /// Hands over what waits, then these; what waits for the frame of one of these or later is replaced.
    package mutating func post(_ stretches: [TrackPlayer.Stretch] = [], to renderer: Renderer) {
        for stretch in stretches {
            waiting.removeAll { $0.start >= stretch.start }
            waiting.append(
                ScoreSegment(
                    Score(stretch.events), start: stretch.start, position: stretch.start.rawValue,
                    releases: stretch.releases, prologue: stretch.prologue))
        }
        let posted = waiting.firstIndex { !renderer.play($0, inLane: inLane) } ?? waiting.count
        waiting.removeFirst(posted)
    }
}
