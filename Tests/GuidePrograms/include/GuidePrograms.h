// Programs in C in the manner of Apple's Audio Unit Hosting Guide, for the tests. Each answers the first error, or 0.
#pragma once

#include <AudioToolbox/AudioToolbox.h>

#ifdef __cplusplus
extern "C" {
#endif

// An output unit, found and made by its description, whose callback makes a tone of 440 Hz in whole numbers of 16 bits.
OSStatus renderToneOfUnit(Float32 *_Nonnull left, Float32 *_Nonnull right, UInt32 frames);

// A graph of a mixer and an output: two inputs call back, one is turned down; then an equalizer is put between while it runs.
OSStatus renderTonesOfGraph(Float32 *_Nonnull before, Float32 *_Nonnull after, UInt32 frames);

// A callback in C++, which says that it is silent.
OSStatus makeSilence(
    void *_Nullable inRefCon, AudioUnitRenderActionFlags *_Nonnull ioActionFlags, const AudioTimeStamp *_Nonnull inTimeStamp,
    UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);

#ifdef __cplusplus
}
#endif
