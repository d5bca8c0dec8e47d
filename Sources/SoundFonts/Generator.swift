// [render]

/// A property that a zone of a SoundFont can set of the voice that it makes, numbered as the file numbers it.
///
/// Units are those of the file: cents, timecents, centibels, tenths of a percent. The standard's 59 are followed by two of
/// our own. Source: SoundFont Technical Specification 2.04, section 8.1.
public enum Generator: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case startOffset, endOffset, loopStartOffset, loopEndOffset, startCoarseOffset
    case modulationLFOToPitch, vibratoLFOToPitch, modulationEnvelopeToPitch
    case filterCutoff, filterResonance, modulationLFOToCutoff, modulationEnvelopeToCutoff
    case endCoarseOffset, modulationLFOToVolume, unused14
    case chorusSend, reverbSend, pan, unused18, unused19, unused20
    case modulationLFODelay, modulationLFORate, vibratoLFODelay, vibratoLFORate
    case modulationDelay, modulationAttack, modulationHold, modulationDecay, modulationSustain, modulationRelease
    case keyToModulationHold, keyToModulationDecay
    case volumeDelay, volumeAttack, volumeHold, volumeDecay, volumeSustain, volumeRelease
    case keyToVolumeHold, keyToVolumeDecay
    case instrument, reserved42, keyRange, velocityRange
    case loopStartCoarseOffset, fixedKey, fixedVelocity, attenuation, reserved49
    case loopEndCoarseOffset, coarseTune, fineTune, sample, sampleModes, reserved55
    case scaleTuning, exclusiveClass, rootKey
    /// Ours: the pitch of the key itself, in cents.
    case pitch
    /// Ours: balance of the channel, in centibels to one side.
    case balance

    /// The number of generators.
    @inlinable package static var count: Int { @_noLocks get { 61 } }

    /// The row in a table of all of them.
    @inlinable package var index: Int { @_noLocks @inline(__always) get { Int(rawValue) } }
}

extension Generator {
    /// The value that a voice has if no zone sets it.
    package var defaultValue: Float {
        switch self {
        case .modulationLFODelay, .vibratoLFODelay, .modulationDelay, .modulationAttack, .modulationHold, .modulationDecay,
            .modulationRelease, .volumeDelay, .volumeAttack, .volumeHold, .volumeDecay, .volumeRelease:
            -12_000
        case .filterCutoff: 13_500
        case .fixedKey, .fixedVelocity, .rootKey: -1
        case .scaleTuning: 100
        default: 0
        }
    }

    var isInstrumentValue: Bool {
        switch self {
        case .unused14, .unused18, .unused19, .unused20, .instrument, .reserved42, .keyRange, .velocityRange, .reserved49,
            .sample, .reserved55, .pitch, .balance:
            false
        default: true
        }
    }

    /// True if a zone of a preset can add to the generator; false for what belongs to a sample.
    var isPresetValue: Bool {
        switch self {
        case .startOffset, .endOffset, .loopStartOffset, .loopEndOffset, .startCoarseOffset, .endCoarseOffset,
            .loopStartCoarseOffset, .loopEndCoarseOffset, .fixedKey, .fixedVelocity, .sampleModes, .exclusiveClass,
            .rootKey:
            false
        default: isInstrumentValue
        }
    }
}
