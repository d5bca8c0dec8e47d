// Offsets are part of Apple's interface.
#include <CoreMIDI/MIDIMessages.h>
#include <CoreMIDI/MIDIThruConnection.h>

_Static_assert(sizeof(MIDIPacket) == 268 && offsetof(MIDIPacket, data) == 10, "");
_Static_assert(sizeof(MIDIPacketList) == 272 && offsetof(MIDIPacketList, packet) == 4, "");
_Static_assert(sizeof(MIDIEventPacket) == 268 && sizeof(MIDIEventList) == 276, "");
_Static_assert(sizeof(MIDIObjectAddRemoveNotification) == 24 && sizeof(MIDIIOErrorNotification) == 16, "");
_Static_assert(sizeof(MIDISysexSendRequest) == 40 && sizeof(MIDIThruConnectionParams) == 204, "");
