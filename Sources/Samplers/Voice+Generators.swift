// [render]
import DSP
import SoundFonts

/// Generators become what a control step works with: periods, gains and frames. Ranges are those of the standard
/// (section 8.1.3) as libfluidsynth clips them.
extension Voice {
    struct Setting: BitwiseCopyable {
        let curves: ControlCurves
        let rate: Double
        /// The lengthening of releases because the damper pedal is half down. Unit: timecents.
        var damping = 0.0
        /// The channel's sends to the effects, as a part of its sound.
        var reverb = 0.0, chorus = 0.0

        @_noLocks init(_ curves: ControlCurves, rate: Double) {
            self.curves = curves
            self.rate = rate
        }

        var periodsPerSecond: Double { @_noLocks get { rate / 64 } }
    }

    @_noLocks mutating func updateAll(_ setting: Setting) {
        for number in Generator.modulationLFOToPitch.rawValue...Generator.balance.rawValue {
            if let generator = Generator(rawValue: number) { update(generator, setting) }
        }
    }

    @_noLocks mutating func update(_ generator: Generator, _ setting: Setting) {
        let x = value(generator)
        switch generator {
        case .pan, .balance:
            updatePan(setting.curves)
            if reverbShare != 1 || chorusShare != 1 { updateSends(setting) }
        case .attenuation: attenuation = setting.curves.gain(min(max(x, 0), 1_440))
        case .pitch, .coarseTune, .fineTune: updatePitch()
        case .filterCutoff:
            cutoff = x
            cutoffIndex = -1
        case .filterResonance:
            // Resonance lowers the rest of the sound by half its height (the standard's section 8.1.3, generator 9): the
            // resonance of a zone, not what a player adds, or controller 71 would be a fader. libfluidsynth makes no
            // difference between them.
            let level = setting.curves.isRounded ? x : base(.filterResonance)
            filterGain = 1 / DeterministicMath.squareRoot(Self.q(level))
            filter.inverseQ = Float(0.5 / Self.q(x))
            filter.isFlat = x <= 0
            cutoffIndex = -1
        case .modulationLFOToPitch, .vibratoLFOToPitch, .modulationEnvelopeToPitch:
            let cents = min(max(x, -12_000), 12_000)
            if generator == .modulationLFOToPitch { lfoToPitch = cents }
            if generator == .vibratoLFOToPitch { vibratoToPitch = cents }
            if generator == .modulationEnvelopeToPitch { envelopeToPitch = cents }
            bendsPitch = lfoToPitch != 0 || vibratoToPitch != 0 || envelopeToPitch != 0
            isPitchNew = true
        case .modulationLFOToCutoff: lfoToCutoff = min(max(x, -12_000), 12_000)
        case .modulationEnvelopeToCutoff: envelopeToCutoff = min(max(x, -12_000), 12_000)
        case .modulationLFOToVolume: lfoToVolume = min(max(x, -960), 960)
        case .modulationLFODelay: modulationLFO.delay = Self.delay(x, setting)
        case .vibratoLFODelay: vibratoLFO.delay = Self.delay(x, setting)
        case .modulationLFORate: modulationLFO.growth = Self.growth(x, modulationLFO.growth, setting)
        case .vibratoLFORate: vibratoLFO.growth = Self.growth(x, vibratoLFO.growth, setting)
        case .reverbSend, .chorusSend: updateSends(setting)
        default: updateEnvelopes(generator, setting)
        }
    }

    /// The quality of a filter with a resonance in centibels; without resonance it is a Butterworth filter.
    @_noLocks private static func q(_ centibels: Double) -> Double {
        DeterministicMath.power(10, (min(max(centibels / 10, 0), 96) - 3.01) / 20)
    }

    @_noLocks mutating func updatePitch() {
        pitch = value(.pitch) + 100 * value(.coarseTune) + value(.fineTune) + tuning
        isPitchNew = true
    }

    @_noLocks mutating func updatePan(_ curves: ControlCurves) {
        let pan = value(.pan), balance = value(.balance)
        left = curves.pan(pan, isLeft: true) * curves.balance(balance, isLeft: true)
        right = curves.pan(pan, isLeft: false) * curves.balance(balance, isLeft: false)
    }

    /// The strip sends the channel's share of all voices together, so what a drum's own send leaves out of it is sent once
    /// more with the sign reversed. A feed is mono and counts five times in the strip, by the square root of a half on either
    /// side: a voice in the middle cancels, and of another the difference of its sides is left.
    @_noLocks mutating func updateSends(_ setting: Setting) {
        reverb = min(max(value(.reverbSend) / 1_000, -1), 1)
        chorus = min(max(value(.chorusSend) / 1_000, -1), 1)
        if reverbShare == 1 && chorusShare == 1 { return }
        let sides = (left + right) * (0.5 / (5 * 0.70710678118654752))
        reverb = reverb * reverbShare - setting.reverb * (1 - reverbShare) * sides
        chorus = chorus * chorusShare - setting.chorus * (1 - chorusShare) * sides
    }

    @_noLocks private static func delay(_ timecents: Double, _ setting: Setting) -> UInt32 {
        UInt32(setting.rate * setting.curves.seconds(timecents, -12_000, 5_000))
    }

    /// A triangle makes four ways a turn. A modulated rate keeps the direction.
    @_noLocks private static func growth(_ cents: Double, _ now: Double, _ setting: Setting) -> Double {
        let growth = 4 / setting.periodsPerSecond * setting.curves.hertz(min(max(cents, -16_000), 4_500))
        return now < 0 ? -growth : growth
    }

    @_noLocks private mutating func updateEnvelopes(_ generator: Generator, _ setting: Setting) {
        switch generator {
        case .volumeDelay, .volumeAttack: Self.rise(&volume, generator == .volumeDelay, value(generator), setting)
        case .modulationDelay, .modulationAttack:
            Self.rise(&modulation, generator == .modulationDelay, value(generator), setting)
        case .volumeHold, .keyToVolumeHold:
            let periods = scaledPeriods(.volumeHold, .keyToVolumeHold, isDecay: false, setting)
            volume.set(2, VoiceEnvelope.Course(periods, -1, 2))
        case .modulationHold, .keyToModulationHold:
            let periods = scaledPeriods(.modulationHold, .keyToModulationHold, isDecay: false, setting)
            modulation.set(2, VoiceEnvelope.Course(periods, -1, 2))
        case .volumeDecay, .keyToVolumeDecay, .volumeSustain:
            let periods = scaledPeriods(.volumeDecay, .keyToVolumeDecay, isDecay: true, setting)
            volume.set(3, Self.decay(periods, value(.volumeSustain)))
        case .modulationDecay, .keyToModulationDecay, .modulationSustain:
            let periods = scaledPeriods(.modulationDecay, .keyToModulationDecay, isDecay: true, setting)
            modulation.set(3, Self.decay(periods, value(.modulationSustain)))
        case .volumeRelease:
            let timecents = max(value(generator) + setting.damping, -7_200)
            volume.set(5, Self.fall(timecents, highest: 1, setting))
        case .modulationRelease: modulation.set(5, Self.fall(value(generator), highest: 2, setting))
        default: break
        }
    }

    @_noLocks private static func rise(
        _ envelope: inout VoiceEnvelope, _ isDelay: Bool, _ timecents: Double, _ setting: Setting
    ) {
        let seconds = setting.curves.seconds(timecents, -12_000, isDelay ? 5_000 : 8_000)
        let periods = UInt32(setting.periodsPerSecond * seconds)
        if isDelay {
            envelope.set(0, VoiceEnvelope.Course(periods))
        } else {
            envelope.set(1, VoiceEnvelope.Course(periods &+ 1, growth: Double(1 / Float(periods &+ 1))))
        }
    }

    @_noLocks private static func decay(_ periods: UInt32, _ sustain: Double) -> VoiceEnvelope.Course {
        // The factor is libfluidsynth's, a thousandth in single precision: whole cents of cutoff may hang on it.
        let level = min(max(1 - Double(0.001 as Float) * sustain, 0), 1)
        return VoiceEnvelope.Course(periods, growth: periods > 0 ? Double(-1 / Float(periods)) : 0, level, 2)
    }

    @_noLocks private static func fall(
        _ timecents: Double, highest: Double, _ setting: Setting
    ) -> VoiceEnvelope.Course {
        let periods = 1 &+ UInt32(setting.periodsPerSecond * setting.curves.seconds(timecents, -12_000, 8_000))
        return VoiceEnvelope.Course(periods, growth: Double(-1 / Float(periods)), 0, highest)
    }

    /// Holds and decays that get shorter towards higher keys.
    @_noLocks private func scaledPeriods(
        _ time: Generator, _ perKey: Generator, isDecay: Bool, _ setting: Setting
    ) -> UInt32 {
        let timecents = value(time) + value(perKey) * (60 - soundingKey)
        if !isDecay && timecents <= -32_768 { return 0 }
        let seconds = DeterministicMath.exp2(min(max(timecents, -12_000), isDecay ? 8_000 : 5_000) / 1_200)
        return UInt32(setting.periodsPerSecond * seconds + 0.5)
    }
}
