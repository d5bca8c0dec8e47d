internal import Units

/// Kinds of distortion.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
    case drumsBitBrush, drumsBufferBeats, drumsLoFi, multiBrokenSpeaker, multiCellphoneConcert, multiDecimated1, multiDecimated2,
        multiDecimated3, multiDecimated4, multiDistortedFunk, multiDistortedCubed, multiDistortedSquared, multiEcho1, multiEcho2,
        multiEchoTight1, multiEchoTight2, multiEverythingIsBroken, speechAlienChatter, speechCosmicInterference,
        speechGoldenPi, speechRadioTower, speechWaves

    /// Curve, drive in decibels and tone in hertz: the engine bends sound, and neither decimates nor modulates it.
    fileprivate var settings: (curve: Float, drive: Float, tone: Float) {
        switch self {
        case .drumsBitBrush, .drumsBufferBeats, .drumsLoFi: (1, 12, 6_000)
        case .multiBrokenSpeaker, .multiEverythingIsBroken: (2, 24, 3_000)
        case .multiCellphoneConcert, .speechRadioTower: (1, 18, 2_500)
        case .multiDecimated1, .multiDecimated2, .multiDecimated3, .multiDecimated4: (1, 24, 5_000)
        case .multiDistortedFunk: (3, 15, 6_000)
        case .multiDistortedCubed: (0, 24, 8_000)
        case .multiDistortedSquared: (3, 24, 8_000)
        case .multiEcho1, .multiEcho2, .multiEchoTight1, .multiEchoTight2: (0, 9, 10_000)
        case .speechAlienChatter, .speechCosmicInterference, .speechGoldenPi, .speechWaves: (2, 15, 5_000)
        }
    }
}

/// Bends the sound.
open class AVAudioUnitDistortion: AVAudioUnitEffect {
    private var preset = AVAudioUnitDistortionPreset.drumsBitBrush
    /// Decibels before the curve, -80...20, beside the preset's.
    open var preGain: Float = -6 { didSet { applyDrive() } }
    /// Percent: 0 is dry, 100 only the distorted sound.
    open var wetDryMix: Float {
        get { self[kDistortionParam_FinalMix] }
        set { self[kDistortionParam_FinalMix] = newValue }
    }

    public override init() {
        super.init()
        loadFactoryPreset(preset)
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Effect, kAudioUnitSubType_Distortion) }

    private func applyDrive() { adjust(Distortion.Parameter.drive, max(0, min(36, preset.settings.drive + preGain))) }

    open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
        self.preset = preset
        adjust(Distortion.Parameter.curve, preset.settings.curve)
        adjust(Distortion.Parameter.tone, preset.settings.tone)
        applyDrive()
    }
}
