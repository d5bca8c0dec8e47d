// [render]
import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// The frames of one take in a row, read at any speed: at the speed of the file bit for bit, else between the samples.
///
/// It keeps some frames before and after the place where it reads, in a window over the ring's blocks. The place is a whole
/// number of frames and a fraction of 2^32, so that it is exact for as long as a file may last.
struct PlayerStream: ~Copyable {
    /// Frames that are kept before the place and read after it, at the highest speed.
    private static var reach: Int { @_noLocks get { SincInterpolator.margin } }
    private static var capacity: Int { @_noLocks get { 2048 } }

    private let crossing: UnsafeMutablePointer<PlayerCrossing>
    private let memory: AudioBuffer
    private let planes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let channels: Int
    private var interpolator = SincInterpolator()
    private(set) var take: Int64 = 0
    /// The frame of the take that the window begins with, and how many are in it.
    private var base: Int64 = 0
    private var filled = 0
    /// The next frame of the take, and the part of it that has passed already.
    private(set) var index: Int64 = 0
    private var fraction: UInt32 = 0
    /// The first frame after the take, as soon as that is known.
    private var end = Int64.max

    init(_ crossing: UnsafeMutablePointer<PlayerCrossing>, channels: Int) {
        self.crossing = crossing
        self.channels = channels
        memory = AudioBuffer(channels: channels, capacity: Self.capacity)
        planes = memory.channels
    }

    @_noLocks mutating func begin(_ take: Int64, at frame: Int64 = 0) {
        self.take = take
        (index, fraction, end) = (frame, 0, .max)
        (base, filled) = (frame &- Int64(Self.reach), Self.reach)
        for c in 0..<channels { rt_zero(planes[c], Self.reach) }
    }

    var isEnded: Bool { @_noLocks get { index >= end } }

    /// From frame `start` of `to` on, at `rate[start]` and so on, up to `limit`. None if the take is over or frames are late.
    @_noLocks mutating func read(
        _ to: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int, before limit: Int64,
        rate: ParameterRamp
    ) -> Int {
        if rate.isSteady && rate.target == 1 && fraction == 0 { return copy(to, start, count, before: limit) }
        return interpolate(to, start, count, before: limit, rate: rate)
    }

    @_noLocks mutating func skip(_ count: Int, rate: ParameterRamp, first: Int) {
        if rate.isSteady && rate.target == 1 {
            index &+= Int64(count)
        } else {
            for i in 0..<count { advance(rate[first &+ i]) }
        }
    }

    @_noLocks private mutating func copy(
        _ to: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int, before limit: Int64
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
            for c in 0..<channels { rt_copy(to[c] + start + done, planes[c] + at, frames) }
            index &+= rest
            done &+= frames
        }
        return done
    }

    @_noLocks private mutating func interpolate(
        _ to: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int, before limit: Int64,
        rate: ParameterRamp
    ) -> Int {
        for done in 0..<count {
            let speed = rate[start &+ done], reach = SincInterpolator.reach(Double(speed))
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
            for c in 0..<channels { to[c][start &+ done] = interpolator.sample(planes[c] + at) }
            advance(speed)
        }
        return count
    }

    @_noLocks private mutating func advance(_ speed: Float) {
        let next = UInt64(fraction) &+ UInt64(Double(speed) * 4_294_967_296)
        fraction = UInt32(truncatingIfNeeded: next)
        index &+= Int64(next >> 32)
    }

    /// Puts the ring's next block into the window; false if there is none. Then `end` is known, or it comes later.
    @_noLocks private mutating func fill() -> Bool {
        if end != .max { return false }
        if let isFilled = fillFromHead() { return isFilled }
        // Asked for first: then frames that the feed pushed before it are seen.
        let isWhole = crossing.pointee.isWhole(take)
        guard let block = crossing.pointee.block(of: take), block.time.rawValue >> 40 == take else {
            if isWhole { end = base &+ Int64(filled) }
            return false
        }
        makeRoom(block.frames)
        for c in 0..<channels {
            rt_copy(planes[c] + filled, block.samples + c &* PlayerCrossing.blockFrames, block.frames)
        }
        filled &+= block.frames
        crossing.pointee.drop()
        return true
    }

    /// Returns false if the file ends with its beginning, which is kept in memory; nil if what comes next lies in the ring.
    @_noLocks private mutating func fillFromHead() -> Bool? {
        let head = crossing.pointee.head, next = base &+ Int64(filled)
        guard let kept = head.planes else { return nil }
        if next >= Int64(head.frames) {
            if !head.isWhole { return nil }
            end = next
            return false
        }
        let at = Int(next), count = min(PlayerCrossing.blockFrames, head.frames &- at)
        makeRoom(count)
        for c in 0..<channels { rt_copy(planes[c] + filled, kept[c] + at, count) }
        filled &+= count
        return true
    }

    @_noLocks private mutating func pad() {
        makeRoom(PlayerCrossing.blockFrames)
        for c in 0..<channels { rt_zero(planes[c] + filled, PlayerCrossing.blockFrames) }
        filled &+= PlayerCrossing.blockFrames
    }

    @_noLocks private mutating func makeRoom(_ count: Int) {
        if filled &+ count <= Self.capacity { return }
        let past = Int(min(max(index &- base &- Int64(Self.reach), 0), Int64(filled)))
        filled &-= past
        base &+= Int64(past)
        // In pieces that do not overlap.
        var done = 0
        while done < filled {
            let piece = min(past, filled &- done)
            for c in 0..<channels { rt_copy(planes[c] + done, planes[c] + done + past, piece) }
            done &+= piece
        }
    }
}
