// [render]
import CRealtime
import DSP
import RealtimeCore
import Synchronization
import UnitAPI

/// The frames of one take in a row, read at any speed: at the speed of the file bit for bit, else between the samples.
///
/// It keeps some frames before and behind the place where it reads, in a window over the ring's blocks. The place is a whole
/// number of frames and a fraction of 2^32, so that it is exact for as long as a file may last.
struct PlayerStream: ~Copyable {
    /// Frames before the place that are kept, and behind it that are looked at, at the highest speed.
    private static var reach: Int { @_noLocks get { SincInterpolator.margin } }
    private static var capacity: Int { @_noLocks get { 2048 } }

    private let crossing: UnsafeMutablePointer<PlayerCrossing>
    private let left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    private var interpolator = SincInterpolator()
    /// Whose frames they are.
    private(set) var take: Int64 = 0
    /// The frame of the take that the window begins with, and how many are in it.
    private var base: Int64 = 0
    private var filled = 0
    /// The next frame of the take, and the part of it that has passed already.
    private(set) var index: Int64 = 0
    private var fraction: UInt32 = 0
    /// The first frame behind the take, as soon as that is known.
    private var end = Int64.max

    init(_ crossing: UnsafeMutablePointer<PlayerCrossing>) {
        self.crossing = crossing
        left = .allocate(capacity: Self.capacity)
        left.initialize(repeating: 0, count: Self.capacity)
        right = .allocate(capacity: Self.capacity)
        right.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Stands before the first frame of a take.
    @_noLocks mutating func begin(_ take: Int64) {
        self.take = take
        (index, fraction, end) = (0, 0, .max)
        (base, filled) = (Int64(-Self.reach), Self.reach)
        rt_zero(left, Self.reach)
        rt_zero(right, Self.reach)
    }

    /// Whether all of the take has been read.
    var isEnded: Bool { @_noLocks get { index >= end } }

    /// Reads up to `count` frames, at `rate[first]` and so on, and none from frame `limit` on. Returns how many: none where
    /// the take has ended, or its next frames are not there.
    @_noLocks mutating func read(
        _ toLeft: UnsafeMutablePointer<Float>, _ toRight: UnsafeMutablePointer<Float>, _ count: Int, before limit: Int64,
        rate: ParameterRamp, first: Int
    ) -> Int {
        if rate.isSteady && rate.target == 1 && fraction == 0 { return copy(toLeft, toRight, count, before: limit) }
        return interpolate(toLeft, toRight, count, before: limit, rate: rate, first: first)
    }

    /// Lets `count` frames pass without reading them.
    @_noLocks mutating func skip(_ count: Int, rate: ParameterRamp, first: Int) {
        if rate.isSteady && rate.target == 1 {
            index &+= Int64(count)
        } else {
            for i in 0..<count { advance(rate[first &+ i]) }
        }
    }

    @_noLocks private mutating func copy(
        _ toLeft: UnsafeMutablePointer<Float>, _ toRight: UnsafeMutablePointer<Float>, _ count: Int, before limit: Int64
    ) -> Int {
        var done = 0
        while done < count {
            let at = Int(index &- base)
            if at >= filled {
                if !fill() { return done }
                continue
            }
            let rest = min(min(limit, end) &- index, Int64(min(count &- done, filled &- at)))
            if rest <= 0 { return done }
            let frames = Int(rest)
            rt_copy(toLeft + done, left + at, frames)
            rt_copy(toRight + done, right + at, frames)
            index &+= rest
            done &+= frames
        }
        return done
    }

    @_noLocks private mutating func interpolate(
        _ toLeft: UnsafeMutablePointer<Float>, _ toRight: UnsafeMutablePointer<Float>, _ count: Int, before limit: Int64,
        rate: ParameterRamp, first: Int
    ) -> Int {
        for done in 0..<count {
            let speed = rate[first &+ done], reach = SincInterpolator.reach(Double(speed))
            if index >= min(limit, end) { return done }
            while Int(index &- base) &+ reach >= filled {
                if !fill() {
                    if end == .max { return done }
                    pad()
                }
            }
            if index >= end { return done }
            let at = Int(index &- base)
            interpolator.aim(fraction: Double(fraction) * (1.0 / 4_294_967_296), rate: Double(speed))
            toLeft[done] = interpolator.sample(left + at)
            toRight[done] = interpolator.sample(right + at)
            advance(speed)
        }
        return count
    }

    @_noLocks private mutating func advance(_ speed: Float) {
        let next = UInt64(fraction) &+ UInt64(Double(speed) * 4_294_967_296)
        fraction = UInt32(truncatingIfNeeded: next)
        index &+= Int64(next >> 32)
    }

    /// Puts the ring's next block into the window; false where there is none. Then `end` is known, or it comes later.
    @_noLocks private mutating func fill() -> Bool {
        if end != .max { return false }
        // Asked for first: what the feed pushed before it said so is seen then.
        let isWhole = crossing.pointee.isWhole(take)
        guard let block = crossing.pointee.block(of: take), block.time.rawValue >> 40 == take else {
            if isWhole { end = base &+ Int64(filled) }
            return false
        }
        makeRoom(block.frames)
        rt_copy(left + filled, block.samples, block.frames)
        rt_copy(right + filled, block.samples + PlayerCrossing.blockFrames, block.frames)
        filled &+= block.frames
        crossing.pointee.drop()
        return true
    }

    /// Puts silence behind the end.
    @_noLocks private mutating func pad() {
        makeRoom(PlayerCrossing.blockFrames)
        rt_zero(left + filled, PlayerCrossing.blockFrames)
        rt_zero(right + filled, PlayerCrossing.blockFrames)
        filled &+= PlayerCrossing.blockFrames
    }

    /// Lets go of what lies too far behind, where `count` more frames would not go in.
    @_noLocks private mutating func makeRoom(_ count: Int) {
        if filled &+ count <= Self.capacity { return }
        let past = Int(min(max(index &- base &- Int64(Self.reach), 0), Int64(filled)))
        filled &-= past
        base &+= Int64(past)
        // In pieces that do not lie over each other.
        var done = 0
        while done < filled {
            let piece = min(past, filled &- done)
            rt_copy(left + done, left + done + past, piece)
            rt_copy(right + done, right + done + past, piece)
            done &+= piece
        }
    }
}
