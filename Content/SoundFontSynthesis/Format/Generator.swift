/// The generators of SoundFont 2.04, section 8.1, that Carillon's SoundFont uses; the raw value is the operator's
/// number.
public enum Generator: UInt16, Sendable {
    case startAddrsOffset = 0
    case modLfoToPitch = 5
    case vibLfoToPitch = 6
    case modEnvToPitch = 7
    case initialFilterFc = 8
    case initialFilterQ = 9
    case modLfoToFilterFc = 10
    case modEnvToFilterFc = 11
    case modLfoToVolume = 13
    case chorusEffectsSend = 15
    case reverbEffectsSend = 16
    case pan = 17
    case delayModLFO = 21
    case freqModLFO = 22
    case delayVibLFO = 23
    case freqVibLFO = 24
    case delayModEnv = 25
    case attackModEnv = 26
    case holdModEnv = 27
    case decayModEnv = 28
    case sustainModEnv = 29
    case releaseModEnv = 30
    case delayVolEnv = 33
    case attackVolEnv = 34
    case holdVolEnv = 35
    case decayVolEnv = 36
    case sustainVolEnv = 37
    case releaseVolEnv = 38
    case keynumToVolEnvDecay = 40
    case instrument = 41
    case keyRange = 43
    case velRange = 44
    case initialAttenuation = 48
    case coarseTune = 51
    case fineTune = 52
    case sampleID = 53
    case sampleModes = 54
    case scaleTuning = 56
    case exclusiveClass = 57
    case overridingRootKey = 58
}
