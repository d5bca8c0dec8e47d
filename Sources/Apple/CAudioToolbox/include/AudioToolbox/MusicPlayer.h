// Music Player Services: players, sequences, tracks, events. Names and values are Apple's, from the public documentation.
#pragma once

#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/MusicDevice.h>
#include <CoreMIDI/MIDIServices.h>

#pragma clang assume_nonnull begin

typedef struct OpaqueMusicPlayer *MusicPlayer;
typedef struct OpaqueMusicSequence *MusicSequence;
typedef struct OpaqueMusicTrack *MusicTrack;
typedef struct OpaqueMusicEventIterator *MusicEventIterator;

// Quarter notes, or seconds in a sequence of that type.
typedef Float64 MusicTimeStamp;
typedef UInt32 MusicEventType;

#define kMusicTimeStamp_EndOfTrack 1000000000.0

CF_TYPED_CONSTANTS(MusicEventType) {
    kMusicEventType_NULL = 0,
    kMusicEventType_ExtendedNote = 1,
    kMusicEventType_ExtendedTempo = 3,
    kMusicEventType_User = 4,
    kMusicEventType_Meta = 5,
    kMusicEventType_MIDINoteMessage = 6,
    kMusicEventType_MIDIChannelMessage = 7,
    kMusicEventType_MIDIRawData = 8,
    kMusicEventType_Parameter = 9,
    kMusicEventType_AUPreset = 10,
};

typedef CF_OPTIONS(UInt32, MusicSequenceLoadFlags) {
    kMusicSequenceLoadSMF_PreserveTracks = 0,
    kMusicSequenceLoadSMF_ChannelsToTracks = 1,
};

typedef CF_ENUM(UInt32, MusicSequenceType) {
    kMusicSequenceType_Beats = 'beat',
    kMusicSequenceType_Seconds = 'secs',
    kMusicSequenceType_Samples = 'samp',
};

typedef CF_ENUM(UInt32, MusicSequenceFileTypeID) {
    kMusicSequenceFile_AnyType = 0,
    kMusicSequenceFile_MIDIType = 'midi',
    kMusicSequenceFile_iMelodyType = 'imel',
};

typedef CF_OPTIONS(UInt32, MusicSequenceFileFlags) {
    kMusicSequenceFileFlags_Default = 0,
    kMusicSequenceFileFlags_EraseFile = 1,
};

// `duration` in beats; the key goes up after it.
typedef struct MIDINoteMessage {
    UInt8 channel;
    UInt8 note;
    UInt8 velocity;
    UInt8 releaseVelocity;
    Float32 duration;
} MIDINoteMessage;

typedef struct MIDIChannelMessage {
    UInt8 status;
    UInt8 data1;
    UInt8 data2;
    UInt8 reserved;
} MIDIChannelMessage;

typedef struct MIDIRawData {
    UInt32 length;
    UInt8 data[1];
} MIDIRawData;

typedef struct MIDIMetaEvent {
    UInt8 metaEventType;
    UInt8 unused1;
    UInt8 unused2;
    UInt8 unused3;
    UInt32 dataLength;
    UInt8 data[1];
} MIDIMetaEvent;

typedef struct MusicEventUserData {
    UInt32 length;
    UInt8 data[1];
} MusicEventUserData;

typedef struct NoteParamsControlValue {
    AudioUnitParameterID mID;
    AudioUnitParameterValue mValue;
} NoteParamsControlValue;

typedef struct MusicDeviceNoteParams {
    UInt32 argCount;
    Float32 mPitch;
    Float32 mVelocity;
    NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

typedef struct ExtendedNoteOnEvent {
    MusicDeviceInstrumentID instrumentID;
    MusicDeviceGroupID groupID;
    Float32 duration;
    MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

typedef struct ParameterEvent {
    AudioUnitParameterID parameterID;
    AudioUnitScope scope;
    AudioUnitElement element;
    AudioUnitParameterValue value;
} ParameterEvent;

typedef struct ExtendedTempoEvent {
    Float64 bpm;
} ExtendedTempoEvent;

typedef struct AUPresetEvent {
    AudioUnitScope scope;
    AudioUnitElement element;
    const void *preset;
} AUPresetEvent;

typedef struct CABarBeatTime {
    SInt32 bar;
    UInt16 beat;
    UInt16 subbeat;
    UInt16 subbeatDivisor;
    UInt16 reserved;
} CABarBeatTime;

typedef struct MusicTrackLoopInfo {
    MusicTimeStamp loopDuration;
    SInt32 numberOfLoops;
} MusicTrackLoopInfo;

CF_TYPED_CONSTANTS(UInt32) {
    kSequenceTrackProperty_LoopInfo = 0,
    kSequenceTrackProperty_OffsetTime = 1,
    kSequenceTrackProperty_MuteStatus = 2,
    kSequenceTrackProperty_SoloStatus = 3,
    kSequenceTrackProperty_AutomatedParameters = 4,
    kSequenceTrackProperty_TrackLength = 5,
    kSequenceTrackProperty_TimeResolution = 6,
};

CF_TYPED_CONSTANTS(OSStatus) {
    kAudioToolboxErr_InvalidSequenceType = -10846,
    kAudioToolboxErr_TrackIndexError = -10859,
    kAudioToolboxErr_TrackNotFound = -10858,
    kAudioToolboxErr_EndOfTrack = -10857,
    kAudioToolboxErr_StartOfTrack = -10856,
    kAudioToolboxErr_IllegalTrackDestination = -10855,
    kAudioToolboxErr_NoSequence = -10854,
    kAudioToolboxErr_InvalidEventType = -10853,
    kAudioToolboxErr_InvalidPlayerState = -10852,
    kAudioToolboxErr_CannotDoInCurrentContext = -10863,
    kAudioToolboxError_NoTrackDestination = -66720,
};

// Called for each user event on a thread of the player's own, with the beats of the slice that it falls into.
typedef void (*MusicSequenceUserCallback)(
    void *_Nullable inClientData, MusicSequence inSequence, MusicTrack inTrack, MusicTimeStamp inEventTime,
    const MusicEventUserData *inEventData, MusicTimeStamp inStartSliceBeat, MusicTimeStamp inEndSliceBeat);

#pragma clang assume_nonnull end
