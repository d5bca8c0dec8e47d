extension UnitKind {
    private typealias Row = UnitParameterRow

    private static func decibels(_ amplitude: Float) -> Float { amplitude > 1e-6 ? 20 * log10(amplitude) : -120 }

    private static let limiter = [
        Row(kLimiterParam_AttackTime, "attack time", .seconds, 0.001...0.03, 0.012, "look-ahead") { min(max($0, 0.0005), 0.01) },
        Row(kLimiterParam_DecayTime, "decay time", .seconds, 0.001...0.06, 0.024, "release") { max($0, 0.01) },
        Row(kLimiterParam_PreGain, "pre-gain", .decibels, -40...40, 0),
    ]

    private static let reverb = [
        Row(kReverb2Param_DryWetMix, "dry/wet mix", .equalPowerCrossfade, 0...100, 100, "mix"),
        Row(kReverb2Param_Gain, "gain", .decibels, -20...20, 0, "level") { $0 - 6 },
        Row(kReverb2Param_MinDelayTime, "min delay time", .seconds, 0.0001...1, 0.008, "pre-delay") { min($0, 0.2) },
        Row(kReverb2Param_MaxDelayTime, "max delay time", .seconds, 0.0001...1, 0.05),
        Row(kReverb2Param_DecayTimeAt0Hz, "decay time at 0 Hz", .seconds, 0.001...20, 1, "decay") { max($0, 0.1) },
        Row(kReverb2Param_DecayTimeAtNyquist, "decay time at Nyquist", .seconds, 0.001...20, 0.5),
        Row(kReverb2Param_RandomizeReflections, "randomize reflections", .generic, 1...1_000, 1),
    ]

    private static let dynamics = [
        Row(kDynamicsProcessorParam_Threshold, "threshold", .decibels, -40...20, -20, "threshold") { min($0, 0) },
        Row(kDynamicsProcessorParam_HeadRoom, "head room", .decibels, 0.1...40, 5, "ratio") { min(max(20 / $0, 1), 20) },
        Row(kDynamicsProcessorParam_ExpansionRatio, "expansion ratio", .rate, 1...50, 2),
        Row(kDynamicsProcessorParam_ExpansionThreshold, "expansion threshold", .decibels, 1...50, 2),
        Row(kDynamicsProcessorParam_AttackTime, "attack time", .seconds, 0.0001...0.2, 0.05, "attack"),
        Row(kDynamicsProcessorParam_ReleaseTime, "release time", .seconds, 0.01...3, 0.05, "release") { min($0, 2) },
        Row(kDynamicsProcessorParam_OverallGain, "overall gain", .decibels, -40...40, 0, "make-up") { min(max($0, 0), 24) },
    ]

    private static let bands: [UnitParameterRow] =
        [
            Row(kAUNBandEQParam_GlobalGain, "global gain", .decibels, -96...24, 0, "level") { min(max($0, -60), 12) }
        ]
        + (0..<8).flatMap { number in
            // Apple's types: parametric, low- and high-pass, the two with resonance, band-pass, band-stop, shelves.
            let types: [Float] = [1, 4, 5, 4, 5, 1, 6, 2, 3, 2, 3], band = AudioUnitParameterID(number)
            return [
                Row(kAUNBandEQParam_BypassBand + band, "bypass \(number)", .boolean, 0...1, 1),
                Row(kAUNBandEQParam_FilterType + band, "type \(number)", .indexed, 0...10, 0, "type") {
                    types[min(max(Int($0), 0), 10)]
                },
                Row(
                    kAUNBandEQParam_Frequency + band, "frequency \(number)", .hertz, 20...22_050, 1_000, "frequency"
                ) { min($0, 20_000) },
                Row(kAUNBandEQParam_Gain + band, "gain \(number)", .decibels, -96...24, 0, "gain") { max($0, -24) },
                Row(kAUNBandEQParam_Bandwidth + band, "bandwidth \(number)", .octaves, 0.05...5, 0.5, "q") {
                    octaves in
                    min(max(sqrt(exp2(octaves)) / (exp2(octaves) - 1), 0.1), 18)
                },
            ]
        }

    private static let delay = [
        Row(kDelayParam_WetDryMix, "dry/wet mix", .equalPowerCrossfade, 0...100, 50, "mix"),
        Row(kDelayParam_DelayTime, "delay time", .seconds, 0...2, 1, "time") { max($0, 0.01) },
        Row(kDelayParam_Feedback, "feedback", .percent, -100...100, 50, "feedback") { min(abs($0), 90) },
        Row(kDelayParam_LopassCutoff, "lopass cutoff frequency", .hertz, 10...22_050, 15_000, "high-cut") {
            min(max($0, 200), 20_000)
        },
    ]

    private static let distortion =
        [
            "delay", "decay", "delay mix", "decimation", "rounding", "decimation mix", "linear term", "squared term",
            "cubic term", "polynomial mix", "ring mod freq 1", "ring mod freq 2", "ring mod balance", "ring mod mix",
        ].enumerated().map { number, name in
            Row(kDistortionParam_Delay + UInt32(number), name, .generic, 0...500, 0)
        } + [
            Row(kDistortionParam_SoftClipGain, "soft clip gain", .decibels, -80...20, -6),
            Row(kDistortionParam_FinalMix, "final mix", .percent, 0...100, 50, "mix"),
        ]

    private static let multichannel = [
        Row(kMultiChannelMixerParam_Volume, "volume", .linearGain, 0...1, 1, scope: kAudioUnitScope_Input, "gain", decibels),
        Row(kMultiChannelMixerParam_Volume, "volume", .linearGain, 0...1, 1, scope: kAudioUnitScope_Output, "volume", decibels),
        Row(kMultiChannelMixerParam_Enable, "enable", .boolean, 0...1, 1, scope: kAudioUnitScope_Input, "enable"),
        Row(kMultiChannelMixerParam_Pan, "pan", .pan, -1...1, 0, scope: kAudioUnitScope_Input, "pan") { 100 * $0 },
    ]

    private static let stereo = [
        Row(kStereoMixerParam_Volume, "volume", .mixerFaderCurve1, 0...1, 1, scope: kAudioUnitScope_Input, "gain", decibels),
        Row(kStereoMixerParam_Volume, "volume", .mixerFaderCurve1, 0...1, 1, scope: kAudioUnitScope_Output, "volume", decibels),
        Row(kStereoMixerParam_Pan, "pan", .equalPowerCrossfade, 0...1, 0.5, scope: kAudioUnitScope_Input, "pan") {
            200 * $0 - 100
        },
    ]

    private static let corner = [
        Row(kLowPassParam_CutoffFrequency, "cutoff frequency", .hertz, 10...22_050, 6_900, "cutoff") { min(max($0, 20), 20_000) },
        Row(kLowPassParam_Resonance, "resonance", .decibels, -20...40, 0, "resonance") {
            max(0.5, min(20, 0.7071068 * exp2($0 / 6.0206)))
        },
    ]

    private static let pitch = [
        Row(kNewTimePitchParam_Rate, "rate", .rate, 0.03125...32, 1),
        Row(kNewTimePitchParam_Pitch, "pitch", .cents, -2_400...2_400, 0, "semitones") { $0 / 100 },
    ]

    private static func output(_ subtype: OSType, _ name: String, hasDevice: Bool = true, captures: Bool = false) -> UnitKind {
        let volume = Row(kHALOutputParam_Volume, "volume", .linearGain, 0...1, 1)
        return UnitKind(
            type: kAudioUnitType_Output, subtype: subtype, name: "Apple: \(name)",
            work: .output(hasDevice: hasDevice, captures: captures), inputs: captures ? 2 : 1,
            parameters: hasDevice ? [volume] : [])
    }

    private static func source(_ type: OSType, _ subtype: OSType, _ name: String, _ work: Work) -> UnitKind {
        UnitKind(type: type, subtype: subtype, name: "Apple: \(name)", work: work, inputs: 0)
    }

    private static func mixer(_ subtype: OSType, _ name: String, _ parameters: [UnitParameterRow]) -> UnitKind {
        UnitKind(
            type: kAudioUnitType_Mixer, subtype: subtype, name: "Apple: \(name)", work: .engine("multichannel-mixer"), inputs: 8,
            canRepeatInputs: true, parameters: parameters)
    }

    private static func effect(
        _ subtype: OSType, _ name: String, _ unit: String, _ parameters: [UnitParameterRow] = [],
        _ settings: [String: Float] = [:]
    ) -> UnitKind {
        UnitKind(
            type: kAudioUnitType_Effect, subtype: subtype, name: "Apple: \(name)", work: .engine(unit), parameters: parameters,
            settings: settings)
    }

    /// All that there are, in the order in which a search finds them.
    static let all: [UnitKind] = [
        output(kAudioUnitSubType_DefaultOutput, "DefaultOutputUnit"),
        output(kAudioUnitSubType_HALOutput, "AUHAL", captures: true),
        output(kAudioUnitSubType_SystemOutput, "SystemOutputUnit"),
        output(kAudioUnitSubType_RemoteIO, "AURemoteIO", captures: true),
        output(kAudioUnitSubType_GenericOutput, "GenericOutput", hasDevice: false),
        source(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth, "DLSMusicDevice", .music(isSole: false)),
        source(kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth, "AUMIDISynth", .music(isSole: false)),
        source(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler, "AUSampler", .music(isSole: true)),
        source(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer, "AUAudioFilePlayer", .filePlayer),
        mixer(kAudioUnitSubType_MultiChannelMixer, "AUMultiChannelMixer", multichannel),
        mixer(kAudioUnitSubType_StereoMixer, "AUMixer", stereo),
        UnitKind(
            type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_AUConverter, name: "Apple: AUConverter",
            work: .passing),
        UnitKind(
            type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_NewTimePitch, name: "Apple: AUNewTimePitch",
            work: .engine("pitch-shift"), parameters: pitch),
        effect(kAudioUnitSubType_AUiPodEQ, "AUiPodEQ", "graphic-equalizer"),
        effect(kAudioUnitSubType_NBandEQ, "AUNBandEQ", "equalizer", bands),
        effect(kAudioUnitSubType_Delay, "AUDelay", "delay", delay),
        effect(kAudioUnitSubType_Reverb2, "AUReverb2", "reverb", reverb),
        effect(
            kAudioUnitSubType_MatrixReverb, "AUMatrixReverb", "reverb",
            [Row(0, "dry/wet mix", .equalPowerCrossfade, 0...100, 100, "mix")]),
        effect(kAudioUnitSubType_Distortion, "AUDistortion", "distortion", distortion),
        effect(kAudioUnitSubType_PeakLimiter, "AUPeakLimiter", "limiter", limiter),
        effect(kAudioUnitSubType_DynamicsProcessor, "AUDynamicsProcessor", "compressor", dynamics),
        effect(kAudioUnitSubType_LowPassFilter, "AULowpass", "filter", corner, ["type": 0, "slope": 0]),
        effect(kAudioUnitSubType_HighPassFilter, "AUHipass", "filter", corner, ["type": 1, "slope": 0]),
    ]
}
