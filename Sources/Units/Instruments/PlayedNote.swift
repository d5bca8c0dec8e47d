import DSP

// [render]

/// One note of an instrument, from its key's stroke to silence; what it sounds like is up to the instrument.
///
/// A note lives on a grid of its own: every 16 frames since it began, pitch and amplitude are computed, and amplitude runs
/// straight between. So nothing depends on how the renderer cuts time, nor on when the note came.
struct PlayedNote: BitwiseCopyable {
    /// Frames between two points of the grid.
    static var interval: Int { @_noLocks @inline(__always) get { 16 } }

    var isUsed = false
    /// The note has come, but no frame of it has been made.
    var isNew = false
    /// True while the voice only fades out: another note has its place already.
    var isLeaving = false
    var isKeyDown = false
    var isCaught = false
    /// The soft pedal was down at the stroke.
    var isSoft = false
    /// Port and channel, 0...255.
    var part = 0
    /// 0...127 each; pressure is that of the key alone.
    var key: UInt8 = 0, velocity: UInt8 = 0, pressure: UInt8 = 0
    /// Counts notes since the reset: the smaller, the older.
    var birth: UInt64 = 0

    var envelope = ADSREnvelope()
    /// Frames made since the last point of the grid.
    var played = 0
    /// True if something happened that does not wait for the next point of the grid.
    var isDue = true

    /// Where the glide started, in cents from the key; 0 for none.
    var glide: Float = 0
    /// The glide's length as a fraction of the longest; below 0 once `glideFrames` is known.
    var glideFraction: Float = 0
    /// Frames that the glide takes, and those that have gone by.
    var glideFrames: Float = 0, glideDone: Float = 0
    /// The glide is one between two keys of a legato, with a time of its own.
    var isFingered = false

    var strike: Float = 0
    /// Volume, expression and pan on their way, at the last point of the grid and the next.
    var left: Float = 0, right: Float = 0, nextLeft: Float = 0, nextRight: Float = 0
    /// Amplitude at the last point of the grid, and its change per frame.
    var leftStart: Float = 0, rightStart: Float = 0, leftSlope: Float = 0, rightSlope: Float = 0

    @_noLocks init() {}

    /// The part of the way to the next point of the grid that the voice has gone, 0...1.
    var fraction: Float {
        @_noLocks @inline(__always) get { Float(Int32(truncatingIfNeeded: played)) / Float(Int32(Self.interval)) }
    }

    /// The rest of the glide, in cents from the key.
    var glideNow: Float {
        @_noLocks get {
            if glide == 0 || glideFraction >= 0 { return glide }
            return glideDone >= glideFrames ? 0 : glide * (1 - glideDone / glideFrames)
        }
    }

    @_noLocks mutating func startGlide(_ cents: Float, _ fraction: Float) {
        glide = cents
        glideFraction = fraction
        glideDone = 0
        isFingered = false
    }

    /// Returns how far it has still to go, in cents. The longest glides are given, of portamento and by finger, in seconds.
    @_noLocks mutating func slide(_ portamento: Float, finger: Float, sampleRate: Double) -> Double {
        if glide == 0 { return 0 }
        glideDone += Float(Int32(truncatingIfNeeded: played))
        if glideFraction >= 0 {
            glideFrames = (isFingered ? finger : portamento * glideFraction) * Float(sampleRate)
            glideFraction = -1
            glideDone = 0
        }
        let rest = Double(glideNow)
        if glideDone >= glideFrames { glide = 0 }
        return rest
    }

    /// A point of the grid: goes on with the envelope, and with volume and pan to those of its part, `smoothing` of the way.
    @_noLocks mutating func follow(_ wanted: InstrumentParts.Level, _ times: ADSRTimes, smoothing: Float, isFirst: Bool) {
        let fraction = fraction
        envelope.advance(fraction, times)
        if isFirst {
            left = wanted.left
            right = wanted.right
        } else {
            left += (nextLeft - left) * fraction
            right += (nextRight - right) * fraction
        }
        nextLeft = Self.approach(left, wanted.left, smoothing)
        nextRight = Self.approach(right, wanted.right, smoothing)
    }

    /// Adds `count` frames, up to the next point of the grid at most; false when it has come to its end there.
    @_noLocks mutating func mix(
        _ wave: UnsafePointer<Float>, _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) -> Bool {
        let played = played, l = leftStart, lSlope = leftSlope, r = rightStart, rSlope = rightSlope
        for i in 0..<count {
            let along = Float(Int32(truncatingIfNeeded: played &+ i &+ 1))
            left[i] += wave[i] * (l + lSlope * along)
            right[i] += wave[i] * (r + rSlope * along)
        }
        self.played = played &+ count
        if self.played == Self.interval {
            if envelope.isEnding { return false }
            isDue = true
        }
        return true
    }

    /// Goes to these amplitudes, times volume and pan, until the next point of the grid.
    @_noLocks mutating func aim(left: Float, right: Float) {
        let played = Float(Int32(truncatingIfNeeded: played)), perFrame = 1 / Float(Int32(Self.interval))
        leftStart += leftSlope * played
        rightStart += rightSlope * played
        leftSlope = (left * nextLeft - leftStart) * perFrame
        rightSlope = (right * nextRight - rightStart) * perFrame
        self.played = 0
        isDue = false
    }

    /// A volume on its way, one point of the grid later; it arrives when it is within a millionth.
    @_noLocks private static func approach(_ value: Float, _ goal: Float, _ smoothing: Float) -> Float {
        let next = value + (goal - value) * smoothing
        return next - goal < 1e-6 && goal - next < 1e-6 ? goal : next
    }

    /// Returns the part of its way that a volume covers per point of the grid: a time constant of 4 ms.
    static func smoothing(sampleRate: Double) -> Float {
        let seconds = Double(interval) / sampleRate
        return Float(1 - DeterministicMath.exp2(-seconds / 0.004 * 1.4426950408889634))    // log2 e
    }

    @_noLocks mutating func strike(curve: Double) {
        let amplitude = Float(DeterministicMath.power(Double(velocity) / 127, curve))
        strike = isSoft ? amplitude * 0.7 : amplitude
        isNew = false
    }

    @_noLocks mutating func release() {
        envelope.release()
        isKeyDown = false
        isDue = true
    }

    @_noLocks mutating func fade(over points: Float) {
        if isNew { isUsed = false }    // it has not sounded yet
        envelope.fade(over: points, at: fraction)
        isKeyDown = false
        isLeaving = true
        isDue = true
    }
}
