import AudioToolbox
import Testing

/// What audio units say of their parameters and presets, and their state as a property list.
@Suite struct UnitStateTests {
    private func ids(_ unit: AudioUnit, _ scope: AudioUnitScope) -> [AudioUnitParameterID] {
        var size: UInt32 = 0
        guard AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, scope, 0, &size, nil) == noErr else { return [] }
        var list = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
        return AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, 0, &list, &size) == noErr ? list : []
    }

    @Test func everyParameterIsDescribed() throws {
        var wanted = AudioComponentDescription(), component: AudioComponent?, wrong: [String] = [], count = 0
        while let found = AudioComponentFindNext(component, &wanted) {
            component = found
            var made: AudioUnit?
            guard AudioComponentInstanceNew(found, &made) == noErr, let unit = made else { continue }
            defer { AudioComponentInstanceDispose(unit) }
            for scope in 0..<3 as Range<AudioUnitScope> {
                for id in ids(unit, scope) {
                    var info = AudioUnitParameterInfo(), size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
                    let status = AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, id, &info, &size)
                    let name = info.cfNameString?.takeRetainedValue() as String? ?? ""
                    let bytes = withUnsafeBytes(of: info.name) { Array($0.prefix { $0 != 0 }) }
                    var value: Float = -1
                    AudioUnitGetParameter(unit, id, scope, 0, &value)
                    let isSound =
                        status == noErr && !name.isEmpty && Array(name.utf8) == bytes && value == info.defaultValue
                        && info.minValue <= value && value <= info.maxValue && info.minValue < info.maxValue
                    if !isSound { wrong.append("\(id) of \(name)") }
                    count += 1
                }
            }
            var info = AudioUnitParameterInfo(), size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
            if AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, 0, 77, &info, &size) != kAudioUnitErr_InvalidParameter
            {
                wrong.append("77")
            }
        }
        #expect(wrong.isEmpty && count > 90, "\(wrong), \(count)")
    }

    @Test func stateGoesFromUnitToUnit() throws {
        let first = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        let second = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        let other = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)
        #expect(AudioUnitSetParameter(first.unit, kDelayParam_DelayTime, 0, 0, 0.25, 0) == noErr)
        #expect(AudioUnitSetParameter(first.unit, kDelayParam_WetDryMix, 0, 0, 37.5, 0) == noErr)
        let (status, pointer) = first.get(kAudioUnitProperty_ClassInfo, 0, 0, UnsafeRawPointer?.none)
        let state = Unmanaged<NSDictionary>.fromOpaque(try #require(pointer)).takeRetainedValue()
        #expect(status == noErr && (state["subtype"] as? NSNumber)?.uint32Value == kAudioUnitSubType_Delay)
        // As a file keeps it.
        let bytes = try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0)
        let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
        let again = try #require(read as? NSDictionary ?? (read as? [String: Any]).map { NSDictionary(dictionary: $0) })
        let place = Unmanaged.passUnretained(again).toOpaque()
        #expect(second.set(kAudioUnitProperty_ClassInfo, 0, 0, place) == noErr)
        var time: Float = 0, mix: Float = 0
        AudioUnitGetParameter(second.unit, kDelayParam_DelayTime, 0, 0, &time)
        AudioUnitGetParameter(second.unit, kDelayParam_WetDryMix, 0, 0, &mix)
        #expect(time == 0.25 && mix == 37.5)
        #expect(other.set(kAudioUnitProperty_ClassInfo, 0, 0, place) == kAudioUnitErr_InvalidPropertyValue)
        let damaged: NSDictionary = ["data": NSData(data: Data([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 1]))]
        #expect(second.set(kAudioUnitProperty_ClassInfo, 0, 0, Unmanaged.passUnretained(damaged).toOpaque()) == noErr)
        #expect(second.set(kAudioUnitProperty_ClassInfo, 0, 0, UInt(0)) == kAudioUnitErr_InvalidPropertyValue)
        withExtendedLifetime((again, damaged)) {}
    }

    @Test func factoryPresetsAreAList() throws {
        let unit = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ)
        let (status, pointer) = unit.get(kAudioUnitProperty_FactoryPresets, 0, 0, UnsafeRawPointer?.none)
        let list = Unmanaged<CFArray>.fromOpaque(try #require(pointer)).takeRetainedValue()
        #expect(status == noErr && CFArrayGetCount(list) > 3 && CFArrayGetValueAtIndex(list, 1_000) == nil)
        for index in 0..<CFArrayGetCount(list) {
            let preset = try #require(CFArrayGetValueAtIndex(list, index)).load(as: AUPreset.self)
            #expect(preset.presetNumber == index && preset.presetName?.takeUnretainedValue().length ?? 0 > 0)
        }
    }

    @Test func parametersFollowTheirWay() throws {
        let mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        let source = SineSource(pcm(32, float, planar: true))
        mixer.listen(SineSource.proc, source.pointer)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        _ = try mixer.render(4_096)
        var event = AudioUnitParameterEvent()
        (event.scope, event.parameter) = (kAudioUnitScope_Input, kMultiChannelMixerParam_Volume)
        event.eventType = .parameterEvent_Ramped
        event.eventValues.ramp = .init(startBufferOffset: 1_000, durationInFrames: 8_000, startValue: 1, endValue: 0)
        #expect(AudioUnitScheduleParameters(mixer.unit, &event, 1) == noErr)
        let sound = try mixer.render(12_000)[0]
        func peak(_ frame: Int) -> Float { sound[frame - 100..<frame + 100].map(abs).max() ?? 0 }
        #expect(abs(peak(500) - 0.5) < 0.01 && abs(peak(5_000) - 0.25) < 0.03 && peak(11_000) < 1e-4)
        event.element = 99
        #expect(AudioUnitScheduleParameters(mixer.unit, &event, 1) == kAudioUnitErr_InvalidElement)
        (event.element, event.eventType) = (0, .parameterEvent_Immediate)
        event.eventValues.immediate = .init(bufferOffset: 2_000, value: 1)
        #expect(AudioUnitScheduleParameters(mixer.unit, &event, 1) == noErr)
        let loud = try mixer.render(8_000)[0]
        #expect(loud[..<2_000].allSatisfy { abs($0) < 1e-4 } && loud[6_000...].map(abs).max() ?? 0 > 0.45)
    }

    @Test(.enabled(if: dlopen("librubberband.so.2", RTLD_NOW) != nil)) func pitchMovesAndRateDoesNot() throws {
        let unit = try RenderedUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch)
        let source = SineSource(pcm(32, float, planar: true))
        unit.listen(SineSource.proc, source.pointer)
        #expect(AudioUnitSetParameter(unit.unit, kNewTimePitchParam_Pitch, 0, 0, 650, 0) == noErr)
        #expect(AudioUnitSetParameter(unit.unit, kNewTimePitchParam_Rate, 0, 0, 2, 0) == kAudio_UnimplementedError)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        let sound = Array(try unit.render(44_100)[0].suffix(22_050)), wanted = 440 * exp2(6.5 / 12)
        #expect(abs(frequency(sound, rate: 44_100, near: wanted) - wanted) < 0.5)
    }

    @Test func notesHaveInstances() throws {
        let device = try RenderedUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
        #expect(AudioUnitInitialize(device.unit) == noErr)
        var params = MusicDeviceNoteParams(), note: NoteInstanceID = 0
        (params.argCount, params.mPitch, params.mVelocity) = (2, 69, 100)
        func start(_ group: MusicDeviceGroupID) -> OSStatus {
            MusicDeviceStartNote(device.unit, kMusicNoteEvent_UseGroupInstrument, group, &note, 0, &params)
        }
        // An organ holds its note.
        #expect(MusicDeviceMIDIEvent(device.unit, 0xC1, 16, 0, 0) == noErr && start(1) == noErr)
        let held = try device.render(44_100)[0]
        #expect(abs(frequency(held, rate: 44_100, near: 440) - 440) < 2)
        #expect(MusicDeviceStopNote(device.unit, 0, note, 0) == kAudio_ParamError)
        #expect(MusicDeviceStopNote(device.unit, 1, note, 0) == noErr)
        _ = try device.render(88_200)
        #expect(try device.render(4_096)[0].map(abs).max() ?? 1 < 1e-3)
        params.mPitch = .nan
        #expect(start(1) == kAudio_ParamError && start(16) == kAudio_ParamError)
    }
}
