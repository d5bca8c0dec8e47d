import AVFoundation
import Testing

/// An engine that the program renders, with what it gives.
final class Rendering {
    let engine = AVAudioEngine()
    let format: AVAudioFormat

    init(rate: Double = 48_000, channels: AVAudioChannelCount = 2) throws {
        format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4_096)
    }

    /// The next frames, channel by channel.
    func render(_ frames: Int, slice: Int = 1_024) throws -> [[Float]] {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 4_096))
        var sound = [[Float]](repeating: [], count: Int(format.channelCount)), left = frames
        while left > 0 {
            let count = min(left, slice)
            #expect(try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success)
            for channel in sound.indices {
                sound[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: count)
            }
            left -= count
        }
        return sound
    }

    /// A source node of a sine, with the frame that it counts from.
    func sine(_ frequency: Double, _ amplitude: Float = 0.5, format: AVAudioFormat? = nil) -> AVAudioSourceNode {
        let rate = (format ?? self.format).sampleRate
        return AVAudioSourceNode { _, time, frames, list in
            let first = time.pointee.mSampleTime
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = UnsafeMutableBufferPointer<Float>(buffer)
                for frame in 0..<Int(frames) {
                    samples[frame] = amplitude * Float(sin(2 * .pi * frequency * (first + Double(frame)) / rate))
                }
            }
            return noErr
        }
    }
}

extension [Float] {
    /// The frequency of a sine, by the phase between two places a second apart at most.
    func frequency(rate: Double, near guess: Double) -> Double {
        func phase(_ start: Int, _ count: Int) -> Double {
            var (re, im) = (0.0, 0.0)
            for i in 0..<count {
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(count)),
                    turn = 2 * .pi * guess * Double(start + i) / rate
                re += window * Double(self[start + i]) * cos(turn)
                im -= window * Double(self[start + i]) * sin(turn)
            }
            return atan2(im, re)
        }
        let count = 8_192, step = self.count - count
        var turn = phase(step, count) - phase(0, count)
        turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
        return guess + turn / (2 * .pi) * rate / Double(step)
    }

    var peak: Float { reduce(0) { Swift.max($0, abs($1)) } }
}

@Suite struct AudioEngineTests {
    @Test func aSourceNodesSineIsExact() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let source = rendering.sine(440)
        engine.attach(source)
        let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        engine.connect(source, to: engine.mainMixerNode, format: mono)
        engine.mainMixerNode.outputVolume = 0.5
        try engine.start()
        let sound = try rendering.render(48_000)
        #expect(sound[0] == sound[1])
        #expect(abs(sound[0].frequency(rate: 48_000, near: 440) - 440) < 0.1)
        for frame in [0, 1, 1_023, 1_024, 47_999] {
            let wanted = 0.25 * Float(sin(2 * .pi * 440 * Double(frame) / 48_000))
            #expect(abs(sound[0][frame] - wanted) < 1e-6, "\(frame)")
        }
        #expect(engine.manualRenderingSampleTime == 48_000)
        // By the program's block, as in mode realtime.
        #expect(throws: NSError.self) {
            try engine.enableManualRenderingMode(.offline, format: rendering.format, maximumFrameCount: 1)
        }
    }

    @Test func aSourceHasItsOwnRateAndKindOfSamples() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let own = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let source = rendering.sine(440, format: own)
        let int16 = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
        let steps = AVAudioSourceNode(format: int16) { _, time, frames, list in
            let samples = UnsafeMutableBufferPointer<Int16>(UnsafeMutableAudioBufferListPointer(list)[0])
            for frame in 0..<Int(frames) {
                samples[2 * frame] = Int16(truncatingIfNeeded: Int(time.pointee.mSampleTime) + frame)
                samples[2 * frame + 1] = -16_384
            }
            return noErr
        }
        engine.attach(source)
        engine.attach(steps)
        engine.connect(source, to: engine.mainMixerNode, format: own)
        try engine.start()
        let sine = try rendering.render(48_000)
        #expect(abs(Array(sine[0][2_000...]).frequency(rate: 48_000, near: 440) - 440) < 0.1)
        #expect(abs(Array(sine[0][2_000...]).peak - 0.5) < 1e-3)

        engine.disconnectNodeOutput(source)
        engine.connect(steps, to: engine.mainMixerNode, format: nil)
        _ = try rendering.render(512)
        let ramp = try rendering.render(100)
        #expect(ramp[0] == (0..<100).map { Float(48_512 + $0 - 65_536) / 32_768 } && ramp[1].allSatisfy { $0 == -0.5 })
    }

    @Test func mixersKeepVolumeAndPanOfWhatLeadsToThem() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let (left, right) = (rendering.sine(440, 0.4), rendering.sine(1_000, 0.2))
        let inner = AVAudioMixerNode()
        for node in [left, right, inner] as [AVAudioNode] { engine.attach(node) }
        engine.connect(left, to: inner, format: nil)
        engine.connect(right, to: inner, format: nil)
        #expect(inner.nextAvailableInputBus == 2)
        engine.connect(inner, to: engine.mainMixerNode, format: nil)
        left.pan = -1
        right.pan = 1
        right.volume = 0.5
        try engine.start()
        let sound = try rendering.render(48_000)
        #expect(abs(sound[0].peak - 0.4) < 1e-4 && abs(sound[1].peak - 0.1) < 1e-4)
        #expect(abs(sound[0].frequency(rate: 48_000, near: 440) - 440) < 0.1)
        #expect(abs(sound[1].frequency(rate: 48_000, near: 1_000) - 1_000) < 0.1)
        left.volume = 0
        _ = try rendering.render(4_096)
        #expect(try rendering.render(1_024)[0].peak < 1e-6)
        // More inputs than it was made with.
        for bus in 2..<12 {
            let more = rendering.sine(440, 0)
            engine.attach(more)
            engine.connect(more, to: inner, fromBus: 0, toBus: bus, format: nil)
        }
        _ = try rendering.render(4_096)
        #expect(try abs(rendering.render(4_800)[1].peak - 0.1) < 1e-4)
        #expect(engine.inputConnectionPoint(for: inner, inputBus: 1)?.node === right)
        #expect(engine.outputConnectionPoints(for: inner, outputBus: 0).first?.node === engine.mainMixerNode)
    }

    /// A source ahead, then to the right, twice as far, and behind a listener who has turned.
    @Test func anEnvironmentPlacesItsSources() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let room = AVAudioEnvironmentNode(), source = rendering.sine(1_000, 0.5)
        engine.attach(room)
        engine.attach(source)
        engine.connect(source, to: room, format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        engine.connect(room, to: engine.mainMixerNode, format: nil)
        #expect(room.nextAvailableInputBus == 1)
        source.position = AVAudioMake3DPoint(0, 0, -1)
        try engine.start()
        func levels() throws -> [Float] {
            _ = try rendering.render(4_800)
            return try rendering.render(4_800).map(\.peak)
        }
        let ahead = try levels()
        #expect(abs(ahead[0] - ahead[1]) < 1e-4 && ahead[0] > 0.3)
        source.position = AVAudioMake3DPoint(1, 0, 0)
        let right = try levels()
        #expect(right[1] > 0.45 && right[0] < 0.01)
        source.position = AVAudioMake3DPoint(2, 0, 0)
        #expect(try abs(levels()[1] - right[1] / 2) < 1e-3)
        room.listenerPosition = AVAudioMake3DPoint(1, 0, 0)
        #expect(try abs(levels()[1] - right[1]) < 1e-3)
        room.listenerAngularOrientation = AVAudioMake3DAngularOrientation(90, 0, 0)
        let turned = try levels()
        #expect(abs(turned[0] - ahead[0]) < 1e-3 && abs(turned[1] - ahead[1]) < 1e-3)
        room.outputVolume = 0.5
        source.occlusion = -60
        #expect(try levels()[0] < ahead[0] / 4)
        // Two vectors and three angles say the same.
        room.listenerAngularOrientation = AVAudioMake3DAngularOrientation(30, -40, 50)
        let vectors = room.listenerVectorOrientation
        room.listenerAngularOrientation = AVAudioMake3DAngularOrientation(.nan, 0, 0)
        room.listenerVectorOrientation = vectors
        let angles = room.listenerAngularOrientation
        #expect(abs(angles.yaw - 30) < 1e-3 && abs(angles.pitch + 40) < 1e-3 && abs(angles.roll - 50) < 1e-3)
        #expect(try levels().allSatisfy(\.isFinite))
    }

    @Test func whatApplesEngineRefusesDoesNothing() throws {
        let rendering = try Rendering(), engine = rendering.engine, player = AVAudioPlayerNode()
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
        player.play()
        #expect(!player.isPlaying && player.lastRenderTime == nil)
        engine.attach(player)
        AVAudioEngine().attach(player)
        #expect(player.engine === engine)
        engine.connect(player, to: engine.mainMixerNode, fromBus: 1, toBus: 0, format: nil)
        engine.connect(player, to: player, format: nil)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rendering.format, frameCapacity: 512))
        #expect(throws: NSError.self) { try engine.renderOffline(512, to: buffer) }
        let echo = AVAudioUnitDelay(), room = AVAudioUnitReverb()
        engine.attach(echo)
        engine.attach(room)
        engine.connect(echo, to: room, format: nil)
        try engine.start()
        // A circle is taken back.
        engine.connect(room, to: echo, format: nil)
        #expect(engine.outputConnectionPoints(for: room, outputBus: 0).isEmpty)
        #expect(engine.outputConnectionPoints(for: echo, outputBus: 0).count == 1)
        engine.detach(room)
        #expect(room.engine == nil && engine.outputConnectionPoints(for: echo, outputBus: 0).isEmpty)
        #expect(try rendering.render(512)[0].peak == 0)
    }

    @Test func tapsGetEveryFrameOnAThreadOfTheirOwn() async throws {
        let rendering = try Rendering(), engine = rendering.engine
        let source = rendering.sine(440)
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: nil)
        let heard = Heard()
        source.installTap(onBus: 0, bufferSize: 1_000, format: nil) { buffer, time in
            heard.add(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength)), time.sampleTime)
        }
        source.installTap(onBus: 0, bufferSize: 10, format: nil) { _, _ in Issue.record("a second tap") }
        try engine.start()
        let sound = try rendering.render(24_000)
        for _ in 0..<200 where heard.samples.count < 23_000 { try await Task.sleep(for: .milliseconds(10)) }
        source.removeTap(onBus: 0)
        let (samples, times) = (heard.samples, heard.times)
        #expect(samples.count >= 23_000 && samples.count % 1_000 == 0)
        #expect(samples == Array(sound[0][..<samples.count]) && times == (0..<times.count).map { Int64($0 * 1_000) })
    }

    @Test func theInputNodeAsksTheProgram() throws {
        let rendering = try Rendering(), engine = rendering.engine
        let given = try #require(AVAudioPCMBuffer(pcmFormat: rendering.format, frameCapacity: 4_096))
        for frame in 0..<4_096 { given.floatChannelData?[1][frame] = 0.25 }
        given.frameLength = 4_096
        #expect(engine.inputNode.setManualRenderingInputPCMFormat(rendering.format) { _ in given.audioBufferList })
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        let sunk = Heard()
        let sink = AVAudioSinkNode { time, frames, list in
            let buffer = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))[1]
            sunk.add(UnsafeBufferPointer<Float>(buffer), Int64(time.pointee.mSampleTime))
            return noErr
        }
        engine.attach(sink)
        engine.connect(
            engine.inputNode,
            to: [AVAudioConnectionPoint(node: sink, bus: 0), AVAudioConnectionPoint(node: engine.mainMixerNode, bus: 0)],
            fromBus: 0, format: nil)
        try engine.start()
        let sound = try rendering.render(2_048)
        #expect(sound[0].peak == 0 && sound[1].allSatisfy { $0 == 0.25 })
        #expect(sunk.samples.count == 2_048 && sunk.samples.allSatisfy { $0 == 0.25 })
    }

    @Test func manualRenderingHasItsFormat() throws {
        let engine = AVAudioEngine(), rendering = try Rendering()
        let int16 = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
        try engine.enableManualRenderingMode(.offline, format: int16, maximumFrameCount: 512)
        let source = rendering.sine(440)
        engine.attach(source)
        engine.connect(source, to: engine.outputNode, format: nil)
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: int16, frameCapacity: 512))
        _ = try engine.renderOffline(512, to: buffer)
        let samples = UnsafeBufferPointer(start: buffer.int16ChannelData?[0], count: 1_024)
        for frame in 0..<512 {
            let wanted = 16_384 * sin(2 * .pi * 440 * Double(frame) / 48_000)
            #expect(abs(Double(samples[2 * frame + 1]) - wanted) <= 1)
        }
        engine.stop()
        try engine.enableManualRenderingMode(.realtime, format: rendering.format, maximumFrameCount: 256)
        try engine.start()
        let block = engine.manualRenderingBlock
        let float = try #require(AVAudioPCMBuffer(pcmFormat: rendering.format, frameCapacity: 256))
        var status: OSStatus = -1
        #expect(block(256, float.mutableAudioBufferList, &status) == .success && status == noErr)
        #expect(abs((float.floatChannelData?[0][50] ?? 0) - 0.5 * Float(sin(2 * .pi * 440 * 50 / 48_000.0))) < 1e-5)
        #expect(block(257, float.mutableAudioBufferList, &status) == .error)
    }
}

/// What a tap heard.
final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var sound: [Float] = []
    private var starts: [Int64] = []

    func add(_ samples: UnsafeBufferPointer<Float>, _ time: Int64) {
        lock.withLock {
            sound += samples
            starts.append(time)
        }
    }

    var samples: [Float] { lock.withLock { sound } }
    var times: [Int64] { lock.withLock { starts } }
}
