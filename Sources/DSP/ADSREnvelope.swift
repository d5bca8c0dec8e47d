// [render]

/// An envelope of exponential segments, computed on a grid: attack to 1, decay to the sustain level, release to zero.
///
/// Times are those that a segment takes over its whole height: an attack from 0 to 1, a fall by 80 dB (decay) or to
/// nothing (release from 1). The curves are those of a capacitor: the attack aims at 1.3 and stops at 1, the release
/// aims just below 0 and stops at true 0. Between two points of the grid the caller draws a straight line.
public struct ADSREnvelope: BitwiseCopyable, Sendable {
    /// The stages of an envelope.
    public enum Stage: UInt8, BitwiseCopyable, Sendable {
        case attack, decay, release, fade
    }

    /// The stage that the envelope is in.
    public private(set) var stage = Stage.attack
    /// The level at this point of the grid, 0...1.
    public private(set) var level: Float = 0
    /// The level at the next point of the grid.
    public private(set) var next: Float = 0
    private var fall: Float = 0
    /// The note ended before it began; it gets one interval of attack, so that it is heard.
    private var isBlip = false

    /// Creates an envelope at the start of its attack.
    @_noLocks public init() {}

    /// True if the envelope has nothing to give after the next point of the grid.
    public var isEnding: Bool { @_noLocks get { next == 0 && stage != .attack } }

    /// Ends the note: the release begins at the next call of `advance`.
    @_noLocks public mutating func release() {
        if stage == .attack && next == 0 { isBlip = true } else if stage != .fade { stage = .release }
    }

    /// Ends the note within `points` points of the grid, along a straight line from the level at `fraction` of the way
    /// to the next point.
    @_noLocks public mutating func fade(over points: Float, at fraction: Float) {
        if stage == .fade { return }
        fall = (level + (next - level) * fraction) / points
        stage = .fade
    }

    /// Goes on by `fraction` (0...1) of the way to the next point, and computes the point after that.
    @_noLocks public mutating func advance(_ fraction: Float, _ times: ADSRTimes) {
        level = fraction == 1 ? next : level + (next - level) * fraction
        switch stage {
        case .attack:
            next = level + (1.3 - level) * times.attack.rate
            if next >= 1 {
                next = 1
                stage = .decay
            }
            if isBlip { stage = .release }
        case .decay:
            next = level + (times.sustain - level) * times.decay.rate
            let rest = next - times.sustain
            if rest < 1e-5 && rest > -1e-5 { next = times.sustain }
        case .release:
            next = max(level - (level + 1e-4) * times.release.rate, 0)
        case .fade:
            next = level - fall
            // A remainder of rounding is no further step.
            if next < fall * 0.5 { next = 0 }
        }
    }
}

/// The numbers that the points of a grid have in common, for all envelopes that share their settings.
public struct ADSRTimes: BitwiseCopyable, Sendable {
    /// A segment's way to its goal per point of the grid.
    public struct Segment: BitwiseCopyable, Sendable {
        private var duration: Float = -1
        /// 0...1.
        public private(set) var rate: Float = 1

        @_noLocks init() {}

        /// Computes the rate for a new duration in seconds: a decay by `bits` powers of two within it.
        @_noLocks mutating func update(_ duration: Float, bits: Double, interval: Double) {
            if duration == self.duration { return }
            self.duration = duration
            let points = max(Double(duration), 1e-6) / interval
            rate = Float(1 - DeterministicMath.exp2(-bits / points))
        }
    }

    /// The three ways of the level, each a line or an exponential in sample time.
    public private(set) var attack = Segment()
    public private(set) var decay = Segment()
    public private(set) var release = Segment()
    /// 0...1.
    public private(set) var sustain: Float = 1
    /// Seconds between two points of the grid.
    private let interval: Double

    /// The times of a grid with a point every `interval` seconds.
    @_noLocks public init(interval: Double) { self.interval = interval }

    /// Takes over settings: durations in seconds, the sustain level 0...1. Cheap when they are those of the last call.
    @_noLocks public mutating func update(attack: Float, decay: Float, sustain: Float, release: Float) {
        self.attack.update(attack, bits: 2.115477217419936, interval: interval)    // log2(1.3 / 0.3)
        self.decay.update(decay, bits: 13.287712379549449, interval: interval)    // log2(10 000): 80 dB
        self.release.update(release, bits: 13.28785664, interval: interval)    // log2(10 001)
        self.sustain = sustain
    }
}
