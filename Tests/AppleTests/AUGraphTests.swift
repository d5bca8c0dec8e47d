import AudioToolbox
import Testing

@testable import AudioFiles

/// Graphs of audio units by Apple's calls.
@Suite struct AUGraphTests {
    @Test func errorsAreApples() throws {
        let rig = try GraphRig(), output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        let delay = try rig.add(kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        let limiter = try rig.add(kAudioUnitType_Effect, kAudioUnitSubType_PeakLimiter)
        var second = AudioComponentDescription(), node: AUNode = 0
        second.componentType = kAudioUnitType_Output
        #expect(AUGraphAddNode(rig.graph, &second, &node) == kAUGraphErr_OutputNodeErr)
        second.componentType = 1
        #expect(AUGraphAddNode(rig.graph, &second, &node) == kAUGraphErr_InvalidAudioUnit)
        #expect(AUGraphConnectNodeInput(rig.graph, 99, 0, output, 0) == kAUGraphErr_NodeNotFound)
        #expect(AUGraphConnectNodeInput(rig.graph, delay, 0, limiter, 0) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, limiter, 0, delay, 0) == kAUGraphErr_InvalidConnection)
        #expect(AUGraphConnectNodeInput(rig.graph, delay, 0, output, 0) == kAUGraphErr_InvalidConnection)
        #expect(AUGraphConnectNodeInput(rig.graph, limiter, 0, output, 0) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, limiter, 0, output, 0) == kAUGraphErr_InvalidConnection)
        #expect(AUGraphInitialize(rig.graph) == kAUGraphErr_CannotDoInCurrentContext)
        #expect(AUGraphStart(rig.graph) == kAudioUnitErr_Uninitialized)
        #expect(AUGraphOpen(rig.graph) == noErr && AUGraphInitialize(rig.graph) == noErr)
        #expect(AUGraphDisconnectNodeInput(rig.graph, delay, 0) == kAUGraphErr_InvalidConnection)
        var isRunning: DarwinBoolean = true, count: UInt32 = 0
        #expect(AUGraphIsRunning(rig.graph, &isRunning) == noErr && !isRunning.boolValue)
        #expect(AUGraphGetNodeCount(rig.graph, &count) == noErr && count == 3)
        let unit = try rig.unit(delay).unit
        #expect(AudioComponentInstanceDispose(unit) == kAudioUnitErr_CannotDoInCurrentContext)
        #expect(AUGraphClose(rig.graph) == noErr)
        #expect(AudioUnitInitialize(unit) == kAudioComponentErr_InstanceInvalidated)
        #expect(AUGraphIsRunning(OpaquePointer(bitPattern: 0x30)!, &isRunning) == kAudio_ParamError)
    }

    /// An effect that is inserted while the graph renders comes without a step beyond that of the sine and its fade.
    @Test func updateChangesWhileItSounds() throws {
        let rig = try GraphRig(), output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        let mixer = try rig.add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        #expect(AUGraphOpen(rig.graph) == noErr)
        let source = SineSource(pcm(16, integer)), end = try rig.unit(output)
        try rig.unit(mixer).set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, source.format)
        var callback = AURenderCallbackStruct(inputProc: SineSource.proc, inputProcRefCon: source.pointer)
        #expect(AUGraphSetNodeInputCallback(rig.graph, mixer, 0, &callback) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, mixer, 0, output, 0) == noErr)
        #expect(AUGraphInitialize(rig.graph) == noErr)
        var sound = try end.render(4_000)[0]
        #expect(sound.indices.allSatisfy { abs(Double(sound[$0]) - SineSource.value($0, 44_100)) < 1e-4 })
        let equalizer = try rig.add(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ)
        #expect(AUGraphDisconnectNodeInput(rig.graph, output, 0) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, mixer, 0, equalizer, 0) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, equalizer, 0, output, 0) == noErr)
        sound += try end.render(1_000)[0]
        var isUpdated: DarwinBoolean = false
        let unit = try rig.unit(equalizer).unit
        #expect(AudioUnitSetParameter(unit, kAUNBandEQParam_GlobalGain, 0, 0, -20, 0) == noErr)
        #expect(AUGraphUpdate(rig.graph, &isUpdated) == noErr && isUpdated.boolValue)
        sound += try end.render(8_000)[0]
        let peak = sound.suffix(2_000).map(abs).max() ?? 0
        #expect(abs(peak - 0.05) < 0.002)
        let steepest = 0.5 * 2 * Float.pi * 440 / 44_100 + 1 / 256
        let step = zip(sound, sound.dropFirst()).map { abs($0 - $1) }.enumerated().max { $0.element < $1.element }
        #expect(step?.element ?? 1 < steepest, "\(String(describing: step))")
    }

    /// A delay within a graph of its own sounds as it does in the graph itself, and goes with it.
    @Test func graphsStandInGraphs() throws {
        let rig = try GraphRig(), output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        let mixer = try rig.add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        var node: AUNode = 0, made: AUGraph?, flag: DarwinBoolean = false, inner: AUNode = 0, delay: AUNode = 0
        #expect(AUGraphNewNodeSubGraph(rig.graph, &node) == noErr)
        #expect(AUGraphGetNodeInfoSubGraph(rig.graph, mixer, &made) == kAUGraphErr_NodeNotFound)
        #expect(AUGraphGetNodeInfoSubGraph(rig.graph, node, &made) == noErr)
        #expect(AUGraphIsNodeSubGraph(rig.graph, node, &flag) == noErr && flag.boolValue)
        let within = try #require(made)
        #expect(AUGraphOpen(rig.graph) == noErr && AUGraphConnectNodeInput(rig.graph, mixer, 0, output, 0) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, mixer, 0, node, 0) == kAUGraphErr_InvalidConnection)
        #expect(AUGraphConnectNodeInput(rig.graph, node, 0, mixer, 0) == noErr)
        #expect(AUGraphInitialize(rig.graph) == kAUGraphErr_OutputNodeErr)
        var description = AudioComponentDescription()
        (description.componentType, description.componentSubType) = (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        #expect(AUGraphAddNode(within, &description, &inner) == noErr)
        (description.componentType, description.componentSubType) = (kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        #expect(AUGraphAddNode(within, &description, &delay) == noErr)
        #expect(AUGraphConnectNodeInput(within, delay, 0, inner, 0) == noErr)
        let source = SineSource(pcm(32, float, planar: true)), unit = try rig.unit(output)
        var callback = AURenderCallbackStruct(inputProc: SineSource.proc, inputProcRefCon: source.pointer), echo: AudioUnit?
        #expect(AUGraphSetNodeInputCallback(within, delay, 0, &callback) == noErr)
        #expect(AUGraphNodeInfo(within, delay, nil, &echo) == noErr)
        #expect(AudioUnitSetParameter(try #require(echo), kDelayParam_WetDryMix, 0, 0, 100, 0) == noErr)
        #expect(AudioUnitSetParameter(try #require(echo), kDelayParam_DelayTime, 0, 0, 0.1, 0) == noErr)
        #expect(AUGraphInitialize(rig.graph) == noErr)
        let sound = try unit.render(20_000)[0]
        #expect(sound[..<4_400].allSatisfy { abs($0) < 1e-4 } && sound[6_000...].map(abs).max() ?? 0 > 0.2)
        #expect(DisposeAUGraph(within) == kAUGraphErr_CannotDoInCurrentContext)
        #expect(AUGraphRemoveNode(rig.graph, node) == noErr && AUGraphUpdate(rig.graph, nil) == noErr)
        #expect(try unit.render(20_000)[0].suffix(1_000).allSatisfy { abs($0) < 1e-4 })
        #expect(AUGraphAddNode(within, &description, &delay) == kAudio_ParamError)
    }

    @Test func filePlayerPlaysItsRegions() throws {
        let folder = try SoundFolder()
        try folder.write("tone.wav", .wav, .float32, frames: 10_000, channels: 1)
        var file: AudioFileID?
        #expect(AudioFileOpenURL(folder.url("tone.wav"), .readPermission, 0, &file) == noErr)
        let rig = try GraphRig(), output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        let player = try rig.add(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
        #expect(AUGraphOpen(rig.graph) == noErr)
        #expect(AUGraphConnectNodeInput(rig.graph, player, 0, output, 0) == noErr)
        #expect(AUGraphInitialize(rig.graph) == noErr)
        let unit = try rig.unit(player), end = try rig.unit(output)
        #expect(unit.set(kAudioUnitProperty_ScheduledFileIDs, 0, 0, file) == noErr)
        var stamp = AudioTimeStamp()
        stamp.mFlags = .sampleTimeValid
        let region = ScheduledAudioFileRegion(
            mTimeStamp: stamp, mCompletionProc: nil, mCompletionProcUserData: nil, mAudioFile: file!, mLoopCount: 1,
            mStartFrame: 1_000, mFramesToPlay: 2_000)
        #expect(unit.set(kAudioUnitProperty_ScheduledFileRegion, 0, 0, region) == noErr)
        #expect(unit.set(kAudioUnitProperty_ScheduledFilePrime, 0, 0, UInt32(0)) == noErr)
        stamp.mSampleTime = -1
        #expect(unit.set(kAudioUnitProperty_ScheduleStartTimeStamp, 0, 0, stamp) == noErr)
        let sound = try end.render(6_000)[0], tone = SoundFolder.tone(10_000, channels: 1)[0]
        #expect(zip(sound[100..<2_000], tone[1_100..<3_000]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(zip(sound[2_100..<3_900], tone[1_100..<2_900]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(sound[4_100...].allSatisfy { $0 == 0 })
        AudioFileClose(file!)
    }
}
