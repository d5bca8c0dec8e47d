// [render]

/// The way two clocks are kept in step: by reading a little faster or slower than their rates, until the place is right.
enum ClockStep {
    /// Seconds in which half of what is left of an error goes.
    static var patience: Double { @_noLocks get { 2 } }
    /// The largest deviation from the ratio of both clocks' rates that corrects a small error: a sixth of a cent.
    static var lean: Double { @_noLocks get { 0.0001 } }
    /// The largest for an error that is audible as an echo, after one of the devices had stopped: two cents.
    static var hurry: Double { @_noLocks get { 0.001 } }
    /// Seconds up to which an error is none of that kind.
    static var near: Double { @_noLocks get { 0.001 } }
    /// An error, seconds, that no clock makes: one of the devices lost time, and the place is taken anew.
    static var leap: Double { @_noLocks get { 0.02 } }

    /// Frames of the one clock's sound in a frame of the other's, while the place is `error` frames behind.
    @_noLocks static func speed(_ source: DeviceTime, _ target: DeviceTime, error: Double, sampleRate: Double) -> Double {
        let most = abs(error) > near * sampleRate ? hurry : lean
        let lean = min(max(error / (patience * 1.4427 * sampleRate), -most), most)
        return source.framesPerNanosecond / target.framesPerNanosecond + lean
    }
}
