// Offsets are part of Apple's interface: files and other languages count on them.
#include <CoreAudioTypes/CoreAudioTypes.h>

_Static_assert(sizeof(AudioStreamBasicDescription) == 40 && offsetof(AudioStreamBasicDescription, mBytesPerPacket) == 16, "");
_Static_assert(sizeof(AudioBufferList) == 24 && offsetof(AudioBufferList, mBuffers) == 8 && sizeof(AudioBuffer) == 16, "");
_Static_assert(sizeof(AudioTimeStamp) == 64 && offsetof(AudioTimeStamp, mFlags) == 56 && sizeof(SMPTETime) == 24, "");
_Static_assert(sizeof(AudioStreamPacketDescription) == 16 && sizeof(AudioClassDescription) == 12, "");
_Static_assert(sizeof(AudioChannelLayout) == 32 && offsetof(AudioChannelLayout, mChannelDescriptions) == 12, "");
_Static_assert(sizeof(AudioChannelDescription) == 20 && sizeof(AudioFormatListItem) == 48, "");
