// [render]
import DSP
import RealtimeCore
import UnitAPI

/// The meters of a mixer: one for each side of its sum and of its inputs.
struct MixerMeters: ~Copyable {
    static let names = ["peak-left", "peak-right", "average-left", "average-right"]
    /// The level that is shown if there is no sound. Unit: decibels.
    static let floor: Float = -120

    private var owned = OwnedMemory()
    /// Left and right of the sum, then of each input.
    private let meters: UnsafeMutablePointer<LevelMeter>
    private let count: Int
    private var isShown = false

    /// Meters at rest. Control side.
    init(inputs: Int, sampleRate: Double) {
        count = 2 * (inputs + 1)
        meters = owned.make(count, of: LevelMeter(sampleRate: sampleRate))
    }

    /// True if silence would change nothing.
    var isResting: Bool {
        @_noLocks get {
            for index in 0..<count where !meters[index].isResting { return false }
            return true
        }
    }

    /// Measures an input in this call, or the sum (-1); nil for silence.
    @_noLocks mutating func measure(
        _ io: borrowing RenderIO, _ input: Int, _ left: UnsafePointer<Float>?, _ right: UnsafePointer<Float>?
    ) {
        hear(io, input, 0, left)
        hear(io, input, 1, right)
        show(io, input)
    }

    @_noLocks mutating func hear(_ io: borrowing RenderIO, _ input: Int, _ side: Int, _ x: UnsafePointer<Float>?) {
        meters[2 &* (input &+ 1) &+ side].hear(x, io.frames, from: io.sampleTime.rawValue)
    }

    @_noLocks mutating func show(_ io: borrowing RenderIO, _ input: Int) {
        isShown = true
        let first = 4 &* (input &+ 1), left = meters + 2 &* (input &+ 1)
        for side in 0..<2 {
            io.publish(first &+ side, left[side].peakLevel)
            io.publish(first &+ 2 &+ side, left[side].averageLevel)
        }
    }

    @_noLocks mutating func hide(_ io: borrowing RenderIO) {
        if !isShown { return }
        isShown = false
        clear()
        for index in 0..<(2 &* count) { io.publish(index, -120) }
    }

    @_noLocks mutating func clear() {
        for index in 0..<count { meters[index].clear() }
    }
}
