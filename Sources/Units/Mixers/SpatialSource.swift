// [render]
import DSP
import UnitAPI

/// The state of one source of a spatial mixer: where its gains go, and what its filters hold.
struct SpatialSource: BitwiseCopyable {
    var level = GlidingValue(), sending = GlidingValue()
    var shade = GlidingValue(), sendShade = GlidingValue()
    private var filter = ShadeFilter(), sendFilter = ShadeFilter()
    private var gains = (
        GlidingValue(), GlidingValue(), GlidingValue(), GlidingValue(), GlidingValue(), GlidingValue(), GlidingValue(),
        GlidingValue()
    )

    init() {}

    /// The gain of a channel. A switch, for a tuple has no index.
    private subscript(channel: Int) -> GlidingValue {
        @_noLocks get {
            switch channel {
            case 0: gains.0
            case 1: gains.1
            case 2: gains.2
            case 3: gains.3
            case 4: gains.4
            case 5: gains.5
            case 6: gains.6
            default: gains.7
            }
        }
    }

    /// Moves the gain of a channel to `gain` in the 64 frames that begin.
    @_noLocks mutating func aim(_ channel: Int, _ gain: Double) {
        switch channel {
        case 0: gains.0.aim(gain)
        case 1: gains.1.aim(gain)
        case 2: gains.2.aim(gain)
        case 3: gains.3.aim(gain)
        case 4: gains.4.aim(gain)
        case 5: gains.5.aim(gain)
        case 6: gains.6.aim(gain)
        default: gains.7.aim(gain)
        }
    }

    @_noLocks mutating func arrive() {
        level.settle()
        sending.settle()
        shade.settle()
        sendShade.settle()
        gains.0.settle()
        gains.1.settle()
        gains.2.settle()
        gains.3.settle()
        gains.4.settle()
        gains.5.settle()
        gains.6.settle()
        gains.7.settle()
    }

    @_noLocks func isHeard(_ channel: Int) -> Bool { self[channel][0] != 0 || self[channel][64] != 0 }

    var isSending: Bool { @_noLocks get { sending[0] != 0 || sending[64] != 0 || sendFilter.level > 0 } }

    /// The direct sound of a sample, `frame` frames after a multiple of 64.
    @_noLocks mutating func direct(_ x: Float, _ frame: Int) -> Float {
        Float(filter.next(Double(x), pole: shade[frame]) * level[frame])
    }

    @_noLocks mutating func send(_ x: Float, _ frame: Int) -> Float {
        Float(sendFilter.next(Double(x), pole: sendShade[frame]) * sending[frame])
    }

    @_noLocks func add(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ channel: Int, _ run: EffectRun) {
        let gain = self[channel]
        for k in 0..<run.count { to[k] += from[k] * Float(gain[run.phase &+ k]) }
    }

    var held: Double { @_noLocks get { max(filter.level, sendFilter.level) } }

    @_noLocks mutating func settle() {
        filter.settle()
        sendFilter.settle()
    }

    @_noLocks mutating func clear() {
        filter = ShadeFilter()
        sendFilter = ShadeFilter()
    }
}
