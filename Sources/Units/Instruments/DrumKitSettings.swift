import DSP
import UnitAPI

// [render]

/// The tuning, damping and mix of a kit's drums, group by group.
struct DrumKitSettings: BitwiseCopyable {
    enum Group: Int, BitwiseCopyable {
        case kick, snare, toms, hats, cymbals, percussion
    }

    struct Setting: BitwiseCopyable {
        /// Semitones, a factor on the decay, and amplitude.
        var tune = 0.0, decay = 1.0, level = 1.0

        @_noLocks init() {}

        /// Takes over semitones, percent and decibels, of which the lowest is silence.
        @_noLocks mutating func set(_ tune: ParameterRamp, _ decay: ParameterRamp, _ level: ParameterRamp) {
            self.tune = Double(tune.target)
            self.decay = Double(decay.target) * 0.01
            self.level = level.target <= -40 ? 0 : Double(Decibels.amplitude(level.target))
        }
    }

    var kick = Setting(), snare = Setting(), toms = Setting(), hats = Setting(), cymbals = Setting(), percussion = Setting()
    /// The amount of the beater, and that of the snares: 0...1, at a half as the recipe has it.
    var click = 0.5, snares = 0.5
    /// The distance between the drums in the stereo image, 0...1.
    var width: Float = 0.5
    var velocityCurve = 2.0

    @_noLocks init() {}

    @_noLocks mutating func retune(by semitones: Double, stretch factor: Double) {
        kick.tune = semitones
        kick.decay = factor
        snare = kick
        toms = kick
        hats = kick
        cymbals = kick
        percussion = kick
    }

    @_noLocks func setting(_ group: Group) -> Setting {
        switch group {
        case .kick: kick
        case .snare: snare
        case .toms: toms
        case .hats: hats
        case .cymbals: cymbals
        case .percussion: percussion
        }
    }
}
