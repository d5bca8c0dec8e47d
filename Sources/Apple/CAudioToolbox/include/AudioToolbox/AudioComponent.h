// Audio Component Services. Names and values are Apple's, from the public documentation.
#pragma once

#include <CoreAudioTypes/CoreAudioTypes.h>

#pragma clang assume_nonnull begin

typedef CF_OPTIONS(UInt32, AudioComponentFlags) {
    kAudioComponentFlag_Unsearchable = 1,
    kAudioComponentFlag_SandboxSafe = 2,
    kAudioComponentFlag_IsV3AudioUnit = 4,
    kAudioComponentFlag_RequiresAsyncInstantiation = 8,
    kAudioComponentFlag_CanLoadInProcess = 16,
};

typedef struct AudioComponentDescription {
    OSType componentType;
    OSType componentSubType;
    OSType componentManufacturer;
    UInt32 componentFlags;
    UInt32 componentFlagsMask;
} AudioComponentDescription;

typedef struct OpaqueAudioComponent *AudioComponent;

// Complete, so that an audio unit and a graph are pointers of two types.
typedef struct ComponentInstanceRecord {
    long data[1];
} ComponentInstanceRecord;
typedef ComponentInstanceRecord *AudioComponentInstance;

typedef OSStatus (*AudioComponentMethod)(void *self, ...);

typedef struct AudioComponentPlugInInterface {
    OSStatus (*Open)(void *self, AudioComponentInstance mInstance);
    OSStatus (*Close)(void *self);
    AudioComponentMethod _Nullable (*_Nonnull Lookup)(SInt16 selector);
    void *_Nullable reserved;
} AudioComponentPlugInInterface;

typedef AudioComponentPlugInInterface *_Nullable (*AudioComponentFactoryFunction)(const AudioComponentDescription *inDesc);

CF_TYPED_CONSTANTS(OSStatus) {
    kAudioComponentErr_InstanceTimedOut = -66754,
    kAudioComponentErr_DuplicateDescription = -66752,
    kAudioComponentErr_UnsupportedType = -66751,
    kAudioComponentErr_TooManyInstances = -66750,
    kAudioComponentErr_InstanceInvalidated = -66749,
    kAudioComponentErr_NotPermitted = -66748,
    kAudioComponentErr_InitializationTimedOut = -66747,
    kAudioComponentErr_InvalidFormat = -66746,
};

#ifndef __swift__
// The calls, which the Swift module has too.
#ifdef __cplusplus
extern "C" {
#endif
AudioComponent _Nullable AudioComponentFindNext(
    AudioComponent _Nullable inComponent, const AudioComponentDescription *inDesc);
UInt32 AudioComponentCount(const AudioComponentDescription *inDesc);
OSStatus AudioComponentGetDescription(AudioComponent inComponent, AudioComponentDescription *outDesc);
OSStatus AudioComponentGetVersion(AudioComponent inComponent, UInt32 *outVersion);
OSStatus AudioComponentInstanceNew(AudioComponent inComponent, AudioComponentInstance _Nullable *_Nonnull outInstance);
OSStatus AudioComponentInstanceDispose(AudioComponentInstance inInstance);
AudioComponent _Nullable AudioComponentInstanceGetComponent(AudioComponentInstance inInstance);
#ifdef __cplusplus
}
#endif
#endif

#pragma clang assume_nonnull end
