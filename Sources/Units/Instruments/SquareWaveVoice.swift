import DSP

// [render]

/// One note of the square wave, from its key's stroke to silence.
///
/// A voice lives on a grid of its own: every 16 frames since its note began, pitch, amplitude and width are computed,
/// and amplitude runs straight between. So nothing depends on how the renderer cuts time, nor on when the note came.
struct SquareWaveVoice: BitwiseCopyable {
    /// Frames between two points of the grid.
    static var interval: Int { @_noLocks @inline(__always) get { 16 } }

    /// Whether the voice is in use.
    var isUsed = false
    /// The note has come, but no frame of it has been made.
    var isNew = false
    /// It only fades out: another note has its place already.
    var isLeaving = false
    /// The key is down.
    var isKeyDown = false
    /// The sostenuto pedal caught it.
    var isCaught = false
    /// The soft pedal was down at the stroke.
    var isSoft = false
    /// Port and channel, 0...255.
    var part = 0
    /// 0...127 each; pressure is that of the key alone.
    var key: UInt8 = 0, velocity: UInt8 = 0, pressure: UInt8 = 0
    /// Counts notes since the reset: the smaller, the older.
    var birth: UInt64 = 0

    var oscillator = PulseOscillator()
    var envelope = ADSREnvelope()
    /// Frames made since the last point of the grid.
    var played = 0
    /// Something happened that does not wait for the next point of the grid.
    var isDue = true

    /// The pitch that the oscillator is set to, in cents above MIDI key 0.
    var pitch = -1.0
    /// Where the glide started, in cents from the key; 0 for none.
    var glide: Float = 0
    /// The glide's length as a fraction of the longest; below 0 once `glideFrames` is known.
    var glideFraction: Float = 0
    /// Frames that the glide takes, and those that have gone by.
    var glideFrames: Float = 0, glideDone: Float = 0
    /// 0..<1.
    var vibratoPhase: Float = 0

    /// Amplitude by velocity and soft pedal.
    var strike: Float = 0
    /// Volume, expression and pan on their way, at the last point of the grid and the next.
    var left: Float = 0, right: Float = 0, nextLeft: Float = 0, nextRight: Float = 0
    /// Amplitude at the last point of the grid, and its change per frame.
    var leftStart: Float = 0, rightStart: Float = 0, leftSlope: Float = 0, rightSlope: Float = 0

    @_noLocks init() {}

    /// How far the voice is on its way to the next point of the grid, 0...1.
    var fraction: Float {
        @_noLocks @inline(__always) get { Float(Int32(truncatingIfNeeded: played)) / Float(Int32(Self.interval)) }
    }

    /// What is left of the glide, in cents from the key.
    var glideNow: Float {
        @_noLocks get {
            if glide == 0 || glideFraction >= 0 { return glide }
            return glideDone >= glideFrames ? 0 : glide * (1 - glideDone / glideFrames)
        }
    }

    /// Starts a glide from `cents` away from the key.
    @_noLocks mutating func startGlide(_ cents: Float, _ fraction: Float) {
        glide = cents
        glideFraction = fraction
        glideDone = 0
    }

    /// The key is up and no pedal holds it.
    @_noLocks mutating func release() {
        envelope.release()
        isKeyDown = false
        isDue = true
    }

    /// Out within `points` points of the grid.
    @_noLocks mutating func fade(over points: Float) {
        if isNew { isUsed = false }         // nobody has heard it
        envelope.fade(over: points, at: fraction)
        isKeyDown = false
        isLeaving = true
        isDue = true
    }
}
