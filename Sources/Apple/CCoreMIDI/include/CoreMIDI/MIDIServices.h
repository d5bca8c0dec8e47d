// MIDI Services: what callbacks pass, and constants. Names and values are Apple's, from the public documentation.
#pragma once

#include <MacTypes.h>

#pragma clang assume_nonnull begin

typedef UInt32 MIDIObjectRef;
typedef MIDIObjectRef MIDIClientRef;
typedef MIDIObjectRef MIDIPortRef;
typedef MIDIObjectRef MIDIDeviceRef;
typedef MIDIObjectRef MIDIEntityRef;
typedef MIDIObjectRef MIDIEndpointRef;
typedef UInt64 MIDITimeStamp;
typedef SInt32 MIDIUniqueID;

CF_TYPED_CONSTANTS(OSStatus) {
    kMIDIInvalidClient = -10830,
    kMIDIInvalidPort = -10831,
    kMIDIWrongEndpointType = -10832,
    kMIDINoConnection = -10833,
    kMIDIUnknownEndpoint = -10834,
    kMIDIUnknownProperty = -10835,
    kMIDIWrongPropertyType = -10836,
    kMIDINoCurrentSetup = -10837,
    kMIDIMessageSendErr = -10838,
    kMIDIServerStartErr = -10839,
    kMIDISetupFormatErr = -10840,
    kMIDIWrongThread = -10841,
    kMIDIObjectNotFound = -10842,
    kMIDIIDNotUnique = -10843,
    kMIDINotPermitted = -10844,
    kMIDIUnknownError = -10845,
};

CF_TYPED_CONSTANTS(MIDIUniqueID) {
    kMIDIInvalidUniqueID = 0,
};

typedef CF_ENUM(SInt32, MIDIObjectType) {
    kMIDIObjectType_Other = -1,
    kMIDIObjectType_Device = 0,
    kMIDIObjectType_Entity = 1,
    kMIDIObjectType_Source = 2,
    kMIDIObjectType_Destination = 3,
    kMIDIObjectType_ExternalDevice = 0x10,
    kMIDIObjectType_ExternalEntity = 0x11,
    kMIDIObjectType_ExternalSource = 0x12,
    kMIDIObjectType_ExternalDestination = 0x13,
};

typedef CF_ENUM(SInt32, MIDINotificationMessageID) {
    kMIDIMsgSetupChanged = 1,
    kMIDIMsgObjectAdded = 2,
    kMIDIMsgObjectRemoved = 3,
    kMIDIMsgPropertyChanged = 4,
    kMIDIMsgThruConnectionsChanged = 5,
    kMIDIMsgSerialPortOwnerChanged = 6,
    kMIDIMsgIOError = 7,
};

typedef CF_ENUM(SInt32, MIDIProtocolID) {
    kMIDIProtocol_1_0 = 1,
    kMIDIProtocol_2_0 = 2,
};

#pragma pack(push, 4)

typedef struct MIDIPacket {
    MIDITimeStamp timeStamp;
    UInt16 length;
    Byte data[256];
} MIDIPacket;

typedef struct MIDIPacketList {
    UInt32 numPackets;
    MIDIPacket packet[1];
} MIDIPacketList;

typedef struct MIDIEventPacket {
    MIDITimeStamp timeStamp;
    UInt32 wordCount;
    UInt32 words[64];
} MIDIEventPacket;

typedef struct MIDIEventList {
    MIDIProtocolID protocol;
    UInt32 numPackets;
    MIDIEventPacket packet[1];
} MIDIEventList;

#pragma pack(pop)

typedef struct MIDINotification {
    MIDINotificationMessageID messageID;
    UInt32 messageSize;
} MIDINotification;

typedef struct MIDIObjectAddRemoveNotification {
    MIDINotificationMessageID messageID;
    UInt32 messageSize;
    MIDIObjectRef parent;
    MIDIObjectType parentType;
    MIDIObjectRef child;
    MIDIObjectType childType;
} MIDIObjectAddRemoveNotification;

typedef struct MIDIIOErrorNotification {
    MIDINotificationMessageID messageID;
    UInt32 messageSize;
    MIDIDeviceRef driverDevice;
    OSStatus errorCode;
} MIDIIOErrorNotification;

typedef void (*MIDINotifyProc)(const MIDINotification *message, void *_Nullable refCon);
typedef void (*MIDIReadProc)(
    const MIDIPacketList *pktlist, void *_Nullable readProcRefCon, void *_Nullable srcConnRefCon);

struct MIDISysexSendRequest;
typedef void (*MIDICompletionProc)(struct MIDISysexSendRequest *request);

typedef struct MIDISysexSendRequest {
    MIDIEndpointRef destination;
    const Byte *data;
    UInt32 bytesToSend;
    // A Boolean of one byte: the caller may set it to stop.
    bool complete;
    Byte reserved[3];
    MIDICompletionProc completionProc;
    void *_Nullable completionRefCon;
} MIDISysexSendRequest;

#pragma clang assume_nonnull end
