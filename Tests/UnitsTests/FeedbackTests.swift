import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import Testing
import UnitAPI
import Units

/// Gives one sample of any kind, as a mixer whose sum is too much for a number might: mixers are not asked.
private struct Spill: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "spil", manufacturer: "Test"), name: "spill",
        summary: "Gives one sample.", outputs: [.init("main")])
    private let sample: Float, frame: Int64

    init(_ sample: Float, at frame: Int64) {
        self.sample = sample
        self.frame = frame
    }

    init(_ setup: UnitSetup) { self.init(.nan, at: 0) }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 {
            let output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = io.sampleTime.rawValue &+ Int64(i) == frame ? sample : 0 }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// Sound runs in a circle through a `feedback`, 64 frames at a time, and in no other way.
@Suite struct FeedbackTests {
    /// A signal into a junction, which is the output, and from there through `inside` and a feedback back into it.
    private struct Loop {
        let rig: OfflineRig
        let junction: NodeID, loop: NodeID
        let instance: UnitInstance

        init(
            _ signal: [Float], gain: Float = -6, threads: Int = 1, pull: Int? = nil, output: Bool = true,
            inside: (OfflineRig) throws -> NodeID? = { _ in nil }
        ) throws {
            rig = OfflineRig(threads: threads, pull: pull)
            let source = try rig.add(left: signal, right: signal.map { 0 - $0 })
            junction = try rig.add(Junction.self)
            loop = try rig.add(Feedback.self, name: "loop", startValues: ["gain": gain])
            instance = try rig.graph.node(loop).instance
            try rig.graph.connect(source, to: junction)
            if let middle = try inside(rig) {
                try rig.graph.connect(junction, to: middle)
                try rig.graph.connect(middle, to: loop)
            } else {
                try rig.graph.connect(junction, to: loop)
            }
            try rig.graph.connect(loop, to: junction)
            if output { try rig.graph.setOutput(junction) }
        }

        func play(_ frames: Int, block: Int = 512) throws -> [[Float]] {
            try rig.publish()
            rig.render(frames, block: block)
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return rig.recording
        }
    }

    /// A click at frame `at` of `height`, and what it becomes when it comes around every `time` frames.
    private static func series(_ height: Float, at: Int, every time: Int, gain: Float, frames: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: frames), click = height
        for frame in stride(from: at, to: frames, by: time) {
            samples[frame] = click
            click *= Decibels.amplitude(gain)
            // What is smaller than a normal number is zero on the render side.
            if abs(click) < .leastNormalMagnitude { click = 0 }
        }
        return samples
    }

    private static func click(_ height: Float = 0.5, at: Int = 100) -> [Float] {
        [Float](repeating: 0, count: at) + [height]
    }

    @Test(arguments: [1, 7, 64, 512, 4096], [1, 2, 3])
    func aClickComesBackEvery64FramesByTheGain(_ block: Int, _ threads: Int) throws {
        let sound = try Loop(Self.click(), threads: threads).play(8_000, block: block)
        let wanted = Self.series(0.5, at: 100, every: 64, gain: -6, frames: 8_000)
        #expect(firstDifference(sound, [wanted, wanted.map { 0 - $0 }]) == nil)
    }

    @Test(arguments: [1, 100, 4096]) func aDelayInTheLoopAddsItsTime(_ block: Int) throws {
        let loop = try Loop(Self.click()) {
            try $0.add(Delay.self, startValues: ["time": 0.1, "feedback": 0, "mix": 100])
        }
        #expect(try loop.play(20_000, block: block)[0] == Self.series(0.5, at: 100, every: 4_864, gain: -6, frames: 20_000))
    }

    @Test func noiseInALoopIsTheSameInEveryBlockAndOnEveryThread() throws {
        var random = SeededRandom(seed: 5)
        let noise = (0..<3_000).map { _ in random.sample() * 0.5 }
        func take(_ block: Int, _ threads: Int) throws -> [[Float]] {
            try Loop(noise, gain: -1, threads: threads) { try $0.add(Filter.self) }.play(12_000, block: block)
        }
        let first = try take(512, 1)
        for (block, threads) in [(1, 1), (7, 2), (64, 3), (4096, 1), (4096, 3)] {
            #expect(firstDifference(first, try take(block, threads)) == nil, "block \(block), \(threads) threads")
        }
    }

    @Test func anEditElsewhereIsNotHeardInTheLoop() throws {
        let loop = try Loop(Self.click())
        _ = try loop.play(300)
        let other = try loop.rig.add(left: [], right: [], name: "other")
        try loop.rig.graph.connect(other, to: loop.junction)
        _ = try loop.play(300)
        try loop.rig.graph.remove(other)
        let sound = try loop.play(2_000, block: 100)
        #expect(sound[0] == Self.series(0.5, at: 100, every: 64, gain: -6, frames: 2_600))
    }

    @Test func aLoopThatIsTakenAwayFades() throws {
        let loop = try Loop([Float](repeating: 0.125, count: 20_000))
        let steady = try loop.play(6_000)[0][5_999]
        #expect(abs(steady - 0.125 / (1 - Decibels.amplitude(-6))) < 1e-4, "as the sum of the series says")
        try loop.rig.graph.remove(loop.loop)
        let sound = try loop.play(2_000)[0][5_999...]
        #expect(sound.last == 0.125)
        #expect((zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 1) < 0.125 / 64, "and no step is heard")
        try loop.rig.graph.append(try loop.rig.add(Junction.self, name: "last"))
        #expect(try loop.play(1_000)[0].last == 0.125)
    }

    @Test func aLoopIsMadeWhileItSounds() throws {
        let rig = OfflineRig()
        let steady = [Float](repeating: 0.125, count: 20_000)
        let source = try rig.add(left: steady, right: steady), junction = try rig.add(Junction.self)
        try rig.graph.connect(source, to: junction)
        try rig.graph.setOutput(junction)
        try rig.publish()
        rig.render(1_000)
        let filter = try rig.add(Junction.self, name: "inside"), loop = try rig.add(Feedback.self)
        try rig.graph.chain(junction, filter, loop, junction)
        try rig.publish()
        rig.render(6_000)
        let sound = rig.recording[0][999...]
        #expect((zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 1) < 0.125 / 64)
        #expect(abs((sound.last ?? 0) - 0.125 / (1 - Decibels.amplitude(-6))) < 1e-4)
        try rig.clean()
        rig.render(100)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func aLoopThatComesBackHasForgottenWhatItHeard() throws {
        let loop = try Loop(Self.click(at: 990), gain: 0)
        _ = try loop.play(1_000)
        try loop.rig.graph.disconnect(loop.loop, from: loop.junction)
        try loop.rig.graph.disconnect(loop.junction, from: loop.loop)
        _ = try loop.play(1_000)
        try loop.rig.clean()
        try loop.rig.graph.chain(loop.junction, loop.loop, loop.junction)
        #expect(try loop.play(4_000)[0][2_000...].allSatisfy { $0 == 0 })
    }

    @Test func whatIsNoNumberIsMutedAndDoesNotComeBack() throws {
        for block in [7, 512] {
            let loop = try Loop(Self.click(0.25, at: 2_000), gain: 0)
            let spill = try loop.rig.graph.add(UnitInstance.boxing(Spill(.nan, at: 100), loop.rig.setup()))
            try loop.rig.graph.connect(spill, to: loop.junction)
            let sound = try loop.play(4_000, block: block)
            // A junction is a mixer, which only adds up; the feedback is the first to be asked.
            #expect(sound[0].indices.filter { !sound[0][$0].isFinite } == [100], "where it came in, and never again")
            let faults = loop.instance.faults
            #expect(faults == 1)
            #expect(sound[0][101..<2_000].allSatisfy { $0 == 0 })
            #expect(sound[0][2_000] == 0.25 && sound[0][2_064] == 0.25, "the loop works on")
        }
    }

    @Test func whatIsInfiniteComesBackAsFullScale() throws {
        let loop = try Loop([], gain: -6)
        let spill = try loop.rig.graph.add(UnitInstance.boxing(Spill(.infinity, at: 100), loop.rig.setup()))
        try loop.rig.graph.connect(spill, to: loop.junction)
        let sound = try loop.play(1_000)
        #expect(sound[0][164] == 1 && sound[1][164] == 1)
        #expect(sound[0][165...].allSatisfy { abs($0) < 1 })
    }

    @Test func aLoopThatGainsStaysBelowFullScale() throws {
        var random = SeededRandom(seed: 9)
        let noise = (0..<2_000).map { _ in random.sample() * 0.01 }
        let loop = try Loop(noise, gain: 0, output: false) {
            try $0.add(MultichannelMixer.self, inputs: 1, startValues: ["volume": 12])
        }
        try loop.rig.graph.setOutput(loop.loop)
        let sound = try loop.play(96_000).joined()
        #expect(sound.allSatisfy { $0.isFinite && abs($0) < 1 })
        #expect((sound.map(abs).max() ?? 0) > 0.8, "it has grown")
    }

    @Test func theGainMovesWithoutAStep() throws {
        let loop = try Loop([Float](repeating: 0.125, count: 30_000), gain: -60)
        _ = try loop.play(5_000)
        loop.rig.set(Feedback.Parameter.gain, -6, of: loop.loop, at: 5_000)
        let sound = try loop.play(9_000)[0][4_999...]
        #expect((zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 1) < 0.005)
        #expect(abs((sound.last ?? 0) - 0.125 / (1 - Decibels.amplitude(-6))) < 1e-4)
    }

    @Test func aLoopWaitsForNoLatencyOutsideIt() throws {
        let loop = try Loop(Self.click())
        let late = try loop.rig.add(Limiter.self), rig = loop.rig
        let source = try #require(rig.graph.node(named: "signal")).id, latency = try rig.graph.node(late).instance.latency
        try rig.graph.insert(late, between: source, and: loop.junction)
        let last = try rig.add(MultichannelMixer.self, inputs: 2)
        try rig.graph.connect(loop.junction, to: last[0])
        try rig.graph.connect(source, to: last[1])
        try rig.graph.setOutput(last)
        #expect(latency > 0)
        #expect(try rig.graph.latency == latency, "what goes around adds nothing")
        let sound = try loop.play(2_000)[0], first = 100 + latency, g = Decibels.amplitude(-6)
        #expect(sound[..<first].allSatisfy { $0 == 0 })
        let height = sound[first] / 2
        #expect(abs(sound[first + 64] - height * g) < 1e-5 && abs(sound[first + 128] - height * g * g) < 1e-5)
        #expect(sound[first + 1..<first + 64].allSatisfy { abs($0) < 1e-5 })
    }

    @Test func latencyInsideALoopIsPartOfItsTime() throws {
        let loop = try Loop(Self.click(0.25)) { try $0.add(Limiter.self) }
        let limiter = try #require(loop.rig.graph.node(named: "limiter")).instance
        #expect(try loop.rig.graph.latency == 0)
        let sound = try loop.play(2_000)[0], time = 64 + limiter.latency
        #expect(abs(sound[100 + time] - 0.25 * Decibels.amplitude(-6)) < 1e-5)
        #expect(sound[101..<100 + time].allSatisfy { abs($0) < 1e-5 })
    }

    @Test func aLoopOfNothingElseIsALoop() throws {
        let rig = OfflineRig()
        let source = try rig.add(left: Self.click(), right: Self.click()), loop = try rig.add(Feedback.self)
        try rig.graph.connect(source, to: loop)
        try rig.graph.connect(loop, to: loop)
        try rig.graph.setOutput(loop)
        try rig.publish()
        rig.render(1_000)
        let g = Decibels.amplitude(-6)
        #expect(rig.recording[0] == Self.series(0.5 * g, at: 164, every: 64, gain: -6, frames: 1_000))
    }

    @Test func twoLoopsInEachOtherBothComeAround() throws {
        let loop = try Loop(Self.click(0.25))
        let second = try loop.rig.add(Feedback.self, name: "second")
        try loop.rig.graph.chain(loop.loop, second, loop.junction)
        let sound = try loop.play(1_000, block: 100)[0], g = Decibels.amplitude(-6)
        #expect(sound[164] == 0.25 * g)
        #expect(abs(sound[228] - 0.25 * 2 * g * g) < 1e-7, "twice around the first, once through both")
    }

    @Test func aCircleWithoutALoopIsRefusedAndToldTheRemedy() throws {
        let rig = OfflineRig()
        let first = try rig.add(Junction.self), second = try rig.add(Junction.self), loop = try rig.add(Feedback.self)
        try rig.graph.chain(first, second, first)
        try rig.graph.chain(first, loop, first)
        try rig.graph.setOutput(first)
        #expect(throws: Fault.cycle(["junction", "junction-2", "junction"])) { try rig.publish() }
        #expect("\(Fault.cycle(["a", "a"]))".hasSuffix("or lead the sound back through a unit feedback"))
    }

    @Test func aLoopCannotBeBypassed() throws {
        let rig = OfflineRig()
        let loop = try rig.add(Feedback.self)
        #expect(throws: Fault.notBypassable(unit: "feedback")) { try rig.graph.bypass(loop) }
    }

    @Test func anEffectInALoopCanBeBypassed() throws {
        let loop = try Loop(Self.click()) {
            try $0.add(Delay.self, startValues: ["time": 0.1, "feedback": 0, "mix": 100])
        }
        let delay = try #require(loop.rig.graph.node(named: "delay")).id
        try loop.rig.graph.bypass(delay)
        #expect(try loop.play(2_000)[0] == Self.series(0.5, at: 100, every: 64, gain: -6, frames: 2_000))
        try loop.rig.graph.bypass(delay, false)
        _ = try loop.play(2_000)
        #expect(loop.rig.violations.total == 0)
    }

    @Test func aResetEmptiesTheLoop() throws {
        let loop = try Loop(Self.click(), gain: 0)
        loop.rig.send(.reset(.generalMIDI, port: 0), to: loop.loop, at: 0)
        try loop.rig.publish()
        loop.rig.render(400)
        #expect(loop.rig.renderer.send(RenderCommand(time: SampleTime(400), node: loop.loop, event: .reset)))
        loop.rig.render(1_000)
        #expect(loop.rig.recording[0][356] == 0.5)
        #expect(loop.rig.recording[0][400...].allSatisfy { $0 == 0 })
    }

    @Test func aResetInTheMiddleOfASliceIsTheSameInEveryBlock() throws {
        var takes: [[[Float]]] = []
        for block in [1, 7, 64, 512] {
            let loop = try Loop([Float](repeating: 0.125, count: 2_000), gain: -1)
            #expect(loop.rig.renderer.send(RenderCommand(time: SampleTime(433), node: loop.loop, event: .reset)))
            takes.append(try loop.play(1_000, block: block))
        }
        #expect(takes[0][0][432] > 0.3 && takes[0][0][433..<497].allSatisfy { $0 == 0.125 } && takes[0][0][497] > 0.2)
        for take in takes { #expect(firstDifference(takes[0], take) == nil) }
    }

    @Test func aLoopThatHasRungOutIsAtRest() throws {
        let loop = try Loop(Self.click(), gain: -60)
        _ = try loop.play(500)
        let rests = loop.instance.isAtRest
        _ = try loop.play(48_000)
        let restsAtLast = loop.instance.isAtRest
        #expect(!rests && restsAtLast)
    }
}
