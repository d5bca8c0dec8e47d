// [render]
import CRealtime
import UnitAPI

/// The level at which the buses leave: the gain's way through a call, and master volume and balance on theirs.
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

/// The buses of the sampler that hold sound in a call, while it writes them piece by piece.
struct OutputMask {
    /// A piece of a call: `count` frames from `done` on in the call, from `now` on in the grid.
    struct Piece {
        let done: Int, now: Int, count: Int
        let level: Level

        @_noLocks init(_ level: Level, done: Int, now: Int, count: Int) {
            self.level = level
            self.done = done
            self.now = now
            self.count = count
        }
    }

    private var main: UInt16 = 0, reverb: UInt16 = 0, chorus: UInt16 = 0

    @_noLocks init() {}

    var isSilent: Bool { @_noLocks get { main == 0 && reverb == 0 && chorus == 0 } }

    /// Writes the piece's frames of all buses that hold sound.
    @_noLocks mutating func write(_ io: borrowing RenderIO, _ buses: borrowing ChannelBuses, _ piece: Piece) {
        let level = piece.level
        let middle = (level.left + level.right) * 0.5, step = (level.leftStep + level.rightStep) * 0.5
        Self.write(io, 0, 0, main, buses.filled, buses, .left, piece, level.left, level.leftStep)
        Self.write(io, 0, 1, main, buses.filled, buses, .right, piece, level.right, level.rightStep)
        Self.write(io, 16, 0, reverb, buses.reverb, buses, .reverb, piece, middle, step)
        Self.write(io, 32, 0, chorus, buses.chorus, buses, .chorus, piece, middle, step)
        main |= buses.filled
        reverb |= buses.reverb
        chorus |= buses.chorus
    }

    /// Says which buses nothing was written to.
    @_noLocks func markSilent(_ io: borrowing RenderIO) {
        for channel in 0..<16 {
            let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
            if main & bit == 0 { io.markSilent(channel) }
            if reverb & bit == 0 { io.markSilent(16 &+ channel) }
            if chorus & bit == 0 { io.markSilent(32 &+ channel) }
        }
    }

    /// Writes a piece of one line of every channel that has it: what the grid holds, or silence where it did before.
    ///
    /// - Parameters:
    ///   - first: the first channel's bus; `side`: the bus's channel.
    ///   - before, filled: who has been written to in this call, and who sounds now; one bit each.
    @_noLocks private static func write(
        _ io: borrowing RenderIO, _ first: Int, _ side: Int, _ before: UInt16, _ filled: UInt16,
        _ buses: borrowing ChannelBuses, _ line: ChannelBuses.Line, _ piece: Piece, _ start: Float, _ step: Float
    ) {
        var left = before | filled
        while left != 0 {
            let channel = left.trailingZeroBitCount, bit = left & (0 &- left)
            left &= left &- 1
            let out = io.output(first &+ channel, side).base
            if filled & bit == 0 {
                rt_zero(out + piece.done, piece.count)
                continue
            }
            if before & bit == 0 { rt_zero(out, piece.done) }
            copy(buses.line(channel, line) + piece.now, out + piece.done, piece, start, step)
        }
    }

    /// Samples lie in the scale of 16 bits until here.
    @_noLocks private static func copy(
        _ from: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>, _ piece: Piece, _ start: Float, _ step: Float
    ) {
        let gain = piece.level.gain
        if piece.level.isSteady { return rt_scale(out, from, gain.target * start * (1 / 32_768), piece.count) }
        for frame in 0..<piece.count {
            let master = start + step * Float(Int32(truncatingIfNeeded: frame))
            out[frame] = from[frame] * (gain[piece.done &+ frame] * master * (1 / 32_768))
        }
    }
}
