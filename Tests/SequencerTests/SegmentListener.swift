import MIDI
import RealtimeCore
import Sequencer

/// What a renderer makes of posted segments: the frames on which notes begin.
struct SegmentListener {
    var posted: [ScoreStretch] = []

    mutating func post(_ segments: [ScoreStretch]) {
        for segment in segments {
            posted.removeAll { $0.start >= segment.start }
            posted.append(segment)
        }
    }

    func onsets(_ timeline: Timeline, until end: Int64) -> [(time: Int64, key: UInt8)] {
        var result: [(Int64, UInt8)] = []
        for (index, segment) in posted.enumerated() {
            let limit = index + 1 < posted.count ? posted[index + 1].start.rawValue : end
            for event in timeline.events[segment.events] {
                let passed = segment.rate.clockFrames(ofScore: max(event.time.rawValue - segment.position, 0))
                let time = segment.start.rawValue + passed
                guard time < limit, time < end, case .message(let message) = event.event, message.kind == .noteOn
                else { continue }
                result.append((time, message.data1))
            }
        }
        return result
    }
}
