// [render]

/// One band of an equaliser for two channels: a filter whose settings glide.
///
/// Settings are taken over on multiples of 64 frames and reached 256 frames later; another response takes 1024 frames.
public struct EqualizerBand: BitwiseCopyable {
    /// Multiples of 64 frames that a change takes, and that another response takes.
    private static var glideLength: Int { @_noLocks get { 4 } }
    private static var fadeLength: Int { @_noLocks get { 16 } }

    private var left = StateVariableFilter(), right = StateVariableFilter()
    /// The coefficients at the start of the current 64 frames, and at their end.
    private var start = StateVariableFilter.Coefficients(), end = StateVariableFilter.Coefficients()
    private var target = StateVariableFilter.Coefficients()
    private var response = 0
    private var frequency: Float = -1, gain: Float = 0, quality: Float = 0
    /// Multiples of 64 frames until the target is reached.
    private var fade = 0

    /// Creates a band that is off.
    @_noLocks public init() {}

    /// True if the coming 64 frames come out as they go in.
    public var isNeutral: Bool { @_noLocks get { start.isNeutral && end.isNeutral } }

    /// The level of what still rings.
    public var level: Double { @_noLocks get { max(left.level, right.level) } }

    /// The settings at a multiple of 64 frames: the number of a `Response`, the rest in the units of `Coefficients`.
    @_noLocks public mutating func aim(
        response: Int, frequency: Float, gain: Float, quality: Float, sampleRate: Double
    ) {
        start = end
        let isAnother = response != self.response
        if isAnother || frequency != self.frequency || gain != self.gain || quality != self.quality {
            fade = isAnother ? Self.fadeLength : max(fade, Self.glideLength)
            (self.response, self.frequency, self.gain, self.quality) = (response, frequency, gain, quality)
            target = StateVariableFilter.Coefficients(
                StateVariableFilter.Response(number: response), frequency: Double(frequency), gain: Double(gain),
                quality: Double(quality), sampleRate: sampleRate)
        }
        if fade == 0 { return }
        if start.isNeutral {
            // It is not audible yet: it begins at its target, without a past.
            start.frequency = target.frequency
            start.damping = target.damping
            clear()
        }
        end = fade == 1 ? target : start.moved(to: target, share: 1 / Double(fade))
        fade &-= 1
    }

    /// Arrives at the settings at once.
    @_noLocks public mutating func settle() {
        end = target
        start = target
        fade = 0
    }

    /// Filters `count` frames in their place, `phase` frames after a multiple of 64.
    @_noLocks public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, phase: Int
    ) {
        if start == end {
            self.left.process(left, count, end)
            self.right.process(right, count, end)
        } else {
            self.left.glide(left, count, from: start, to: end, phase: phase)
            self.right.glide(right, count, from: start, to: end, phase: phase)
        }
    }

    /// Filters one channel in its place, `phase` frames after a multiple of 64; the other one gets no input.
    @_noLocks public mutating func process(_ mono: UnsafeMutablePointer<Float>, _ count: Int, phase: Int) {
        if start == end {
            left.process(mono, count, end)
        } else {
            left.glide(mono, count, from: start, to: end, phase: phase)
        }
    }

    /// Silence; the settings stay.
    @_noLocks public mutating func clear() {
        left = StateVariableFilter()
        right = StateVariableFilter()
    }
}
