// Programs in C in the manner of Apple's Audio Unit Hosting Guide, for the tests. Each answers the first error, or 0.
#pragma once

#include <AudioToolbox/AudioToolbox.h>

// An output unit, found and made by its description, whose callback makes a tone of 440 Hz in whole numbers of 16 bits.
OSStatus renderToneOfUnit(Float32 *_Nonnull left, Float32 *_Nonnull right, UInt32 frames);

// A graph of a mixer and an output: two inputs call back, one is turned down; then an equalizer is put between while it runs.
OSStatus renderTonesOfGraph(Float32 *_Nonnull before, Float32 *_Nonnull after, UInt32 frames);
