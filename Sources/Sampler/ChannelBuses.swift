// [render]
import CRealtime

/// What the voices add up to, channel by channel: the current 64 frames of the grid, and the 64 behind them that periods
/// reach into.
struct ChannelBuses: ~Copyable {
    /// A channel has left, right, and two mono sends.
    enum Line: Int { case left, right, reverb, chorus }

    private let memory: UnsafeMutablePointer<Float>
    private let channels: Int
    /// Channels whose main lines, and whose sends, hold anything but zeros; one bit each.
    private(set) var filled: UInt16 = 0, sending: UInt16 = 0
    /// The same, of what reaches into the next 64 frames.
    private var fillingNext: UInt16 = 0, sendingNext: UInt16 = 0

    /// Control side.
    init(channels: Int) {
        self.channels = channels
        let count = channels * 4 * 128
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
        memory = bytes.bindMemory(to: Float.self, capacity: count)
        memory.initialize(repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    /// The first frame of a channel's line in the current grid.
    @_noLocks @inline(__always) func line(_ channel: Int, _ line: Line) -> UnsafeMutablePointer<Float> {
        memory + (channel &* 4 &+ line.rawValue) &* 128
    }

    /// A voice of `channel` adds 64 frames from `phase` on.
    @_noLocks @inline(__always) mutating func mark(_ channel: Int, phase: Int, sends: Bool) {
        let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
        filled |= bit
        if sends { sending |= bit }
        if phase > 0 {
            fillingNext |= bit
            if sends { sendingNext |= bit }
        }
    }

    /// The grid goes on: what reached into the next 64 frames comes to the front.
    @_noLocks mutating func advance() {
        for channel in 0..<channels where filled &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
            let sends = sending &>> UInt16(truncatingIfNeeded: channel) & 1 == 1
            for number in 0..<(sends ? 4 : 2) {
                let line = memory + (channel &* 4 &+ number) &* 128
                rt_copy(line, line + 64, 64)
                rt_zero(line + 64, 64)
            }
        }
        filled = fillingNext
        sending = sendingNext
        fillingNext = 0
        sendingNext = 0
    }

    /// Silence everywhere.
    @_noLocks mutating func clear() {
        rt_zero(memory, channels &* 4 &* 128)
        filled = 0
        sending = 0
        fillingNext = 0
        sendingNext = 0
    }
}
