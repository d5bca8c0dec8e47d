import DSP

/// The joint of a loop that is rendered alone: its last 50 ms cross over into the sound before its first frame, which the first
/// frame continues. So the loop's end joins its beginning, even with modulation that runs by the clock, and with tails.
///
/// Both are the same music, so the two gains add up to 1.
struct LoopJoint {
    /// Frames that cross over.
    let length: Int64
    private let end: Int64
    /// The last frames before the loop, in a ring, and how many there were.
    private var before: [[Float]]
    private var count: Int64 = 0

    init(frames: Int64, channels: Int, sampleRate: Int) {
        length = max(min(Int64(sampleRate) / 20, frames / 2), 1)
        end = frames
        before = [[Float]](repeating: [Float](repeating: 0, count: Int(length)), count: channels)
    }

    mutating func keep(_ channels: [UnsafeMutablePointer<Float>], frames: Int) {
        for frame in max(frames - Int(length), 0)..<frames {
            let place = Int((count + Int64(frame)) % length)
            for channel in before.indices { before[channel][place] = channels[channel][frame] }
        }
        count += Int64(frames)
    }

    /// Joins what belongs to the end of `frames` frames from frame `start` on. Each frame by itself, however they are cut.
    func apply(to channels: [UnsafeMutablePointer<Float>], start: Int64, frames: Int) {
        for frame in max(start, end - length)..<max(min(start + Int64(frames), end), start, end - length) {
            let place = frame - (end - length)
            let share = Float(0.5 - 0.5 * DeterministicMath.cosine(turns: Double(place + 1) / Double(length) / 2))
            let kept = Int((count + place) % length)
            for channel in before.indices {
                let own = channels[channel][Int(frame - start)]
                channels[channel][Int(frame - start)] = own + (before[channel][kept] - own) * share
            }
        }
    }
}
