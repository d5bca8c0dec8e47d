// [render]

/// The gain of one edge on its way: it waits, then moves in a straight line, then stays.
///
/// The value of frame k after a change is computed from k alone, so that it is the same for any slices.
struct EdgeFade: BitwiseCopyable {
    private var origin: Float
    private var slope: Float
    private(set) var target: Float
    /// Frames since it began to move, at the first frame of this call; negative while it waits.
    private var position: Int32
    /// Frames that the way takes.
    private var length: Int32
    /// True while the fade fills a unit that is not audible yet, and so need not wait.
    private(set) var isPriming = false

    @_noLocks init(_ value: Float) {
        origin = value
        slope = 0
        target = value
        position = 0
        length = 0
    }

    var isSteady: Bool { @_noLocks get { position >= length } }

    /// True while the value is to move, and has not begun to.
    var isWaiting: Bool { @_noLocks get { position < 0 && !isPriming } }

    var value: Float { @_noLocks get { self[0] } }

    subscript(i: Int) -> Float {
        @_noLocks get {
            let k = position &+ Int32(truncatingIfNeeded: i)
            if k >= length { return target }
            return k <= 0 ? origin : origin + slope * Float(k)
        }
    }

    /// Starts towards `target` after `hold` frames, to arrive `length` frames later.
    @_noLocks mutating func move(to target: Float, after hold: Int, over length: Int32, isPriming: Bool = false) {
        let now = value
        self = EdgeFade(target)
        if length == 0 || now == target { return }
        origin = now
        slope = (target - now) / Float(length)
        position = 0 &- Int32(truncatingIfNeeded: hold)
        self.length = length
        self.isPriming = isPriming
    }

    @_noLocks mutating func jump(to value: Float) { self = EdgeFade(value) }

    @_noLocks mutating func advance(_ frames: Int) {
        if position < length { position = min(position &+ Int32(truncatingIfNeeded: frames), length) }
    }
}
