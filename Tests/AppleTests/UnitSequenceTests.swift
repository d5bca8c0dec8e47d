import AudioToolbox
import Testing

/// Calls of units and graphs in any order, half of them with what cannot be: an error code each.
@Suite struct UnitSequenceTests {
    private struct Dice {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }

        mutating func pick<Element>(_ choices: [Element]) -> Element { choices[next(choices.count)] }
    }

    /// A callback that calls its own unit.
    private static let proc: AURenderCallback = { data, flags, stamp, bus, frames, list in
        if let unit = AudioUnit(bitPattern: UInt(bitPattern: data)), let list {
            AudioUnitSetParameter(unit, 0, kAudioUnitScope_Input, 0, 0.5, 0)
            _ = AudioUnitRender(unit, flags, stamp, bus, frames, list)
            _ = AudioUnitUninitialize(unit)
        }
        return noErr
    }

    private static let listener: AudioUnitPropertyListenerProc = { _, unit, id, scope, element in
        var size: UInt32 = 8, value: UInt64 = 0
        AudioUnitGetProperty(unit, id, scope, element, &value, &size)
    }

    @Test func everyCallAnswers() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << 16)
        defer { memory.deallocate() }
        var dice = Dice(state: 11), good = 0, bad = 0
        let kinds: [(OSType, OSType)] = [
            (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput), (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput),
            (kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer), (kAudioUnitType_Effect, kAudioUnitSubType_Delay),
            (kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter), (kAudioUnitType_FormatConverter, 0),
            (kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer), (kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ),
            (kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth),
        ]
        let properties: [AudioUnitPropertyID] = [
            kAudioUnitProperty_StreamFormat, kAudioUnitProperty_StreamFormat, kAudioUnitProperty_SampleRate,
            kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitProperty_Latency,
            kAudioUnitProperty_BypassEffect, kAudioUnitProperty_ParameterList, kAudioUnitProperty_ScheduleStartTimeStamp,
            kAudioUnitProperty_ScheduledFileRegion, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitProperty_MakeConnection, 98,
            99,
        ]
        let formats = [
            pcm(16, integer), pcm(32, float, planar: true), pcm(24, integer | big, channels: 1), pcm(32, float, rate: 22_050),
            AudioStreamBasicDescription(), pcm(16, integer, channels: 4_000),
        ]
        for _ in 0..<400 {
            var units: [AudioUnit] = [AudioUnit(bitPattern: 0x10)!], graph: AUGraph?
            var nodes: [AUNode] = [-1, 7]
            NewAUGraph(&graph)
            guard let root = graph else { return }
            var graphs = [root, root]
            for _ in 0..<20 {
                let unit = dice.pick(units), scope = AudioUnitScope(dice.pick([0, 1, 1, 2, 3])),
                    (type, subtype) = dice.pick(kinds)
                let element = AudioUnitElement(dice.pick([0, 0, 0, 1, 7, 9])), property = dice.pick(properties)
                var wanted = AudioComponentDescription(
                    componentType: type, componentSubType: subtype, componentManufacturer: 0, componentFlags: 0,
                    componentFlagsMask: 0)
                var size = UInt32(dice.pick([0, 4, 8, 16, 40, 112])), format = dice.pick(formats), stamp = AudioTimeStamp()
                let status: OSStatus, graph = dice.pick(graphs)
                switch dice.next(19) {
                case 0, 1, 2:
                    var made: AudioUnit?
                    let component = AudioComponentFindNext(nil, &wanted)
                    status = component.map { AudioComponentInstanceNew($0, &made) } ?? kAudio_ParamError
                    if let made { units.append(made) }
                case 3, 4: status = AudioUnitInitialize(unit)
                case 5: status = dice.pick([AudioUnitUninitialize, AudioComponentInstanceDispose, AudioOutputUnitStart])(unit)
                case 6: status = AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, 40)
                case 7: status = AudioUnitSetProperty(unit, property, scope, element, memory, size)
                case 8: status = AudioUnitGetProperty(unit, property, scope, element, memory, &size)
                case 9:
                    var callback = AURenderCallbackStruct(inputProc: Self.proc, inputProcRefCon: UnsafeMutableRawPointer(unit))
                    status = AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, scope, element, &callback, 16)
                case 10:
                    var connection = AudioUnitConnection(
                        sourceAudioUnit: dice.pick(units), sourceOutputNumber: element, destInputNumber: element)
                    status = AudioUnitSetProperty(unit, kAudioUnitProperty_MakeConnection, 1, element, &connection, 16)
                case 11:
                    status = AudioUnitSetParameter(unit, dice.pick([0, 1, 2, 77]), scope, element, Float(dice.next(9)) - 4, 10)
                case 12, 13:
                    let list = AudioBufferList.allocate(maximumBuffers: dice.pick([1, 2, 2, 2]))
                    status = AudioUnitRender(
                        unit, nil, &stamp, dice.pick([0, 0, 0, 1, 9]), UInt32(dice.pick([0, 1, 512, 5_000])),
                        list.unsafeMutablePointer)
                    free(list.unsafeMutablePointer)
                case 14: status = AudioUnitAddPropertyListener(unit, property, Self.listener, memory)
                case 15:
                    var node: AUNode = 0
                    status = AUGraphAddNode(graph, &wanted, &node)
                    if status == noErr { nodes.append(node) }
                case 16:
                    var event = AudioUnitParameterEvent(), params = MusicDeviceNoteParams(), note: NoteInstanceID = 5
                    (event.scope, event.element, event.parameter) = (scope, element, dice.pick([0, 1, 77]))
                    event.eventType = dice.pick([.parameterEvent_Immediate, .parameterEvent_Ramped])
                    event.eventValues.ramp = .init(
                        startBufferOffset: dice.pick([0, 5, -1]), durationInFrames: dice.pick([0, 3, 4_000, .max]),
                        startValue: dice.pick([0, 1, .nan]), endValue: dice.pick([0, -9, 1e9]))
                    (params.mPitch, params.mVelocity) = (dice.pick([60.4, 127, -1, .nan]), dice.pick([1, 127, 200]))
                    status =
                        switch dice.next(3) {
                        case 0: AudioUnitScheduleParameters(unit, &event, 1)
                        case 1: MusicDeviceStartNote(unit, dice.pick([.max, .max, 0]), element, &note, 0, &params)
                        default: MusicDeviceStopNote(unit, element, dice.pick([note, 60, .max]), 0)
                        }
                case 17:
                    var node = dice.pick(nodes), within: AUGraph?
                    status =
                        dice.next(2) == 0
                        ? AUGraphNewNodeSubGraph(graph, &node) : DisposeAUGraph(dice.pick(graphs + [AUGraph(bitPattern: 0x20)!]))
                    nodes.append(node)
                    if AUGraphGetNodeInfoSubGraph(graph, node, &within) == noErr, let within { graphs.append(within) }
                default:
                    status =
                        switch dice.next(8) {
                        case 0, 1: AUGraphConnectNodeInput(graph, dice.pick(nodes), element, dice.pick(nodes), element)
                        case 2: AUGraphOpen(graph)
                        case 3: AUGraphInitialize(graph)
                        case 4: AUGraphUpdate(graph, nil)
                        case 5: AUGraphRemoveNode(graph, dice.pick(nodes))
                        case 6: AUGraphStart(graph)
                        default: AUGraphClose(graph)
                        }
                }
                if status == noErr { good += 1 } else { bad += 1 }
            }
            for unit in units { AudioComponentInstanceDispose(unit) }
            DisposeAUGraph(root)
            #expect(DisposeAUGraph(root) == kAudio_ParamError)
            #expect(graphs.allSatisfy { AUGraphOpen($0) == kAudio_ParamError })
        }
        #expect(good > 2_000 && bad > 2_000, "\(good) \(bad)")
    }

    /// Four threads call one unit while a fifth renders it.
    @Test func severalThreadsUseOneUnit() async throws {
        let mixer = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        let source = SineSource(pcm(32, float, planar: true))
        mixer.listen(SineSource.proc, source.pointer)
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        let number = UInt(bitPattern: mixer.unit)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    guard let unit = AudioUnit(bitPattern: number) else { return }
                    for step in 0..<200 {
                        AudioUnitSetParameter(unit, 0, kAudioUnitScope_Input, UInt32(thread), Float(step % 2), 0)
                        AudioUnitReset(unit, 0, 0)
                        if thread == 0, step % 50 == 0 { AudioUnitUninitialize(unit) }
                        AudioUnitInitialize(unit)
                    }
                }
            }
            group.addTask {
                guard let unit = AudioUnit(bitPattern: number) else { return }
                let list = AudioBufferList.allocate(maximumBuffers: 2)
                var stamp = AudioTimeStamp()
                for _ in 0..<200 {
                    list[0].mData = nil
                    list[1].mData = nil
                    AudioUnitRender(unit, nil, &stamp, 0, 64, list.unsafeMutablePointer)
                }
                free(list.unsafeMutablePointer)
            }
        }
        #expect(AudioUnitInitialize(mixer.unit) == noErr)
        #expect(AudioUnitSetParameter(mixer.unit, 0, kAudioUnitScope_Input, 0, 1, 0) == noErr)
        #expect(try mixer.render(8_000)[0].suffix(1_000).map(abs).max() ?? 0 > 0.49)
    }
}
