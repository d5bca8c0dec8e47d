import Carillon
import Foundation
import Glibc
import RemoteIO
import Testing

/// More of Audio Units' words: the units and types that a Core Audio developer looks for by name. Each test is called as the
/// word; the guide "For Core Audio developers" lists them.
extension AudioUnitWordsTests {
    @Test func multichannelMixer() throws {
        let engine = Engine(sampleRate: 48_000)
        let mixer = try engine.edit { graph in
            let mono = try graph.add(source: "mono", channels: 1) { io in
                for i in 0..<io.frames { io.output(0, 0)[i] = 0.5 }
                return .sounding
            }
            let stereo = try graph.addSteady(0.25)
            let mixer = try graph.add(MultichannelMixer.self, inputs: 2)
            try graph.connect(mono, to: mixer[0])
            try graph.connect(stereo, to: mixer[1])
            try graph.setOutput(mixer)
            return mixer
        }
        try engine.start(on: .offline)
        func heard() throws -> Float { try #require(try engine.render(frames: 9_600)[0].last) }
        #expect(try heard() == 0.75)
        // Volume, pan and the switch are parameters of input scope: an element each.
        try engine.set(MultichannelMixer.Parameter.gain, -6.0206, element: 0, of: mixer)
        #expect(abs(try heard() - 0.5) < 1e-4)
        try engine.set(MultichannelMixer.Parameter.enable, 0, element: 1, of: mixer)
        #expect(abs(try heard() - 0.25) < 1e-4)
        try engine.set(MultichannelMixer.Parameter.pan, 100, element: 0, of: mixer)
        #expect(abs(try heard()) < 1e-4)
        // Metering, before or behind the gain, of every input.
        try engine.set(MultichannelMixer.Parameter.metering, 1, of: mixer)
        _ = try heard()
        #expect(abs(try #require(try engine.readout("peak-left[0]", of: mixer)) + 6.0206) < 0.01)
        #expect(abs(try #require(try engine.readout("peak-left[1]", of: mixer)) + 12.0412) < 0.01)
    }

    @Test func environment() throws {
        let engine = Engine(sampleRate: 48_000)
        let mixer = try engine.edit { graph in
            let source = try graph.addSteady(0.5)
            let mixer = try graph.add(SpatialMixer.self, inputs: 1)
            try graph.connect(source, to: mixer[0])
            try graph.setOutput(mixer)
            return mixer
        }
        try engine.start(on: .offline)
        /// Left and right of a source at a place, once it has got there.
        func sides(_ x: Float, _ z: Float) throws -> (Float, Float) {
            try engine.set(SpatialMixer.Parameter.x, x, of: mixer)
            try engine.set(SpatialMixer.Parameter.z, z, of: mixer)
            let sound = try engine.render(frames: 48_000)
            return (sound[0].last ?? 0, sound[1].last ?? 0)
        }
        let near = try sides(0, -1), left = try sides(-1, 0), right = try sides(1, 0), far = try sides(0, -4)
        #expect(abs(near.0 - near.1) < 1e-4, "ahead it is on both sides: \(near)")
        #expect(left.0 > 10 * abs(left.1) && right.1 > 10 * abs(right.0), "\(left), \(right)")
        // The inverse distance law of OpenAL and Core Audio: four times as far, a quarter as loud.
        #expect(abs(far.0 / near.0 - 0.25) < 0.01, "\(far.0 / near.0)")
    }

    @Test func formatConverter() throws {
        let converter = try FormatConverter(
            from: SoundFormat(sampleRate: 44_100, channels: 1, sample: .int16, isInterleaved: true),
            to: SoundFormat(sampleRate: 48_000, channels: 2))
        let tone = (0..<44_100).map { Int16(16_384 * sin(2 * .pi * 1_000 * Double($0) / 44_100)) }
        var left: [Float] = [], right: [Float] = []
        for start in stride(from: 0, to: tone.count, by: 1_000) {
            let planes: [[Float]] = try converter.convert([Array(tone[start..<min(start + 1_000, tone.count)])])
            left += planes[0]
            right += planes[1]
        }
        let rest: [[Float]] = try converter.finish()
        left += rest[0]
        right += rest[1]
        // A second is a second, mono is on both sides, and 1 kHz stays 1 kHz.
        #expect(left.count == 48_000 && left == right)
        var worst = 0.0
        for frame in 4_800..<43_200 {
            let ideal = 0.5 * sin(2 * .pi * 1_000 * Double(frame) / 48_000)
            worst = max(worst, abs(Double(left[frame]) - ideal))
        }
        #expect(worst < 1e-4, "\(worst)")
    }

    @Test func playerAndRecorder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-words-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "ramp.wav").path, take = folder.appending(path: "take.wav").path
        let ramp = (0..<4_800).map { Float($0 % 480) / 480 }
        let writer = try AudioFileWriter(
            path: path, format: AudioFileFormat(.wav, encoding: .float32), channels: 1, sampleRate: 48_000)
        try ramp.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: $0.count) }
        try writer.finish()
        let engine = Engine(sampleRate: 48_000)
        let player = try engine.edit { graph in
            let player = try graph.add(player: path)
            try graph.setOutput(player.node)
            return player
        }
        let recorder = try engine.record(player.node, to: take, format: AudioFileFormat(.wav, encoding: .float32))
        try engine.start(on: .offline)
        // Scheduled on a frame; buffers one behind the other, without a gap.
        try player.play(at: SampleTime(2_400), from: 0, frames: 480, passes: .times(2))
        try player.queue(from: 960, frames: 480)
        let sound = try engine.render(frames: 9_600)[0]
        #expect(sound[..<2_400].allSatisfy { $0 == 0 })
        #expect(Array(sound[2_400..<3_840]) == (0..<1_440).map { (frame: Int) -> Float in ramp[frame % 480] })
        #expect(sound[3_840...].allSatisfy { $0 == 0 })
        try engine.finish(recorder)
        let reader = try AudioFileReader(path: take)
        #expect(reader.channels == 2 && reader.sampleRate == 48_000 && reader.frames >= 8_000)
    }

    @Test func voiceProcessing() throws {
        try #require(VoiceLibrary.isInstalled, "apt-get install libspeexdsp1")
        let component = ComponentDescription(type: .effect, subtype: "vpio", manufacturer: .carillon)
        #expect(UnitCatalog.first(matching: component)?.name == "voice-processor")
        let room = try VoiceRoom(["tail": 0.1])
        try room.engine.start(on: .simulated(room.port, period: 128, periods: 3))
        _ = room.pass(seconds: 6)
        /// By how many decibels what comes out is softer than what the microphone hears.
        func loss() -> Float {
            _ = room.pass(seconds: 1)
            let (heard, made) = room.pass(seconds: 1)
            return VoiceRoom.level(heard) - VoiceRoom.level(made)
        }
        #expect(loss() > 25)
        try room.engine.edit { graph in try graph.bypass(room.voice) }
        #expect(abs(loss()) < 0.1)
        try room.engine.edit { graph in try graph.bypass(room.voice, false) }
        #expect(loss() > 25)
        try room.engine.set(VoiceProcessor.Parameter.mute, 1, of: room.voice)
        _ = room.pass(seconds: 0.1)
        #expect(room.pass(seconds: 1).made.allSatisfy { $0 == 0 })
        // Gain control makes a quiet voice as loud as is wanted.
        let quiet = try VoiceRoom(["gain-control": 1, "noise-suppression": 0], loudness: 0) { frame in
            0.05 * VoiceRoom.syllables(frame, seed: 9)
        }
        try quiet.engine.start(on: .simulated(quiet.port, period: 128, periods: 3))
        _ = quiet.pass(seconds: 6)
        let (heard, made) = quiet.pass(seconds: 2)
        #expect(VoiceRoom.level(heard) < -40 && abs(VoiceRoom.level(made) + 23) < 4, "\(VoiceRoom.level(made)) dB")
    }
}

extension AudioUnitWordsTests {
    /// Sliders behind a steady source, and the engine that plays them.
    private func sliders() throws -> (Engine, NodeID) {
        let engine = Engine(sampleRate: 48_000)
        let node = try engine.edit { graph in
            let source = try graph.addSteady(0.5)
            let sliders = try graph.add(GraphicEqualizer.self)
            try graph.connect(source, to: sliders[0])
            try graph.setOutput(sliders)
            return sliders
        }
        return (engine, node)
    }

    @Test func factoryPresets() throws {
        let (engine, node) = try sliders()
        let presets = try engine.presets(of: node)
        #expect(presets.count == 22 && presets.contains { $0.name == "small-speakers" })
        #expect(try UnitCatalog.named("graphic-equalizer")?.factoryPresets() == presets)
        #expect(presets.allSatisfy { $0.values["gain"]?.count == 10 })
    }

    @Test func graphicEqualizerPresets() throws {
        let (engine, node) = try sliders()
        try engine.apply(preset: "treble-booster", to: node)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 9_600)
        #expect(try engine.value(GraphicEqualizer.Parameter.gain, element: 9, of: node) == 6)
        #expect(try engine.value(GraphicEqualizer.Parameter.gain, element: 0, of: node) == 0)
        // What is constant lies below all sliders: the level alone is heard.
        let heard = try #require(try engine.render(frames: 48_000)[0].last)
        #expect(abs(heard - 0.5 * Float(pow(10, -6.5 / 20))) < 1e-3, "\(heard)")
    }

    @Test func presentPreset() throws {
        let (engine, node) = try sliders(), none = try engine.presentPreset(of: node)
        #expect(none == nil)
        try engine.apply(preset: "bass-booster", to: node)
        #expect(try engine.presentPreset(of: node)?.name == "bass-booster")
        // Whatever has moved since, as there.
        try engine.set(GraphicEqualizer.Parameter.level, -3, of: node)
        #expect(try engine.presentPreset(of: node)?.name == "bass-booster")
        #expect(throws: Fault.self) { try engine.apply(preset: "bass-boster", to: node) }
    }

    @Test func classInfo() throws {
        let (engine, node) = try sliders()
        try engine.apply(preset: "rock", to: node)
        try engine.set(GraphicEqualizer.Parameter.level, -3, of: node)
        let state = try JSONEncoder().encode(try engine.preset(of: node, named: "mine"))
        let (other, there) = try sliders()
        try other.apply(preset: JSONDecoder().decode(UnitPreset.self, from: state), to: there)
        #expect(try other.value(GraphicEqualizer.Parameter.level, of: there) == -3)
        #expect(try other.value(GraphicEqualizer.Parameter.gain, element: 0, of: there) == 5)
        #expect(try other.presentPreset(of: there)?.name == "mine")
    }
}
