// [render]
import CRealtime
import DSP
import UnitAPI

/// What the two sides of a mixer's input are multiplied by, on its way through a call.
struct InputGains {
    private let gain: ParameterRamp, pan: ParameterRamp, enable: ParameterRamp, law: ParameterRamp, solo: ParameterRamp
    private let sum: SoloSum.View
    private let amplitude: Float
    /// Whether nothing of it moves.
    let isSteady: Bool

    /// `amplitude` is that of the gain's target.
    @_noLocks init(
        gain: ParameterRamp, pan: ParameterRamp, enable: ParameterRamp, law: ParameterRamp, solo: ParameterRamp,
        sum: SoloSum.View, amplitude: Float
    ) {
        self.gain = gain
        self.pan = pan
        self.enable = enable
        self.law = law
        self.solo = solo
        self.sum = sum
        self.amplitude = amplitude
        isSteady = gain.isSteady && pan.isSteady && enable.isSteady && law.isSteady && sum.isSteady
    }

    /// The gains where nothing moves.
    var steady: PanGains { @_noLocks get { self[0] } }

    /// The gains at frame `i` of the call.
    subscript(i: Int) -> PanGains {
        @_noLocks get {
            let level = (gain.isSteady ? amplitude : Decibels.amplitude(gain[i])) * enable[i] * sum.share(solo, i)
            var gains = PanGains(pan: pan[i], law: law[i])
            gains.left = level * gains.left
            gains.right = level * gains.right
            return gains
        }
    }
}

/// How many inputs of a mixer are soloed, from frame to frame while that changes.
///
/// An input keeps what the others leave of it: 1 - sum * (1 - its own solo), the sum being 1 at most. So two that change
/// places let nothing else through meanwhile.
struct SoloSum: ~Copyable {
    private let sums: UnsafeMutablePointer<Float>
    private var total: Float = 0
    private var isSteady = true

    /// Room for calls of so many frames. Control side.
    init(frames: Int) {
        sums = .allocate(capacity: frames)
        sums.initialize(repeating: 0, count: frames)
    }

    deinit { sums.deallocate() }

    /// The sums of a call, for as long as the call lasts.
    struct View {
        fileprivate let sums: UnsafePointer<Float>
        fileprivate let total: Float
        let isSteady: Bool

        @_noLocks fileprivate init(_ sums: UnsafePointer<Float>, _ total: Float, _ isSteady: Bool) {
            self.sums = sums
            self.total = total
            self.isSteady = isSteady
        }

        /// What is kept at frame `i` of an input whose own solo is `solo`.
        @_noLocks func share(_ solo: ParameterRamp, _ i: Int) -> Float {
            1 - (isSteady ? total : sums[i]) * (1 - solo[i])
        }
    }

    var view: View { @_noLocks get { View(UnsafePointer(sums), total, isSteady) } }

    /// Begins with a call: nobody is soloed.
    @_noLocks mutating func begin() {
        isSteady = true
        total = 0
    }

    /// Looks where an input's solo goes.
    @_noLocks mutating func look(_ solo: ParameterRamp) {
        if !solo.isSteady { isSteady = false }
        total = min(total + solo.target, 1)
    }

    /// Begins to add up from frame to frame: needed where one of them is not steady.
    @_noLocks func clear(_ frames: Int) { rt_zero(sums, frames) }

    /// Adds an input's solo in every frame.
    @_noLocks func add(_ solo: ParameterRamp, _ frames: Int) {
        for i in 0..<frames { sums[i] = min(sums[i] + solo[i], 1) }
    }

    /// Whether nothing is kept of an input throughout the call.
    @_noLocks func isCut(_ solo: ParameterRamp) -> Bool { isSteady && total == 1 && solo.target == 0 }
}
