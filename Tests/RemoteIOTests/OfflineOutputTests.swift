import DSP
import Graphs
import RealtimeCore
import Testing

@testable import RemoteIO

@Suite struct OfflineOutputTests {
    @Test func aPullMovesTheClockByExactlyTheFramesAskedFor() throws {
        let output = try OfflineOutput(renderer: Renderer(), maximumFrames: 256)
        for frames in [1, 17, 256, 0] { output.pull(frames) }
        #expect(output.renderer.sampleTime == SampleTime(274))
    }

    @Test func surroundIsFoldedWhereFewerSpeakersAreAskedFor() throws {
        let (renderer, rig) = try EightTones.renderer()
        let output = try OfflineOutput(renderer: renderer, from: .surround71, to: .quad, maximumFrames: 64)
        output.pull(64)
        let half: Float = 0.70710678, level = EightTones.level
        let expected = [
            level(.frontLeft) + half * level(.centre), level(.frontRight) + half * level(.centre),
            level(.rearLeft) + half * level(.sideLeft), level(.rearRight) + half * level(.sideRight),
        ]
        #expect(output.buffer.channelCount == 4)
        for (channel, value) in expected.enumerated() { #expect(abs(output.buffer[channel: channel][63] - value) < 1e-6) }
        withExtendedLifetime(rig) {}
    }
}
