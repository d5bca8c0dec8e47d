// [render]

/// The way a device's buffer is filled: how long slices are, and when to look whether there is room. Pure.
///
/// A device that is on time has room for just a period at each interrupt, and gets just a period. One that was late has room
/// for more: whole periods first, so that the first of them is written before the rest is rendered, then what is left.
/// If no more than a period is left to play, as always with two of them, a quarter comes first: it is there after a
/// quarter of the render time, and what holds the machine up in the rest of it then finds more in the buffer.
/// One that is kept full is looked at twice a period, when by the clock there is room for half of one. A machine that is
/// held up then finds half a period more in the buffer.
///
/// Filled in the middle of a period, it has less than a period of room at the next interrupt; therefore it wakes its
/// program at half a period of room, and is looked at when, by the clock, there is room for a period.
package struct FillPolicy: BitwiseCopyable, Sendable, Equatable {
    /// Frames of the device's period and buffer.
    package let period: Int
    package let buffer: Int
    /// True if a slice may be shorter than a period.
    package let fillsRest: Bool
    /// The room that is waited for. Unit: frames.
    package let stride: Int
    /// Frames by which the last fill went beyond the end of a period.
    package private(set) var offset = 0

    /// Creates a policy for a device with such a period and buffer, 1 or more. A rate converter, whose memory is made for whole
    /// periods, gets only whole periods.
    @_noLocks package init(period: Int, buffer: Int, fillsRest: Bool = true, keepsFull: Bool = false) {
        self.fillsRest = fillsRest
        self.period = max(period, 1)
        self.buffer = max(buffer, 1)
        stride = keepsFull && fillsRest ? max(self.period / 2, min(self.period, FillPolicy.shortest)) : self.period
    }

    /// The room at which a device with such a period wakes its program. Unit: frames.
    @_noLocks package static func wakeFrames(period: Int) -> Int { max(period / 2, 1) }
    /// The room at which the device is served. Unit: frames.
    package var wakeFrames: Int {
        @_noLocks get {
            if stride < period { return max(stride &* 3 / 4, 1) }
            return fillsRest ? FillPolicy.wakeFrames(period: period) : period
        }
    }
    /// The shortest slice that is rendered to be ready sooner: SoundFonts are rendered in blocks of this many frames.
    static var shortest: Int { @_noLocks get { 64 } }
    /// True if there will be room for a period at the device's next interrupt.
    package var isInStep: Bool { @_noLocks get { offset == 0 } }

    /// The device starts with that many frames in its buffer.
    @_noLocks package mutating func start(written: Int) {
        let beyond = (written &- buffer) % period
        offset = beyond < 0 ? beyond &+ period : beyond
    }

    /// The next slice where there is so much room, which is then written; 0: enough for now. Unit: frames.
    @_noLocks package mutating func slice(room: Int) -> Int {
        if room < (fillsRest ? max(period / 4, 1) : period) { return 0 }
        let hurries = fillsRest && buffer &- room <= period
        let frames = min(room, hurries ? max(period / 4, min(period, FillPolicy.shortest)) : period)
        offset = (offset &+ frames) % period
        return frames
    }

    /// Frames of time from when there should be room for `stride` to a look at the device without its wake-up.
    package var patience: Int { @_noLocks get { isInStep && stride == period ? period / 4 : 0 } }
    /// The shortest time between two looks. Unit: frames.
    package var pause: Int { @_noLocks get { max(period / 8, 1) } }
}
