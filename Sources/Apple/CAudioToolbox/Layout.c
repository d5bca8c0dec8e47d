// Offsets are part of Apple's interface.
#include <AudioToolbox/AudioFormat.h>
#include <AudioToolbox/ExtendedAudioFile.h>

_Static_assert(sizeof(AudioFilePacketTableInfo) == 16 && sizeof(AudioFramePacketTranslation) == 24, "");
_Static_assert(sizeof(AudioBytePacketTranslation) == 24 && sizeof(AudioFileTypeAndFormatID) == 8, "");
_Static_assert(sizeof(AudioConverterPrimeInfo) == 8 && sizeof(AudioFormatInfo) == 56, "");
