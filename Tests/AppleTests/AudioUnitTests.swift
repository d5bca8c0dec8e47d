import AudioToolbox
import Testing

/// Components and audio units by Apple's calls.
@Suite struct AudioUnitTests {
    private static let planar = pcm(32, float, planar: true)

    @Test func constantsHaveTheValuesOfABinding() {
        AudioUnitTable.forEach { name, value, fact in #expect(value == fact, "\(name)") }
        #expect(AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue == 256)
    }

    @Test func componentsAreFoundInTurn() throws {
        var any = AudioComponentDescription()
        var found: [AudioComponent] = [], next = AudioComponentFindNext(nil, &any)
        while let component = next {
            found.append(component)
            next = AudioComponentFindNext(component, &any)
        }
        #expect(found.count == Int(AudioComponentCount(&any)) && found.count > 15 && Set(found).count == found.count)
        var mixers = AudioComponentDescription()
        mixers.componentType = kAudioUnitType_Mixer
        #expect(AudioComponentCount(&mixers) == 2)
        let first = try #require(AudioComponentFindNext(nil, &mixers))
        var name: Unmanaged<CFString>?, description = AudioComponentDescription()
        #expect(AudioComponentCopyName(first, &name) == noErr)
        #expect(name?.takeRetainedValue() == "Apple: AUMultiChannelMixer" as NSString)
        #expect(AudioComponentGetDescription(first, &description) == noErr)
        #expect(description.componentSubType == kAudioUnitSubType_MultiChannelMixer)
        mixers.componentManufacturer = 0x4142_4344
        #expect(AudioComponentFindNext(nil, &mixers) == nil)
        any.componentFlags = 1
        any.componentFlagsMask = 1
        #expect(AudioComponentCount(&any) == 0)
        #expect(AudioComponentCopyName(OpaquePointer(bitPattern: 0x999)!, &name) == kAudio_ParamError)
    }

    @Test func sineOfACallbackIsExact() throws {
        let output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput), source = SineSource(Self.planar)
        #expect(output.listen(SineSource.proc, source.pointer) == noErr)
        var stamp = AudioTimeStamp(), list = AudioBufferList()
        #expect(AudioUnitRender(output.unit, nil, &stamp, 0, 1, &list) == kAudioUnitErr_Uninitialized)
        #expect(AudioUnitInitialize(output.unit) == noErr)
        let sound = try output.render(44_100)
        #expect(abs(frequency(sound[0], rate: 44_100, near: 440) - 440) < 0.1)
        #expect(sound[0] == (0..<44_100).map { Float(SineSource.value($0, 44_100)) } && sound[0] == sound[1])
        #expect(abs(sound[0].reduce(0, +) / 44_100) < 1e-5)
        #expect(source.buses.allSatisfy { $0 == 0 } && source.times.prefix(3) == [0, 512, 1_024])
    }

    private static let eightPoint24 = integer | 24 << kLinearPCMFormatFlagsSampleFractionShift

    @Test(arguments: [
        pcm(16, integer), pcm(16, integer, planar: true), pcm(16, integer, channels: 1), pcm(32, eightPoint24, planar: true),
    ])
    func integersAreWithinHalfABit(_ format: AudioStreamBasicDescription) throws {
        let output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput), source = SineSource(format)
        #expect(output.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format) == noErr)
        #expect(output.listen(SineSource.proc, source.pointer) == noErr)
        #expect(AudioUnitInitialize(output.unit) == noErr)
        let sound = try output.render(4_410)
        for plane in sound {
            let worst = plane.indices.map { abs(Double(plane[$0]) - SineSource.value($0, 44_100)) }.max() ?? 1
            #expect(worst <= (format.mBitsPerChannel == 16 ? 0x1p-16 : 0x1p-25) + 3e-8)
        }
    }

    @Test func propertiesAnswerByTheirTable() throws {
        let mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        var size: UInt32 = 0, isWritable: DarwinBoolean = false
        #expect(
            AudioUnitGetPropertyInfo(mixer.unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 7, &size, &isWritable)
                == noErr)
        #expect(size == 40 && isWritable.boolValue)
        #expect(
            AudioUnitGetPropertyInfo(mixer.unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 8, nil, nil)
                == kAudioUnitErr_InvalidElement)
        #expect(mixer.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(20)) == noErr)
        #expect(mixer.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(0)) == (noErr, 20))
        #expect(
            AudioUnitGetPropertyInfo(mixer.unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Group, 0, nil, nil)
                == kAudioUnitErr_InvalidScope)
        #expect(AudioUnitGetPropertyInfo(mixer.unit, 9_999, 0, 0, nil, nil) == kAudioUnitErr_InvalidProperty)
        #expect(mixer.set(kAudioUnitProperty_Latency, 0, 0, 1.0) == kAudioUnitErr_PropertyNotWritable)
        #expect(
            mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, UInt32(1)) == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, AudioStreamBasicDescription())
                == kAudioUnitErr_FormatNotSupported)
        #expect(mixer.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, 32_000.0) == noErr)
        #expect(mixer.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, Self.planar).1.mSampleRate == 32_000)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        #expect(mixer.set(kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, UInt32(64)) == kAudioUnitErr_Initialized)
        #expect(mixer.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, 44_100.0) == kAudioUnitErr_Initialized)
    }

    @Test func listenersHearWhatIsSet() throws {
        let mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        var heard: [UInt32] = []
        withUnsafeMutablePointer(to: &heard) { place in
            let listen: AudioUnitPropertyListenerProc = { data, _, id, scope, element in
                data.assumingMemoryBound(to: [UInt32].self).pointee += [id, scope, element]
            }
            #expect(AudioUnitAddPropertyListener(mixer.unit, kAudioUnitProperty_SampleRate, listen, place) == noErr)
            mixer.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 3, 22_050.0)
            mixer.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 30, 22_050.0)
            #expect(
                AudioUnitRemovePropertyListenerWithUserData(mixer.unit, kAudioUnitProperty_SampleRate, listen, place) == noErr)
            mixer.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 3, 44_100.0)
        }
        #expect(heard == [kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 3])
    }

    @Test func mixerMixesByItsParameters() throws {
        let mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer), source = SineSource(Self.planar)
        #expect(mixer.listen(SineSource.proc, source.pointer, 2) == noErr)
        #expect(AudioUnitSetParameter(mixer.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 2, 0.25, 0) == noErr)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        let soft = try mixer.render(2_000)
        #expect(source.buses.first == 2)
        #expect((0..<2_000).allSatisfy { abs(Double(soft[0][$0]) - 0.25 * SineSource.value($0, 44_100)) < 1e-4 })
        #expect(AudioUnitSetParameter(mixer.unit, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, 2, 0, 0) == noErr)
        #expect(try mixer.render(8_000)[0].suffix(1_000).allSatisfy { $0 == 0 })
        var value: Float = 0
        #expect(AudioUnitGetParameter(mixer.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 2, &value) == noErr)
        #expect(value == 0.25)
        #expect(AudioUnitSetParameter(mixer.unit, 77, kAudioUnitScope_Input, 2, 0, 0) == kAudioUnitErr_InvalidParameter)
        #expect(AudioUnitSetParameter(mixer.unit, 0, kAudioUnitScope_Input, 8, 0, 0) == kAudioUnitErr_InvalidElement)
        #expect(AudioUnitSetParameter(mixer.unit, 0, kAudioUnitScope_Group, 0, 0, 0) == kAudioUnitErr_InvalidScope)
        #expect(AudioUnitSetParameter(mixer.unit, 0, kAudioUnitScope_Input, 0, .nan, 0) == kAudioUnitErr_InvalidParameterValue)
    }

    @Test func connectionTakesTheFormatOfItsSource() throws {
        let format = pcm(16, integer, rate: 22_050),
            converter = try RenderedUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
        let output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput), source = SineSource(format)
        #expect(converter.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format) == noErr)
        #expect(converter.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, 22_050.0) == noErr)
        #expect(converter.listen(SineSource.proc, source.pointer) == noErr)
        let connection = AudioUnitConnection(sourceAudioUnit: converter.unit, sourceOutputNumber: 0, destInputNumber: 0)
        #expect(output.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, connection) == noErr)
        #expect(output.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format).1.mSampleRate == 22_050)
        #expect(AudioUnitInitialize(output.unit) == noErr)
        let sound = try output.render(2_000)[0]
        #expect((0..<2_000).allSatisfy { abs(Double(sound[$0]) - SineSource.value($0, 22_050)) < 1.6e-5 })
        let circle = AudioUnitConnection(sourceAudioUnit: output.unit, sourceOutputNumber: 0, destInputNumber: 0)
        #expect(
            converter.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, circle)
                == kAudioUnitErr_InvalidPropertyValue)
        // The plan of the output pulls it.
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var stamp = AudioTimeStamp()
        #expect(AudioUnitInitialize(converter.unit) == noErr)
        #expect(
            AudioUnitRender(converter.unit, nil, &stamp, 0, 16, list.unsafeMutablePointer)
                == kAudioUnitErr_CannotDoInCurrentContext)
        #expect(
            AudioUnitRender(output.unit, nil, &stamp, 0, 5_000, list.unsafeMutablePointer) == kAudioUnitErr_TooManyFramesToProcess
        )
        #expect(AudioUnitRender(output.unit, nil, &stamp, 0, 16, list.unsafeMutablePointer) == noErr)
        #expect(list[0].mData != nil && list[0].mDataByteSize == 64)
    }

    @Test func notifiesStandRoundASlice() throws {
        let output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput), source = SineSource(Self.planar)
        output.listen(SineSource.proc, source.pointer)
        var seen: [UInt32] = []
        try withUnsafeMutablePointer(to: &seen) { place in
            let notify: AURenderCallback = { data, flags, _, _, _, _ in
                data.assumingMemoryBound(to: [UInt32].self).pointee.append(flags.pointee.rawValue)
                return noErr
            }
            #expect(AudioUnitAddRenderNotify(output.unit, notify, place) == noErr)
            #expect(AudioUnitInitialize(output.unit) == noErr)
            _ = try output.render(1_024)
            #expect(AudioUnitRemoveRenderNotify(output.unit, notify, place) == noErr)
            _ = try output.render(512)
        }
        #expect(seen == [4, 8, 4, 8])
    }

    @Test func disposedAndWildHandlesAnswer() throws {
        var handle = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay).unit
        for _ in 0..<2 {
            #expect(AudioUnitInitialize(handle) == kAudioComponentErr_InstanceInvalidated)
            #expect(AudioComponentInstanceDispose(handle) == kAudioComponentErr_InstanceInvalidated)
            #expect(MusicDeviceMIDIEvent(handle, 0x90, 60, 100, 0) == kAudioComponentErr_InstanceInvalidated)
            handle = AudioUnit(bitPattern: 0x18)!
        }
    }

    @Test func musicDevicesPlay() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let bank = NSURL(fileURLWithPath: root.appending(path: "soundfonts/carillon.sf2").path)
        for subtype in [kAudioUnitSubType_DLSSynth, kAudioUnitSubType_Sampler] {
            let device = try RenderedUnit(kAudioUnitType_MusicDevice, subtype)
            #expect(device.set(kMusicDeviceProperty_SoundBankURL, 0, 0, Unmanaged.passUnretained(bank).toOpaque()) == noErr)
            #expect(AudioUnitInitialize(device.unit) == noErr)
            #expect(try device.render(512)[0].allSatisfy { $0 == 0 })
            #expect(MusicDeviceMIDIEvent(device.unit, 0x90, 69, 100, 100) == noErr)
            let sound = try device.render(22_050)
            let onset = try #require(sound[0].firstIndex { $0 != 0 })
            #expect((90...300).contains(onset), "\(onset)")
            #expect(sound[0].map(abs).max() ?? 0 > 0.005)
            #expect(abs(frequency(sound[0], rate: 44_100, near: 440) - 440) < 2)
        }
    }

    @Test(arguments: [22_050.0, 48_000, 96_000])
    func inputsOfAnotherRateAreConverted(_ rate: Double) throws {
        let format = pcm(16, integer, rate: rate), source = SineSource(format)
        let mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        #expect(mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format) == noErr)
        mixer.listen(SineSource.proc, source.pointer)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        let sound = try mixer.render(22_050)[0]
        #expect((1_000..<20_000).allSatisfy { abs(Double(sound[$0]) - SineSource.value($0, 44_100)) < 1e-4 })
        #expect(abs(Double(source.frame) - 22_050 * rate / 44_100) < 3_000)
    }

    /// As a program filters what it plays: the callback of the output renders an effect, which has a callback of its own, and
    /// plays a music device that the plan has.
    @Test func callbackRendersAnotherUnit() throws {
        final class Inner {
            let filter: RenderedUnit
            var synth: AudioUnit?
            var status: [OSStatus] = []
            init(_ filter: RenderedUnit) { self.filter = filter }
        }
        let filter = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter), source = SineSource(Self.planar)
        filter.listen(SineSource.proc, source.pointer)
        let inner = Inner(filter), mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        let synth = try RenderedUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
        inner.synth = synth.unit
        let proc: AURenderCallback = { data, flags, stamp, _, frames, list in
            let inner = Unmanaged<Inner>.fromOpaque(data).takeUnretainedValue()
            guard let list, let synth = inner.synth else { return kAudio_ParamError }
            if inner.status.isEmpty { inner.status.append(MusicDeviceMIDIEvent(synth, 0x90, 93, 127, 0)) }
            inner.status.append(AudioUnitRender(synth, flags, stamp, 0, frames, list))
            return AudioUnitRender(inner.filter.unit, flags, stamp, 0, frames, list)
        }
        mixer.listen(proc, Unmanaged.passUnretained(inner).toOpaque(), 0)
        let connection = AudioUnitConnection(sourceAudioUnit: synth.unit, sourceOutputNumber: 0, destInputNumber: 1)
        #expect(mixer.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, connection) == noErr)
        #expect(AudioUnitInitialize(filter.unit) == noErr && AudioUnitInitialize(synth.unit) == noErr)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        let sound = try mixer.render(30_000)[0]
        #expect(
            inner.status.first == noErr && inner.status.dropFirst().allSatisfy { $0 == kAudioUnitErr_CannotDoInCurrentContext })
        #expect(sound.map(abs).max() ?? 0 > 0.45)
        // Beside the filtered sine there is the note of the music device, an A two octaves above.
        let rest = sound.indices.map { Double(sound[$0]) - SineSource.value($0, 44_100) }
        #expect(rest.prefix(400).map(abs).max() ?? 1 < 0.2 && rest.suffix(20_000).map(abs).max() ?? 0 > 0.01)
    }
}
