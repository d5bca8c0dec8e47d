import Graphs
import RealtimeCore
import RemoteIO
import Synchronization
import Testing

@Suite struct PullClaimTests {
    @Test func aRendererIsPulledByOneAtATime() throws {
        let renderer = Renderer(), other = Renderer()
        do {
            let first = try OfflineOutput(renderer: renderer, maximumFrames: 64)
            #expect(throws: PullError.alreadyPulled) { _ = try OfflineOutput(renderer: renderer, maximumFrames: 64) }
            #expect(throws: PullError.alreadyPulled) { _ = try PullClaim(renderer) }
            _ = try PullClaim(other)
            first.pull(64)
        }
        try OfflineOutput(renderer: renderer, maximumFrames: 64).pull(64)
        #expect(renderer.sampleTime == SampleTime(128))
    }

    @Test func aPortThatIsRefusedTheRendererPullsNothing() throws {
        let renderer = Renderer(), port = SimulatedPort()
        let output = try OfflineOutput(renderer: renderer, maximumFrames: 64)
        _ = try port.open(renderer, DeviceRequest(), input: nil)
        #expect(throws: DeviceError.alreadyPulled) { try port.start {} }
        port.advance(frames: 10_000)
        #expect(renderer.sampleTime == .zero && port.played.isEmpty)
        output.pull(1)
    }

    @Test func aPeriodicThreadWorksUntilItIsStopped() throws {
        let calls = Atomic<Int>(0)
        let thread = try PeriodicThread(name: "test", milliseconds: 1) { calls.add(1, ordering: .relaxed) }
        thread.stop()
        let count = calls.load(ordering: .relaxed)
        #expect(count >= 1)
    }
}
