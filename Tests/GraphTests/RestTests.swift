import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// A plan in which nothing sounds and nothing moves is not walked: whatever wakes it is heard as if it had been.
@Suite struct RestTests {
    /// Keeps a plan from resting, as every unit does that plays music.
    private struct Wakeful: AudioUnit, ~Copyable {
        static let descriptor = UnitDescriptor(
            component: ComponentDescription(type: .midiProcessor, subtype: "wake", manufacturer: "Test"), name: "wakeful",
            summary: "Plays what it hears.", outputs: [.music()], acceptsMusic: true)

        init(_ setup: UnitSetup) {}

        @_noLocks mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) { outlet.send(event) }
        @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
        @_noLocks mutating func reset() {}
    }

    /// Two instruments, one of them in four shares, that begin and end between rests, while the graph changes.
    private func recording(isWakeful: Bool, threads: Int, block: Int) throws -> [[Float]] {
        let rig = OfflineRig(maximumFrames: 64, threads: threads, pull: 1_024)
        let stairs = try rig.add(StairsUnit.self), choir = try rig.add(ChoirUnit.self), count = try rig.add(CountingUnit.self)
        if isWakeful { try rig.add(Wakeful.self) }
        try rig.graph.connect(stairs, to: count)
        try rig.graph.connect(choir, output: 0, to: count)
        try rig.graph.setOutput(count)
        try rig.publish()
        var now = 0
        func pass(_ frames: Int) {
            rig.render(frames, block: block)
            now += frames
        }
        /// A note of each, and silence from 700 frames later on.
        func play(_ velocity: UInt8) {
            for node in [stairs, choir] {
                rig.send(.note(velocity: velocity, key: 60 + velocity % 4), to: node, at: now + 300)
                #expect(rig.renderer.send(RenderCommand(time: SampleTime(Int64(now + 1_000)), node: node, event: .reset)))
            }
        }
        pass(2_048)
        play(3)
        pass(4_096)
        rig.set(CountingUnit.Parameter.factor, 0.5, of: count, at: now + 1_500)
        pass(4_096)
        play(5)
        pass(4_096)
        let between = try rig.add(CountingUnit.self, name: "between")
        try rig.graph.insert(between, between: stairs, and: count)
        try rig.publish()
        play(6)
        pass(8_192)
        // A note that no number comes of: the choir starts afresh, slices later, while all of it rests.
        rig.send(.note(velocity: 127, key: 61), to: choir, at: now + 10)
        pass(4_096)
        play(7)
        pass(4_096)
        try rig.graph.disconnect(stairs, from: between)
        try rig.publish()
        pass(4_096)
        play(2)
        pass(8_192)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig.recording
    }

    @Test(arguments: [1, 2], [64, 1_000]) func whatEndsARestIsHeardAsWithoutIt(threads: Int, block: Int) throws {
        let awake = try recording(isWakeful: true, threads: 1, block: 64)
        #expect(Set(awake[0]) == [0, 1, 5, 6, 7] && awake[0].filter { $0 == 0 }.count > awake[0].count / 2)
        let rested = try recording(isWakeful: false, threads: threads, block: block)
        #expect(firstDifference(awake, rested) == nil)
    }
}
