// [render]
import DSP
import UnitAPI

/// The gains that the two sides of a mixer's input are multiplied by, on their way through a call.
struct InputGains {
    private let gain: ParameterRamp, pan: ParameterRamp, enable: ParameterRamp, law: ParameterRamp
    private let amplitude: Float
    let isSteady: Bool

    /// `amplitude` is that of the gain's target.
    @_noLocks init(
        gain: ParameterRamp, pan: ParameterRamp, enable: ParameterRamp, law: ParameterRamp,
        amplitude: Float
    ) {
        (self.gain, self.pan, self.enable, self.law, self.amplitude) = (gain, pan, enable, law, amplitude)
        isSteady = gain.isSteady && pan.isSteady && enable.isSteady && law.isSteady
    }

    var steady: PanGains { @_noLocks get { self[0] } }

    subscript(i: Int) -> PanGains {
        @_noLocks get {
            let level = (gain.isSteady ? amplitude : Decibels.amplitude(gain[i])) * enable[i]
            var gains = PanGains(pan: pan[i], law: law[i])
            gains.left = level * gains.left
            gains.right = level * gains.right
            return gains
        }
    }
}
