// Offsets are part of Apple's interface.
#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/AudioFormat.h>
#include <AudioToolbox/AudioQueue.h>
#include <AudioToolbox/AudioUnitParameters.h>
#include <AudioToolbox/AudioUnitProperties.h>
#include <AudioToolbox/ExtendedAudioFile.h>
#include <AudioToolbox/MusicDevice.h>

_Static_assert(sizeof(AudioFilePacketTableInfo) == 16 && sizeof(AudioFramePacketTranslation) == 24, "");
_Static_assert(sizeof(AudioBytePacketTranslation) == 24 && sizeof(AudioFileTypeAndFormatID) == 8, "");
_Static_assert(sizeof(AudioConverterPrimeInfo) == 8 && sizeof(AudioFormatInfo) == 56, "");
_Static_assert(sizeof(AudioComponentDescription) == 20 && sizeof(AURenderCallbackStruct) == 16, "");
_Static_assert(sizeof(AudioUnitConnection) == 16 && sizeof(ScheduledAudioFileRegion) == 112, "");
_Static_assert(sizeof(AudioQueueBuffer) == 56 && sizeof(AudioQueueLevelMeterState) == 8, "");
