// [render]
import RealtimeCore

/// The gain of a limiter: it has come down smoothly by the time the peak arrives, and goes up slowly afterwards.
///
/// A running minimum of the wanted gains, an exponential release, and two moving averages after another. Averages are
/// exact integers, so at rest the gain is exactly 1 for ever. Source of the running minimum: D. Lemire, "Streaming
/// Maximum-Minimum Filter Using No More than Three Comparisons per Element", Nordic J. Computing 13 (2006).
public struct LookAheadGain: ~Copyable {
    private static var one: Double { @_noLocks get { 16_777_216 } }
    private var owned = OwnedMemory()
    /// Wanted gains below 1 that may still be the minimum, with their frames; a ring.
    private let frames: UnsafeMutablePointer<Int>
    private let gains: UnsafeMutablePointer<Float>
    private let window: Int
    private var first = 0, waiting = 0, now = 0
    /// The last values that each moving average has taken in, as integers of 24 binary places.
    private let shortRing: UnsafeMutablePointer<Int64>, longRing: UnsafeMutablePointer<Int64>
    private let shortLength: Int, longLength: Int
    private var shortIndex = 0, longIndex = 0, shortSum: Int64 = 0, longSum: Int64 = 0
    private let scale: Double
    private var released = 1.0
    private var calmFrames = 0

    /// Frames by which the sound must be later than the wanted gains.
    public let lookAhead: Int

    /// Creates a gain at rest. Control side.
    public init(lookAhead: Int) {
        self.lookAhead = lookAhead
        shortLength = lookAhead / 2 + 1
        longLength = lookAhead - lookAhead / 2 + 1
        // Two frames longer than the averages: the curve between two samples is moved by the gains of both.
        window = lookAhead + 3
        frames = owned.make(window + 1, of: 0)
        gains = owned.make(window + 1, of: 1)
        shortRing = owned.make(shortLength, of: 0)
        longRing = owned.make(longLength, of: 0)
        scale = 1 / (Self.one * Double(shortLength) * Double(longLength))
        (shortSum, longSum) = fill()
        calmFrames = window &+ lookAhead &+ 2
    }

    /// True while the gain is 1 and stays so until a wanted gain is below it.
    public var isIdle: Bool { @_noLocks get { calmFrames >= window &+ lookAhead &+ 2 } }

    /// Returns the gain for the frame `lookAhead` frames before the one that wants `wanted`, 0...1. `release` is the share of
    /// the way back that is made per frame.
    @_noLocks public mutating func next(_ wanted: Float, release: Double) -> Float {
        let minimum = Double(runningMinimum(wanted))
        if minimum < released {
            released = minimum
        } else {
            released += (minimum - released) * release
            if minimum - released < 1e-5 { released = minimum }
        }
        calmFrames = released == 1 && wanted >= 1 ? calmFrames &+ 1 : 0
        let value = Int64(released * Self.one)
        shortSum = shortSum &+ value &- shortRing[shortIndex]
        shortRing[shortIndex] = value
        shortIndex = shortIndex &+ 1 == shortLength ? 0 : shortIndex &+ 1
        longSum = longSum &+ shortSum &- longRing[longIndex]
        longRing[longIndex] = shortSum
        longIndex = longIndex &+ 1 == longLength ? 0 : longIndex &+ 1
        return isIdle ? 1 : Float(Double(longSum) * scale)
    }

    /// Back to gain 1.
    @_noLocks public mutating func reset() {
        (shortSum, longSum) = fill()
        shortIndex = 0
        longIndex = 0
        first = 0
        waiting = 0
        now = 0
        released = 1
        calmFrames = window &+ lookAhead &+ 2
    }

    /// Fills the averages with gain 1; returns their sums.
    @_noLocks private func fill() -> (Int64, Int64) {
        let one = Int64(Self.one), sum = one &* Int64(shortLength)
        for i in 0..<shortLength { shortRing[i] = one }
        for i in 0..<longLength { longRing[i] = sum }
        return (sum, sum &* Int64(longLength))
    }

    /// The least of the last `window` wanted gains. Those that a later, lower one has overtaken are forgotten.
    @_noLocks private mutating func runningMinimum(_ wanted: Float) -> Float {
        now &+= 1
        let room = window &+ 1
        if waiting > 0 && frames[first] <= now &- window {
            first = first &+ 1 == room ? 0 : first &+ 1
            waiting &-= 1
        }
        if wanted < 1 {
            while waiting > 0 {
                let last = (first &+ waiting &- 1) % room
                if gains[last] < wanted { break }
                waiting &-= 1
            }
            let end = (first &+ waiting) % room
            frames[end] = now
            gains[end] = max(wanted, 0)
            waiting &+= 1
        }
        return waiting > 0 ? gains[first] : 1
    }
}
