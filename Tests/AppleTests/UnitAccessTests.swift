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
        UnitAccess.adopt(unit, engine, mixer) { _, _ in }
        #expect(AudioUnitSetParameter(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 3, 0.5, 0) == noErr)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 4_410)
        #expect(abs(try engine.value(MultichannelMixer.Parameter.gain, element: 3, of: mixer) + 6.02) < 0.01)
        // The engine goes on when the handle has gone.
        #expect(AudioComponentInstanceDispose(unit) == noErr)
        #expect(engine.isRunning && engine.graph[mixer] != nil)
    }

    @Test func musicComesOnTime() throws {
        let rig = try GraphRig(), output = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        let synth = try rig.add(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
        #expect(AUGraphOpen(rig.graph) == noErr && AUGraphConnectNodeInput(rig.graph, synth, 0, output, 0) == noErr)
        #expect(AUGraphInitialize(rig.graph) == noErr)
        let device = try rig.unit(synth).unit
        #expect(UnitAccess.send(.noteOn(69, velocity: 100), to: device, at: SampleTime(10_000)) == noErr)
        let onset = try #require(try rig.unit(output).render(20_000)[0].firstIndex { $0 != 0 })
        #expect((10_000...10_400).contains(onset), "\(onset)")
    }
}
