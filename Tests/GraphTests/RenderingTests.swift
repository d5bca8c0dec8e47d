import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// What comes out of a plan: sums, delays, controllers, sleep.
@Suite struct RenderingTests {
    private func ramp(_ count: Int, _ scale: Float = 1) -> [Float] { (0..<count).map { scale * Float($0 + 1) } }

    @Test func edgesIntoOneBusAddUpInTheOrderTheyWereMade() throws {
        // 1e8 + 1 is 1e8 in Float32, so a sum in another order gives another number.
        let rig = OfflineRig()
        let parts: [Float] = [1e8, 1, -1e8, 3]
        let sum = try rig.add(CountingUnit.self)
        for (n, part) in parts.enumerated() {
            let source = try rig.add(left: [part, part], right: [part, part], name: "source-\(n)")
            try rig.graph.connect(source, to: sum)
        }
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.render(2)
        let wanted = parts.dropFirst().reduce(parts[0], +)
        #expect(wanted == 3 && rig.recording[0] == [wanted, wanted])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func oneSourceMayFeedManyUnits() throws {
        let rig = OfflineRig()
        let source = try rig.add(left: ramp(100), right: ramp(100, -1)), sum = try rig.add(CountingUnit.self, name: "sum")
        for n in 0..<3 {
            let branch = try rig.add(CountingUnit.self, name: "branch-\(n)")
            try rig.graph.connect(source, to: branch)
            try rig.graph.connect(branch, to: sum)
        }
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.render(100, block: 7)
        #expect(rig.recording == [ramp(100, 3), ramp(100, -3)])
    }

    @Test func aSwapLosesNothingOfADelayedPath() throws {
        let rig = OfflineRig(), count = 400
        var impulse = [Float](repeating: 0, count: count)
        impulse[60] = 1
        let source = try rig.add(left: impulse, right: impulse)
        let late = try rig.add(LateUnit.self), sum = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: late)
        try rig.graph.connect(late, to: sum)
        try rig.graph.connect(source, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.render(100, block: 50)
        // The impulse is on its way through both paths when another plan takes over.
        try rig.add(CountingUnit.self, name: "elsewhere")
        try rig.publish()
        rig.render(count - 100, block: 50)
        var wanted = [Float](repeating: 0, count: count)
        wanted[160] = 2
        #expect(rig.recording == [wanted, wanted])
    }

    @Test(arguments: [1, 17, 64, 100, 101, 512]) func parallelPathsOfDifferentLatencyArriveTogether(_ block: Int) throws {
        // Twice through 100 frames, once, and not at all: three copies of an impulse must meet in one frame.
        let rig = OfflineRig(), count = 700
        var impulse = [Float](repeating: 0, count: count)
        impulse[5] = 1
        impulse[90] = 0.25
        let source = try rig.add(left: impulse, right: impulse)
        let first = try rig.add(LateUnit.self, name: "first"), second = try rig.add(LateUnit.self, name: "second")
        let sum = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: first)
        try rig.graph.connect(first, to: second)
        for unit in [second, first, source] { try rig.graph.connect(unit, to: sum) }
        try rig.graph.setOutput(sum)
        #expect(try GraphCompiler.compile(rig.graph).latency == 200)
        try rig.publish()
        rig.render(count, block: block)
        var wanted = [Float](repeating: 0, count: count)
        wanted[205] = 3
        wanted[290] = 0.75
        #expect(rig.recording == [wanted, wanted])
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func aDelayedEdgeGivesItsLastFramesAfterItsSourceFellSilent() throws {
        // The source sleeps after 10 frames, in slices of its own; the delay line still holds them.
        let rig = OfflineRig()
        let source = try rig.add(left: ramp(10), right: ramp(10)), late = try rig.add(LateUnit.self)
        let sum = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: late)
        try rig.graph.connect(late, to: sum)
        try rig.graph.connect(source, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        rig.render(300, block: 10)
        #expect(Array(rig.recording[0][100..<110]) == ramp(10, 2))
        #expect(rig.recording[0].enumerated().allSatisfy { (100..<110).contains($0.offset) || $0.element == 0 })
    }

    @Test func aSleepingUnitIsNotCalledUntilSoundArrives() throws {
        let rig = OfflineRig()
        var sound = [Float](repeating: 0, count: 64 * 21)
        sound[64 * 20] = 1
        // Silence by zeros is sound to the graph; only a source that says so is silent, as this one after its end.
        let early = try rig.add(left: ramp(64), right: ramp(64), name: "early")
        let counting = try rig.add(CountingUnit.self)
        try rig.graph.connect(early, to: counting)
        try rig.graph.setOutput(counting)
        try rig.publish()
        rig.render(64, block: 64)
        let unit = try rig.graph.node(counting).instance
        #expect(unit.readout("calls") == 1)
        rig.render(64 * 10, block: 64)
        #expect(unit.readout("calls") == 2, "once more to find its input silent, then never")
        rig.set(CountingUnit.Parameter.step, 1, of: counting, at: 64 * 11)
        rig.render(64, block: 64)
        #expect(unit.readout("calls") == 3, "an event wakes it")
        #expect(rig.recording[0].suffix(64).allSatisfy { $0 == 1 })
        let late = try rig.add(left: sound, right: sound, name: "late")
        rig.set(CountingUnit.Parameter.step, 0, of: counting, at: 64 * 12)
        try rig.graph.connect(late, to: counting)
        try rig.publish()
        rig.render(64 * 9, block: 64)
        #expect(rig.recording[0][64 * 20] > 0, "the impulse is heard")
    }

    @Test func controllersMoveTheParametersThatDeclareThem() throws {
        let rig = OfflineRig()
        let ones = [Float](repeating: 1, count: 10_000)
        let source = try rig.add(left: ones, right: ones), unit = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: unit)
        try rig.graph.route(part: 0, to: unit)
        try rig.graph.setOutput(unit)
        try rig.publish()
        let commands: [(Int, MusicEvent)] = [(1000, .controller(7, 0)), (3000, .controller(20, 127)), (3001, .controller(20, 0))]
        for (time, music) in commands {
            #expect(rig.renderer.send(RenderCommand(time: SampleTime(Int64(time)), node: nil, event: .music(music))))
        }
        rig.render(4000, block: 333)
        let sound = rig.recording[0]
        #expect(sound[..<1001].allSatisfy { $0 == 1 })
        // 20 ms of glide, 960 frames, in equal steps.
        for k in 0...960 { #expect(abs(sound[1000 + k] - (1 - Float(k) / 960)) < 1e-5) }
        #expect(sound[1960..<3000].allSatisfy { $0 == 0 })
        #expect(sound[3000] == 127 && sound[3001] == 0)
    }

    @Test func aControllerOfAnotherPartOrNumberChangesNothing() throws {
        let rig = OfflineRig()
        let ones = [Float](repeating: 1, count: 500)
        let source = try rig.add(left: ones, right: ones), unit = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: unit)
        try rig.graph.route(part: 5, to: unit)
        try rig.graph.setOutput(unit)
        try rig.publish()
        for music in [MusicEvent.controller(7, 0), .message(MIDIMessage(status: 0xB5, data1: 8, data2: 0)), .note()] {
            #expect(rig.renderer.send(RenderCommand(time: .immediately, node: nil, event: .music(music))))
        }
        rig.render(500)
        #expect(rig.recording[0] == ones && rig.renderer.counters.lostEvents == 0)
    }

    @Test func channelsBeyondTheOutputAreSilent() throws {
        let rig = OfflineRig(channels: 4)
        let source = try rig.add(left: ramp(10), right: ramp(10))
        try rig.graph.setOutput(source)
        try rig.publish()
        rig.render(10)
        #expect(rig.recording[2] == Array(repeating: 0, count: 10) && rig.recording[3] == rig.recording[2])
        #expect(rig.recording[1] == ramp(10))
    }

    @Test func withoutAPlanThereIsSilenceAndTimeGoesOn() {
        let rig = OfflineRig()
        rig.render(100, block: 30)
        #expect(rig.recording == [[Float]](repeating: [Float](repeating: 0, count: 100), count: 2))
        #expect(rig.renderer.sampleTime == SampleTime(100) && rig.renderer.counters.slices == 4)
    }
}
