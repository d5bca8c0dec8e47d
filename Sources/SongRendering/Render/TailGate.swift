import DSP

/// Decides at which frame a render with an automatic tail ends: after the song's end, once the level has stayed below
/// -90 dBFS for 200 ms, or for as long as the effects that still work may be silent between two echoes.
///
/// It looks at every frame on its own, so the decision does not depend on how the sound comes in blocks.
struct TailGate {
    /// -90 dBFS as amplitude.
    static let threshold = Decibels.amplitude(-90)
    private let songEnd: Int64
    private let hold: Int64
    private let sampleRate: Double
    /// The first frame after the last one at or above the threshold.
    private var quietSince: Int64

    init(songEnd: Int64, sampleRate: Int) {
        self.songEnd = songEnd
        hold = Int64(sampleRate) / 5
        self.sampleRate = Double(sampleRate)
        quietSince = songEnd
    }

    /// Looks at `frames` frames from frame `start` on. Returns how many of them belong to the render once it has been
    /// quiet for long enough, nil while it has not. Only an engine at rest may end (`mayEnd`).
    /// `gap` is in seconds of silence that may lie between two echoes.
    mutating func framesUntilEnd(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, start: Int64, frames: Int, mayEnd: Bool,
        gap: Double = 0
    ) -> Int? {
        let hold = gap == 0 ? hold : max(hold, Int64(gap * sampleRate))
        let first = max(songEnd - start, 0)
        if first >= frames { return nil }
        var done = Int(first)
        while done < frames {
            // The frame at which it ends unless something is heard before.
            let due = mayEnd ? max(Int(quietSince + hold - start) - 1, done) : frames
            let end = min(due + 1, frames)
            if let last = Self.lastSound(channels, count: count, in: done..<end) {
                quietSince = start + Int64(last) + 1
            } else if due < frames {
                return due + 1
            }
            done = end
        }
        return nil
    }

    /// The last frame at which one of the channels is at or above the threshold; nil without one.
    private static func lastSound(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, in frames: Range<Int>
    ) -> Int? {
        var end = frames.upperBound
        while end > frames.lowerBound {
            let start = max(end - 64, frames.lowerBound)
            if (0..<count).contains(where: { TruePeakEstimator.samplePeak(channels[$0] + start, end - start) >= threshold }) {
                return (start..<end).last { frame in (0..<count).contains { channels[$0][frame].magnitude >= threshold } }
            }
            end = start
        }
        return nil
    }
}
