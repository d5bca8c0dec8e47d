import AVFoundation
import Testing

/// Audio units as objects.
@Suite struct AUAudioUnitTests {
    private func description(_ type: OSType, _ subtype: OSType) -> AudioComponentDescription {
        AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0, componentFlagsMask: 0)
    }

    /// So many frames of an effect or source, each slice by one call of its block.
    private func render(_ unit: AUAudioUnit, _ frames: Int, slice: Int = 500, pull: AURenderPullInputBlock?) throws -> [Float] {
        let block = unit.renderBlock, format = unit.outputBusses[0].format
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(slice)))
        var sound: [Float] = [], stamp = AudioTimeStamp(), flags = AudioUnitRenderActionFlags()
        stamp.mFlags = .sampleTimeValid
        while sound.count < frames {
            buffer.frameLength = AVAudioFrameCount(slice)
            stamp.mSampleTime = Double(sound.count)
            try #require(block(&flags, &stamp, UInt32(slice), 0, buffer.mutableAudioBufferList, pull) == noErr)
            sound += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: slice)
        }
        return sound
    }

    @Test func effectRendersWhatItsBlockPulls() throws {
        let delay = try AUAudioUnit(componentDescription: description(kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        #expect(delay.manufacturerName == "Apple" && delay.audioUnitName == "AUDelay" && !delay.isMusicDeviceOrEffect)
        #expect(delay.scheduleMIDIEventBlock == nil && !delay.canPerformOutput && delay.inputBusses.count == 1)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        for bus in [delay.inputBusses[0], delay.outputBusses[0]] {
            try bus.setFormat(format)
            #expect(bus.format == format)
        }
        delay.maximumFramesToRender = 500
        let tree = try #require(delay.parameterTree)
        let time = try #require(tree.parameter(withAddress: AUParameterAddress(kDelayParam_DelayTime)))
        #expect(tree.allParameters.count == 4 && time.maxValue == 2 && time.value == 1 && time.unit == .seconds)
        var seen: [AUValue] = []
        let token = tree.token(byAddingParameterObserver: { if $0 == time.address { seen.append($1) } })
        time.value = 0.25
        time.setValue(0.5, originator: token)
        time.value = .nan
        time.value = 9
        tree.removeParameterObserver(token)
        time.value = 0.5
        #expect(seen == [0.25, 2])
        tree.parameter(withID: kDelayParam_WetDryMix, scope: kAudioUnitScope_Global, element: 0)?.value = 100
        try delay.allocateRenderResources()
        #expect(throws: NSError.self) { try delay.inputBusses[0].setFormat(format) }
        let click: AURenderPullInputBlock = { _, stamp, frames, bus, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = UnsafeMutableBufferPointer<Float>(buffer)
                for frame in 0..<Int(frames) { samples[frame] = stamp.pointee.mSampleTime + Double(frame) == 1_000 ? 0.5 : 0 }
            }
            return noErr
        }
        let sound = try render(delay, 30_000, pull: click)
        let onset = try #require(sound.firstIndex { abs($0) > 0.05 })
        #expect(abs(onset - 25_000) < 3, "\(onset)")
        // The same state in another unit of the kind, and none in one of another kind.
        let state = delay.fullState, twin = try AUAudioUnit(componentDescription: delay.componentDescription)
        twin.fullState = state
        #expect(twin.parameterTree?.allParameters.map(\.value) == tree.allParameters.map(\.value))
        let other = try AUAudioUnit(componentDescription: description(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
        let values = other.parameterTree?.allParameters.map(\.value)
        other.fullState = state
        #expect(other.parameterTree?.allParameters.map(\.value) == values)
        #expect(throws: NSError.self) { try AUAudioUnit(componentDescription: description(1, 2)) }
    }

    @Test func musicDeviceTakesMIDIOnAFrame() throws {
        let synth = try AUAudioUnit(componentDescription: description(kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth))
        try synth.allocateRenderResources()
        let send = try #require(synth.scheduleMIDIEventBlock)
        send(AUEventSampleTimeImmediate + 3_000, 0, 5, [0xC0, 16, 0x90, 69, 100])
        send(0, 0, 2, [0x90, 60])
        let sound = try render(synth, 20_000, pull: nil)
        let onset = try #require(sound.firstIndex { $0 != 0 })
        #expect((3_000...3_300).contains(onset), "\(onset)")
        #expect(sound.peak > 0.01)
    }

    /// A class's property and the parameter of its unit are one number.
    @Test func classesAndTheirUnitsAgree() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let echo = AVAudioUnitDelay(), equalizer = AVAudioUnitEQ(numberOfBands: 10), source = rendering.sine(1_000, 0.25)
        for node in [echo, equalizer, source] as [AVAudioNode] { engine.attach(node) }
        engine.connect(source, to: equalizer, format: nil)
        engine.connect(equalizer, to: echo, format: nil)
        engine.connect(echo, to: engine.mainMixerNode, format: nil)
        let (unit, mixer) = (echo.audioUnit, engine.mainMixerNode.auAudioUnit)
        #expect(echo.name == "AUDelay" && echo.manufacturerName == "Apple" && echo.version == 0x1_0000)
        for round in 0..<2 {
            echo.wetDryMix = 30
            var value: Float = 0
            #expect(AudioUnitGetParameter(unit, kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, &value) == noErr && value == 30)
            AudioUnitSetParameter(unit, kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, 0, 0)
            #expect(echo.wetDryMix == 0)
            equalizer.bands[0].gain = 3
            let gain = try #require(equalizer.auAudioUnit.parameterTree?.parameter(withAddress: 4_000))
            #expect(gain.value == 3)
            gain.value = 0
            #expect(equalizer.bands[0].gain == 0)
            if round == 0 { try engine.start() }
        }
        #expect(try abs(Array(rendering.render(9_600)[0][8_000...]).peak - 0.25) < 1e-3)
        let volume = try #require(
            mixer.parameterTree?.parameter(withID: kMultiChannelMixerParam_Volume, scope: kAudioUnitScope_Output, element: 0))
        volume.value = 0.5
        #expect(engine.mainMixerNode.outputVolume == 0.5)
        _ = try rendering.render(9_600)
        #expect(try abs(rendering.render(4_800)[0].peak - 0.125) < 1e-3)
        // What an engine runs cannot be changed beneath it; its limits can be read.
        #expect(mixer.maximumFramesToRender == 4_096 && mixer.outputBusses[0].format.sampleRate == 48_000)
        echo.auAudioUnit.maximumFramesToRender = mixer.maximumFramesToRender
        #expect(!echo.auAudioUnit.shouldBypassEffect)
        AudioUnitSetParameter(unit, kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, 100, 0)
        engine.disconnectNodeInput(equalizer)
        echo.auAudioUnit.shouldBypassEffect = true
        #expect(echo.bypass)
        _ = try rendering.render(4_800)
        #expect(try rendering.render(4_800)[0].peak < 1e-6)
        echo.bypass = false
        #expect(!echo.auAudioUnit.shouldBypassEffect)
        // One that leaves its engine keeps its values.
        engine.detach(echo)
        #expect(echo.wetDryMix == 100)
        #expect(AudioUnitSetParameter(unit, kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, 20, 0) == noErr)
        #expect(echo.wetDryMix == 20)
    }

    @Test func unitsAreMadeByDescription() async throws {
        let rendering = try Rendering(), engine = rendering.engine
        let filter = try await AVAudioUnit.instantiate(
            with: description(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter), options: [])
        #expect(filter is AVAudioUnitEffect && filter.name == "AULowpass")
        let synth = try await AVAudioUnit.instantiate(
            with: description(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler), options: [])
        #expect(synth is AVAudioUnitMIDIInstrument)
        await #expect(throws: NSError.self) { try await AVAudioUnit.instantiate(with: description(1, 2)) }
        let delay = try await AUAudioUnit.instantiate(with: description(kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        #expect(delay.componentName == "Apple: AUDelay")
        let manager = AVAudioUnitComponentManager.shared(), effects = description(kAudioUnitType_Effect, 0)
        #expect(manager.components(matching: effects).contains { $0.name == "AUDelay" && $0.typeName == AVAudioUnitTypeEffect })
        let midi = manager.components { component, isOver in
            isOver.pointee = ObjCBool(component.hasMIDIInput)
            return component.hasMIDIInput
        }
        #expect(midi.map(\.versionString) == ["1.0.0"] && manager.tagNames.contains(AVAudioUnitTypeMusicDevice))
        let source = rendering.sine(10_000, 0.5)
        engine.attach(source)
        engine.attach(filter)
        engine.connect(source, to: filter, format: nil)
        engine.connect(filter, to: engine.mainMixerNode, format: nil)
        try engine.start()
        filter.auAudioUnit.parameterTree?.parameter(withAddress: 0)?.value = 100
        _ = try rendering.render(24_000)
        #expect(try rendering.render(4_800)[0].peak < 0.001)
    }
}
