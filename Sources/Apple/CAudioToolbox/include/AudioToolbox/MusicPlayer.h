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

#ifndef __swift__
// The calls, which the Swift module has too.
#ifdef __cplusplus
extern "C" {
#endif
OSStatus NewMusicPlayer(MusicPlayer _Nullable *_Nonnull outPlayer);
OSStatus DisposeMusicPlayer(MusicPlayer inPlayer);
OSStatus MusicPlayerSetSequence(MusicPlayer inPlayer, MusicSequence _Nullable inSequence);
OSStatus MusicPlayerGetSequence(MusicPlayer inPlayer, MusicSequence _Nullable *_Nonnull outSequence);
OSStatus MusicPlayerSetTime(MusicPlayer inPlayer, MusicTimeStamp inTime);
OSStatus MusicPlayerGetTime(MusicPlayer inPlayer, MusicTimeStamp *outTime);
OSStatus MusicPlayerGetHostTimeForBeats(MusicPlayer inPlayer, MusicTimeStamp inBeats, UInt64 *outHostTime);
OSStatus MusicPlayerGetBeatsForHostTime(MusicPlayer inPlayer, UInt64 inHostTime, MusicTimeStamp *outBeats);
OSStatus MusicPlayerPreroll(MusicPlayer inPlayer);
OSStatus MusicPlayerStart(MusicPlayer inPlayer);
OSStatus MusicPlayerStop(MusicPlayer inPlayer);
OSStatus MusicPlayerIsPlaying(MusicPlayer inPlayer, Boolean *outIsPlaying);
OSStatus MusicPlayerSetPlayRateScalar(MusicPlayer inPlayer, Float64 inScaleRate);
OSStatus MusicPlayerGetPlayRateScalar(MusicPlayer inPlayer, Float64 *outScaleRate);
OSStatus NewMusicSequence(MusicSequence _Nullable *_Nonnull outSequence);
OSStatus DisposeMusicSequence(MusicSequence inSequence);
OSStatus MusicSequenceNewTrack(MusicSequence inSequence, MusicTrack _Nullable *_Nonnull outTrack);
OSStatus MusicSequenceDisposeTrack(MusicSequence inSequence, MusicTrack inTrack);
OSStatus MusicSequenceGetTrackCount(MusicSequence inSequence, UInt32 *outNumberOfTracks);
OSStatus MusicSequenceGetIndTrack(MusicSequence inSequence, UInt32 inTrackIndex, MusicTrack _Nullable *_Nonnull outTrack);
OSStatus MusicSequenceGetTrackIndex(MusicSequence inSequence, MusicTrack inTrack, UInt32 *outTrackIndex);
OSStatus MusicSequenceGetTempoTrack(MusicSequence inSequence, MusicTrack _Nullable *_Nonnull outTrack);
OSStatus MusicSequenceSetAUGraph(MusicSequence inSequence, AUGraph _Nullable inGraph);
OSStatus MusicSequenceGetAUGraph(MusicSequence inSequence, AUGraph _Nullable *_Nonnull outGraph);
OSStatus MusicSequenceSetMIDIEndpoint(MusicSequence inSequence, MIDIEndpointRef inEndpoint);
OSStatus MusicSequenceSetSequenceType(MusicSequence inSequence, MusicSequenceType inType);
OSStatus MusicSequenceGetSequenceType(MusicSequence inSequence, MusicSequenceType *outType);
OSStatus MusicSequenceSetUserCallback(
    MusicSequence inSequence, MusicSequenceUserCallback _Nullable inCallback, void *_Nullable inClientData);
OSStatus MusicSequenceGetSecondsForBeats(MusicSequence inSequence, MusicTimeStamp inBeats, Float64 *outSeconds);
OSStatus MusicSequenceGetBeatsForSeconds(MusicSequence inSequence, Float64 inSeconds, MusicTimeStamp *outBeats);
OSStatus MusicSequenceBeatsToBarBeatTime(
    MusicSequence inSequence, MusicTimeStamp inBeats, UInt32 inSubbeatDivisor, CABarBeatTime *outBarBeatTime);
OSStatus MusicSequenceBarBeatTimeToBeats(
    MusicSequence inSequence, const CABarBeatTime *inBarBeatTime, MusicTimeStamp *outBeats);
OSStatus MusicSequenceReverse(MusicSequence inSequence);
SInt16 MusicSequenceSetSMPTEResolution(SInt8 fps, UInt8 ticks);
void MusicSequenceGetSMPTEResolution(SInt16 inRes, SInt8 *fps, UInt8 *ticks);
OSStatus MusicTrackGetSequence(MusicTrack inTrack, MusicSequence _Nullable *_Nonnull outSequence);
OSStatus MusicTrackSetDestNode(MusicTrack inTrack, AUNode inNode);
OSStatus MusicTrackSetDestMIDIEndpoint(MusicTrack inTrack, MIDIEndpointRef inEndpoint);
OSStatus MusicTrackGetDestNode(MusicTrack inTrack, AUNode *outNode);
OSStatus MusicTrackGetDestMIDIEndpoint(MusicTrack inTrack, MIDIEndpointRef *outEndpoint);
OSStatus MusicTrackSetProperty(MusicTrack inTrack, UInt32 inPropertyID, void *inData, UInt32 inLength);
OSStatus MusicTrackGetProperty(MusicTrack inTrack, UInt32 inPropertyID, void *_Nullable outData, UInt32 *ioLength);
OSStatus MusicTrackMoveEvents(
    MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime, MusicTimeStamp inMoveTime);
OSStatus MusicTrackClear(MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime);
OSStatus MusicTrackCut(MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime);
OSStatus MusicTrackCopyInsert(
    MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime, MusicTimeStamp inSourceEndTime, MusicTrack inDestTrack,
    MusicTimeStamp inDestInsertTime);
OSStatus MusicTrackMerge(
    MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime, MusicTimeStamp inSourceEndTime, MusicTrack inDestTrack,
    MusicTimeStamp inDestInsertTime);
OSStatus MusicTrackNewMIDINoteEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, const MIDINoteMessage *inMessage);
OSStatus MusicTrackNewMIDIChannelEvent(
    MusicTrack inTrack, MusicTimeStamp inTimeStamp, const MIDIChannelMessage *inMessage);
OSStatus MusicTrackNewMIDIRawDataEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, const MIDIRawData *inRawData);
OSStatus MusicTrackNewExtendedNoteEvent(
    MusicTrack inTrack, MusicTimeStamp inTimeStamp, const ExtendedNoteOnEvent *inInfo);
OSStatus MusicTrackNewParameterEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, const ParameterEvent *inInfo);
OSStatus MusicTrackNewExtendedTempoEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, Float64 inBPM);
OSStatus MusicTrackNewMetaEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, const MIDIMetaEvent *inMetaEvent);
OSStatus MusicTrackNewUserEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, const MusicEventUserData *inUserData);
OSStatus MusicTrackNewAUPresetEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp, const AUPresetEvent *inPresetEvent);
OSStatus NewMusicEventIterator(MusicTrack inTrack, MusicEventIterator _Nullable *_Nonnull outIterator);
OSStatus DisposeMusicEventIterator(MusicEventIterator inIterator);
OSStatus MusicEventIteratorSeek(MusicEventIterator inIterator, MusicTimeStamp inTimeStamp);
OSStatus MusicEventIteratorNextEvent(MusicEventIterator inIterator);
OSStatus MusicEventIteratorPreviousEvent(MusicEventIterator inIterator);
OSStatus MusicEventIteratorGetEventInfo(
    MusicEventIterator inIterator, MusicTimeStamp *outTimeStamp, MusicEventType *outEventType,
    const void *_Nullable *_Nonnull outEventData, UInt32 *outEventDataSize);
OSStatus MusicEventIteratorSetEventInfo(
    MusicEventIterator inIterator, MusicEventType inEventType, const void *inEventData);
OSStatus MusicEventIteratorSetEventTime(MusicEventIterator inIterator, MusicTimeStamp inTimeStamp);
OSStatus MusicEventIteratorDeleteEvent(MusicEventIterator inIterator);
OSStatus MusicEventIteratorHasPreviousEvent(MusicEventIterator inIterator, Boolean *outHasPrevEvent);
OSStatus MusicEventIteratorHasNextEvent(MusicEventIterator inIterator, Boolean *outHasNextEvent);
OSStatus MusicEventIteratorHasCurrentEvent(MusicEventIterator inIterator, Boolean *outHasCurEvent);
#ifdef __cplusplus
}
#endif
#endif

#pragma clang assume_nonnull end
