#include "GuidePrograms.h"

#include <AudioUnit/AudioUnit.h>
#include <math.h>
#include <string.h>

typedef struct Tone {
    double phase;
    double frequency;
    double rate;
} Tone;

static AudioComponentDescription describe(OSType type, OSType subtype) {
    AudioComponentDescription description = {0};
    description.componentType = type;
    description.componentSubType = subtype;
    description.componentManufacturer = kAudioUnitManufacturer_Apple;
    return description;
}

static OSStatus makeTone(
    void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
    UInt32 inNumberFrames, AudioBufferList *ioData) {
    Tone *tone = inRefCon;
    SInt16 *samples = ioData->mBuffers[0].mData;
    for (UInt32 frame = 0; frame < inNumberFrames; frame++) {
        SInt16 sample = (SInt16)lround(16384 * sin(tone->phase));
        samples[2 * frame] = sample;
        samples[2 * frame + 1] = sample;
        tone->phase += 2 * M_PI * tone->frequency / tone->rate;
    }
    return noErr;
}

static AudioStreamBasicDescription integers(void) {
    AudioStreamBasicDescription format = {0};
    format.mSampleRate = 44100;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    format.mBytesPerPacket = 4;
    format.mFramesPerPacket = 1;
    format.mBytesPerFrame = 4;
    format.mChannelsPerFrame = 2;
    format.mBitsPerChannel = 16;
    return format;
}

// Renders the end of a plan in slices of 512 frames.
static OSStatus render(AudioUnit unit, Float32 *left, Float32 *right, UInt32 frames) {
    struct {
        AudioBufferList list;
        AudioBuffer second;
    } buffers;
    AudioTimeStamp time = {0};
    time.mFlags = kAudioTimeStampSampleTimeValid;
    for (UInt32 done = 0; done < frames;) {
        UInt32 count = frames - done < 512 ? frames - done : 512;
        Float32 *places[2] = {left + done, right + done};
        buffers.list.mNumberBuffers = 2;
        for (int channel = 0; channel < 2; channel++) {
            AudioBuffer *buffer = &buffers.list.mBuffers[0] + channel;
            buffer->mNumberChannels = 1;
            buffer->mDataByteSize = count * sizeof(Float32);
            buffer->mData = places[channel];
        }
        AudioUnitRenderActionFlags flags = 0;
        OSStatus status = AudioUnitRender(unit, &flags, &time, 0, count, &buffers.list);
        if (status != noErr) return status;
        time.mSampleTime += count;
        done += count;
    }
    return noErr;
}

OSStatus renderToneOfUnit(Float32 *left, Float32 *right, UInt32 frames) {
    AudioComponentDescription description = describe(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    AudioComponent component = AudioComponentFindNext(NULL, &description);
    if (component == NULL) return kAudioUnitErr_InvalidElement;
    AudioUnit unit;
    OSStatus status = AudioComponentInstanceNew(component, &unit);
    if (status != noErr) return status;

    Tone tone = {0, 440, 44100};
    AURenderCallbackStruct callback = {makeTone, &tone};
    AudioStreamBasicDescription format = integers();
    status = AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof(callback));
    if (status == noErr) {
        status = AudioUnitSetProperty(
            unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format));
    }
    UInt32 size = sizeof(format);
    AudioStreamBasicDescription found;
    if (status == noErr) {
        status = AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &found, &size);
    }
    if (status == noErr && memcmp(&format, &found, sizeof(format)) != 0) status = kAudioUnitErr_FormatNotSupported;
    if (status == noErr) status = AudioUnitInitialize(unit);
    if (status == noErr) status = render(unit, left, right, frames);
    AudioUnitUninitialize(unit);
    AudioComponentInstanceDispose(unit);
    return status;
}

static OSStatus makeGraph(AUGraph graph, Tone *tones, AUNode *mixerNode, AUNode *outputNode, Float32 *before, UInt32 frames) {
    AudioComponentDescription output = describe(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
    AudioComponentDescription mixer = describe(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
    AudioUnit mixerUnit, outputUnit;
    OSStatus status = AUGraphAddNode(graph, &output, outputNode);
    if (status == noErr) status = AUGraphAddNode(graph, &mixer, mixerNode);
    if (status == noErr) status = AUGraphOpen(graph);
    if (status == noErr) status = AUGraphNodeInfo(graph, *mixerNode, NULL, &mixerUnit);
    if (status == noErr) status = AUGraphNodeInfo(graph, *outputNode, NULL, &outputUnit);
    UInt32 buses = 2;
    if (status == noErr) {
        status = AudioUnitSetProperty(
            mixerUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &buses, sizeof(buses));
    }
    AudioStreamBasicDescription format = integers();
    for (UInt32 bus = 0; bus < buses && status == noErr; bus++) {
        AURenderCallbackStruct callback = {makeTone, &tones[bus]};
        status = AUGraphSetNodeInputCallback(graph, *mixerNode, bus, &callback);
        if (status == noErr) {
            status = AudioUnitSetProperty(
                mixerUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus, &format, sizeof(format));
        }
    }
    if (status == noErr) status = AUGraphConnectNodeInput(graph, *mixerNode, 0, *outputNode, 0);
    if (status == noErr) status = AUGraphInitialize(graph);
    if (status == noErr) {
        status = AudioUnitSetParameter(mixerUnit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 1, 0, 0);
    }
    return status == noErr ? render(outputUnit, before, before + frames, frames) : status;
}

OSStatus renderTonesOfGraph(Float32 *before, Float32 *after, UInt32 frames) {
    AUGraph graph;
    AUNode mixerNode, outputNode, equalizerNode;
    AudioUnit outputUnit, equalizerUnit;
    Tone tones[2] = {{0, 440, 44100}, {0, 3000, 44100}};
    OSStatus status = NewAUGraph(&graph);
    if (status == noErr) status = makeGraph(graph, tones, &mixerNode, &outputNode, before, frames);

    AudioComponentDescription equalizer = describe(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ);
    Boolean isUpdated = false, isInitialized = false;
    if (status == noErr) status = AUGraphIsInitialized(graph, &isInitialized);
    if (status == noErr && !isInitialized) status = kAudioUnitErr_Uninitialized;
    if (status == noErr) status = AUGraphDisconnectNodeInput(graph, outputNode, 0);
    if (status == noErr) status = AUGraphAddNode(graph, &equalizer, &equalizerNode);
    if (status == noErr) status = AUGraphNodeInfo(graph, equalizerNode, NULL, &equalizerUnit);
    if (status == noErr) {
        status = AudioUnitSetParameter(equalizerUnit, kAUNBandEQParam_GlobalGain, kAudioUnitScope_Global, 0, -20, 0);
    }
    if (status == noErr) status = AUGraphConnectNodeInput(graph, mixerNode, 0, equalizerNode, 0);
    if (status == noErr) status = AUGraphConnectNodeInput(graph, equalizerNode, 0, outputNode, 0);
    if (status == noErr) status = AUGraphUpdate(graph, &isUpdated);
    if (status == noErr && !isUpdated) status = kAUGraphErr_CannotDoInCurrentContext;
    if (status == noErr) status = AUGraphNodeInfo(graph, outputNode, NULL, &outputUnit);
    if (status == noErr) status = render(outputUnit, after, after + frames, frames);
    DisposeAUGraph(graph);
    return status;
}
