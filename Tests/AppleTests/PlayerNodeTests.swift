import AVFoundation
import Testing

import class EngineCore.Engine
import class EngineCore.FilePlayer
import struct Graphs.Graph
import struct Reports.Fault
import struct Units.MultichannelMixer

@Suite struct PlayerNodeTests {
    private func buffer(_ format: AVAudioFormat, _ samples: [Float]) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)))
        buffer.frameLength = AVAudioFrameCount(samples.count)
        for channel in 0..<Int(format.channelCount) {
            buffer.floatChannelData?[channel].update(from: samples, count: samples.count)
        }
        return buffer
    }

    private func player(_ rendering: Rendering, _ format: AVAudioFormat? = nil) -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        rendering.engine.attach(player)
        rendering.engine.connect(player, to: rendering.engine.mainMixerNode, format: format)
        return player
    }

    @Test func aFileSoundsAsInOurOwnWords() throws {
        let folder = try SoundFolder()
        try folder.write("a.wav", .wav, nil, frames: 20_000, channels: 2)
        for rate in [44_100.0, 48_000] {
            let rendering = try Rendering(rate: rate), file = try AVAudioFile(forReading: folder.url("a.wav") as URL)
            let player = player(rendering, file.processingFormat)
            player.volume = 0.5
            try rendering.engine.start()
            player.scheduleFile(file, at: nil)
            _ = try rendering.render(1_000)
            player.play()
            let sound = try rendering.render(24_000)

            let engine = Engine(sampleRate: rate)
            let other = try engine.edit { (graph: inout Graph) throws(Fault) -> FilePlayer in
                let player = try graph.add(player: folder.path + "/a.wav")
                let mixer = try graph.add(MultichannelMixer.self, inputs: 8, startValues: ["gain": -6.020_599_9])
                try graph.connect(player, to: mixer)
                try graph.setOutput(mixer)
                return player
            }
            try engine.start(on: .offline)
            _ = try engine.render(frames: 1_000)
            try other.play(at: engine.now)
            #expect(try engine.render(frames: 24_000) == sound)
            #expect(sound[1].peak > 0.2)
        }
    }

    @Test func buffersFollowEachOtherAndSayWhen() async throws {
        let rendering = try Rendering(), format = rendering.format, player = player(rendering, format)
        let ended = Heard()
        func done(_ number: Int) -> AVAudioPlayerNodeCompletionHandler {
            { kind in [Float(number)].withUnsafeBufferPointer { ended.add($0, Int64(kind.rawValue)) } }
        }
        try rendering.engine.start()
        let one = try buffer(format, (0..<700).map { 0.1 + Float($0) / 1_000 })
        let two = try buffer(format, (0..<300).map { -0.1 - Float($0) / 1_000 })
        player.scheduleBuffer(one, completionCallbackType: .dataPlayedBack, completionHandler: done(1))
        player.scheduleBuffer(two, completionCallbackType: .dataRendered, completionHandler: done(2))
        player.scheduleBuffer(
            one, at: AVAudioTime(sampleTime: 2_000, atRate: 48_000), completionCallbackType: .dataConsumed,
            completionHandler: done(3))
        _ = try rendering.render(100)
        player.play()
        let sound = try rendering.render(4_000)
        let a = (0..<700).map { 0.1 + Float($0) / 1_000 }, b = (0..<300).map { -0.1 - Float($0) / 1_000 }
        let pause = [Float](repeating: 0, count: 1_000), rest = [Float](repeating: 0, count: 1_300)
        #expect(sound[0] == a + b + pause + a + rest)
        #expect(sound[0] == sound[1])
        for _ in 0..<200 where ended.samples.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(Set(ended.samples) == [1, 2, 3] && ended.times.sorted() == [0, 1, 2])

        // Times of player and node.
        let node = try #require(player.lastRenderTime), place = try #require(player.playerTime(forNodeTime: node))
        #expect(node.sampleTime == 4_100 && place.sampleTime == 4_000)
        #expect(player.nodeTime(forPlayerTime: place)?.sampleTime == 4_100)
        player.stop()
        #expect(!player.isPlaying && player.playerTime(forNodeTime: node) == nil)
    }

    @Test func loopsAreInterrupted() throws {
        let rendering = try Rendering(), format = rendering.format, player = player(rendering, format)
        try rendering.engine.start()
        let loop = try buffer(format, [Float](repeating: 0.5, count: 300)), next = try buffer(format, [0.1, 0.2, 0.3])
        player.scheduleBuffer(loop, at: nil, options: .loops)
        player.play()
        #expect(try rendering.render(1_000)[0].allSatisfy { $0 == 0.5 })
        player.scheduleBuffer(next, at: nil, options: .interruptsAtLoop)
        let sound = try rendering.render(1_000)[0]
        #expect(sound[..<200].allSatisfy { $0 == 0.5 })
        // What is cut off dies away within 64 frames.
        #expect(sound[202] > 0.3 && sound[300...].allSatisfy { $0 == 0 })
        player.scheduleBuffer(loop, at: nil, options: .loops)
        _ = try rendering.render(100)
        player.scheduleBuffer(next, at: nil, options: .interrupts)
        #expect(try rendering.render(1_000)[0][100...].allSatisfy { $0 == 0 })
    }

    @Test func pausesKeepThePlace() throws {
        let rendering = try Rendering(), format = rendering.format, player = player(rendering, format)
        try rendering.engine.start()
        let ramp = (0..<3_000).map { Float($0) / 4_096 }
        player.scheduleBuffer(try buffer(format, ramp))
        player.play()
        #expect(try rendering.render(1_000)[0] == Array(ramp[..<1_000]))
        player.pause()
        #expect(try rendering.render(1_000)[0][64...].allSatisfy { $0 == 0 } && !player.isPlaying)
        player.play()
        let rest = try rendering.render(2_000)[0]
        #expect(Array(rest[64...]) == Array(ramp[1_064...]))
        #expect(player.playerTime(forNodeTime: try #require(player.lastRenderTime))?.sampleTime == 3_000)
        // A stopped engine plays again, with what was set meanwhile.
        rendering.engine.stop()
        #expect(!player.isPlaying)
        player.volume = 0.5
        rendering.engine.mainMixerNode.outputVolume = 0.5
        try rendering.engine.start()
        player.scheduleBuffer(try buffer(format, ramp))
        player.play()
        _ = try rendering.render(1_000)
        let soft = try rendering.render(1_000)[0]
        #expect(zip(soft, ramp[1_000...]).allSatisfy { abs($0 - $1 / 4) < 1e-6 })
    }

    @Test func partsOfFilesAtOtherRates() throws {
        let folder = try SoundFolder()
        try folder.write("a.wav", .wav, nil, frames: 44_100, channels: 1)
        let rendering = try Rendering(), file = try AVAudioFile(forReading: folder.url("a.wav") as URL)
        // A mono file on a stereo player of 48 000 Hz.
        let player = player(rendering, rendering.format)
        try rendering.engine.start()
        player.scheduleSegment(file, startingFrame: 22_050, frameCount: 11_025, at: nil)
        player.play()
        let sound = try rendering.render(13_000)
        #expect(abs(Array(sound[0][500..<11_500]).frequency(rate: 48_000, near: 441) - 441) < 0.1)
        #expect(
            sound[0] == sound[1] && sound[0][12_010...].allSatisfy { abs($0) < 1e-3 }
                && sound[0][11_900..<12_000].contains { abs($0) > 0.1 })
        let wide = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 10))
        wide.frameLength = 10
        player.scheduleBuffer(wide)
        player.scheduleSegment(file, startingFrame: 44_100, frameCount: 1, at: nil)
    }

    @Test func timeEffectsSetTheSpeedOfPlayers() throws {
        let folder = try SoundFolder()
        try folder.write("a.wav", .wav, nil, frames: 88_200, channels: 2)
        let rendering = try Rendering(rate: 44_100), file = try AVAudioFile(forReading: folder.url("a.wav") as URL)
        let player = AVAudioPlayerNode(), speed = AVAudioUnitVarispeed()
        rendering.engine.attach(player)
        rendering.engine.attach(speed)
        rendering.engine.connect(player, to: speed, format: nil)
        rendering.engine.connect(speed, to: rendering.engine.mainMixerNode, format: nil)
        speed.rate = 1.5
        try rendering.engine.start()
        player.scheduleFile(file, at: nil)
        player.play()
        let sound = try rendering.render(40_000)[0]
        #expect(abs(Array(sound[4_000...]).frequency(rate: 44_100, near: 661.5) - 661.5) < 0.1)
    }
}
