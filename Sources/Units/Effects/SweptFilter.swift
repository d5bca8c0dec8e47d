import DSP
import RealtimeCore
import UnitAPI

// [render]

/// The parts that `Filter` and `AutoWah`, whose corners move, have in common.
enum SweptFilter {
    /// A peak of twice the quality, `share` of it in decibels: above 0.5 it raises. Its damping is that of a band-pass.
    @_noLocks static func peak(_ quality: Float, share: Double = 1) -> (gain: Float, quality: Float) {
        let height = DeterministicMath.log2(Double(2 * quality)) * share
        return (Float(height * 6.020599913279624), Float(Double(quality) * DeterministicMath.exp2(-0.5 * height)))
    }

    /// Mixes the first input into what lies in the first output: `mix` of 0 is the input alone, 100 leaves the output.
    @_noLocks static func mix(_ io: borrowing RenderIO, _ run: EffectRun, _ mix: ParameterRamp) {
        if mix.isSteady && mix.target == 100 { return }
        let fromLeft = io.input(0, 0).base + run.start, fromRight = io.input(0, 1).base + run.start
        let left = io.output(0, 0).base + run.start, right = io.output(0, 1).base + run.start
        for k in 0..<run.count {
            let share = mix[run.start &+ k] * 0.01
            left[k] = fromLeft[k] + share * (left[k] - fromLeft[k])
            right[k] = fromRight[k] + share * (right[k] - fromRight[k])
        }
    }
}
