import AVFoundation
import Testing

import class EngineCore.Engine
import struct Graphs.Graph
import struct Graphs.NodeID
import struct MIDI.MIDIMessage
import enum MIDI.MusicEvent
import enum MIDI.PartMode
import struct Reports.Fault
import struct Units.MultichannelMixer

@Suite struct SamplerNodeTests {
    private let font = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "soundfonts/carillon.sf2")

    @Test func anInstrumentSoundsAsInOurOwnWords() throws {
        let rendering = try Rendering(), sampler = AVAudioUnitSampler()
        rendering.engine.attach(sampler)
        rendering.engine.connect(sampler, to: rendering.engine.mainMixerNode, format: nil)
        try sampler.loadSoundBankInstrument(at: font, program: 16, bankMSB: 0x79, bankLSB: 0)
        try rendering.engine.start()
        _ = try rendering.render(1_024)
        sampler.startNote(69, withVelocity: 100, onChannel: 9)
        var sound = try rendering.render(8_192)
        sampler.sendPitchBend(12_000, onChannel: 9)
        sampler.stopNote(69, onChannel: 9)
        for (channel, more) in try rendering.render(4_096).enumerated() { sound[channel] += more }

        let engine = Engine(sampleRate: 48_000)
        let node = try engine.edit { (graph: inout Graph) throws(Fault) -> NodeID in
            let node = try graph.add(named: "soundfont", properties: ["soundfonts": [.text(font.path())]])
            let mixer = try graph.add(MultichannelMixer.self, inputs: 8)
            try graph.connect(node, to: mixer)
            try graph.setOutput(mixer)
            return node
        }
        try engine.start(on: .offline)
        func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) throws {
            try engine.send(.message(MIDIMessage(status: status, data1: data1, data2: data2)), to: node)
        }
        for channel in UInt8(0)..<16 {
            try engine.send(.partMode(.melodic, port: 0, channel: channel), to: node)
            try send(0xB0 | channel, 0)
            try send(0xB0 | channel, 32)
            try send(0xC0 | channel, 16)
        }
        _ = try engine.render(frames: 1_024)
        try send(0x99, 69, 100)
        var own = try engine.render(frames: 8_192)
        try send(0xE9, UInt8(12_000 & 127), UInt8(12_000 >> 7))
        try send(0x89, 69)
        for (channel, more) in try engine.render(frames: 4_096).enumerated() { own[channel] += more }
        #expect(own == sound && sound[0].peak > 0.01)
    }

    @Test func anotherInstrumentTakesThePlace() throws {
        let rendering = try Rendering(), sampler = AVAudioUnitSampler()
        rendering.engine.attach(sampler)
        rendering.engine.connect(sampler, to: rendering.engine.mainMixerNode, format: nil)
        #expect(throws: NSError.self) { try sampler.loadInstrument(at: URL(fileURLWithPath: "/none.sf2")) }
        #expect(throws: NSError.self) { try sampler.loadInstrument(at: URL(fileURLWithPath: #filePath)) }
        try sampler.loadInstrument(at: font)
        try rendering.engine.start()
        func play(_ key: UInt8) throws -> [Float] {
            sampler.sendMIDIEvent(0x90, data1: key, data2: 100)
            defer { sampler.sendMIDIEvent(0xB0, data1: 120, data2: 0) }
            return try rendering.render(4_096)[0]
        }
        let piano = try play(60)
        try sampler.loadSoundBankInstrument(at: font, program: 0, bankMSB: 0x78, bankLSB: 0)
        let drum = try play(60)
        #expect(piano.peak > 0.001 && drum.peak > 0.001 && piano != drum)
        for (pan, side) in [(-1, 0), (1, 1)] as [(Float, Int)] {
            sampler.stereoPan = pan
            sampler.startNote(60, withVelocity: 100, onChannel: 3)
            let peaks = try rendering.render(4_096).map(\.peak)
            #expect(peaks[side] > 0.001 && peaks[side] > 2 * peaks[1 - side], "\(pan): \(peaks)")
            sampler.sendMIDIEvent(0xB0, data1: 120, data2: 0)
            _ = try rendering.render(4_096)
        }
        sampler.overallGain = -90
        _ = try rendering.render(4_096)
        #expect(try play(60).peak < 1e-4)
        sampler.sendMIDIEvent(0xF8, data1: 0)
        sampler.startNote(200, withVelocity: 1, onChannel: 0)
    }

    /// The way of programs that give their synthesizer a SoundFont by a property, here while it plays.
    @Test func aBankIsSetBeneathARunningEngine() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let synth = AVAudioUnitMIDIInstrument(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_MIDISynth,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        engine.attach(synth)
        engine.connect(synth, to: engine.mainMixerNode, format: nil)
        try engine.start()
        _ = try rendering.render(1_024)
        var url = Unmanaged.passRetained(font as CFURL)
        defer { url.release() }
        let size = UInt32(MemoryLayout.size(ofValue: url))
        #expect(
            AudioUnitSetProperty(synth.audioUnit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &url, size)
                == noErr)
        func level() throws -> Float {
            synth.startNote(69, withVelocity: 100, onChannel: 0)
            return try rendering.render(8_192)[0].peak
        }
        #expect(try level() > 0.001)
        engine.disconnectNodeOutput(synth)
        _ = try rendering.render(1_024)
        #expect(try level() == 0)
        engine.connect(synth, to: engine.mainMixerNode, format: nil)
        #expect(try level() > 0.001)
        engine.detach(synth)
        _ = try rendering.render(1_024)
        #expect(try rendering.render(1_024)[0].peak == 0)
    }

    @Test func effectsAreTheEngines() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let source = rendering.sine(1_000, 0.25)
        let equalizer = AVAudioUnitEQ(numberOfBands: 10)
        let echo = AVAudioUnitDelay(), room = AVAudioUnitReverb(), edge = AVAudioUnitDistortion()
        let band = equalizer.bands[9]
        (band.filterType, band.frequency, band.gain, band.bandwidth, band.bypass) = (.parametric, 1_000, 6, 1, false)
        (echo.wetDryMix, echo.delayTime, room.wetDryMix, edge.wetDryMix) = (0, 0.5, 0, 0)
        room.loadFactoryPreset(.cathedral)
        edge.loadFactoryPreset(.multiDistortedCubed)
        let chain: [AVAudioNode] = [source, equalizer, echo, room, edge, engine.mainMixerNode]
        for node in chain.dropLast() { engine.attach(node) }
        for (node, next) in zip(chain, chain.dropFirst()) { engine.connect(node, to: next, format: nil) }
        source.volume = 0.5
        try engine.start()
        let raised = try rendering.render(24_000)[0][12_000...]
        #expect(abs(Array(raised).peak - 0.125 * 1.995_26) < 2e-3)
        equalizer.bypass = true
        _ = try rendering.render(4_800)
        #expect(try abs(rendering.render(4_800)[0].peak - 0.125) < 1e-3)
        equalizer.bypass = false
        band.gain = -6
        _ = try rendering.render(9_600)
        #expect(try abs(rendering.render(4_800)[0].peak - 0.125 / 1.995_26) < 1e-3)
        // Only the echo, half a second late.
        engine.disconnectNodeOutput(echo)
        engine.connect(echo, to: engine.mainMixerNode, format: nil)
        echo.wetDryMix = 100
        _ = try rendering.render(4_800)
        engine.disconnectNodeInput(equalizer)
        #expect(try rendering.render(20_000)[0][2_000..<19_000].contains { abs($0) > 0.01 })
    }
}
