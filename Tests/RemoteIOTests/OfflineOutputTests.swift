import Graph
import RealtimeCore
import Testing

@testable import RemoteIO

@Suite struct OfflineOutputTests {
    @Test func aPullMovesTheClockByExactlyTheFramesAskedFor() throws {
        let output = try OfflineOutput(renderer: Renderer(), maximumFrames: 256)
        for frames in [1, 17, 256, 0] { output.pull(frames) }
        #expect(output.renderer.sampleTime == SampleTime(274))
    }
}
