// [render]
import CKernels
import CRealtime

/// Eight delay lines that feed each other through a Hadamard matrix: the late part of a room.
///
/// The matrix keeps energy, so each line's own gain alone sets how fast the sound dies away; a filter in each lets the
/// treble die sooner. That filter is symmetrical, five taps of (1 + z)^4 mixed with the sound itself: it delays every
/// frequency alike, and it waits for nothing, where a recursive one would make lanes wait for each other. Four lines are
/// slowly lengthened and shortened, so that no resonance stands still. Their delay is a triangle of the sample time
/// whose corners and whole frames fall on multiples of 64 frames.
///
/// Time goes in steps of 64 frames: every line is longer, so that what they give in the next 64 is known before any of
/// it has come in. Sources: J.-M. Jot and A. Chaigne, "Digital Delay Networks for Designing Artificial Reverberators",
/// AES Convention 90 (1991); J. O. Smith, "Physical Audio Signal Processing", chapter "Feedback Delay Networks".
public struct FeedbackNetwork: ~Copyable {
    private static var run: Int { @_noLocks get { 64 } }
    /// Frames before a gliding row that the filter's taps reach back to.
    private static var past: Int { @_noLocks get { 16 } }
    /// Room for the weights of the line that moves slowest: 49 runs to a frame.
    private static var slowest: Int { @_noLocks get { 200 } }
    private let lines: UnsafeMutablePointer<DelayLine>
    private let lengths: UnsafeMutablePointer<Int>
    /// Runs of 64 frames that one frame of lengthening takes, for each line; 0 for a line that stands still.
    private let pace: UnsafeMutablePointer<Int>
    /// Outer and middle taps of eight lines and their growth, as `kernel_feed` wants them; then what they grow to.
    private let taps: UnsafeMutablePointer<Float>
    /// Rows of 64 frames for the kernels: from the filter's oldest tap on, and from its middle, which is heard.
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>>, heard: UnsafeMutablePointer<UnsafePointer<Float>>
    /// Where the lines take what comes.
    private let fresh: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Four rows of lines that move, each with what was before it, and one of silence.
    private let glides: UnsafeMutablePointer<Float>
    /// The weights of four frames, the oldest first, in 0, 1, ... `pace` runs of 64 frames from one frame of lengthening to
    /// the next, for each line that moves.
    private let weights: UnsafeMutablePointer<Float>
    /// Where the moving lines are at `moment`: whole frames up and down again, and runs of the next.
    private let wholes: UnsafeMutablePointer<Int>, steps: UnsafeMutablePointer<Int>
    private var moment: Int64 = -1
    private let swing: Int
    private let sampleRate: Double
    /// Frames between the filter's taps, and how much of it there is: so much that every rate sounds like 48 kHz, where 1.2
    /// takes as much treble as a shelf of one pole at 5 kHz.
    private let spacing: Int
    private let share: Double
    private var isMoving = false
    /// True while the lines with a moving delay stand still, and true where they did in the 64 frames before.
    private var isStill = false, wasStill = false

    /// The longest of the lines, in frames.
    public let longest: Int

    /// Lines of `delays` frames. Control side.
    public init(delays: [Int], sampleRate: Double) {
        precondition(delays.count == 8)
        lines = .allocate(capacity: 8)
        lengths = .allocate(capacity: 8)
        pace = .allocate(capacity: 8)
        taps = .allocate(capacity: 48)
        taps.initialize(repeating: 0, count: 48)
        let row = Self.past + Self.run
        glides = UnsafeMutableRawPointer.allocate(byteCount: 20 * row, alignment: 64)
            .initializeMemory(as: Float.self, repeating: 0, count: 5 * row)
        weights = .allocate(capacity: 4 * Self.slowest)
        weights.initialize(repeating: 0, count: 4 * Self.slowest)
        wholes = .allocate(capacity: 4)
        wholes.initialize(repeating: 0, count: 4)
        steps = .allocate(capacity: 4)
        steps.initialize(repeating: 0, count: 4)
        rows = .allocate(capacity: 8)
        rows.initialize(repeating: UnsafePointer(glides + 4 * row), count: 8)
        heard = .allocate(capacity: 8)
        heard.initialize(repeating: UnsafePointer(glides + 4 * row), count: 8)
        fresh = .allocate(capacity: 8)
        swing = max(Int(0.0005 * sampleRate), 2)
        let spacing = min(max(Int(sampleRate / 48_000 + 0.5), 1), 4)
        for (i, length) in delays.enumerated() {
            let length = max(length, Self.run + 2 + 2 * spacing)
            (lengths + i).initialize(to: length)
            (pace + i).initialize(to: i % 2 == 1 ? 28 + 3 * i : 0)
            for step in 0...pace[i] where pace[i] > 0 {
                Self.weigh(Float(step) / Float(pace[i]), weights + (i / 2 * Self.slowest + 4 * step))
            }
            (lines + i).initialize(to: DelayLine(longest: length + swing + 2 + 2 * spacing))
            (fresh + i).initialize(to: lines[i].open(0))
        }
        longest = (delays.max() ?? 0) + swing + 2 + 2 * spacing + DelayLine.run
        self.sampleRate = sampleRate
        self.spacing = spacing
        let frequency = min(5000, 0.4 * sampleRate / Double(spacing))
        func loss(_ turns: Double) -> Double {
            let square = DeterministicMath.cosine(turns: turns) * DeterministicMath.cosine(turns: turns)
            return 1 - square * square
        }
        share = min(1.2 * loss(frequency / 96_000) / loss(frequency * Double(spacing) / (2 * sampleRate)), 1.25)
    }

    deinit {
        lines.deinitialize(count: 8)
        lines.deallocate()
        lengths.deallocate()
        pace.deallocate()
        taps.deallocate()
        UnsafeMutableRawPointer(glides).deallocate()
        weights.deallocate()
        wholes.deallocate()
        steps.deallocate()
        rows.deallocate()
        heard.deallocate()
        fresh.deallocate()
    }

    /// Makes the gains of the coming 64 frames those of the last `decay`.
    @_noLocks public mutating func settle() {
        if isMoving { rt_copy(taps, taps + 32, 16) }
        isMoving = false
    }

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
        settle()
        isMoving = true
        for i in 0..<8 {
            let delay = (Double(lengths[i]) + (pace[i] > 0 ? Double(swing) * 0.5 : 0)) / sampleRate
            let bass = DeterministicMath.exp2(-9.965784284662087 * delay / seconds)    // 3 log2(10)
            let high = DeterministicMath.exp2(-9.965784284662087 * delay / treble)
            let filtered = (bass - high) * share * 0.022097086912079608    // 1 / (16 sqrt 8)
            taps[32 &+ i] = Float(filtered)
            taps[40 &+ i] = Float(bass * 0.35355339059327373 - 10 * filtered)
            energy += bass * bass * 0.125
        }
        for i in 0..<16 { taps[16 &+ i] = (taps[32 &+ i] - taps[i]) * (1 / 64) }
        return rt_sqrt(Float(1 - energy)) * 0.5
    }

    /// Lets 64 frames in, those from `position` on, a multiple of 64, and replaces them by what is heard in the 64 that
    /// follow them, the first of which has sample time `time`.
    @_noLocks public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, at position: Int, time: Int64
    ) {
        for i in 0..<8 { fresh[i] = lines[i].open(position) }
        kernel_feed(rows, Int32(truncatingIfNeeded: spacing), taps, isMoving, left, right, fresh)
        for i in 0..<8 { lines[i].close(position, Self.run) }
        let next = position &+ Self.run
        move(to: time / Int64(Self.run))
        for i in 0..<4 {
            let straight = lines[2 &* i].read(lengths[2 &* i] &+ 2 &* spacing, before: next)
            rows[2 &* i] = straight
            heard[2 &* i] = straight + 2 &* spacing
            let row = glides + i &* (Self.past &+ Self.run)
            glide(i, row, next)
            rows[2 &* i &+ 1] = UnsafePointer(row + (Self.past &- 4 &* spacing))
            heard[2 &* i &+ 1] = UnsafePointer(row + (Self.past &- 2 &* spacing))
        }
        kernel_taps(heard, left, right)
    }

    /// The greatest sample that the last 64 frames have put into a line.
    @_noLocks public func peak() -> Float {
        var peak: Float = 0
        for i in 0..<8 { peak = max(peak, rt_peak(fresh[i], Self.run)) }
        return peak
    }

    /// Silence again.
    @_noLocks public func clear() {
        let row = Self.past &+ Self.run
        rt_zero(glides, 4 &* row)
        for i in 0..<8 {
            lines[i].clear()
            rows[i] = UnsafePointer(glides + 4 &* row)
            heard[i] = UnsafePointer(glides + 4 &* row)
        }
    }

    /// Goes where the moving lines are `runs` times 64 frames after sample time 0. Also where time has jumped, a frame of
    /// lengthening begins with a run.
    @_noLocks private mutating func move(to runs: Int64) {
        let isNext = runs == moment &+ 1
        for i in 0..<4 {
            let pace = pace[2 &* i &+ 1]
            if !isNext {
                let place = Int((runs &+ Int64(2 &* i &+ 1) &* 10_000) % Int64(2 &* swing &* pace))
                wholes[i] = place / pace
                steps[i] = place % pace
                continue
            }
            steps[i] &+= 1
            if steps[i] < pace { continue }
            steps[i] = 0
            wholes[i] = wholes[i] &+ 1 == 2 &* swing ? 0 : wholes[i] &+ 1
        }
        moment = runs
    }

    /// A row of a line whose delay moves: the cubic of Catmull and Rom within one frame of delay, its weights on straight
    /// lines from one row to the next. Straight lines between the frames would take treble away at every turn.
    @_noLocks private func glide(_ i: Int, _ row: UnsafeMutablePointer<Float>, _ position: Int) {
        let line = 2 &* i &+ 1, length = lengths[line] &- 2 &* spacing
        if isStill && wasStill {
            rt_copy(row, row + Self.run, Self.past)
            return rt_copy(row + Self.past, lines[line].read(length &+ swing / 2, before: position), Self.run)
        }
        // Growing from `whole` to one more, or shrinking the same way back.
        let isGrowing = wholes[i] < swing
        let near = length &+ (isGrowing ? wholes[i] : 2 &* swing &- wholes[i] &- 1)
        let start = weights + (i &* Self.slowest &+ 4 &* (isGrowing ? steps[i] : pace[line] &- steps[i]))
        kernel_glide(lines[line].read(near &+ 2, before: position), row, start, isGrowing ? start + 4 : start - 4)
        if isStill == wasStill { return }
        let still = lines[line].read(length &+ swing / 2, before: position), to = row + Self.past
        let begin: Float = isStill ? 0 : 1, direction: Float = isStill ? 1.0 / 64 : -1.0 / 64
        for k in 0..<Self.run {
            let share = begin + direction * Float(Int32(truncatingIfNeeded: k))
            to[k] += share * (still[k] - to[k])
        }
    }

    /// Works out what four frames, the oldest first, weigh at `f` between the third and the second.
    private static func weigh(_ f: Float, _ weights: UnsafeMutablePointer<Float>) {
        let square = f * f, cube = square * f
        weights[0] = 0.5 * cube - 0.5 * square
        weights[1] = 0.5 * f + 2 * square - 1.5 * cube
        weights[2] = 1 - 2.5 * square + 1.5 * cube
        weights[3] = square - 0.5 * f - 0.5 * cube
    }
}
