import RealtimeCore
import Sequencer

/// The list's part in MIDI's clock.
extension Playlist {
    /// The passages of the clock, as far as songs are planned: a second back, so that a jump is known as one.
    var passages: [ClockPassage] {
        var passages =
            takeover.before + current.transport.passages(otherwise: Self.otherwise).clipped(from: takeover.time)
        if let following {
            passages =
                passages.filter { $0.start < following.time }
                + following.song.transport.passages(otherwise: Self.otherwise).clipped(from: following.time)
        }
        return passages
    }

    /// Another song takes over: the clock's past is kept for a while.
    func closePassages(at time: SampleTime) {
        let passages = passages.filter { $0.start < time }
        let old = passages.lastIndex { $0.start + sampleRate <= time } ?? 0
        takeover = (time, Array(passages.dropFirst(old)))
    }

    /// Quarter notes a minute for a song that counts film frames.
    private static let otherwise = 120.0
}
