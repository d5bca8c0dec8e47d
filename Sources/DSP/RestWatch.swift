// [render]
import CRealtime

/// Decides when a decaying unit may fall asleep and when it wakes, the same for any slices.
///
/// Asleep, the unit's memory holds zeros, so silence would give silence; it wakes at the first frame that is not zero,
/// anywhere in a slice. It falls asleep on multiples of `grid` in sample time only.
public struct RestWatch: BitwiseCopyable {
    /// Frames between two moments at which the unit may fall asleep.
    @inlinable public static var grid: Int64 { @_noLocks @inline(__always) get { 1024 } }

    private var resting = true
    private var heard = false
    private var quietFrames = 0

    /// Asleep.
    @_noLocks public init() {}

    /// True while the unit is asleep. A new one is.
    public var isResting: Bool { @_noLocks get { resting } }

    /// Returns the first frame of `from..<count` in which `x` is not zero; `count` when there is none.
    @_noLocks public static func firstSound(_ x: UnsafePointer<Float>, from: Int, count: Int) -> Int {
        var i = from
        while i &+ 64 <= count, rt_is_silent(x + i, 64) { i &+= 64 }
        while i < count, x[i] == 0 { i &+= 1 }
        return i
    }

    /// Marks that the unit starts working again.
    @_noLocks public mutating func wake() {
        resting = false
        heard = true
        quietFrames = 0
    }

    /// Takes in what the unit has been given in one run of frames of one channel.
    @_noLocks public mutating func hear(_ x: UnsafePointer<Float>, _ count: Int) {
        if !heard { heard = !rt_is_silent(x, count) }
    }

    /// Something else that keeps the unit awake until the next grid point: a feedback loop above the threshold.
    @_noLocks public mutating func stir() { heard = true }

    /// True if nothing has been heard since the last grid point.
    public var isQuiet: Bool { @_noLocks get { !heard } }

    /// Call on every multiple of `grid`, before the frame at that time. Returns true when `memory` frames or more have
    /// been quiet: then the unit clears its memory and sleeps.
    @_noLocks public mutating func mayRest(after memory: Int) -> Bool {
        quietFrames = heard ? 0 : quietFrames &+ Int(Self.grid)
        heard = false
        if quietFrames < memory { return false }
        resting = true
        return true
    }
}
