// [render]
import CKernels
import RealtimeCore

/// Delays that slowly lengthen and shorten by turns, each at a pace of its own.
///
/// A delay is a triangle of the sample time whose corners and whole frames fall on multiples of 64 frames. Between whole
/// frames the cubic of Catmull and Rom interpolates, with weights on straight lines from one run to the next: straight lines
/// between the frames would lose treble at every turn.
public struct DelaySwing: ~Copyable {
    private let count: Int
    private var owned = OwnedMemory()
    /// Runs of 64 frames that one frame of lengthening takes, for each delay.
    private let pace: UnsafeMutablePointer<Int>
    private let starts: UnsafeMutablePointer<Int>
    /// The weights of four frames, the oldest first, in 0, 1, ... `pace` runs of 64 frames of each delay's lengthening by one.
    private let weights: UnsafeMutablePointer<Float>
    /// The delays' places at `moment`: whole frames up and down again, and runs of the next.
    private let wholes: UnsafeMutablePointer<Int>, steps: UnsafeMutablePointer<Int>
    private var moment: Int64 = -1

    /// Frames between the shortest and the longest.
    public let width: Int

    /// Delays that lengthen by one frame in each of `paces` runs of 64 frames, `width` frames in all. Control side.
    public init(paces: [Int], width: Int) {
        count = paces.count
        self.width = width
        pace = owned.room(for: count)
        starts = owned.room(for: count)
        wholes = owned.make(count, of: 0)
        steps = owned.make(count, of: 0)
        let size = paces.reduce(0) { $0 + 4 * ($1 + 1) }
        weights = owned.make(size, of: 0)
        var start = 0
        for (i, runs) in paces.enumerated() {
            (pace + i).initialize(to: runs)
            (starts + i).initialize(to: start)
            for step in 0...runs { Self.weigh(Float(step) / Float(runs), weights + (start + 4 * step)) }
            start += 4 * (runs + 1)
        }
    }

    /// Goes where the delays are `runs` times 64 frames after sample time 0. Also if time has jumped, a frame of
    /// lengthening begins with a run.
    @_noLocks public mutating func move(to runs: Int64) {
        let isNext = runs == moment &+ 1
        moment = runs
        for i in 0..<count { if isNext { step(i) } else { jump(i, to: runs) } }
    }

    @_noLocks private func step(_ i: Int) {
        steps[i] = steps[i] &+ 1
        if steps[i] < pace[i] { return }
        steps[i] = 0
        wholes[i] = wholes[i] &+ 1 == 2 &* width ? 0 : wholes[i] &+ 1
    }

    @_noLocks private func jump(_ i: Int, to runs: Int64) {
        let place = Int((runs &+ Int64(2 &* i &+ 1) &* 10_000) % Int64(2 &* width &* pace[i]))
        wholes[i] = place / pace[i]
        steps[i] = place % pace[i]
    }

    /// Returns the whole frames by which delay `i` exceeds its shortest, the lesser of the two ends of the run.
    @_noLocks public func frames(_ i: Int) -> Int {
        wholes[i] < width ? wholes[i] : 2 &* width &- wholes[i] &- 1
    }

    /// Writes the output of delay `i` to the last 64 of the 80 frames of `row`, after moving its last 16 to its beginning. It
    /// reads the samples from `from` on, which lie `frames` and two more before those that are written.
    @_noLocks public func read(_ i: Int, _ from: UnsafePointer<Float>, to row: UnsafeMutablePointer<Float>) {
        // Growing from `frames` to one more, or shrinking the same way back.
        let isGrowing = wholes[i] < width
        let start = weights + (starts[i] &+ 4 &* (isGrowing ? steps[i] : pace[i] &- steps[i]))
        kernel_glide(from, row, start, isGrowing ? start + 4 : start - 4)
    }

    private static func weigh(_ f: Float, _ weights: UnsafeMutablePointer<Float>) {
        let square = f * f, cube = square * f
        weights[0] = 0.5 * cube - 0.5 * square
        weights[1] = 0.5 * f + 2 * square - 1.5 * cube
        weights[2] = 1 - 2.5 * square + 1.5 * cube
        weights[3] = square - 0.5 * f - 0.5 * cube
    }
}
