import DSP

// [render]

/// The recipe of a synthesized drum: sines that fall in pitch, noise through a filter, and a cluster of squares.
struct DrumRecipe: BitwiseCopyable {
    /// Two sines: a membrane, a bar, a block of wood.
    struct Tone: BitwiseCopyable {
        /// Hertz; of the second one too, which is silent at level 0.
        var frequency = 0.0, second = 0.0
        /// Amplitudes.
        var level = 0.0, secondLevel = 0.0
        /// Seconds for a fall by 60 dB.
        var decay = 0.1
        /// The factor by which the pitch is higher at the stroke, and the seconds in which the excess falls to 1 / e.
        var bend = 1.0, bendTime = 0.01

        /// None.
        @_noLocks init() {}
    }

    /// White noise through a filter of second order, in one burst or several.
    struct Noise: BitwiseCopyable {
        /// Amplitude; of each further burst as a share of the one before.
        var level = 0.0, burstShare = 1.0
        /// Seconds for a fall by 60 dB after the last burst, and between bursts.
        var decay = 0.1, burstDecay = 0.05
        /// Seconds to its height.
        var attack = 0.0
        /// The number of bursts, at least 1, and the seconds from one to the next.
        var bursts = 1, spacing = 0.01
        /// The filter.
        var response = StateVariableFilter.Response.highPass, frequency = 1_000.0, quality = 0.7

        /// None.
        @_noLocks init() {}
    }

    /// Squares that have nothing in common, through two filters of second order in a row.
    struct Metal: BitwiseCopyable {
        /// Amplitude, and the seconds for a fall by 60 dB.
        var level = 0.0, decay = 0.1
        /// A factor on all frequencies, and how many squares there are: 6, or the upper two.
        var tune = 1.0, count = 6
        /// The filters: the first with this response, the second a high-pass at the same frequency.
        var response = StateVariableFilter.Response.highPass, frequency = 7_000.0, quality = 0.7

        /// None.
        @_noLocks init() {}
    }

    /// The three parts.
    var tone = Tone(), noise = Noise(), metal = Metal()
    /// Amplitude of all of it.
    var level = 1.0
    /// The pan, -100...100.
    var pan: Float = 0

    /// Silence.
    @_noLocks init() {}

    /// Moves all pitches by semitones, filters of noise and metal along.
    @_noLocks mutating func tune(_ semitones: Double) {
        if semitones == 0 { return }
        let factor = DeterministicMath.exp2(semitones * (1.0 / 12))
        tone.frequency *= factor
        tone.second *= factor
        noise.frequency *= factor
        metal.tune *= factor
        metal.frequency *= factor
    }

    /// Makes all decays so many times as long.
    @_noLocks mutating func stretch(_ factor: Double) {
        tone.decay *= factor
        noise.decay *= factor
        metal.decay *= factor
    }

    /// Seconds until all of it has fallen by 100 dB.
    var length: Double {
        @_noLocks get {
            let bursts = Double(Int32(truncatingIfNeeded: noise.bursts &- 1)) * noise.spacing + noise.attack
            var longest = tone.level > 0 || tone.secondLevel > 0 ? tone.decay : 0
            if noise.level > 0 { longest = max(longest, noise.decay + bursts * 0.6) }
            if metal.level > 0 { longest = max(longest, metal.decay) }
            return longest * (100.0 / 60)
        }
    }
}
