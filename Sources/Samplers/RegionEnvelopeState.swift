// [render]
import DSP
import SoundFonts

/// An envelope of SFZ's first edition as it runs: straight attack, decay and release that fall alike in decibels; one step a
/// period of 64 frames. Source: sfzformat.com, "ampeg_attack" and its like; the falls are e to the power of -9 in their time.
struct RegionEnvelopeState: BitwiseCopyable {
    enum Stage: UInt8, BitwiseCopyable { case delay, attack, hold, decay, sustain, release, done }

    private(set) var stage = Stage.delay
    /// 0...1.
    private(set) var value = 0.0
    /// Frames that are left of a delay or a hold.
    private var left = 0.0
    private var attackStep = 0.0, hold = 0.0, decay = 0.0, release = 0.0
    private var sustain = 1.0
    /// False if it goes on to the release where it would wait for the key.
    var sustains = true

    @_noLocks init() {}

    var isDone: Bool { @_noLocks get { if case .done = stage { true } else { false } } }
    /// Times in seconds, levels 0...1; -78 dB in the time of a fall.
    @_noLocks mutating func set(_ values: InlineArray<7, Float>, rate: Double) {
        let delay = Double(max(values[0], 0)) * rate
        if case .delay = stage { left = delay }
        attackStep = values[1] > 0 ? 1 / (Double(values[1]) * rate) : 0
        hold = Double(max(values[2], 0)) * rate
        decay = Self.fall(Double(values[3]), rate)
        sustain = Double(min(max(values[4], 0), 1))
        release = Self.fall(Double(values[5]), rate)
    }

    @_noLocks mutating func start(_ values: InlineArray<7, Float>, rate: Double) {
        self = RegionEnvelopeState()
        set(values, rate: rate)
        value = Double(min(max(values[6], 0), 1))
        // What needs no time is over when the note begins.
        pass(0)
    }

    /// Begins where it waits for the key.
    @_noLocks mutating func startAtFull() {
        self = RegionEnvelopeState()
        (value, stage) = (1, .sustain)
    }

    /// The logarithm to base 2 that a frame adds.
    @_noLocks private static func fall(_ seconds: Double, _ rate: Double) -> Double {
        -12.984255368000671 / (max(seconds, seconds > 0 ? 0.006 : 0.0005) * rate)
    }

    /// From where it is, in so many seconds.
    @_noLocks mutating func end(in seconds: Double, rate: Double) {
        release = Self.fall(seconds, rate)
        letGo()
    }

    @_noLocks mutating func letGo() { if !isDone { stage = .release } }

    /// One period.
    @_noLocks mutating func step() { pass(64) }

    @_noLocks private mutating func pass(_ count: Double) {
        var frames = count
        // Each stage once at most.
        for _ in 0..<7 {
            switch stage {
            case .delay:
                if left > frames {
                    left -= frames
                    return
                }
                frames -= left
                stage = .attack
            case .attack:
                let way = 1 - value
                if attackStep > 0 && way > attackStep * frames {
                    value += attackStep * frames
                    return
                }
                frames -= attackStep > 0 ? way / attackStep : 0
                value = 1
                left = hold
                stage = .hold
            case .hold:
                if left > frames {
                    left -= frames
                    return
                }
                frames -= left
                stage = .decay
            case .decay:
                value *= DeterministicMath.quickExp2(decay * frames)
                if value > sustain + 0.001 { return }
                value = max(sustain, min(value, sustain + 0.001))
                stage = .sustain
                return
            case .sustain:
                // A note that sinks to nothing is over.
                if sustains && sustain > 0.0032 {
                    value = max(sustain, value - 0.00002)
                    return
                }
                stage = .release
            case .release:
                value *= DeterministicMath.quickExp2(release * frames)
                if value < 1e-5 { (value, stage) = (0, .done) }
                return
            case .done: return
            }
        }
    }
}

/// A flex envelope as it runs.
struct RegionFlexState: BitwiseCopyable {
    private(set) var value: Float = 0
    private var stage: Int32 = 0
    private var time: Float = 0, source: Float = 0
    private(set) var isReleased = false, isDone = false

    @_noLocks init() {}

    @_noLocks mutating func letGo() { isReleased = true }

    /// One period of `seconds`.
    @_noLocks mutating func step(
        _ contour: RegionContour, _ points: UnsafePointer<RegionPoint>, _ registers: UnsafePointer<Float>, seconds: Float
    ) {
        if isDone { return }
        var seconds = seconds
        if isReleased && stage <= contour.sustain { enter(contour.sustain &+ 1) }
        while stage < contour.pointCount {
            let point = points[Int(stage)]
            let length = max(point.time + (point.timeRegister == 0 ? 0 : registers[Int(point.timeRegister)]), 0)
            let target = point.level + (point.levelRegister == 0 ? 0 : registers[Int(point.levelRegister)])
            let waits = stage == contour.sustain && !isReleased
            if time + seconds < length {
                time += seconds
                value = source + Self.bent(time / length, point.shape) * (target - source)
                return
            }
            seconds -= max(length - time, 0)
            value = target
            if waits {
                time = length
                return
            }
            enter(stage &+ 1)
        }
        (value, isDone) = (0, true)
    }

    @_noLocks private mutating func enter(_ stage: Int32) { (self.stage, time, source) = (stage, 0, value) }

    @_noLocks private static func bent(_ x: Float, _ shape: Float) -> Float {
        if shape == 0 { return x }
        let place = Double(shape > 0 ? x : 1 - x)
        let power = place <= 0 ? 0 : DeterministicMath.power(place, 1 + Double(abs(shape)))
        return Float(shape > 0 ? power : 1 - power)
    }
}
