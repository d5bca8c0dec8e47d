// Graphs of audio units. Names and values are Apple's, from the public documentation.
#pragma once

#include <AudioToolbox/AUComponent.h>

#pragma clang assume_nonnull begin

typedef struct OpaqueAUGraph *AUGraph;
typedef SInt32 AUNode;

CF_TYPED_CONSTANTS(OSStatus) {
    kAUGraphErr_NodeNotFound = -10860,
    kAUGraphErr_InvalidConnection = -10861,
    kAUGraphErr_OutputNodeErr = -10862,
    kAUGraphErr_CannotDoInCurrentContext = -10863,
    kAUGraphErr_InvalidAudioUnit = -10864,
};

#pragma clang assume_nonnull end
