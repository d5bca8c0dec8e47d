// [render]
import CRealtime
import UnitAPI

/// The sums of the voices, channel by channel: some grids of 64 frames, one of which is the current one, and the 64 frames
/// after them that periods reach into.
///
/// A line is copied and cleared once for all its grids, not with each.
struct ChannelBuses: ~Copyable {
    /// A channel has left, right, and two mono sends.
    enum Line: Int { case left, right, reverb, chorus }

    /// Frames of the grids of a line, and of all of it.
    private static var frames: Int { @_noLocks get { 256 } }
    private static var room: Int { @_noLocks get { frames &+ 128 } }
    private let memory: UnsafeMutablePointer<Float>
    private let channels: Int
    /// True if all channels leave by one bus, and no sends do.
    let isSummed: Bool
    /// The frame of the lines at which the current grid begins.
    private(set) var grid = 0
    /// Channels whose lines are not all zeros; that reach into the next 64 frames; written to since the lines were cleared.
    private(set) var filled = ChannelMask()
    private var next = ChannelMask(), used = ChannelMask()

    private var heard = ChannelMask()

    /// Control side.
    init(channels: Int, isSummed: Bool) {
        self.channels = channels
        self.isSummed = isSummed
        let count = channels * 4 * Self.room
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
        memory = bytes.bindMemory(to: Float.self, capacity: count)
        memory.initialize(repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    @_noLocks @inline(__always) func whole(_ channel: Int, _ line: Line) -> UnsafeMutablePointer<Float> {
        memory + (channel &* 4 &+ line.rawValue) &* Self.room
    }

    @_noLocks @inline(__always) func line(_ channel: Int, _ line: Line) -> UnsafeMutablePointer<Float> {
        whole(channel, line) + grid
    }

    /// True in the last grid of the lines: their content goes when it is over.
    var isFull: Bool { @_noLocks get { grid == Self.frames &- 64 } }

    @_noLocks mutating func listen(_ io: borrowing RenderIO) {
        heard = ChannelMask()
        if isSummed { return }
        for channel in 0..<16 {
            let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
            heard.formUnion(
                ChannelMask(
                    reverb: io.isHeard(16 &+ channel) ? bit : 0, chorus: io.isHeard(32 &+ channel) ? bit : 0))
        }
    }

    @_noLocks @inline(__always) func hears(_ channel: Int) -> (reverb: Bool, chorus: Bool) {
        let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
        return (heard.reverb & bit != 0, heard.chorus & bit != 0)
    }

    /// A voice of `channel` adds 64 frames from `phase` on, to the main lines and to the sends that are so.
    @_noLocks @inline(__always)
    mutating func mark(_ channel: Int, phase: Int, reverb sendsReverb: Bool, chorus sendsChorus: Bool) {
        let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
        let mask = ChannelMask(main: bit, reverb: sendsReverb ? bit : 0, chorus: sendsChorus ? bit : 0)
        filled.formUnion(mask)
        if phase > 0 { next.formUnion(mask) }
    }

    @_noLocks mutating func advance() {
        used.formUnion(filled)
        if isFull { startAgain() } else { grid &+= 64 }
        filled = next
        next = ChannelMask()
    }

    @_noLocks private mutating func startAgain() {
        shift(used.main, next.main, .left)
        shift(used.main, next.main, .right)
        shift(used.reverb, next.reverb, .reverb)
        shift(used.chorus, next.chorus, .chorus)
        used = ChannelMask()
        grid = 0
    }

    @_noLocks private func shift(_ used: UInt16, _ next: UInt16, _ line: Line) {
        var left = used
        while left != 0 {
            let channel = left.trailingZeroBitCount
            left &= left &- 1
            let memory = whole(channel, line)
            if next &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
                rt_copy(memory, memory + Self.frames, 64)
                rt_zero(memory + 64, Self.frames)
            } else {
                rt_zero(memory, Self.frames)
            }
        }
    }

    @_noLocks mutating func clear() {
        rt_zero(memory, channels &* 4 &* Self.room)
        (filled, next, used) = (ChannelMask(), ChannelMask(), ChannelMask())
    }
}
