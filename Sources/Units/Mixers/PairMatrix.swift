// [render]

/// The matrix that a stereo pair goes through: how much of its left and right each new side gets.
struct PairMatrix: BitwiseCopyable {
    /// Left from left and right, right from left and right.
    var cells: (Float, Float, Float, Float)

    static let names = ["none", "identity", "swap", "mono", "left", "right", "mid-side-encode", "mid-side-decode"]

    @_noLocks init(preset number: Int) {
        switch number {
        case 0: cells = (0, 0, 0, 0)
        case 2: cells = (0, 1, 1, 0)
        case 3: cells = (0.5, 0.5, 0.5, 0.5)
        case 4: cells = (1, 0, 1, 0)
        case 5: cells = (0, 1, 0, 1)
        case 6: cells = (0.5, 0.5, 0.5, -0.5)
        case 7: cells = (1, 1, 1, -1)
        default: cells = (1, 0, 0, 1)
        }
    }

    subscript(cell: Int) -> Float {
        @_noLocks get {
            switch cell {
            case 0: cells.0
            case 1: cells.1
            case 2: cells.2
            default: cells.3
            }
        }
    }
}

/// A preset that gives way to another in a straight line.
struct PairFade: BitwiseCopyable {
    /// Frames that a change takes.
    var length = 1
    /// True as long as the fade has not run since it was made or reset: then it begins with what is requested.
    var isFresh = true
    private var preset = -1
    private var former = PairMatrix(preset: 0), now = PairMatrix(preset: 0)
    private var position = 0

    init() {}

    var isSteady: Bool { @_noLocks get { position >= length } }

    subscript(cell: Int, i: Int) -> Float {
        @_noLocks get {
            let k = position &+ i
            if k >= length { return now[cell] }
            let part = Float(Int32(truncatingIfNeeded: k)) / Float(Int32(truncatingIfNeeded: length))
            return former[cell] + (now[cell] - former[cell]) * part
        }
    }

    /// Goes to preset `number` from what it is at the first frame of the call.
    @_noLocks mutating func follow(_ number: Int) {
        if number == preset && !isFresh { return }
        former.cells = (self[0, 0], self[1, 0], self[2, 0], self[3, 0])
        now = PairMatrix(preset: number)
        preset = number
        position = isFresh ? length : 0
        isFresh = false
    }

    @_noLocks mutating func advance(_ frames: Int) {
        if position < length { position = min(position &+ frames, length) }
    }
}
