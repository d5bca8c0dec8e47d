// [render]
import CKernels
import CRealtime
import RealtimeCore

/// Sixteen delay lines that feed each other through a Hadamard matrix: the late part of a room.
///
/// The matrix keeps energy, so each line's own gain alone sets how fast the sound dies away; a filter in each makes the
/// treble die sooner. That filter is symmetrical, five taps of (1 + z)^4 mixed with the sound itself: it delays every
/// frequency alike, and without a wait, while a recursive one would make lanes wait for each other. Eight lines are slowly
/// lengthened and shortened (`DelaySwing`), so that no resonance stays the same.
///
/// Each side gets eight lines, with signs that the matrix takes to the other eight: on the whole, no line that is heard feeds
/// the lines that are heard with it, so that the length of a line is not audible.
///
/// Time goes in steps of 64 frames: every line is longer, so that what they give in the next 64 is known before any of
/// it has come in. Sources: J.-M. Jot and A. Chaigne, "Digital Delay Networks for Designing Artificial Reverberators",
/// AES Convention 90 (1991); J. O. Smith, "Physical Audio Signal Processing", chapter "Feedback Delay Networks".
public struct FeedbackNetwork: ~Copyable {
    private static var count: Int { @_noLocks get { 16 } }
    private static var run: Int { @_noLocks get { 64 } }
    /// Frames before a row that the filter's taps reach back to, and a row with them.
    private static var past: Int { @_noLocks get { 16 } }
    private static var row: Int { @_noLocks get { 80 } }
    /// Runs of 64 frames from one size to another.
    private static var fadeRuns: Int { @_noLocks get { 16 } }
    /// Gain of the early part, if that of a line is 1: so much that the energy falls along one line from the first sound on.
    private static var earlyGain: Float { @_noLocks get { 2 } }

    private var owned = OwnedMemory()
    private let lines: UnsafeMutablePointer<DelayLine>
    /// Lengths of the lines at size 1. Unit: frames.
    private let delays: UnsafeMutablePointer<Double>
    private let lengths: UnsafeMutablePointer<Int>, former: UnsafeMutablePointer<Int>
    private var size = -1.0
    /// Runs into the fade from `former` to `lengths`: 16 when it is over.
    private var fade = 16
    /// Outer and middle taps of the lines and their growth, as `kernel_feed` wants them; then what they grow to.
    private let taps: UnsafeMutablePointer<Float>
    /// Rows of 64 frames for the kernels: from the filter's oldest tap on, and from its middle, which is heard.
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>>, heard: UnsafeMutablePointer<UnsafePointer<Float>>
    private let fresh: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// A row of each line that moves or is faded, with what was before it; one of silence, and one to work in.
    private let memory: UnsafeMutablePointer<Float>
    private var swing: DelaySwing
    private let sampleRate: Double
    /// Frames between the filter's taps, and how much of it there is: so much that every rate sounds like 48 kHz, where 1.2
    /// takes as much treble as a shelf of one pole at 5 kHz.
    private let spacing: Int
    private let share: Double
    private var isMoving = false
    /// True while the lines with a moving delay stand still, and true if they did in the 64 frames before.
    private var isStill = false, wasStill = false

    /// The longest that a line may be, in frames.
    public let longest: Int

    /// Lines of `delays` seconds at size 1, with room for sizes up to `largest`; call `jump(to:)` before sound comes. Control
    /// side.
    ///
    /// Precondition: there are as many delays as the network has lines.
    public init(delays seconds: [Double], largest: Double, sampleRate: Double) {
        precondition(seconds.count == Self.count)
        lines = owned.room(for: Self.count)
        delays = owned.room(for: Self.count)
        lengths = owned.make(Self.count, of: 0)
        former = owned.make(Self.count, of: 0)
        taps = owned.make(6 * Self.count, of: 0)
        let samples = (Self.count + 2) * Self.row
        memory = owned.make(samples, of: 0, alignment: 64)
        rows = owned.make(Self.count, of: UnsafePointer(memory + Self.count * Self.row))
        heard = owned.make(Self.count, of: UnsafePointer(memory + Self.count * Self.row))
        fresh = owned.room(for: Self.count)
        swing = DelaySwing(paces: [31, 37, 43, 49, 34, 29, 40, 46], width: max(Int(0.0005 * sampleRate), 2))
        spacing = min(max(Int(sampleRate / 48_000 + 0.5), 1), 4)
        var longest = 0
        for (i, delay) in seconds.enumerated() {
            (delays + i).initialize(to: delay * sampleRate)
            let length = Self.length(delays[i] * largest, spacing) + swing.width + 2 + 2 * spacing
            (lines + i).initialize(to: DelayLine(longest: length))
            (fresh + i).initialize(to: lines[i].open(0))
            longest = max(longest, length + DelayLine.run)
        }
        self.longest = longest
        self.sampleRate = sampleRate
        let frequency = min(5000, 0.4 * sampleRate / Double(spacing))
        func loss(_ turns: Double) -> Double {
            let square = DeterministicMath.cosine(turns: turns) * DeterministicMath.cosine(turns: turns)
            return 1 - square * square
        }
        share = min(1.2 * loss(frequency / 96_000) / loss(frequency * Double(spacing) / (2 * sampleRate)), 1.25)
        size = 1
        for i in 0..<Self.count { lengths[i] = Self.length(delays[i], spacing) }
    }

    deinit { lines.deinitialize(count: Self.count) }

    /// Makes the gains of the coming 64 frames those of the last `decay`.
    @_noLocks public mutating func settle() {
        if isMoving { rt_copy(taps, taps + 4 &* Self.count, 2 &* Self.count) }
        isMoving = false
    }

    /// Stops the lines that move, in the middle of their way, or moves them again: faded over the coming 64 frames. Call it
    /// on multiples of 64 frames.
    @_noLocks public mutating func stand(still: Bool) {
        wasStill = isStill
        isStill = still
    }

    /// Makes the lines `size` times as long at once. Returns true if they were not: then call `decay`.
    @_noLocks public mutating func jump(to size: Double) -> Bool {
        let isOther = size != self.size
        if isOther { lengthen(to: size) }
        fade = Self.fadeRuns
        return isOther
    }

    /// A multiple of 64 frames of sample time: goes on with a fade to another size, or begins one to `size` if none is on
    /// its way; it takes 1024 frames. Returns true if one begins: then call `decay`.
    @_noLocks public mutating func step(to size: Double) -> Bool {
        if fade < Self.fadeRuns { fade &+= 1 }
        if fade < Self.fadeRuns || size == self.size { return false }
        lengthen(to: size)
        fade = 0
        return true
    }

    @_noLocks private mutating func lengthen(to size: Double) {
        self.size = size
        for i in 0..<Self.count {
            former[i] = lengths[i]
            lengths[i] = Self.length(delays[i] * size, spacing)
        }
    }

    /// Sets the seconds in which the sound falls by 60 dB below and above about 5 kHz; the gains get there in 64
    /// frames, unless `settle` is called. Returns the input gain that makes steady noise as loud for every decay.
    @_noLocks public mutating func decay(_ seconds: Double, treble: Double) -> Float {
        var energy = 0.0
        settle()
        isMoving = true
        let goal = taps + 4 &* Self.count
        for i in 0..<Self.count {
            let delay = (Double(lengths[i]) + (i & 1 == 1 ? Double(swing.width) * 0.5 : 0)) / sampleRate
            let bass = DeterministicMath.exp2(-9.965784284662087 * delay / seconds)    // 3 log2(10)
            let high = DeterministicMath.exp2(-9.965784284662087 * delay / treble)
            let filtered = (bass - high) * share * 0.015625    // 1 / (16 sqrt 16)
            goal[i] = Float(filtered)
            goal[Self.count &+ i] = Float(bass * 0.25 - 10 * filtered)
            energy += bass * bass * 0.0625
        }
        for i in 0..<2 &* Self.count { taps[2 &* Self.count &+ i] = (goal[i] - taps[i]) * (1 / 64) }
        // Of each side's click eight lines give one over what is lost on a way around, the early part the square of its gain.
        // The factor is what songs and patches were mixed with: a quarter of a decibel for what the early part has of treble.
        let lost = Float(1 - energy)
        return 0.972 * rt_sqrt(lost / (8 + Self.earlyGain * Self.earlyGain * lost))
    }

    /// Takes in 64 frames, those from `position` on, a multiple of 64, and makes the output of the 64 that follow them, the
    /// first of which has sample time `time`.
    @_noLocks public mutating func process(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, at position: Int, time: Int64
    ) {
        for i in 0..<Self.count { fresh[i] = lines[i].open(position) }
        kernel_feed(rows, Int32(truncatingIfNeeded: spacing), taps, isMoving, left, right, fresh)
        for i in 0..<Self.count { lines[i].close(position, Self.run) }
        let next = position &+ Self.run
        swing.move(to: time / Int64(Self.run))
        for i in 0..<Self.count / 2 {
            let line = 2 &* i
            let straight = samples(line, 2 &* spacing, before: next, memory + line &* Self.row)
            rows[line] = straight
            heard[line] = straight + 2 &* spacing
            let row = memory + (line &+ 1) &* Self.row
            glide(i, row, next)
            rows[line &+ 1] = UnsafePointer(row + (Self.past &- 4 &* spacing))
            heard[line &+ 1] = UnsafePointer(row + (Self.past &- 2 &* spacing))
        }
    }

    /// Writes the 64 frames that are heard next to `left` and `right`, which may be where the early part is that comes with
    /// them.
    @_noLocks public func hear(
        with earlyLeft: UnsafePointer<Float>, _ earlyRight: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>
    ) {
        kernel_taps(heard, earlyLeft, earlyRight, Self.earlyGain, left, right)
    }

    /// Returns the greatest sample that the last 64 frames have put into a line.
    @_noLocks public func peak() -> Float {
        var peak: Float = 0
        for i in 0..<Self.count { peak = max(peak, rt_peak(fresh[i], Self.run)) }
        return peak
    }

    /// Silence again.
    @_noLocks public func clear() {
        rt_zero(memory, Self.count &* Self.row)
        for i in 0..<Self.count {
            lines[i].clear()
            rows[i] = UnsafePointer(memory + Self.count &* Self.row)
            heard[i] = UnsafePointer(memory + Self.count &* Self.row)
        }
    }

    /// A row and the frames before it: if the size is constant, in the line itself; while it is cross-faded, in `memory`.
    @_noLocks private func samples(
        _ line: Int, _ more: Int, before position: Int, _ memory: UnsafeMutablePointer<Float>
    ) -> UnsafePointer<Float> {
        let new = lines[line].read(lengths[line] &+ more, before: position)
        if fade == Self.fadeRuns { return new }
        let old = lines[line].read(former[line] &+ more, before: position)
        // The even lines' rows begin with what the filter reaches back to: the same frame fades alike in every run.
        let start = fade &* Self.run &- (line & 1 == 0 ? 2 &* spacing : 0)
        for k in 0..<Self.row {
            let share = Float(Int32(truncatingIfNeeded: min(max(start &+ k, 0), 1024))) * (1 / 1024)
            memory[k] = old[k] + share * (new[k] - old[k])
        }
        return UnsafePointer(memory)
    }

    @_noLocks private func glide(_ i: Int, _ row: UnsafeMutablePointer<Float>, _ position: Int) {
        let line = 2 &* i &+ 1, work = memory + (Self.count &+ 1) &* Self.row
        let middle = swing.width / 2 &- 2 &* spacing
        if isStill && wasStill {
            rt_copy(row, row + Self.run, Self.past)
            return rt_copy(row + Self.past, samples(line, middle, before: position, work), Self.run)
        }
        swing.read(i, samples(line, swing.frames(i) &+ 2 &- 2 &* spacing, before: position, work), to: row)
        if isStill == wasStill { return }
        let still = samples(line, middle, before: position, work), to = row + Self.past
        let begin: Float = isStill ? 0 : 1, direction: Float = isStill ? 1.0 / 64 : -1.0 / 64
        for k in 0..<Self.run {
            let share = begin + direction * Float(Int32(truncatingIfNeeded: k))
            to[k] += share * (still[k] - to[k])
        }
    }

    /// The smallest prime that is long enough: lines without common divisors have no common resonances.
    @_noLocks private static func length(_ delay: Double, _ spacing: Int) -> Int {
        var candidate = max(Int(delay), run &+ 2 &+ 2 &* spacing) | 1
        while !isPrime(candidate) { candidate &+= 2 }
        return candidate
    }

    @_noLocks private static func isPrime(_ number: Int) -> Bool {
        var divisor = 3
        while divisor &* divisor <= number {
            if number % divisor == 0 { return false }
            divisor &+= 2
        }
        return true
    }
}
