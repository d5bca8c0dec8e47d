// Audio units: kinds, scopes, callbacks, errors. Names and values are Apple's, from the public documentation.
#pragma once

#include <AudioToolbox/AudioComponent.h>

#pragma clang assume_nonnull begin

#ifndef __swift__
// In Swift the module AudioToolbox has it.
typedef AudioComponentInstance AudioUnit;
#endif

typedef UInt32 AudioUnitPropertyID;
typedef UInt32 AudioUnitScope;
typedef UInt32 AudioUnitElement;
typedef UInt32 AudioUnitParameterID;
typedef Float32 AudioUnitParameterValue;

CF_TYPED_CONSTANTS(OSType) {
    kAudioUnitType_Output = 'auou',
    kAudioUnitType_MusicDevice = 'aumu',
    kAudioUnitType_MusicEffect = 'aumf',
    kAudioUnitType_FormatConverter = 'aufc',
    kAudioUnitType_Effect = 'aufx',
    kAudioUnitType_Mixer = 'aumx',
    kAudioUnitType_Panner = 'aupn',
    kAudioUnitType_Generator = 'augn',
    kAudioUnitType_OfflineEffect = 'auol',
    kAudioUnitType_MIDIProcessor = 'aumi',

    kAudioUnitManufacturer_Apple = 'appl',

    kAudioUnitSubType_GenericOutput = 'genr',
    kAudioUnitSubType_VoiceProcessingIO = 'vpio',
    kAudioUnitSubType_HALOutput = 'ahal',
    kAudioUnitSubType_DefaultOutput = 'def ',
    kAudioUnitSubType_SystemOutput = 'sys ',
    kAudioUnitSubType_RemoteIO = 'rioc',

    kAudioUnitSubType_DLSSynth = 'dls ',
    kAudioUnitSubType_Sampler = 'samp',
    kAudioUnitSubType_MIDISynth = 'msyn',

    kAudioUnitSubType_AUConverter = 'conv',
    kAudioUnitSubType_Varispeed = 'vari',
    kAudioUnitSubType_DeferredRenderer = 'defr',
    kAudioUnitSubType_Splitter = 'splt',
    kAudioUnitSubType_MultiSplitter = 'mspl',
    kAudioUnitSubType_Merger = 'merg',
    kAudioUnitSubType_NewTimePitch = 'nutp',
    kAudioUnitSubType_TimePitch = 'tmpt',
    kAudioUnitSubType_AUiPodTimeOther = 'ipto',

    kAudioUnitSubType_PeakLimiter = 'lmtr',
    kAudioUnitSubType_DynamicsProcessor = 'dcmp',
    kAudioUnitSubType_LowPassFilter = 'lpas',
    kAudioUnitSubType_HighPassFilter = 'hpas',
    kAudioUnitSubType_BandPassFilter = 'bpas',
    kAudioUnitSubType_HighShelfFilter = 'hshf',
    kAudioUnitSubType_LowShelfFilter = 'lshf',
    kAudioUnitSubType_ParametricEQ = 'pmeq',
    kAudioUnitSubType_Distortion = 'dist',
    kAudioUnitSubType_Delay = 'dely',
    kAudioUnitSubType_SampleDelay = 'sdly',
    kAudioUnitSubType_GraphicEQ = 'greq',
    kAudioUnitSubType_NBandEQ = 'nbeq',
    kAudioUnitSubType_MatrixReverb = 'mrev',
    kAudioUnitSubType_Reverb2 = 'rvb2',
    kAudioUnitSubType_AUiPodEQ = 'ipeq',
    kAudioUnitSubType_MultiBandCompressor = 'mcmp',
    kAudioUnitSubType_Pitch = 'tmpt',

    kAudioUnitSubType_MultiChannelMixer = 'mcmx',
    kAudioUnitSubType_MatrixMixer = 'mxmx',
    kAudioUnitSubType_StereoMixer = 'smxr',
    kAudioUnitSubType_SpatialMixer = '3dem',
    kAudioUnitSubType_AU3DMixerEmbedded = '3dem',

    kAudioUnitSubType_ScheduledSoundPlayer = 'sspl',
    kAudioUnitSubType_AudioFilePlayer = 'afpl',
    kAudioUnitSubType_SpeechSynthesis = 'ttsp',
};

CF_TYPED_CONSTANTS(AudioUnitScope) {
    kAudioUnitScope_Global = 0,
    kAudioUnitScope_Input = 1,
    kAudioUnitScope_Output = 2,
    kAudioUnitScope_Group = 3,
    kAudioUnitScope_Part = 4,
    kAudioUnitScope_Note = 5,
    kAudioUnitScope_Layer = 6,
    kAudioUnitScope_LayerItem = 7,
};

typedef CF_OPTIONS(UInt32, AudioUnitRenderActionFlags) {
    kAudioUnitRenderAction_PreRender = 1U << 2,
    kAudioUnitRenderAction_PostRender = 1U << 3,
    kAudioUnitRenderAction_OutputIsSilence = 1U << 4,
    kAudioOfflineUnitRenderAction_Preflight = 1U << 5,
    kAudioOfflineUnitRenderAction_Render = 1U << 6,
    kAudioOfflineUnitRenderAction_Complete = 1U << 7,
    kAudioUnitRenderAction_PostRenderError = 1U << 8,
    kAudioUnitRenderAction_DoNotCheckRenderArgs = 1U << 9,
};

CF_TYPED_CONSTANTS(OSStatus) {
    kAudioUnitErr_InvalidProperty = -10879,
    kAudioUnitErr_InvalidParameter = -10878,
    kAudioUnitErr_InvalidElement = -10877,
    kAudioUnitErr_NoConnection = -10876,
    kAudioUnitErr_FailedInitialization = -10875,
    kAudioUnitErr_TooManyFramesToProcess = -10874,
    kAudioUnitErr_IllegalInstrument = -10873,
    kAudioUnitErr_InstrumentTypeNotFound = -10872,
    kAudioUnitErr_InvalidFile = -10871,
    kAudioUnitErr_UnknownFileType = -10870,
    kAudioUnitErr_FileNotSpecified = -10869,
    kAudioUnitErr_FormatNotSupported = -10868,
    kAudioUnitErr_Uninitialized = -10867,
    kAudioUnitErr_InvalidScope = -10866,
    kAudioUnitErr_PropertyNotWritable = -10865,
    kAudioUnitErr_CannotDoInCurrentContext = -10863,
    kAudioUnitErr_InvalidPropertyValue = -10851,
    kAudioUnitErr_PropertyNotInUse = -10850,
    kAudioUnitErr_Initialized = -10849,
    kAudioUnitErr_InvalidOfflineRender = -10848,
    kAudioUnitErr_Unauthorized = -10847,
    kAudioUnitErr_MIDIOutputBufferFull = -66753,
    kAudioUnitErr_RenderTimeout = -66745,
    kAudioUnitErr_ExtensionNotFound = -66744,
    kAudioUnitErr_InvalidParameterValue = -66743,
    kAudioUnitErr_InvalidFilePath = -66742,
    kAudioUnitErr_MissingKey = -66741,
};

typedef OSStatus (*AURenderCallback)(
    void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
    UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);

typedef void (*AudioUnitPropertyListenerProc)(
    void *inRefCon, AudioComponentInstance inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
    AudioUnitElement inElement);

typedef struct AURenderCallbackStruct {
    AURenderCallback _Nullable inputProc;
    void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

typedef struct AudioUnitConnection {
    AudioComponentInstance _Nullable sourceAudioUnit;
    UInt32 sourceOutputNumber;
    UInt32 destInputNumber;
} AudioUnitConnection;

typedef CF_ENUM(UInt32, AUParameterEventType) {
    kParameterEvent_Immediate = 1,
    kParameterEvent_Ramped = 2,
};

// A value at a frame of a slice, or a straight way from one to another from a frame on.
typedef struct AudioUnitParameterEvent {
    AudioUnitScope scope;
    AudioUnitElement element;
    AudioUnitParameterID parameter;
    AUParameterEventType eventType;
    union {
        struct {
            SInt32 startBufferOffset;
            UInt32 durationInFrames;
            AudioUnitParameterValue startValue;
            AudioUnitParameterValue endValue;
        } ramp;
        struct {
            UInt32 bufferOffset;
            AudioUnitParameterValue value;
        } immediate;
    } eventValues;
} AudioUnitParameterEvent;

typedef struct AUChannelInfo {
    SInt16 inChannels;
    SInt16 outChannels;
} AUChannelInfo;

#ifndef __swift__
// The calls, which the Swift module has too.
#ifdef __cplusplus
extern "C" {
#endif
OSStatus AudioUnitInitialize(AudioUnit inUnit);
OSStatus AudioUnitUninitialize(AudioUnit inUnit);
OSStatus AudioUnitGetPropertyInfo(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable);
OSStatus AudioUnitGetProperty(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement, void *outData,
    UInt32 *ioDataSize);
OSStatus AudioUnitSetProperty(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    const void *_Nullable inData, UInt32 inDataSize);
OSStatus AudioUnitAddPropertyListener(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc, void *_Nullable inProcUserData);
OSStatus AudioUnitRemovePropertyListenerWithUserData(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc, void *_Nullable inProcUserData);
OSStatus AudioUnitAddRenderNotify(AudioUnit inUnit, AURenderCallback inProc, void *_Nullable inProcUserData);
OSStatus AudioUnitRemoveRenderNotify(AudioUnit inUnit, AURenderCallback inProc, void *_Nullable inProcUserData);
OSStatus AudioUnitGetParameter(
    AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue *outValue);
OSStatus AudioUnitSetParameter(
    AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);
OSStatus AudioUnitScheduleParameters(
    AudioUnit inUnit, const AudioUnitParameterEvent *inParameterEvent, UInt32 inNumParamEvents);
OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);
OSStatus AudioUnitRender(
    AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inOutputBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);
OSStatus AudioOutputUnitStart(AudioUnit ci);
OSStatus AudioOutputUnitStop(AudioUnit ci);
#ifdef __cplusplus
}
#endif
#endif

#pragma clang assume_nonnull end
