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

    @_noLocks func goesOn(_ next: Level) -> Bool {
        isSteady && next.isSteady && gain.target == next.gain.target && left == next.left && right == next.right
    }
}

/// The buses of the sampler that hold sound in a call, while it writes them in pieces of one level.
struct OutputMask {
    struct Piece {
        let done: Int, first: Int
        var count: Int
        let level: Level
        var buses = ChannelMask()

        @_noLocks init(_ level: Level, done: Int, first: Int, count: Int) {
            (self.level, self.done, self.first, self.count) = (level, done, first, count)
        }
    }

    private var pending: Piece?
    private var written = ChannelMask()
    /// True if all channels leave by bus 0, whose bit in `written` is that of the first.
    private let isSummed: Bool

    @_noLocks init(isSummed: Bool) { self.isSummed = isSummed }

    var isSilent: Bool { @_noLocks get { written.isEmpty } }

    /// Takes up the frames `now..<now + count` of the current grid, from `done` on in the call. They are written together
    /// with the frames after them, as long as the level stays.
    @_noLocks mutating func add(
        _ io: borrowing RenderIO, _ buses: borrowing ChannelBuses, _ level: Level, done: Int, now: Int, count: Int
    ) {
        var piece = Piece(level, done: done, first: buses.grid &+ now, count: count)
        if let before = pending {
            if before.level.goesOn(level) {
                piece = before
                piece.count &+= count
            } else {
                flush(io, buses)
            }
        }
        piece.buses.formUnion(buses.filled)
        pending = piece
    }

    @_noLocks mutating func flush(_ io: borrowing RenderIO, _ buses: borrowing ChannelBuses) {
        guard let piece = pending else { return }
        pending = nil
        if isSummed { return sum(io, piece, buses) }
        let level = piece.level
        let middle = (level.left + level.right) * 0.5, step = (level.leftStep + level.rightStep) * 0.5
        Self.write(io, 0, 0, written.main, piece.buses.main, buses, .left, piece, level.left, level.leftStep)
        Self.write(io, 0, 1, written.main, piece.buses.main, buses, .right, piece, level.right, level.rightStep)
        Self.write(io, 16, 0, written.reverb, piece.buses.reverb, buses, .reverb, piece, middle, step)
        Self.write(io, 32, 0, written.chorus, piece.buses.chorus, buses, .chorus, piece, middle, step)
        written.formUnion(piece.buses)
    }

    @_noLocks mutating func finish(_ io: borrowing RenderIO, _ buses: borrowing ChannelBuses) {
        flush(io, buses)
        if isSummed {
            if written.isEmpty { io.markSilent(0) }
            return
        }
        for channel in 0..<16 {
            let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
            if written.main & bit == 0 { io.markSilent(channel) }
            if written.reverb & bit == 0 { io.markSilent(16 &+ channel) }
            if written.chorus & bit == 0 { io.markSilent(32 &+ channel) }
        }
    }

    /// What the grid holds, or silence where the line did before. `first`: the first channel's bus; `side`: the bus's channel;
    /// `before`, `filled`: channels written in this call and those that sound, one bit each.
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
            copy(buses.whole(channel, line) + piece.first, out + piece.done, piece, start, step)
        }
    }

    /// In the order of channels. Silence is first, so that a sum is the same wherever pieces are cut: 0 and -0 are 0.
    @_noLocks private mutating func sum(_ io: borrowing RenderIO, _ piece: Piece, _ buses: borrowing ChannelBuses) {
        let filled = piece.buses.main
        if written.isEmpty && filled == 0 { return }
        let left = io.output(0, 0).base, right = io.output(0, 1).base, level = piece.level
        let first = written.isEmpty ? 0 : piece.done
        rt_zero(left + first, piece.done &- first &+ piece.count)
        rt_zero(right + first, piece.done &- first &+ piece.count)
        var others = filled
        while others != 0 {
            let channel = others.trailingZeroBitCount
            others &= others &- 1
            Self.add(buses.whole(channel, .left) + piece.first, left + piece.done, piece, level.left, level.leftStep)
            Self.add(buses.whole(channel, .right) + piece.first, right + piece.done, piece, level.right, level.rightStep)
        }
        written.formUnion(ChannelMask(main: 1))
    }

    /// Samples are in the scale of 16 bits until here.
    @_noLocks private static func add(
        _ from: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>, _ piece: Piece, _ start: Float, _ step: Float
    ) {
        let gain = piece.level.gain
        if piece.level.isSteady { return rt_add_scaled(out, from, gain.target * start * (1 / 32_768), piece.count) }
        for frame in 0..<piece.count {
            let master = start + step * Float(Int32(truncatingIfNeeded: frame))
            out[frame] += from[frame] * (gain[piece.done &+ frame] * master * (1 / 32_768))
        }
    }

    /// Samples are in the scale of 16 bits until here.
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
