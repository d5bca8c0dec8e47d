import DSP

// [render]

/// The sound that the square wave makes of one note: its oscillator, and where its vibrato is.
struct SquareWaveVoice: BitwiseCopyable {
    var oscillator = PulseOscillator()
    /// The pitch that the oscillator is set to, in cents above MIDI key 0.
    var pitch = -1.0
    /// 0..<1.
    var vibratoPhase: Float = 0

    @_noLocks init() {}
}
