import AudioToolbox
import EngineCore
import MIDI
import RealtimeCore
import Testing
import Units

/// The way of the other modules to units of an engine.
@Suite struct UnitAccessTests {
    @Test func handleOfAnEnginesUnitSetsIt() throws {
        let engine = Engine(sampleRate: 44_100)
        let mixer = try engine.edit { graph in
            let mixer = try graph.add(MultichannelMixer.self, inputs: 8)
            try graph.setOutput(mixer)
            return mixer
        }
        let rendered = try RenderedUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer), unit = rendered.unit
        UnitAccess.adopt(unit, engine, mixer)
        #expect(AudioUnitSetParameter(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 3, 0.5, 0) == noErr)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 4_410)
        #expect(abs(try engine.value(MultichannelMixer.Parameter.gain, element: 3, of: mixer) + 6.02) < 0.01)
        let found = try #require(UnitAccess.node(of: unit))
        #expect(found.engine === engine && found.node == mixer)
        // The engine goes on when the handle has gone.
        #expect(AudioComponentInstanceDispose(unit) == noErr)
        #expect(engine.isRunning && engine.graph[mixer] != nil)
        #expect(UnitAccess.node(of: unit) == nil)
    }

    @Test func graphsGiveTheirMusicDevicesAndPlayThemOnTime() throws {
        var made: AUGraph?
        NewAUGraph(&made)
        guard let graph = made else { return }
        var output = AudioComponentDescription(), synth = AudioComponentDescription(), nodes: [AUNode] = [0, 0]
        output.componentType = kAudioUnitType_Output
        output.componentSubType = kAudioUnitSubType_GenericOutput
        synth.componentType = kAudioUnitType_MusicDevice
        #expect(AUGraphAddNode(graph, &output, &nodes[0]) == noErr && AUGraphAddNode(graph, &synth, &nodes[1]) == noErr)
        #expect(UnitAccess.unit(of: nodes[1], in: graph) == nil && AUGraphOpen(graph) == noErr)
        #expect(AUGraphConnectNodeInput(graph, nodes[1], 0, nodes[0], 0) == noErr && AUGraphInitialize(graph) == noErr)
        let device = try #require(UnitAccess.unit(of: nodes[1], in: graph))
        let devices = UnitAccess.musicDevices(in: graph)
        #expect(devices.count == 1 && devices[0].node == nodes[1] && devices[0].unit == device)
        #expect(UnitAccess.send(.noteOn(69, velocity: 100), to: device, at: SampleTime(10_000)) == noErr)
        let sound = try RenderedUnit(try #require(UnitAccess.unit(of: nodes[0], in: graph))).render(20_000)[0]
        let onset = try #require(sound.firstIndex { $0 != 0 })
        #expect((10_000...10_300).contains(onset), "\(onset)")
        DisposeAUGraph(graph)
    }
}
