// [render]
import CRealtime
import UnitAPI

/// How loud the buses leave: the gain's way through a call, and master volume and balance on theirs.
struct Level {
    let gain: ParameterRamp
    /// Either side at the current frame, and its growth per frame.
    let left: Float, right: Float, leftStep: Float, rightStep: Float

    /// `from` holds at the start of the grid, `to` is where it goes; `now` is the frame of the grid.
    @_noLocks init(_ gain: ParameterRamp, _ from: SIMD2<Float>, _ to: SIMD2<Float>, now: Int) {
        self.gain = gain
        leftStep = from.x == to.x ? 0 : (to.x - from.x) * (0.25 / 64)
        rightStep = from.y == to.y ? 0 : (to.y - from.y) * (0.25 / 64)
        let frame = Float(Int32(truncatingIfNeeded: now))
        left = from.x + leftStep * frame
        right = from.y + rightStep * frame
    }

    var isSteady: Bool { @_noLocks get { gain.isSteady && leftStep == 0 && rightStep == 0 } }
}

/// Which of the sampler's buses hold sound in a call, while it writes them piece by piece.
struct OutputMask {
    private var main: UInt16 = 0, sends: UInt16 = 0

    @_noLocks init() {}

    var isSilent: Bool { @_noLocks get { main == 0 && sends == 0 } }

    /// Writes `count` frames from `done` on: those of the grid from `now` on.
    @_noLocks mutating func write(
        _ io: borrowing RenderIO, _ done: Int, _ buses: borrowing ChannelBuses, _ now: Int, _ count: Int, _ level: Level
    ) {
        for channel in 0..<16 {
            let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
            if buses.filled & bit != 0 {
                if main & bit == 0 { Self.zero(io, channel, done) }
                main |= bit
                Self.copy(io, channel, 0, done, buses.line(channel, .left) + now, count, level, level.left, level.leftStep)
                Self.copy(io, channel, 1, done, buses.line(channel, .right) + now, count, level, level.right, level.rightStep)
            } else if main & bit != 0 {
                rt_zero(io.output(channel, 0).base + done, count)
                rt_zero(io.output(channel, 1).base + done, count)
            }
            if buses.sending & bit != 0 {
                if sends & bit == 0 {
                    rt_zero(io.output(16 &+ channel, 0).base, done)
                    rt_zero(io.output(32 &+ channel, 0).base, done)
                }
                sends |= bit
                let middle = (level.left + level.right) * 0.5, step = (level.leftStep + level.rightStep) * 0.5
                Self.copy(io, 16 &+ channel, 0, done, buses.line(channel, .reverb) + now, count, level, middle, step)
                Self.copy(io, 32 &+ channel, 0, done, buses.line(channel, .chorus) + now, count, level, middle, step)
            } else if sends & bit != 0 {
                rt_zero(io.output(16 &+ channel, 0).base + done, count)
                rt_zero(io.output(32 &+ channel, 0).base + done, count)
            }
        }
    }

    /// Says which buses nothing was written to.
    @_noLocks func markSilent(_ io: borrowing RenderIO) {
        for channel in 0..<16 {
            let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
            if main & bit == 0 { io.markSilent(channel) }
            if sends & bit == 0 {
                io.markSilent(16 &+ channel)
                io.markSilent(32 &+ channel)
            }
        }
    }

    @_noLocks private static func zero(_ io: borrowing RenderIO, _ bus: Int, _ count: Int) {
        rt_zero(io.output(bus, 0).base, count)
        rt_zero(io.output(bus, 1).base, count)
    }

    /// Samples lie in the scale of 16 bits until here.
    @_noLocks private static func copy(
        _ io: borrowing RenderIO, _ bus: Int, _ side: Int, _ done: Int, _ from: UnsafePointer<Float>, _ count: Int,
        _ level: Level, _ start: Float, _ step: Float
    ) {
        let out = io.output(bus, side).base + done
        if level.isSteady { return rt_scale(out, from, level.gain.target * start * (1 / 32_768), count) }
        for frame in 0..<count {
            let master = start + step * Float(Int32(truncatingIfNeeded: frame))
            out[frame] = from[frame] * (level.gain[done &+ frame] * master * (1 / 32_768))
        }
    }
}
