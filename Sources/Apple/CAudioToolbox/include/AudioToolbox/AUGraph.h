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

#ifndef __swift__
// The calls, which the Swift module has too.
#ifdef __cplusplus
extern "C" {
#endif
OSStatus NewAUGraph(AUGraph _Nullable *_Nonnull outGraph);
OSStatus DisposeAUGraph(AUGraph inGraph);
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription, AUNode *outNode);
OSStatus AUGraphNewNodeSubGraph(AUGraph inGraph, AUNode *outNode);
OSStatus AUGraphGetNodeInfoSubGraph(AUGraph inGraph, AUNode inNode, AUGraph _Nullable *_Nonnull outSubGraph);
OSStatus AUGraphIsNodeSubGraph(AUGraph inGraph, AUNode inNode, Boolean *outFlag);
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);
OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);
OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);
OSStatus AUGraphNodeInfo(
    AUGraph inGraph, AUNode inNode, AudioComponentDescription *_Nullable outDescription,
    AudioUnit _Nullable *_Nullable outAudioUnit);
OSStatus AUGraphConnectNodeInput(
    AUGraph inGraph, AUNode inSourceNode, UInt32 inSourceOutputNumber, AUNode inDestNode, UInt32 inDestInputNumber);
OSStatus AUGraphSetNodeInputCallback(
    AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber, const AURenderCallbackStruct *inInputCallback);
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);
OSStatus AUGraphClearConnections(AUGraph inGraph);
OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);
OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *_Nullable outIsUpdated);
OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *_Nullable inRefCon);
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *_Nullable inRefCon);
OSStatus AUGraphOpen(AUGraph inGraph);
OSStatus AUGraphClose(AUGraph inGraph);
OSStatus AUGraphInitialize(AUGraph inGraph);
OSStatus AUGraphUninitialize(AUGraph inGraph);
OSStatus AUGraphStart(AUGraph inGraph);
OSStatus AUGraphStop(AUGraph inGraph);
OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen);
OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized);
OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning);
void CAShow(void *inObject);
#ifdef __cplusplus
}
#endif
#endif

#pragma clang assume_nonnull end
