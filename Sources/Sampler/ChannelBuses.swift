// [render]
import CRealtime

/// The sums of the voices, channel by channel: the current 64 frames of the grid, and the 64 behind them that periods reach
/// into.
struct ChannelBuses: ~Copyable {
    /// A channel has left, right, and two mono sends.
    enum Line: Int { case left, right, reverb, chorus }

    private let memory: UnsafeMutablePointer<Float>
    private let channels: Int
    /// Channels whose main lines, and whose sends, hold anything but zeros; one bit each.
    private(set) var filled: UInt16 = 0, reverb: UInt16 = 0, chorus: UInt16 = 0
    /// Channels whose main lines, and whose sends, reach into the next 64 frames; one bit each.
    private var fillingNext: UInt16 = 0, reverbNext: UInt16 = 0, chorusNext: UInt16 = 0

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

    /// A voice of `channel` adds 64 frames from `phase` on, to the main lines and to the sends that are so.
    @_noLocks @inline(__always)
    mutating func mark(_ channel: Int, phase: Int, reverb sendsReverb: Bool, chorus sendsChorus: Bool) {
        let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
        let next: UInt16 = phase > 0 ? bit : 0
        filled |= bit
        fillingNext |= next
        if sendsReverb {
            reverb |= bit
            reverbNext |= next
        }
        if sendsChorus {
            chorus |= bit
            chorusNext |= next
        }
    }

    /// The grid goes on: what reached into the next 64 frames comes to the front.
    @_noLocks mutating func advance() {
        shift(filled, fillingNext, .left)
        shift(filled, fillingNext, .right)
        shift(reverb, reverbNext, .reverb)
        shift(chorus, chorusNext, .chorus)
        filled = fillingNext
        reverb = reverbNext
        chorus = chorusNext
        fillingNext = 0
        reverbNext = 0
        chorusNext = 0
    }

    @_noLocks private func shift(_ used: UInt16, _ next: UInt16, _ line: Line) {
        var left = used
        while left != 0 {
            let channel = left.trailingZeroBitCount
            left &= left &- 1
            let memory = self.line(channel, line)
            if next &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
                rt_copy(memory, memory + 64, 64)
                rt_zero(memory + 64, 64)
            } else {
                rt_zero(memory, 64)
            }
        }
    }

    /// Silence everywhere.
    @_noLocks mutating func clear() {
        rt_zero(memory, channels &* 4 &* 128)
        filled = 0
        reverb = 0
        chorus = 0
        fillingNext = 0
        reverbNext = 0
        chorusNext = 0
    }
}
