// Thru connections. Names and values are Apple's, from the public documentation.
#pragma once

#include <CoreMIDI/MIDIServices.h>

#pragma clang assume_nonnull begin

typedef MIDIObjectRef MIDIThruConnectionRef;

typedef CF_ENUM(UInt16, MIDITransformType) {
    kMIDITransform_None = 0,
    kMIDITransform_FilterOut = 1,
    kMIDITransform_MapControl = 2,
    kMIDITransform_Add = 8,
    kMIDITransform_Scale = 9,
    kMIDITransform_MinValue = 10,
    kMIDITransform_MaxValue = 11,
    kMIDITransform_MapValue = 12,
};

typedef CF_ENUM(UInt8, MIDITransformControlType) {
    kMIDIControlType_7Bit = 0,
    kMIDIControlType_14Bit = 1,
    kMIDIControlType_7BitRPN = 2,
    kMIDIControlType_14BitRPN = 3,
    kMIDIControlType_7BitNRPN = 4,
    kMIDIControlType_14BitNRPN = 5,
};

enum {
    kMIDIThruConnection_MaxEndpoints = 8,
};

typedef struct MIDIValueMap {
    UInt8 value[128];
} MIDIValueMap;

typedef struct MIDITransform {
    MIDITransformType transform;
    SInt16 param;
} MIDITransform;

typedef struct MIDIControlTransform {
    MIDITransformControlType controlType;
    MIDITransformControlType remappedControlType;
    UInt16 controlNumber;
    MIDITransformType transform;
    SInt16 param;
} MIDIControlTransform;

typedef struct MIDIThruConnectionEndpoint {
    MIDIEndpointRef endpointRef;
    MIDIUniqueID uniqueID;
} MIDIThruConnectionEndpoint;

typedef struct MIDIThruConnectionParams {
    UInt32 version;
    UInt32 numSources;
    MIDIThruConnectionEndpoint sources[8];
    UInt32 numDestinations;
    MIDIThruConnectionEndpoint destinations[8];
    UInt8 channelMap[16];
    UInt8 lowVelocity, highVelocity;
    UInt8 lowNote, highNote;
    MIDITransform noteNumber;
    MIDITransform velocity;
    MIDITransform keyPressure;
    MIDITransform channelPressure;
    MIDITransform programChange;
    MIDITransform pitchBend;
    UInt8 filterOutSysEx;
    UInt8 filterOutMTC;
    UInt8 filterOutBeatClock;
    UInt8 filterOutTuneRequest;
    UInt8 reserved2[3];
    UInt8 filterOutAllControls;
    UInt16 numControlTransforms;
    UInt16 numMaps;
    UInt16 reserved3[4];
} MIDIThruConnectionParams;

#pragma clang assume_nonnull end
