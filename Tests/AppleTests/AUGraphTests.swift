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
