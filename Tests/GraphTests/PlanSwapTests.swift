import CarillonTestKit
import DSP
import Glibc
import Graphs
import RealtimeCore
import Synchronization
import Testing
import UnitAPI

/// A unit that tells where it died.
struct MortalUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "mrtl", manufacturer: "Test"), name: "mortal",
        summary: "Tells on which thread it died.", outputs: [.init("main")])
    /// How many have died, and how many of them on another thread than the one that made them.
    static let deaths = Atomic(0), deathsElsewhere = Atomic(0)

    private let home = pthread_self()

    init(_ setup: UnitSetup) {}

    deinit {
        Self.deaths.add(1, ordering: .relaxed)
        if pthread_equal(home, pthread_self()) == 0 { Self.deathsElsewhere.add(1, ordering: .relaxed) }
    }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
    @_noLocks mutating func reset() {}
}

final class SharedRenderer: Sendable {
    let renderer = Renderer()
    let isFinished = Atomic(false)
}

/// One graph is replaced by another while it sounds.
@Suite struct PlanSwapTests {
    private func sine(_ frequency: Double, _ count: Int) -> [Float] {
        (0..<count).map { Float(DeterministicMath.sine(turns: Double($0) * frequency / 48_000)) }
    }

    private func steepest(_ sound: ArraySlice<Float>) -> Float {
        zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    @Test(arguments: [64, 100, 1024]) func aSourceIsReplacedWithoutAClick(_ block: Int) throws {
        let rig = OfflineRig(), count = 12_000
        let low = try rig.add(left: sine(220, count), right: sine(220, count), name: "low")
        let high = try rig.add(left: sine(330, count), right: sine(330, count), name: "high")
        let master = try rig.add(CountingUnit.self)
        try rig.graph.connect(low, to: master)
        try rig.graph.setOutput(master)
        try rig.publish()
        rig.render(4050, block: block)
        try rig.graph.disconnect(low, from: master)
        try rig.graph.connect(high, to: master)
        try rig.publish()
        rig.render(4050, block: block)
        // The steepest of two sines, and two gains that cross within 256 frames.
        let sines: Float = 2 * .pi * (220 + 330) / 48_000
        let bound = sines + 2 / 256
        #expect(steepest(rig.recording[0][...]) < bound)
        let hard = abs(sine(330, count)[4050] - sine(220, count)[4049])
        #expect(hard > bound, "a swap without a fade would be seen by this test")
        #expect(Array(rig.recording[0][4400..<8000]) == Array(sine(330, count)[4400..<8000]))
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func aRemovedUnitFadesOutAndTheNextPlanIsFreeOfIt() throws {
        let rig = OfflineRig(), ones = [Float](repeating: 1, count: 10_000)
        let source = try rig.add(left: ones, right: ones, name: "source"), master = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: master)
        try rig.graph.setOutput(master)
        try rig.publish()
        rig.render(1000, block: 100)
        try rig.graph.remove(source)
        try rig.publish()
        rig.render(500, block: 100)
        #expect(rig.recording[0][..<1000].allSatisfy { $0 == 1 })
        for k in 0...256 { #expect(abs(rig.recording[0][1000 + k] - (1 - Float(k) / 256)) < 1e-5) }
        try rig.publish()
        rig.render(500, block: 100)
        #expect(rig.recording[0][1256...].allSatisfy { $0 == 0 })
    }

    @Test func aSwapDuringAFadeGoesOnFromWhereTheFadeIs() throws {
        let rig = OfflineRig(), ones = [Float](repeating: 1, count: 10_000)
        let source = try rig.add(left: ones, right: ones, name: "source"), master = try rig.add(CountingUnit.self)
        let other = try rig.add(left: ones.map { $0 * 0 }, right: ones.map { $0 * 0 }, name: "other")
        try rig.graph.connect(source, to: master)
        try rig.graph.setOutput(master)
        try rig.publish()
        rig.render(1000, block: 100)
        try rig.graph.disconnect(source, from: master)
        for n in 0..<5 {
            // Plans come faster than the fade is long.
            if n % 2 == 0 { try rig.graph.connect(other, to: master) } else { try rig.graph.disconnect(other, from: master) }
            try rig.publish()
            rig.render(50, block: 50)
        }
        rig.render(1000, block: 50)
        #expect(steepest(rig.recording[0][...]) < 1.5 / 256)
        #expect(rig.recording[0].suffix(100).allSatisfy { $0 == 0 })
    }

    @Test func twoPlansInOneSliceStillFadeWhatSoundedBefore() throws {
        let rig = OfflineRig(), ones = [Float](repeating: 1, count: 10_000)
        let source = try rig.add(left: ones, right: ones, name: "source"), master = try rig.add(CountingUnit.self)
        try rig.graph.connect(source, to: master)
        try rig.graph.setOutput(master)
        try rig.publish()
        rig.render(1000, block: 100)
        try rig.graph.disconnect(source, from: master)
        try rig.publish()
        // The renderer never sees the plan before this one.
        try rig.graph.remove(source)
        try rig.publish()
        rig.render(1000, block: 100)
        #expect(steepest(rig.recording[0][...]) < 1.5 / 256)
        #expect(rig.recording[0].suffix(100).allSatisfy { $0 == 0 })
    }

    @Test func aConnectionMayBeTurnedRoundWhileItSounds() throws {
        let rig = OfflineRig(), ones = [Float](repeating: 1, count: 10_000)
        let source = try rig.add(left: ones, right: ones, name: "source")
        let a = try rig.add(CountingUnit.self, name: "a"), b = try rig.add(CountingUnit.self, name: "b")
        try rig.graph.connect(source, to: a)
        try rig.graph.connect(a, to: b)
        try rig.graph.setOutput(b)
        try rig.publish()
        rig.render(500, block: 100)
        try rig.graph.disconnect(source, from: a)
        try rig.graph.disconnect(a, from: b)
        try rig.graph.connect(source, to: b)
        try rig.graph.connect(b, to: a)
        try rig.graph.setOutput(a)
        try rig.publish()
        rig.render(1000, block: 100)
        // The old way fades out before the new one fades in: together they would be a circle.
        #expect(steepest(rig.recording[0][...]) < 2.1 / 256)
        #expect(rig.recording[0].suffix(480).allSatisfy { $0 == 1 })
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test func plansAndUnitsDieOnTheControlThread() throws {
        let shared = SharedRenderer(), plans = 300
        let render: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            let shared = Unmanaged<SharedRenderer>.fromOpaque(context).takeUnretainedValue()
            let buffer = AudioBuffer(channels: 2, capacity: 64)
            while !shared.isFinished.load(ordering: .acquiring) {
                _ = shared.renderer.render(into: AudioBlock(buffer.channels, channelCount: 2, frames: 64))
                sched_yield()
            }
            return nil
        }
        var thread = pthread_t()
        #expect(pthread_create(&thread, nil, render, Unmanaged.passUnretained(shared).toOpaque()) == 0)
        for _ in 0..<plans {
            var graph = Graph(sampleRate: 48_000, maximumFrames: 64)
            try graph.setOutput(try graph.add(MortalUnit.self))
            shared.renderer.adopt(try GraphCompiler.compile(graph))
            let slices = shared.renderer.counters.slices
            // The slice that is being rendered may have begun before.
            while shared.renderer.counters.slices < slices + 2 { sched_yield() }
            shared.renderer.collect()
        }
        shared.isFinished.store(true, ordering: .releasing)
        pthread_join(thread, nil)
        shared.renderer.collect()
        #expect(MortalUnit.deaths.load(ordering: .relaxed) >= plans - 1)
        #expect(MortalUnit.deathsElsewhere.load(ordering: .relaxed) == 0)
    }
}
