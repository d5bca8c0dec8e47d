import Graphs
import RealtimeCore
import Sequencer

/// The stretches of a track player on their way to the renderer: segments that found no room there wait, and go first.
package struct StretchOutbox {
    private let lane: ScoreLane
    private var waiting: [ScoreSegment] = []

    /// - Parameter lane: where they are played.
    package init(in lane: ScoreLane = .score) { self.lane = lane }

    /// Hands over what waits, then these; what waits for the frame of one of these or later is replaced.
    package mutating func post(_ stretches: [TrackPlayer.Stretch] = [], to renderer: Renderer) {
        for stretch in stretches {
            waiting.removeAll { $0.start >= stretch.start }
            waiting.append(
                ScoreSegment(
                    Score(stretch.events), start: stretch.start, position: stretch.start.rawValue,
                    releases: stretch.releases, prologue: stretch.prologue, lane: lane))
        }
        let posted = waiting.firstIndex { !renderer.play($0) } ?? waiting.count
        waiting.removeFirst(posted)
    }
}
