/// A musical setting of a layer as SoundFont generators and modulators.
public struct Setting: Sendable {
    var generators: [(Generator, Int16)] = []
    var modulators: [Modulator] = []
    /// Decibels.
    var attenuation: Double?

    private static func make(_ pairs: [(Generator, Double)]) -> Setting {
        Setting(generators: pairs.map { ($0, Int16(max(-32768, min(32767, $1.rounded())))) })
    }

    /// Seconds as the time cents of section 8.1.2: 1200 log2.
    static func timeCents(_ seconds: Double) -> Double {
        max(-12000, 1200 * ExactMath.logarithm2(max(seconds, 0.001)))
    }

    /// Hertz as absolute cents: 8.176 Hz = 0.
    static func absoluteCents(_ hertz: Double) -> Double { 1200 * ExactMath.logarithm2(hertz / 8.175798915643707) }

    /// Volume envelope: seconds of attack, hold, fall by 60 dB and release by 60 dB; `sustain` in decibels below the
    /// peak.
    ///
    /// The format's decay and release times are those of 100 dB.
    public static func envelope(
        attack: Double = 0.001, hold: Double = 0.001, decay: Double = 0.001, sustain: Double = 0, release: Double = 0.15
    ) -> Setting {
        make([
            (.attackVolEnv, timeCents(attack)), (.holdVolEnv, timeCents(hold)),
            (.decayVolEnv, timeCents(decay * 100 / 60)), (.sustainVolEnv, sustain * 10),
            (.releaseVolEnv, timeCents(release * 100 / 60)),
        ])
    }

    /// Volume envelope of a struck or plucked sound: falls by 60 dB in `decay` seconds, damped in `release` seconds.
    public static func decaying(_ decay: Double, release: Double = 0.3, hold: Double = 0.001) -> Setting {
        envelope(hold: hold, decay: decay, sustain: 100, release: release)
    }

    /// The envelope's fall becomes faster with higher keys: `cents` of time per key (100 = half the time an octave up).
    public static func fasterUp(_ cents: Double) -> Setting { make([(.keynumToVolEnvDecay, cents)]) }

    /// Low-pass corner in hertz, resonance in decibels, and how far velocity 0 closes it, in cents.
    public static func filter(_ hertz: Double, q: Double = 0, velocity: Int16 = -2400) -> Setting {
        var result = make([(.initialFilterFc, absoluteCents(hertz))] + (q > 0 ? [(.initialFilterQ, q * 10)] : []))
        result.modulators = [.velocityToFilter(cents: velocity)]
        return result
    }

    /// Modulation envelope to the filter in cents: rises in `attack`, falls in `decay` seconds to `sustain` (0...1 of
    /// the way).
    public static func filterSweep(
        _ cents: Double, attack: Double = 0.001, decay: Double, sustain: Double = 0, release: Double = 0.3
    ) -> Setting {
        make([
            (.modEnvToFilterFc, cents), (.attackModEnv, timeCents(attack)), (.decayModEnv, timeCents(decay)),
            (.sustainModEnv, 1000 * (1 - sustain)), (.releaseModEnv, timeCents(release)),
        ])
    }

    /// Modulation envelope to the pitch in cents, falling to 0 in `decay` seconds.
    public static func pitchSweep(_ cents: Double, attack: Double = 0.001, decay: Double) -> Setting {
        make([
            (.modEnvToPitch, cents), (.attackModEnv, timeCents(attack)), (.decayModEnv, timeCents(decay)),
            (.sustainModEnv, 1000), (.releaseModEnv, timeCents(decay)),
        ])
    }

    /// Vibrato: hertz, depth in cents, seconds before it begins.
    public static func vibrato(_ hertz: Double, cents: Double, delay: Double = 0.4) -> Setting {
        make([
            (.freqVibLFO, absoluteCents(hertz)), (.vibLfoToPitch, cents), (.delayVibLFO, timeCents(delay)),
        ])
    }

    /// Tremolo: hertz, depth in decibels.
    public static func tremolo(_ hertz: Double, decibels: Double, delay: Double = 0.001) -> Setting {
        make([
            (.freqModLFO, absoluteCents(hertz)), (.modLfoToVolume, decibels * 10), (.delayModLFO, timeCents(delay)),
        ])
    }

    /// The modulation oscillator on filter and pitch, in cents.
    public static func wobble(_ hertz: Double, filter: Double = 0, pitch: Double = 0) -> Setting {
        make([(.freqModLFO, absoluteCents(hertz)), (.modLfoToFilterFc, filter), (.modLfoToPitch, pitch)])
    }

    /// Decibels below a layer's usual level, as heard; negative = louder.
    public static func quieter(_ decibels: Double) -> Setting { Setting(attenuation: decibels) }

    /// Decibels as the generator of attenuation: players scale it by 0.4, as the EMU hardware did.
    static func attenuation(_ decibels: Double) -> UInt16 { UInt16((max(0, min(57, decibels)) * 25).rounded()) }

    /// Semitones and cents up.
    public static func tuned(_ semitones: Double = 0, cents: Double = 0) -> Setting {
        make((semitones != 0 ? [(.coarseTune, semitones)] : []) + (cents != 0 ? [(.fineTune, cents)] : []))
    }

    /// -1 left ... 1 right.
    public static func pan(_ position: Double) -> Setting { make([(.pan, position * 500)]) }

    /// Sends to the reverb and the chorus, 0...1.
    public static func sends(reverb: Double = 0, chorus: Double = 0) -> Setting {
        make([(.reverbEffectsSend, reverb * 1000), (.chorusEffectsSend, chorus * 1000)])
    }

    /// Seconds of silence before the sound.
    public static func delayed(_ seconds: Double) -> Setting { make([(.delayVolEnv, timeCents(seconds))]) }

    /// Cents per key: 100 is the usual scale, 0 the same pitch on every key.
    public static func scale(_ cents: Double) -> Setting { make([(.scaleTuning, cents)]) }

    /// Sounds of one class on a channel cut each other off.
    public static func exclusive(_ number: Int) -> Setting { make([(.exclusiveClass, Double(number))]) }

    /// The key at which the sample plays at its own rate, in place of the sample's.
    public static func root(_ key: Int) -> Setting { make([(.overridingRootKey, Double(key))]) }

    /// Begins `frames` later in the sample: another moment of an endless loop.
    public static func started(_ frames: Int) -> Setting { make([(.startAddrsOffset, Double(frames))]) }
}
