// [render]
import CRealtime

/// Eight delay lines that feed each other through a Hadamard matrix: the late part of a room.
///
/// The matrix keeps energy, so each line's own gain alone sets how fast the sound dies away; a shelf in each lets the
/// treble die sooner. Four lines are slowly lengthened and shortened, so that no resonance stands still. Their delay is
/// a triangle of the sample time whose corners and whole frames fall on multiples of 64 frames.
/// Sources: J.-M. Jot and A. Chaigne, "Digital Delay Networks for Designing Artificial Reverberators", AES Convention
/// 90 (1991); J. O. Smith, "Physical Audio Signal Processing", chapter "Feedback Delay Networks".
public struct FeedbackNetwork: ~Copyable {
    private static var run: Int { @_noLocks get { 64 } }
    private let lines: UnsafeMutablePointer<DelayLine>
    private let lengths: UnsafeMutablePointer<Int>
    /// Runs of 64 frames that one frame of lengthening takes, for each line; 0 for a line that stands still.
    private let pace: UnsafeMutablePointer<Int>
    /// 8 gains of the treble and 8 of what the bass has more, 8 states of the low-pass; then 16 gains at the start of
    /// 64 frames in which the gains change.
    private let coefficients: UnsafeMutablePointer<Float>
    /// Runs of the eight lines as they come out, low-passed, and as they go in again; one run to interpolate from.
    private let scratch: UnsafeMutablePointer<Float>
    /// 8 zeros, 8 ones: the gains for runs that have been shelved already.
    private let shelved: UnsafeMutablePointer<Float>
    private let swing: Int
    private let sampleRate: Double
    private let corner: Float
    private var isMoving = false
    /// Whether the lines with a moving delay stand still, and whether they did in the 64 frames before.
    private var isStill = false, wasStill = false

    /// The longest of the lines, in frames.
    public let longest: Int

    /// Lines of `delays` frames. Control side.
    public init(delays: [Int], sampleRate: Double) {
        precondition(delays.count == 8)
        lines = .allocate(capacity: 8)
        lengths = .allocate(capacity: 8)
        pace = .allocate(capacity: 8)
        coefficients = .allocate(capacity: 40)
        coefficients.initialize(repeating: 0, count: 40)
        scratch = .allocate(capacity: 25 * Self.run)
        scratch.initialize(repeating: 0, count: 25 * Self.run)
        shelved = .allocate(capacity: 16)
        shelved.initialize(repeating: 0, count: 8)
        (shelved + 8).initialize(repeating: 1, count: 8)
        swing = max(Int(0.0005 * sampleRate), 2)
        for (i, length) in delays.enumerated() {
            let length = max(length, DelayLine.run + 2)
            (lengths + i).initialize(to: length)
            (pace + i).initialize(to: i % 2 == 1 ? 28 + 3 * i : 0)
            (lines + i).initialize(to: DelayLine(longest: length + swing + 2))
        }
        longest = (delays.max() ?? 0) + swing + 2 + DelayLine.run
        self.sampleRate = sampleRate
        corner = Float(1 - DeterministicMath.exp2(-9.064720283654388 * min(5000 / sampleRate, 0.4)))  // 2 pi / ln 2
    }

    deinit {
        lines.deinitialize(count: 8)
        lines.deallocate()
        lengths.deallocate()
        pace.deallocate()
        coefficients.deallocate()
        scratch.deallocate()
        shelved.deallocate()
    }

    /// Makes the gains of the coming 64 frames those of the last `decay`.
    @_noLocks public mutating func settle() { isMoving = false }

    /// Lets the lines that move stand still, in the middle of their way, or move again: faded over the coming 64 frames.
    /// Call it on multiples of 64 frames.
    @_noLocks public mutating func stand(still: Bool) {
        wasStill = isStill
        isStill = still
    }

    /// Sets the seconds in which the sound falls by 60 dB below and above about 5 kHz; the gains get there in 64
    /// frames, unless `settle` is called. Returns the input gain that makes steady noise as loud for every decay.
    @_noLocks public mutating func decay(_ seconds: Double, treble: Double) -> Float {
        var energy = 0.0
        isMoving = true
        for i in 0..<16 { coefficients[24 &+ i] = coefficients[i] }
        for i in 0..<8 {
            let delay = (Double(lengths[i]) + (pace[i] > 0 ? Double(swing) * 0.5 : 0)) / sampleRate
            let bass = DeterministicMath.exp2(-9.965784284662087 * delay / seconds)                  // 3 log2(10)
            let high = DeterministicMath.exp2(-9.965784284662087 * delay / treble)
            coefficients[i] = Float(high)
            coefficients[8 &+ i] = Float(bass - high)
            energy += bass * bass * 0.125
        }
        return rt_sqrt(Float(1 - energy))
    }

    /// Lets `count` frames, which do not cross a multiple of 64 in sample time, pass: `left` and `right` are replaced
    /// by what the lines give.
    @_noLocks public func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, at position: Int,
        time: Int64
    ) {
        takeOut(count, position, time)
        if isMoving {
            shelve(count, Int32(truncatingIfNeeded: time % Int64(DelayLine.run)))
            mix(left, right, count, shelved)
        } else {
            mix(left, right, count, coefficients)
        }
        for i in 0..<8 { lines[i].write(scratch + (16 &+ i) &* Self.run, count, at: position) }
    }

    /// The greatest sample that the last `count` frames have put into a line.
    @_noLocks public func peak(_ count: Int) -> Float {
        var peak: Float = 0
        for i in 16..<24 { peak = max(peak, rt_peak(scratch + i &* Self.run, count)) }
        return peak
    }

    /// Silence again.
    @_noLocks public func clear() {
        for i in 0..<8 {
            lines[i].clear()
            coefficients[16 &+ i] = 0
        }
    }

    /// Runs of the eight lines, plain and low-passed.
    @_noLocks private func takeOut(_ count: Int, _ position: Int, _ time: Int64) {
        let s = Self.run, x = scratch, low = scratch + 8 &* s
        let a = corner, keep = 1 - corner
        let l0 = lines[0].read(lengths[0], before: position), l2 = lines[2].read(lengths[2], before: position)
        let l4 = lines[4].read(lengths[4], before: position), l6 = lines[6].read(lengths[6], before: position)
        if !isStill || !wasStill { for i in 0..<4 { takeModulated(2 &* i &+ 1, count, position, time) } }
        if isStill || wasStill { for i in 0..<4 { takeStill(2 &* i &+ 1, count, position, time) } }
        let state = coefficients + 16
        var y0 = state[0], y1 = state[1], y2 = state[2], y3 = state[3]
        var y4 = state[4], y5 = state[5], y6 = state[6], y7 = state[7]
        for k in 0..<count {                      // eight recursions side by side: none has to wait for another
            let x0 = l0[k], x2 = l2[k], x4 = l4[k], x6 = l6[k]
            x[k] = x0
            x[2 &* s &+ k] = x2
            x[4 &* s &+ k] = x4
            x[6 &* s &+ k] = x6
            y0 = keep * y0 + a * x0
            y1 = keep * y1 + a * x[s &+ k]
            y2 = keep * y2 + a * x2
            y3 = keep * y3 + a * x[3 &* s &+ k]
            y4 = keep * y4 + a * x4
            y5 = keep * y5 + a * x[5 &* s &+ k]
            y6 = keep * y6 + a * x6
            y7 = keep * y7 + a * x[7 &* s &+ k]
            low[k] = y0
            low[s &+ k] = y1
            low[2 &* s &+ k] = y2
            low[3 &* s &+ k] = y3
            low[4 &* s &+ k] = y4
            low[5 &* s &+ k] = y5
            low[6 &* s &+ k] = y6
            low[7 &* s &+ k] = y7
        }
        state[0] = y0
        state[1] = y1
        state[2] = y2
        state[3] = y3
        state[4] = y4
        state[5] = y5
        state[6] = y6
        state[7] = y7
    }

    /// A run of a line whose delay moves: the cubic of Catmull and Rom within one frame of delay. A straight
    /// line would take treble away at every turn.
    @_noLocks private func takeModulated(_ i: Int, _ count: Int, _ position: Int, _ time: Int64) {
        let step = Int64(pace[i] &* DelayLine.run)
        let steps = Int64(2 &* swing)
        let moment = time &+ Int64(i) &* 640_000
        let whole = Int((moment / step) % steps)
        let phase = Int32(truncatingIfNeeded: moment % step)
        let scale = 1 / Float(Int32(truncatingIfNeeded: step))
        let to = scratch + i &* Self.run
        // Growing from `whole` to one more, or shrinking the same way back.
        let isGrowing = whole < swing
        let near = lengths[i] &+ (isGrowing ? whole : 2 &* swing &- whole &- 1)
        let x = lines[i].read(near &+ 2, before: position)
        let start: Float = isGrowing ? 0 : 1, direction = isGrowing ? scale : -scale
        for k in 0..<count {
            let f = start + direction * Float(phase &+ Int32(truncatingIfNeeded: k))
            let d = x[k], c = x[k &+ 1], b = x[k &+ 2], a = x[k &+ 3]         // a is the newest; between b and c
            let bend = a - 2.5 * b + 2 * c - 0.5 * d
            let twist = 0.5 * (d - a) + 1.5 * (b - c)
            to[k] = b + f * (0.5 * (c - a) + f * (bend + f * twist))
        }
    }

    /// A run of such a line at the middle of its way; in the 64 frames after a change faded with what moves.
    @_noLocks private func takeStill(_ i: Int, _ count: Int, _ position: Int, _ time: Int64) {
        let x = lines[i].read(lengths[i] &+ swing / 2, before: position)
        let to = scratch + i &* Self.run
        if isStill == wasStill {
            for k in 0..<count { to[k] = x[k] }
            return
        }
        let phase = Int32(truncatingIfNeeded: time % Int64(DelayLine.run))
        let start: Float = isStill ? 0 : 1, direction: Float = isStill ? 1.0 / 64 : -1.0 / 64
        for k in 0..<count {
            let share = start + direction * Float(phase &+ Int32(truncatingIfNeeded: k))
            to[k] += share * (x[k] - to[k])
        }
    }

    /// The shelves while their gains move: the low-passed runs become the shelved ones.
    @_noLocks private func shelve(_ count: Int, _ phase: Int32) {
        for i in 0..<8 {
            let x = scratch + i &* Self.run, low = scratch + (8 &+ i) &* Self.run
            let high = coefficients[24 &+ i], more = coefficients[32 &+ i]
            let highStep = (coefficients[i] - high) * (1 / 64), moreStep = (coefficients[8 &+ i] - more) * (1 / 64)
            for k in 0..<count {
                let t = Float(phase &+ Int32(truncatingIfNeeded: k))
                low[k] = (high + highStep * t) * x[k] + (more + moreStep * t) * low[k]
            }
        }
    }

    /// Shelves, the sums that are heard, the Hadamard matrix, and the new sound into the lines.
    @_noLocks private func mix(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
        _ c: UnsafeMutablePointer<Float>
    ) {
        let s = Self.run, x = scratch
        let h0 = c[0], h1 = c[1], h2 = c[2], h3 = c[3], h4 = c[4], h5 = c[5], h6 = c[6], h7 = c[7]
        let b0 = c[8], b1 = c[9], b2 = c[10], b3 = c[11], b4 = c[12], b5 = c[13], b6 = c[14], b7 = c[15]
        for k in 0..<count {
            let a0 = h0 * x[k] + b0 * x[8 &* s &+ k], a1 = h1 * x[s &+ k] + b1 * x[9 &* s &+ k]
            let a2 = h2 * x[2 &* s &+ k] + b2 * x[10 &* s &+ k], a3 = h3 * x[3 &* s &+ k] + b3 * x[11 &* s &+ k]
            let a4 = h4 * x[4 &* s &+ k] + b4 * x[12 &* s &+ k], a5 = h5 * x[5 &* s &+ k] + b5 * x[13 &* s &+ k]
            let a6 = h6 * x[6 &* s &+ k] + b6 * x[14 &* s &+ k], a7 = h7 * x[7 &* s &+ k] + b7 * x[15 &* s &+ k]
            let l = left[k] * 0.5, r = right[k] * 0.5
            // Heard before the shelves: a change of decay then changes what follows, not what sounds now.
            left[k] = x[k] - x[2 &* s &+ k] + (x[4 &* s &+ k] - x[6 &* s &+ k])
            right[k] = x[s &+ k] + x[3 &* s &+ k] - (x[5 &* s &+ k] + x[7 &* s &+ k])
            // Hadamard: three stages of sums and differences; 1 / sqrt 8 keeps the energy.
            let p0 = a0 + a1, p1 = a0 - a1, p2 = a2 + a3, p3 = a2 - a3
            let p4 = a4 + a5, p5 = a4 - a5, p6 = a6 + a7, p7 = a6 - a7
            let q0 = p0 + p2, q1 = p1 + p3, q2 = p0 - p2, q3 = p1 - p3
            let q4 = p4 + p6, q5 = p5 + p7, q6 = p4 - p6, q7 = p5 - p7
            let n: Float = 0.35355338
            x[16 &* s &+ k] = (q0 + q4) * n + l
            x[17 &* s &+ k] = (q1 + q5) * n + r
            x[18 &* s &+ k] = (q2 + q6) * n + l
            x[19 &* s &+ k] = (q3 + q7) * n - r
            x[20 &* s &+ k] = (q0 - q4) * n - l
            x[21 &* s &+ k] = (q1 - q5) * n + r
            x[22 &* s &+ k] = (q2 - q6) * n - l
            x[23 &* s &+ k] = (q3 - q7) * n - r
        }
    }
}
