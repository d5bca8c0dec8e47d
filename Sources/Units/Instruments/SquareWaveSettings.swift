import DSP

// [render]

/// The parameters of the square wave as its voices use them, at one frame.
struct SquareWaveSettings: BitwiseCopyable {
    /// True while a value is on its way, so that the settings hold for the frame they were read at alone.
    var isMoving = false
    /// The part of a period that is high, 0...1.
    var pulseWidth: Float = 0.5
    var times: ADSRTimes
    /// Level of the whole instrument as amplitude, and the decibels it was computed from.
    var gain: Float = 1
    var decibels: Float = 0
    /// The rate at which the pitch swings. Unit: hertz.
    var vibratoRate: Float = 0
    /// The depth to which the pitch swings. Unit: cents.
    var vibratoDepth: Float = 0
    var velocityCurve = 2.0
    /// Seconds that the longest glide takes.
    var portamentoTime: Float = 0
    /// The shift of the whole instrument in pitch. Unit: cents.
    var tune = 0.0

    /// The settings for voices with a point of their grid every `interval` seconds.
    @_noLocks init(interval: Double) { times = ADSRTimes(interval: interval) }
}
