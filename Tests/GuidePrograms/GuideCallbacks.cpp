#include "GuidePrograms.h"

OSStatus makeSilence(
    void *, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *) {
    *ioActionFlags |= kAudioUnitRenderAction_OutputIsSilence;
    return noErr;
}
