import AVFoundation
import Testing

/// Sequences of calls on an engine, from a generator that knows some of its state: at least half are valid, and none ends the
/// process or leaves an engine that does not render.
@Suite struct EngineSequenceTests {
    /// CARILLON_SEQUENCES=10000 tries more.
    private static let count = Int(ProcessInfo.processInfo.environment["CARILLON_SEQUENCES"] ?? "") ?? 60

    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }

        mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }
    }

    private final class Trial {
        var dice: Dice
        let engine = AVAudioEngine()
        let formats: [AVAudioFormat]
        var nodes: [AVAudioNode] = []
        let buffers: [AVAudioPCMBuffer]
        var output: AVAudioPCMBuffer
        let callbacks: Heard

        init(_ seed: Int, _ callbacks: Heard) throws {
            dice = Dice(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
            self.callbacks = callbacks
            formats = try [(48_000.0, 2), (44_100, 1), (8_000, 2), (48_000, 1)].map {
                try #require(AVAudioFormat(standardFormatWithSampleRate: $0.0, channels: $0.1))
            }
            buffers = try formats.map { format in
                let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 700))
                buffer.frameLength = 700
                for frame in 0..<700 { buffer.floatChannelData?[0][frame] = Float(frame % 7) / 16 }
                return buffer
            }
            output = try #require(AVAudioPCMBuffer(pcmFormat: formats[0], frameCapacity: 512))
            try engine.enableManualRenderingMode(.offline, format: formats[0], maximumFrameCount: 512)
            nodes = [
                AVAudioPlayerNode(), AVAudioPlayerNode(), AVAudioMixerNode(), AVAudioUnitEQ(numberOfBands: 3), AVAudioUnitDelay(),
                AVAudioUnitVarispeed(), AVAudioUnitReverb(), AVAudioEnvironmentNode(), AVAudioUnitDistortion(),
                engine.mainMixerNode, engine.outputNode, engine.inputNode,
                AVAudioSinkNode { _, _, _ in 0 },
                AVAudioSourceNode { _, _, frames, list in
                    for buffer in UnsafeMutableAudioBufferListPointer(list) { memset(buffer.mData, 0, Int(buffer.mDataByteSize)) }
                    return frames % 3 == 0 ? -1 : 0
                },
            ]
            for node in nodes.prefix(5) { engine.attach(node) }
        }

        func step() throws {
            let node = dice.pick(nodes), other = dice.pick(nodes), player = nodes[dice.roll(2)] as? AVAudioPlayerNode
            let heard = callbacks
            switch dice.roll(30) {
            case 0: engine.attach(node)
            case 1: engine.detach(node)
            case 2, 3: engine.connect(node, to: other, format: dice.roll(2) == 0 ? nil : dice.pick(formats))
            case 4, 5: engine.connect(node, to: engine.mainMixerNode, format: dice.pick(formats))
            case 6: engine.connect(node, to: other, fromBus: dice.roll(3) - 1, toBus: dice.pick([0, 1, 7, 200, -1]), format: nil)
            case 7: engine.disconnectNodeOutput(node)
            case 8: engine.disconnectNodeInput(node, bus: dice.roll(3))
            case 9, 10: do { try engine.start() } catch { #expect((error as NSError).code != 0) }
            case 11: engine.stop()
            case 12: engine.pause()
            case 13:
                node.installTap(onBus: dice.roll(2), bufferSize: AVAudioFrameCount(dice.pick([0, 1, 100, 5_000])), format: nil) {
                    _, _ in
                }
            case 14: node.removeTap(onBus: 0)
            case 15, 16:
                let options: AVAudioPlayerNodeBufferOptions = dice.pick([
                    [], .loops, .interrupts, .interruptsAtLoop, [.loops, .interrupts],
                ])
                let time =
                    dice.roll(2) == 0 ? nil : AVAudioTime(sampleTime: Int64(dice.pick([0, 300, -5, 1 << 40])), atRate: 48_000)
                player?.scheduleBuffer(dice.pick(buffers), at: time, options: options) {
                    // From within a callback too.
                    if !(player?.isPlaying ?? true) { [1].withUnsafeBufferPointer { heard.add($0, 0) } }
                }
            case 17, 18: player?.play()
            case 19: player?.pause()
            case 20: player?.stop()
            case 21: player?.volume = dice.pick([0, 1, -1, 1e9, .nan])
            case 22: (nodes[5] as? AVAudioUnitVarispeed)?.rate = dice.pick([1, 0, 100, .nan])
            case 23: (nodes[4] as? AVAudioUnitDelay)?.delayTime = dice.pick([0, 5, .infinity, 0.1])
            case 24: engine.reset()
            case 25:
                (node as? any AVAudioMixing)?.position = AVAudioMake3DPoint(dice.pick([0, 1e9, .nan]), 1, 0)
                (node as? AVAudioEnvironmentNode)?.listenerAngularOrientation.yaw = dice.pick([90, .infinity])
            case 26, 27: poke(node.auAudioUnit)
            default: try render()
            }
        }

        /// Calls of a node's audio unit, also those that its engine should make.
        private func poke(_ unit: AUAudioUnit) {
            let bus = dice.pick([0, 1, -1, 9])
            switch dice.roll(9) {
            case 0: do { try unit.allocateRenderResources() } catch { #expect((error as NSError).code != 0) }
            case 1: unit.deallocateRenderResources()
            case 2: unit.parameterTree?.allParameters.first?.value = dice.pick([0, 0.5, -1e30, .nan])
            case 3: unit.shouldBypassEffect = dice.roll(2) == 0
            case 4: unit.scheduleParameterBlock(dice.pick([0, -1, .min, .max]), 0, dice.pick([0, 3, .max]), 1)
            case 5: do { try unit.inputBusses[bus].setFormat(formats[1]) } catch { #expect((error as NSError).code != 0) }
            case 6: unit.fullState = dice.pick([unit.fullState, ["type": 1], nil])
            case 7: unit.scheduleMIDIEventBlock?(0, 0, 2, [0x90, 60])
            default:
                var flags = AudioUnitRenderActionFlags(), stamp = AudioTimeStamp()
                let status = unit.renderBlock(&flags, &stamp, dice.pick([64, 9_999]), bus, output.mutableAudioBufferList) {
                    _, _, _, _, _ in -1
                }
                output.frameLength = output.frameCapacity
                #expect(status != 1)
            }
        }

        func render() throws {
            do {
                _ = try engine.renderOffline(AVAudioFrameCount(dice.pick([1, 512, 100, 0])), to: output)
            } catch { #expect(!engine.isRunning) }
        }
    }

    @Test func noSequenceOfCallsBreaksAnEngine() throws {
        let heard = Heard()
        for seed in 0..<Self.count {
            weak var left: AVAudioEngine?
            defer { #expect(left == nil, "\(seed)") }
            let trial = try Trial(seed, heard)
            left = trial.engine
            for _ in 0..<20 { try trial.step() }
            do { try trial.engine.start() } catch { Issue.record("\(seed): \(error)") }
            #expect(try trial.engine.renderOffline(64, to: trial.output) == .success, "\(seed)")
            let sound = [Float](UnsafeBufferPointer(start: trial.output.floatChannelData?[0], count: 64))
            #expect(sound.allSatisfy { $0.isFinite }, "\(seed)")
        }
    }

    @Test func twoThreadsShareAnEngine() throws {
        let trial = try Trial(1, Heard()), shared = Shared(trial.engine)
        let group = DispatchGroup()
        for number in 0..<2 {
            DispatchQueue.global().async(group: group) {
                let engine = shared.engine
                for round in 0..<40 {
                    let node = AVAudioMixerNode()
                    engine.attach(node)
                    engine.connect(node, to: engine.mainMixerNode, format: nil)
                    do { try engine.start() } catch { Issue.record("\(number) \(round): \(error)") }
                    engine.detach(node)
                }
            }
        }
        group.wait()
        #expect(trial.engine.isRunning)
        #expect(try trial.engine.renderOffline(64, to: trial.output) == .success)
    }

    private struct Shared: @unchecked Sendable {
        let engine: AVAudioEngine
        init(_ engine: AVAudioEngine) { self.engine = engine }
    }
}
