/// A parameter of Apple's, and the one of the engine that it sets.
struct UnitParameterRow {
    let id: AudioUnitParameterID
    let scope: AudioUnitScope
    let range: ClosedRange<Float>
    let initial: Float
    /// The engine's parameter, and its value for one of Apple's; nil for a name that does nothing here.
    let target: (name: String, value: @Sendable (Float) -> Float)?

    init(
        _ id: AudioUnitParameterID, _ range: ClosedRange<Float>, _ initial: Float, scope: AudioUnitScope = kAudioUnitScope_Global,
        _ target: String? = nil, _ value: @escaping @Sendable (Float) -> Float = { $0 }
    ) {
        (self.id, self.range, self.initial, self.scope) = (id, range, initial, scope)
        self.target = target.map { ($0, value) }
    }
}

/// One of Apple's units as a row of a table.
struct UnitKind: Sendable {
    enum Work: Sendable {
        /// Passes sound on: an output unit, with a device or without; a converter.
        case output(hasDevice: Bool, captures: Bool)
        case passing
        /// A unit of the engine's catalogue.
        case engine(String)
        case music(plays: Music)
        case filePlayer
    }

    /// What a music device makes of MIDI.
    enum Music: Sendable {
        /// Sixteen channels of General MIDI.
        case channels
        /// One instrument, whatever the channel.
        case instrument
    }

    let type: OSType
    let subtype: OSType
    let name: String
    let work: Work
    let inputs: Int
    var canRepeatInputs = false
    nonisolated(unsafe) var parameters: [UnitParameterRow] = []
    /// Values of the engine's unit that are not its own defaults.
    var settings: [String: Float] = [:]

    var outputs: Int { captures ? 2 : 1 }
    var isOutput: Bool { if case .output = work { true } else { false } }
    var hasDevice: Bool { if case .output(true, _) = work { true } else { false } }
    var captures: Bool { if case .output(_, true) = work { true } else { false } }
    var isMusicDevice: Bool { if case .music = work { true } else { false } }
    var isFilePlayer: Bool { if case .filePlayer = work { true } else { false } }
    /// True for a unit that only changes sound, which can be led around it.
    var isEffect: Bool { type == kAudioUnitType_Effect }

    var description: AudioComponentDescription {
        AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0, componentFlagsMask: 0)
    }
}

extension UnitKind {
    private static func decibels(_ amplitude: Float) -> Float { amplitude > 1e-6 ? 20 * log10(amplitude) : -120 }

    private static let limiter = [
        UnitParameterRow(kLimiterParam_AttackTime, 0.001...0.03, 0.012, "look-ahead") { min(max($0, 0.0005), 0.01) },
        UnitParameterRow(kLimiterParam_DecayTime, 0.001...0.06, 0.024, "release") { max($0, 0.01) },
        UnitParameterRow(kLimiterParam_PreGain, -40...40, 0),
    ]

    private static let reverb = [
        UnitParameterRow(kReverb2Param_DryWetMix, 0...100, 100, "mix"),
        UnitParameterRow(kReverb2Param_Gain, -20...20, 0, "level") { $0 - 6 },
        UnitParameterRow(kReverb2Param_MinDelayTime, 0.0001...1, 0.008, "pre-delay") { min($0, 0.2) },
        UnitParameterRow(kReverb2Param_MaxDelayTime, 0.0001...1, 0.05),
        UnitParameterRow(kReverb2Param_DecayTimeAt0Hz, 0.001...20, 1, "decay") { max($0, 0.1) },
        UnitParameterRow(kReverb2Param_DecayTimeAtNyquist, 0.001...20, 0.5),
        UnitParameterRow(kReverb2Param_RandomizeReflections, 1...1_000, 1),
    ]

    private static let dynamics = [
        UnitParameterRow(kDynamicsProcessorParam_Threshold, -40...20, -20, "threshold") { min($0, 0) },
        UnitParameterRow(kDynamicsProcessorParam_HeadRoom, 0.1...40, 5, "ratio") { min(max(20 / $0, 1), 20) },
        UnitParameterRow(kDynamicsProcessorParam_ExpansionRatio, 1...50, 2),
        UnitParameterRow(kDynamicsProcessorParam_ExpansionThreshold, 1...50, 2),
        UnitParameterRow(kDynamicsProcessorParam_AttackTime, 0.0001...0.2, 0.05, "attack"),
        UnitParameterRow(kDynamicsProcessorParam_ReleaseTime, 0.01...3, 0.05, "release") { min($0, 2) },
        UnitParameterRow(kDynamicsProcessorParam_OverallGain, -40...40, 0, "make-up") { min(max($0, 0), 24) },
    ]

    private static let bands: [UnitParameterRow] =
        [UnitParameterRow(kAUNBandEQParam_GlobalGain, -96...24, 0, "level") { min(max($0, -60), 12) }]
        + (0..<8).flatMap { band in
            // Apple's types: parametric, low- and high-pass, the two with resonance, band-pass, band-stop, shelves.
            let types: [Float] = [1, 4, 5, 4, 5, 1, 6, 2, 3, 2, 3], band = AudioUnitParameterID(band)
            return [
                UnitParameterRow(kAUNBandEQParam_BypassBand + band, 0...1, 1),
                UnitParameterRow(kAUNBandEQParam_FilterType + band, 0...10, 0, "type") { types[min(max(Int($0), 0), 10)] },
                UnitParameterRow(kAUNBandEQParam_Frequency + band, 20...22_050, 1_000, "frequency") { min($0, 20_000) },
                UnitParameterRow(kAUNBandEQParam_Gain + band, -96...24, 0, "gain") { max($0, -24) },
                UnitParameterRow(kAUNBandEQParam_Bandwidth + band, 0.05...5, 0.5, "q") { octaves in
                    min(max(sqrt(exp2(octaves)) / (exp2(octaves) - 1), 0.1), 18)
                },
            ]
        }

    private static func corner(_ type: Float, _ subtype: OSType, _ name: String, _ initial: Float) -> UnitKind {
        let parameters = [
            UnitParameterRow(kLowPassParam_CutoffFrequency, 10...22_050, initial, "cutoff") { min(max($0, 20), 20_000) },
            UnitParameterRow(kLowPassParam_Resonance, -20...40, 0, "resonance") {
                max(0.5, min(20, 0.7071068 * exp2($0 / 6.0206)))
            },
        ]
        return UnitKind(
            type: kAudioUnitType_Effect, subtype: subtype, name: name, work: .engine("filter"), inputs: 1, parameters: parameters,
            settings: ["type": type, "slope": 0])
    }

    /// All that there are, in the order in which a search finds them.
    static let all: [UnitKind] = {
        let output = kAudioUnitType_Output, effect = kAudioUnitType_Effect, mixer = kAudioUnitType_Mixer
        let volume = [UnitParameterRow(kHALOutputParam_Volume, 0...1, 1)]
        func device(_ subtype: OSType, _ name: String, captures: Bool) -> UnitKind {
            UnitKind(
                type: output, subtype: subtype, name: name, work: .output(hasDevice: true, captures: captures),
                inputs: captures ? 2 : 1, parameters: volume)
        }
        let multichannel = [
            UnitParameterRow(
                kMultiChannelMixerParam_Volume, 0...1, 1, scope: kAudioUnitScope_Input, "gain", decibels),
            UnitParameterRow(kMultiChannelMixerParam_Volume, 0...1, 1, scope: kAudioUnitScope_Output, "volume", decibels),
            UnitParameterRow(kMultiChannelMixerParam_Enable, 0...1, 1, scope: kAudioUnitScope_Input, "enable"),
            UnitParameterRow(kMultiChannelMixerParam_Pan, -1...1, 0, scope: kAudioUnitScope_Input, "pan") { 100 * $0 },
        ]
        let stereo = [
            UnitParameterRow(kStereoMixerParam_Volume, 0...1, 1, scope: kAudioUnitScope_Input, "gain", decibels),
            UnitParameterRow(kStereoMixerParam_Volume, 0...1, 1, scope: kAudioUnitScope_Output, "volume", decibels),
            UnitParameterRow(kStereoMixerParam_Pan, 0...1, 0.5, scope: kAudioUnitScope_Input, "pan") { 200 * $0 - 100 },
        ]
        let delay = [
            UnitParameterRow(kDelayParam_WetDryMix, 0...100, 50, "mix"),
            UnitParameterRow(kDelayParam_DelayTime, 0...2, 1, "time") { max($0, 0.01) },
            UnitParameterRow(kDelayParam_Feedback, -100...100, 50, "feedback") { min(abs($0), 90) },
            UnitParameterRow(kDelayParam_LopassCutoff, 10...22_050, 15_000, "high-cut") { min(max($0, 200), 20_000) },
        ]
        let distortion =
            (kDistortionParam_Delay...kDistortionParam_RingModMix).map { UnitParameterRow($0, 0...500, 0) } + [
                UnitParameterRow(kDistortionParam_SoftClipGain, -80...20, -6),
                UnitParameterRow(kDistortionParam_FinalMix, 0...100, 50, "mix"),
            ]
        return [
            device(kAudioUnitSubType_DefaultOutput, "Apple: DefaultOutputUnit", captures: false),
            device(kAudioUnitSubType_HALOutput, "Apple: AUHAL", captures: true),
            device(kAudioUnitSubType_SystemOutput, "Apple: SystemOutputUnit", captures: false),
            device(kAudioUnitSubType_RemoteIO, "Apple: AURemoteIO", captures: true),
            UnitKind(
                type: output, subtype: kAudioUnitSubType_GenericOutput, name: "Apple: GenericOutput",
                work: .output(hasDevice: false, captures: false), inputs: 1),
            UnitKind(
                type: kAudioUnitType_MusicDevice, subtype: kAudioUnitSubType_DLSSynth, name: "Apple: DLSMusicDevice",
                work: .music(plays: .channels), inputs: 0),
            UnitKind(
                type: kAudioUnitType_MusicDevice, subtype: kAudioUnitSubType_MIDISynth, name: "Apple: AUMIDISynth",
                work: .music(plays: .channels), inputs: 0),
            UnitKind(
                type: kAudioUnitType_MusicDevice, subtype: kAudioUnitSubType_Sampler, name: "Apple: AUSampler",
                work: .music(plays: .instrument), inputs: 0),
            UnitKind(
                type: kAudioUnitType_Generator, subtype: kAudioUnitSubType_AudioFilePlayer, name: "Apple: AUAudioFilePlayer",
                work: .filePlayer, inputs: 0),
            UnitKind(
                type: mixer, subtype: kAudioUnitSubType_MultiChannelMixer, name: "Apple: AUMultiChannelMixer",
                work: .engine("multichannel-mixer"), inputs: 8, canRepeatInputs: true, parameters: multichannel),
            UnitKind(
                type: mixer, subtype: kAudioUnitSubType_StereoMixer, name: "Apple: AUMixer",
                work: .engine("multichannel-mixer"), inputs: 8, canRepeatInputs: true, parameters: stereo),
            UnitKind(
                type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_AUConverter, name: "Apple: AUConverter",
                work: .passing, inputs: 1),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_AUiPodEQ, name: "Apple: AUiPodEQ", work: .engine("graphic-equalizer"),
                inputs: 1),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_NBandEQ, name: "Apple: AUNBandEQ", work: .engine("equalizer"), inputs: 1,
                parameters: bands),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_Delay, name: "Apple: AUDelay", work: .engine("delay"), inputs: 1,
                parameters: delay),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_Reverb2, name: "Apple: AUReverb2", work: .engine("reverb"), inputs: 1,
                parameters: reverb),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_MatrixReverb, name: "Apple: AUMatrixReverb", work: .engine("reverb"),
                inputs: 1, parameters: [UnitParameterRow(0, 0...100, 100, "mix")]),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_Distortion, name: "Apple: AUDistortion", work: .engine("distortion"),
                inputs: 1, parameters: distortion),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_PeakLimiter, name: "Apple: AUPeakLimiter", work: .engine("limiter"),
                inputs: 1, parameters: limiter),
            UnitKind(
                type: effect, subtype: kAudioUnitSubType_DynamicsProcessor, name: "Apple: AUDynamicsProcessor",
                work: .engine("compressor"), inputs: 1, parameters: dynamics),
            corner(0, kAudioUnitSubType_LowPassFilter, "Apple: AULowpass", 6_900),
            corner(1, kAudioUnitSubType_HighPassFilter, "Apple: AUHipass", 6_900),
        ]
    }()
}
