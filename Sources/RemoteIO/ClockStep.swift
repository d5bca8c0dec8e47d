// [render]

/// The way two clocks are kept in step: by reading a little faster or slower than their rates, until the place is right.
enum ClockStep {
    /// Seconds in which half of what is left of an error goes.
    static var patience: Double { @_noLocks get { 2 } }
    /// The most by which reading is faster or slower than the rates of both clocks, to correct an error: a sixth of a cent.
    static var lean: Double { @_noLocks get { 0.0001 } }
    /// The most for an error that is heard as an echo rather than as a colour: two cents. One of the devices had stopped.
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
