import DSP

// [render]

/// The parameters of the polysynth as its voices use them, at one frame.
struct PolySynthSettings: BitwiseCopyable {
    struct Oscillator: BitwiseCopyable {
        var shape = 0
        /// Cents from the key.
        var cents = 0.0
        /// The part of a period that is high, 0...1, and amplitude.
        var width: Float = 0.5, level: Float = 0

        @_noLocks init() {}
    }

    struct Filter: BitwiseCopyable {
        /// 0 low-pass, 1 band-pass, 2 high-pass.
        var type = 0
        var isSteep = false
        /// Hertz; 0...1; octaves per octave of the keys; octaves with the envelope at its height.
        var cutoff = 1_000.0, resonance: Float = 0, follow = 0.0, envelope = 0.0

        @_noLocks init() {}
    }

    struct Slot: BitwiseCopyable {
        var source = 0, destination = 0
        /// -1...1.
        var amount: Float = 0

        @_noLocks init() {}
    }

    /// True while a value is on its way, so that the settings hold for the frame they were read at alone.
    var isMoving = false
    var first = Oscillator(), second = Oscillator()
    var noise: Float = 0
    var filter = Filter()
    var times: ADSRTimes, filterTimes: ADSRTimes
    var lfoShape = LowFrequencyOscillator.Shape.sine
    /// Hertz, and seconds until it is all there.
    var lfoRate = 5.0, lfoDelay = 0.0
    var vibratoDepth: Float = 0
    var slots = InlineArray<4, Slot>(repeating: Slot())
    /// Level of the whole instrument as amplitude, and the decibels it was computed from.
    var gain: Float = 1, decibels: Float = 0
    var velocityCurve = 2.0
    /// Seconds that the longest glide takes by portamento, and one by finger.
    var portamentoTime: Float = 0, glide: Float = 0
    /// The shift of the whole instrument in pitch. Unit: cents.
    var tune = 0.0

    /// The settings for voices with a point of their grid every `interval` seconds.
    @_noLocks init(interval: Double) {
        times = ADSRTimes(interval: interval)
        filterTimes = ADSRTimes(interval: interval)
    }
}
