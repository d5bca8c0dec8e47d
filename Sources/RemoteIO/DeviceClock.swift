// [render]
import CRealtime

/// A second-order delay-locked loop from pairs (time stamp, hardware pointer) to the device's time.
///
/// After F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005, with pairs instead of wake-ups: the
/// pointer gives the device's position at the stamp, no matter how late the wake-up was. The bandwidth starts large and
/// shrinks as the loop settles.
///
/// A late look at a pointer that moves in steps shows it too far back, never too far ahead: the error has one side. So once
/// the first pairs are in, the loop gets the best of every few pairs, the one whose pointer is furthest ahead, as network
/// clocks do (D. Mills, RFC 5905, clock filter); and an error that is far from the usual counts as the usual. Audio thread.
package struct DeviceClock: BitwiseCopyable, Sendable {
    /// Bandwidth at the start and once settled, Hz.
    static var firstBandwidth: Double { @_noLocks get { 2 } }
    static var lastBandwidth: Double { @_noLocks get { 0.02 } }
    /// The least number of pairs from which one is taken, once the loop is past its start.
    static var pairsPerStep: Int32 { @_noLocks get { 16 } }
    /// A real clock is within this of its nominal rate; the cheapest crystals are within a fifth of it.
    static var tolerance: Double { @_noLocks get { 0.0005 } }
    /// A pointer that is further off than this, seconds, was moved: no look is that late again and again.
    static var leap: Double { @_noLocks get { 0.005 } }

    /// The frame rate that the device claims, and the one it has by the loop's estimate: frames of the renderer per
    /// nanosecond.
    package let nominalRate: Double
    package private(set) var rate: Double
    /// Frames from pointer to event.
    package var latency: Int32
    /// Times that the pointer was elsewhere than the loop could believe, and the loop started over.
    package private(set) var reanchorCount = 0
    /// The last pair's pointer minus what the loop expected, frames.
    package private(set) var lastError = 0.0
    /// True if the loop has its final bandwidth.
    package private(set) var isSettled = false

    private var anchorTime: Int64 = 0
    private var anchorFrame: Int64 = 0
    private var anchorFraction = 0.0
    /// True if there has been a pair since the start or the last `reanchor`.
    package private(set) var hasAnchor = false
    private var startTime: Int64 = 0
    /// The best pair since the last step, and how many there were.
    private var bestTime: Int64 = 0
    private var bestError = 0.0
    private var pairs: Int32 = 0
    /// Frames.
    private var spread = 0.0
    private var implausible: Int32 = 0
    /// Pairs in a row of steps whose best pair was a leap back.
    private var behind: Int32 = 0

    /// Creates a clock of nominally `sampleRate` frames per second.
    @_noLocks package init(sampleRate: Double, latency: Int) {
        nominalRate = sampleRate / 1e9
        rate = sampleRate / 1e9
        self.latency = Int32(truncatingIfNeeded: latency)
    }

    /// Forgets where the pointer was, as after an xrun; the measured rate stays.
    @_noLocks package mutating func reanchor() {
        hasAnchor = false
        isSettled = false
        reanchorCount &+= 1
    }

    /// Takes a pair: at `time` (CLOCK_MONOTONIC, nanoseconds) the device played frame `pointer` and `fraction`.
    @_noLocks package mutating func update(time: Int64, pointer: Int64, fraction: Double = 0) {
        guard hasAnchor else { return anchor(time, pointer, fraction) }
        let error = Double(clamped(pointer &- anchorFrame)) + fraction - anchorFraction - expected(time)
        lastError = error
        // A pointer a second away is another count, not noise.
        if error > nominalRate * 1e9 || error < -nominalRate * 1e9 {
            implausible &+= 1
            if implausible > 2 {
                reanchor()
                anchor(time, pointer, fraction)
            }
            return
        }
        implausible = 0
        if pairs == 0 || error > bestError {
            bestError = error
            bestTime = time
        }
        pairs &+= 1
        // The shorter the period, the more pairs there are to choose from.
        if pairs >= pairsWanted(time), time &- anchorTime >= min((time &- startTime) / 40, 200_000_000) {
            step(bestTime, bestError)
            pairs = 0
        }
    }

    /// The mapping as it is now.
    package var time: DeviceTime {
        @_noLocks get {
            DeviceTime(
                anchorNanoseconds: anchorTime, anchorFrame: anchorFrame, anchorFraction: anchorFraction,
                framesPerNanosecond: rate, latency: latency, isSettled: isSettled)
        }
    }

    @_noLocks private mutating func anchor(_ time: Int64, _ pointer: Int64, _ fraction: Double) {
        anchorTime = time
        let whole = rt_floor_double(fraction)
        anchorFrame = pointer &+ Int64(whole)
        anchorFraction = fraction - whole
        startTime = time
        hasAnchor = true
        pairs = 0
        implausible = 0
        behind = 0
        spread = nominalRate * 1e6    // a millisecond
        lastError = 0
    }

    /// One at a time in the first half second, then more and more.
    @_noLocks private func pairsWanted(_ time: Int64) -> Int32 {
        let halfSeconds = (time &- startTime) / 500_000_000
        if halfSeconds >= 16 { return DeviceClock.pairsPerStep }
        return max(1, Int32(truncatingIfNeeded: halfSeconds))
    }

    @_noLocks private mutating func step(_ time: Int64, _ measured: Double) {
        let interval = Double(time &- anchorTime) / 1e9
        if interval <= 0 { return }
        let age = Double(time &- startTime) / 1e9
        // The bandwidth falls with age, so that each moment counts about as much as all before it.
        let bandwidth = max(DeviceClock.lastBandwidth, min(DeviceClock.firstBandwidth, 0.4 / max(age, 0.01)))
        isSettled = age >= 8
        if leaps(measured) {
            // The device lost time, or made some up: from here on, at the rate that is known.
            anchor(time, anchorFrame, anchorFraction + expected(time) + measured)
            isSettled = false
            reanchorCount &+= 1
            return
        }
        let limit = isSettled ? 4 * spread + 1 : nominalRate * 1e9
        let error = max(-limit, min(limit, measured))
        spread += 0.05 * (min(abs(measured), 4 * spread + 1) - spread)
        let omega = min(2 * Double.pi * bandwidth * interval, 0.5)
        let frames = expected(time) + 1.4142135623730951 * omega * error
        let whole = rt_floor_double(frames + anchorFraction)
        anchorFraction = frames + anchorFraction - whole
        anchorFrame = anchorFrame &+ Int64(whole)
        anchorTime = time
        // In the first second a late wake-up would be taken for a slow clock.
        if age > 1 { rate += omega * omega * error / (interval * 1e9) }
        rate = max(nominalRate * (1 - DeviceClock.tolerance), min(nominalRate * (1 + DeviceClock.tolerance), rate))
    }

    /// A leap ahead cannot come from looking late; a leap back can, but not twice in a row with many pairs to choose from.
    @_noLocks private mutating func leaps(_ measured: Double) -> Bool {
        let leap = nominalRate * 1e9 * DeviceClock.leap
        if measured > leap { return true }
        behind = measured < -leap ? behind &+ pairs : 0
        return behind >= 2 &* DeviceClock.pairsPerStep
    }

    @_noLocks private func expected(_ time: Int64) -> Double {
        let day: Int64 = 86_400_000_000_000
        return Double(min(max(time &- anchorTime, -day), day)) * rate
    }

    @_noLocks private func clamped(_ frames: Int64) -> Int64 {
        min(max(frames, -DeviceTime.horizon), DeviceTime.horizon)
    }
}
